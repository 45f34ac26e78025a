import { useId } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import { richWords } from '../../words.ts'

/** How far a file is read. */
export function ReadingFile({ name, share }: { name: string; share: number }) {
  const id = useId()
  return (
    <div className="reading">
      <label htmlFor={id} className="breakable">
        {richWords('inscribeFormReading', { name: <VisibleText text={name} /> })}
      </label>
      <progress id={id} value={share} max={1} />
    </div>
  )
}
