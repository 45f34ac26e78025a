import { Camera } from 'lucide-react'
import { useRef } from 'react'
import type { ReadProgress } from '../../bitcoin/qr/part-reader.ts'
import { words } from '../platform/words.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import textStyles from '../ui/styles/text.module.css'
import styles from './scan.module.css'
import { type CameraState, useCamera } from './use-camera.ts'

type ScanCameraProps = {
  progress: ReadProgress
  onCode: (text: string) => Promise<void>
}

const FAILURES: { [state in CameraState]?: 'scanDenied' | 'scanNoCamera' | 'scanInUse' } = {
  denied: 'scanDenied',
  missing: 'scanNoCamera',
  'in-use': 'scanInUse',
}

/** The camera's picture with a ring that closes as parts come in; only in a tab, as the toolbar popup closes on the browser's question. */
export function ScanCamera({ progress, onCode }: ScanCameraProps) {
  const video = useRef<HTMLVideoElement>(null)
  const { state, again } = useCamera(video, onCode)
  const failure = FAILURES[state]
  return (
    <div className={styles.scanCamera}>
      <div className={styles.view} hidden={failure !== undefined}>
        <video ref={video} muted playsInline aria-label={words('scanPicture')} />
        {state === 'running' ? <Ring share={progress.share} /> : <Camera size={32} aria-hidden />}
      </div>
      {failure ? (
        <>
          <Notice tone="caution" live>
            {words(failure)}
          </Notice>
          <Button variant="secondary" onClick={again}>
            {words('commonTryAgain')}
          </Button>
        </>
      ) : (
        <p className={textStyles.muted} role="status">
          {state === 'running'
            ? progress.total === null
              ? words('scanHold')
              : words('scanParts', { seen: progress.seen, total: progress.total })
            : words('scanAsking')}
        </p>
      )}
    </div>
  )
}

const RADIUS = 46
const LENGTH = 2 * Math.PI * RADIUS

/** How much is there, as a part of a circle. */
function Ring({ share }: { share: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r={RADIUS} />
      <circle
        className={styles.done}
        cx="50"
        cy="50"
        r={RADIUS}
        strokeDasharray={`${share * LENGTH} ${LENGTH}`}
      />
    </svg>
  )
}
