import { useLayoutEffect, useRef } from 'react'
import type { Movement, Picture } from './picture-decoder.ts'

type PixelCanvasProps = {
  picture: Picture
  /** Its name; empty for one that is not read out. */
  label: string
  className: string | undefined
}

/** The pixels of a picture, and what comes after them where it moves. */
export function PixelCanvas({ picture, label, className }: PixelCanvasProps) {
  const element = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const canvas = element.current
    if (!canvas) return
    draw(canvas, picture.bitmap)
    return picture.movement ? play(canvas, picture.movement) : undefined
  }, [picture])
  return (
    <canvas
      ref={element}
      className={className}
      {...(label === '' ? {} : { role: 'img', 'aria-label': label })}
    />
  )
}

function draw(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  // Setting its size clears it: what is transparent shows nothing of the frame before.
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
}

/** Draws one frame after the other; returns how to stop. */
function play(canvas: HTMLCanvasElement, movement: Movement): () => void {
  let isOver = false
  let timer: ReturnType<typeof setTimeout>
  const wait = (since: number, duration: number) => {
    timer = setTimeout(show, Math.max(0, since + duration - performance.now()), since + duration)
  }
  const show = async (due: number) => {
    const frame = await movement.next()
    if (!frame) return
    if (!isOver) draw(canvas, frame.bitmap)
    frame.bitmap.close()
    // A late frame makes no later one shorter.
    if (!isOver && frame.duration !== null) wait(Math.max(due, performance.now()), frame.duration)
  }
  wait(performance.now(), movement.duration)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
