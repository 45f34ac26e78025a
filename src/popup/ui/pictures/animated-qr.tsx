import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import {
  createPsbtFrames,
  type FrameDensity,
  type FrameFormat,
  type PsbtFrames,
} from '../../../bitcoin/qr/part-writer.ts'
import { words } from '../../platform/words.ts'
import { IconButton } from '../button.tsx'
import { Segments } from '../fields/segments.tsx'
import { Notice } from '../notice.tsx'
import textStyles from '../styles/text.module.css'
import styles from './animated-qr.module.css'
import { QrCode } from './qr-code.tsx'

/** Milliseconds a code is shown: six a second, which cameras of devices follow, and one each two seconds for reduced motion. */
const STEP_MS = 160
const CALM_STEP_MS = 2_000

type AnimatedQrProps = {
  psbt: Uint8Array
  /** What the codes are of, for those who hear it. */
  label: string
  /** Chosen at first. */
  format?: FrameFormat
}

/** A PSBT as QR codes one after the other, or as one that stands still where that is enough. */
export function AnimatedQr({ psbt, label, format: first = 'ur' }: AnimatedQrProps) {
  const [format, setFormat] = useState<FrameFormat>(first)
  const [density, setDensity] = useState<FrameDensity>('medium')
  const frames = useMemo(() => attemptFrames(psbt, format, density), [psbt, format, density])
  return (
    <div className={styles.animatedQr}>
      {frames ? (
        <Frames key={`${format} ${density}`} frames={frames} label={label} />
      ) : (
        <Notice tone="caution">{words('codesTooLarge')}</Notice>
      )}
      {frames?.count === 1 && density === 'medium' ? null : (
        <Segments
          label={words('codesDensity')}
          value={density}
          onChoose={setDensity}
          options={[
            { value: 'small', name: words('codesSmall') },
            { value: 'medium', name: words('codesMedium') },
            { value: 'large', name: words('codesLarge') },
          ]}
        />
      )}
      <Segments
        label={words('codesFormat')}
        value={format}
        onChoose={setFormat}
        options={[
          { value: 'ur', name: 'UR' },
          { value: 'bbqr', name: 'BBQr' },
        ]}
      />
      <p className={textStyles.note}>{words('codesNote')}</p>
    </div>
  )
}

function attemptFrames(
  psbt: Uint8Array,
  format: FrameFormat,
  density: FrameDensity,
): PsbtFrames | null {
  try {
    return createPsbtFrames(psbt, { format, density })
  } catch {
    return null
  }
}

function Frames({ frames, label }: { frames: PsbtFrames; label: string }) {
  const [index, setIndex] = useState(0)
  const [isPlaying, setPlaying] = useState(true)
  const isStill = frames.count === 1
  useEffect(() => {
    if (isStill || !isPlaying) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const timer = setInterval(() => setIndex(now => now + 1), isCalm ? CALM_STEP_MS : STEP_MS)
    return () => clearInterval(timer)
  }, [isStill, isPlaying])
  const step = (by: number) => {
    setPlaying(false)
    setIndex(now => Math.max(0, now + by))
  }
  const part = words('codesPart', { part: (index % frames.count) + 1, count: frames.count })
  return (
    <>
      <div className={styles.code}>
        <QrCode text={frames.frame(index)} label={label} ecc="low" />
      </div>
      {isStill ? null : (
        <div className={styles.controls}>
          <IconButton label={words('codesBefore')} onClick={() => step(-1)}>
            <SkipBack size={20} aria-hidden />
          </IconButton>
          <IconButton
            label={words(isPlaying ? 'codesPause' : 'codesPlay')}
            onClick={() => setPlaying(!isPlaying)}
          >
            {isPlaying ? <Pause size={20} aria-hidden /> : <Play size={20} aria-hidden />}
          </IconButton>
          <IconButton label={words('codesNext')} onClick={() => step(1)}>
            <SkipForward size={20} aria-hidden />
          </IconButton>
          {/* While it runs, nobody could hear it six times a second. */}
          <span className={textStyles.note} aria-live={isPlaying ? 'off' : 'polite'}>
            {part}
          </span>
        </div>
      )}
    </>
  )
}
