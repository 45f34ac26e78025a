import { useEffect, useRef, useState } from 'react'
import type { ContentView } from '../../../background/views/asset-views.ts'
import type { JobView } from '../../../background/views/inscribe-views.ts'
import { call } from '../../platform/rpc.ts'
import { classNames } from '../../ui/class-names.ts'
import { useDrawnContent } from '../../ui/pictures/drawn-content.ts'
import { DrawnPicture, useNear } from '../../ui/pictures/inscription-picture.tsx'
import styles from './jobs.module.css'

type JobPictureProps = { job: JobView; item: number; size: 'small' | 'large'; label?: string }

const DRAWN = {
  small: { side: 160, moving: false },
  large: { side: 1600, moving: true },
}

/** What an item of a job looks like, from what is stored of it: also while no index knows it. Loaded when it is about to be seen. */
export function JobPicture({ job, item, size, label = '' }: JobPictureProps) {
  const { id } = job
  const kind = job.items[item]?.kind
  const [content, setContent] = useState<ContentView | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const near = useNear(box)
  useEffect(() => {
    if (!near) return
    let isOver = false
    call('getJobContent', { jobId: id, item })
      .catch((): ContentView => ({ kind: 'placeholder', why: 'unanswered' }))
      .then(content => {
        if (!isOver) setContent(content)
      })
    return () => {
      isOver = true
    }
  }, [id, item, near])
  const drawn = useDrawnContent(content, DRAWN[size])
  return (
    <div ref={box} className={classNames(styles.picture, styles[size])}>
      <DrawnPicture
        content={drawn}
        size={size}
        label={label}
        {...(kind === undefined ? {} : { kind })}
      />
    </div>
  )
}
