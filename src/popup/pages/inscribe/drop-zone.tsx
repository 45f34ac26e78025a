import { type ReactNode, useState } from 'react'
import { words } from '../../platform/words.ts'

/** Takes files that are dropped or pasted anywhere on the screen inside. */
export function DropZone(props: {
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}) {
  const [over, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting only add to the button inside
    <div
      className="drop-zone"
      onDragOver={event => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={event => {
        const { relatedTarget, currentTarget } = event
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          setOver(false)
      }}
      onDrop={event => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(false)
        props.onFiles([...event.dataTransfer.files])
      }}
      onPaste={event => {
        const files = [...event.clipboardData.files]
        if (files.length === 0) return
        event.preventDefault()
        props.onFiles(files)
      }}
    >
      {props.children}
      {over ? (
        <div className="drop-hint">
          <p>{words('inscribeFormDrop')}</p>
        </div>
      ) : null}
    </div>
  )
}
