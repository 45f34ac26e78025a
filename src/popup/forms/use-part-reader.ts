import { useRef, useState } from 'react'
import {
  createPartReader,
  type PartReader,
  type ReadProgress,
  type ReadResult,
} from '../../bitcoin/qr/part-reader.ts'
import { QrCodeError, type QrProblem } from '../../bitcoin/qr/qr-error.ts'
import { type WordKey, words } from '../platform/words.ts'

const PROBLEMS: { [problem in QrProblem]: WordKey } = {
  damaged: 'scanDamaged',
  mixed: 'scanMixed',
  checksum: 'scanChecksum',
  'too-large': 'scanTooLarge',
  endless: 'scanEndless',
  unsupported: 'scanUnsupported',
  private: 'scanPrivate',
}

/** One reader for all that a person gives to it, by camera, picture, file or text; tells the result once. */
export function usePartReader(onRead: (result: ReadResult) => void) {
  const kept = useRef<PartReader | null>(null)
  kept.current ??= createPartReader()
  const reader = kept.current
  const [progress, setProgress] = useState<ReadProgress>(reader.progress())
  const [failure, setFailure] = useState<string | null>(null)
  const isOver = useRef(false)

  const take = async (work: Promise<ReadProgress>): Promise<void> => {
    try {
      const now = await work
      setProgress(now)
      setFailure(null)
      if (!now.result || isOver.current) return
      isOver.current = true
      onRead(now.result)
    } catch (error) {
      setProgress(reader.progress())
      setFailure(
        error instanceof QrCodeError ? words(PROBLEMS[error.problem]) : words('scanDamaged'),
      )
    }
  }

  return {
    progress,
    failure,
    /** The text of a code. */
    add: (text: string) => take(reader.add(text)),
    /** A file or a pasted text. */
    addFile: (bytes: Uint8Array) => take(reader.addFile(bytes)),
    reset: () => {
      reader.reset()
      isOver.current = false
      setProgress(reader.progress())
      setFailure(null)
    },
  }
}
