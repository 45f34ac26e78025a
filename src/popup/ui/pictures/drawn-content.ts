import { useEffect, useState } from 'react'
import type { ContentView } from '../../../background/views/asset-views.ts'
import { pictureDecoder } from './decoder-frame.ts'
import type { Picture } from './picture-decoder.ts'

/** Content as it is drawn: a picture is its pixels, decoded elsewhere. */
export type DrawnContent =
  | Exclude<ContentView, { kind: 'image' }>
  | (Picture & { kind: 'pixels' /** Whether it is drawn with sharp edges. */; pixelArt: boolean })

/** Pictures of so few pixels are drawn with sharp edges. */
const PIXEL_ART = 128

/**
 * The content as it is to be drawn within `side` pixels: a larger picture is kept small, so that a list of huge ones needs no
 * more memory than one of small ones. It moves if that is wanted and the person does not want everything still.
 */
export async function drawContent(
  content: ContentView,
  { side, moving }: { side: number; moving: boolean },
): Promise<DrawnContent> {
  if (content.kind !== 'image') return content
  const pixelArt = Math.max(content.width, content.height) <= PIXEL_ART
  try {
    const wanted = { side, moving: moving && !prefersStill() }
    const bytes = Uint8Array.from(atob(content.base64), letter => letter.charCodeAt(0))
    const picture = await pictureDecoder.decode(bytes, wanted)
    return { kind: 'pixels', pixelArt, ...picture }
  } catch {
    return { kind: 'placeholder', why: 'damaged' }
  }
}

function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Gives back what the pixels take. */
export function discardContent(content: DrawnContent): void {
  if (content.kind !== 'pixels') return
  content.bitmap.close()
  content.movement?.end()
}

/** Content that is at hand as it is drawn; null until that is known. */
export function useDrawnContent(
  content: ContentView | null,
  { side, moving }: { side: number; moving: boolean },
): DrawnContent | null {
  const [drawn, setDrawn] = useState<{ of: ContentView; content: DrawnContent } | null>(null)
  useEffect(() => {
    if (content === null) return
    let isOver = false
    let kept: DrawnContent | null = null
    void drawContent(content, { side, moving }).then(drawn => {
      if (isOver) return discardContent(drawn)
      kept = drawn
      setDrawn({ of: content, content: drawn })
    })
    return () => {
      isOver = true
      setDrawn(null)
      if (kept) discardContent(kept)
    }
  }, [content, side, moving])
  return drawn?.of === content ? drawn.content : null
}
