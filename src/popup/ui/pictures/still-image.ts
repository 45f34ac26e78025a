import type { ContentView } from '../../../background/views/asset-views.ts'

type Image = ContentView & { kind: 'image' }

/** What can move; an animated PNG or AVIF is too rare to take every picture of theirs apart. */
const MOVING = ['image/gif', 'image/webp']

/**
 * The content as it is to be drawn within `side` pixels: a larger picture is drawn once and kept small, so that a list of
 * huge ones needs no more memory than one of small ones. For a person who wants nothing to move it is its first frame.
 */
export async function fitContent(content: ContentView, side: number): Promise<ContentView> {
  if (content.kind !== 'image') return content
  const large = Math.max(content.width, content.height) > side
  const moving = MOVING.includes(content.type) && prefersStill()
  if (!large && !moving) return content
  return drawStill(content, side).catch(() => ({ kind: 'placeholder', why: 'damaged' }))
}

function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

async function drawStill({ type, base64, width, height }: Image, side: number): Promise<Image> {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  const scale = Math.min(1, side / Math.max(width, height))
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  const bitmap = await createImageBitmap(new Blob([bytes], { type }), {
    resizeWidth: size.width,
    resizeHeight: size.height,
    resizeQuality: 'medium',
  })
  const canvas = Object.assign(document.createElement('canvas'), size)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  const [, still = ''] = canvas.toDataURL('image/png').split(',')
  return { kind: 'image', type: 'image/png', base64: still, ...size }
}
