import { useEffect, useRef, useState } from 'react'
import type { ContentView } from '../../../background/views/asset-views.ts'
import type { JobView } from '../../../background/views/inscribe-views.ts'
import { call } from '../../platform/rpc.ts'
import { ContentPicture, useNear } from '../../ui/pictures/inscription-picture.tsx'
import { fitContent } from '../../ui/pictures/still-image.ts'

type JobPictureProps = { job: JobView; item: number; size: 'small' | 'large'; label?: string }

const SIDES = { small: 160, large: 1600 }

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
      .then(content => fitContent(content, SIDES[size]))
      .catch((): ContentView => ({ kind: 'placeholder', why: 'unanswered' }))
      .then(content => {
        if (!isOver) setContent(content)
      })
    return () => {
      isOver = true
    }
  }, [id, item, size, near])
  return (
    <div ref={box} className={`job-picture ${size}`}>
      <ContentPicture
        content={content}
        size={size}
        label={label}
        {...(kind === undefined ? {} : { kind })}
      />
    </div>
  )
}
