import { type RefObject, useEffect, useRef, useState } from 'react'
import { createLatest } from '../../state/latest.ts'

/** `asking` is until the person or the browser has answered; `paused` while the page is hidden. */
export type CameraState = 'asking' | 'running' | 'paused' | 'denied' | 'missing' | 'in-use'

/** Pixels of the longer side: enough for the densest code that is shown here, and looked through in time. */
const LONGEST_SIDE = 960

/**
 * Shows the camera in a video element and hands on the text of each code that is seen in it, until the component goes. A
 * hidden page lets go of the camera. `again` asks once more. No picture leaves this computer, none is kept.
 */
export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  onCode: (text: string) => Promise<void>,
): { state: CameraState; again: () => void } {
  const [state, setState] = useState<CameraState>('asking')
  const [round, setRound] = useState(0)
  const newest = useRef(onCode)
  newest.current = onCode

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round begins from the start
  useEffect(() => {
    const element = video.current
    if (!element) return
    let stream: MediaStream | null = null
    // What was asked for before is not wanted once it is asked for again.
    const latest = createLatest()
    const stop = () => {
      latest.cancel()
      for (const track of stream?.getTracks() ?? []) track.stop()
      stream = null
      element.srcObject = null
    }
    const start = async () => {
      const isLatest = latest.begin()
      try {
        const opened = await openCamera()
        if (!isLatest()) {
          for (const track of opened.getTracks()) track.stop()
          return
        }
        stream = opened
        opened.getVideoTracks()[0]?.addEventListener('ended', () => {
          if (stream !== opened) return
          stop()
          setState('missing')
        })
        element.srcObject = opened
        await element.play()
        setState('running')
        await readFrames(
          element,
          () => stream === opened,
          text => newest.current(text),
        )
      } catch (error) {
        if (!isLatest()) return
        stop()
        setState(nameFailure(error))
      }
    }
    const onVisibility = () => {
      if (document.hidden) {
        stop()
        setState('paused')
      } else if (stream === null) {
        setState('asking')
        void start()
      }
    }
    document.addEventListener('visibilitychange', onVisibility)
    if (document.hidden) setState('paused')
    else void start()
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      stop()
    }
  }, [round, video])

  const again = () => {
    setState('asking')
    setRound(round + 1)
  }
  return { state, again }
}

async function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new DOMException('no camera', 'NotFoundError')
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
  })
}

function nameFailure(error: unknown): CameraState {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotReadableError' || name === 'AbortError' ? 'in-use' : 'missing'
}

/** Looks through one frame after the other, as many as there is time for. */
async function readFrames(
  video: HTMLVideoElement,
  isWanted: () => boolean,
  onCode: (text: string) => Promise<void>,
): Promise<void> {
  const { default: decodeQR } = await import('qr/decode.js')
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new DOMException('no canvas', 'NotFoundError')
  while (isWanted()) {
    await new Promise(resolve => requestAnimationFrame(resolve))
    const { videoWidth, videoHeight } = video
    if (!isWanted() || videoWidth === 0) continue
    const scale = Math.min(1, LONGEST_SIDE / Math.max(videoWidth, videoHeight))
    const [width, height] = [Math.round(videoWidth * scale), Math.round(videoHeight * scale)]
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width
      canvas.height = height
    }
    context.drawImage(video, 0, 0, width, height)
    const text = attemptDecode(() => decodeQR(context.getImageData(0, 0, width, height)))
    if (text !== null) await onCode(text)
  }
}

function attemptDecode(decode: () => string): string | null {
  try {
    return decode()
  } catch {
    // Most frames of a moving picture hold no whole code.
    return null
  }
}
