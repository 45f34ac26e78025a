import { useRef, useState } from 'react'
import { MAX_ITEMS } from '../../../provider/inscribe-params.ts'
import { contentTypeOf, pack, readFile } from '../../forms/read-file.ts'
import { words } from '../../platform/words.ts'
import { formatSize } from '../../ui/text/size-text.ts'
import type { ItemForm } from './inscribe-form.ts'
import { MOST_BYTES } from './parse-inscribe-form.ts'

type Files = {
  /** How many more there is room for. */
  roomFor: () => number
  onRead: (item: ItemForm) => void
}

/** Reads files one after another, tells how far it is, and in words which ones were left out. */
export function useFiles({ roomFor, onRead }: Files) {
  const [reading, setReading] = useState<{ name: string; share: number } | null>(null)
  const [skipped, setSkipped] = useState<string[]>([])
  const queue = useRef(Promise.resolve())
  const skip = (text: string) => setSkipped(before => [...before, text])
  return {
    reading,
    skipped,
    read(files: readonly File[]) {
      setSkipped([])
      queue.current = queue.current.then(() => readAll(files))
    },
  }

  async function readAll(files: readonly File[]): Promise<void> {
    for (const file of files) {
      if (roomFor() <= 0) {
        skip(words('inscribeFormSkippedMany', { most: MAX_ITEMS }))
        break
      }
      const reason = explainSkipped(file)
      if (reason === null) await read(file)
      else skip(reason)
    }
    setReading(null)
  }

  async function read(file: File): Promise<void> {
    const { name } = file
    setReading({ name, share: 0 })
    try {
      const bytes = await readFile(file, share => setReading({ name, share }))
      const contentType = contentTypeOf(file, bytes)
      const packed = await pack(bytes)
      onRead({ key: crypto.randomUUID(), kind: 'file', name, contentType, bytes, packed })
    } catch {
      skip(words('inscribeFormSkippedBroken', { name }))
    }
  }
}

/** Null for a file that is worth reading. */
function explainSkipped({ name, size }: File): string | null {
  if (size === 0) return words('inscribeFormSkippedEmpty', { name })
  if (size <= MOST_BYTES) return null
  const sizes = { size: formatSize(size), most: formatSize(MOST_BYTES) }
  return words('inscribeFormSkippedLarge', { name, ...sizes })
}
