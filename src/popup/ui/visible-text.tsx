import { currentLanguage } from '../words.ts'
import { splitVisible } from './visible-parts.ts'
import './visible-text.css'

/** Text of a site with its line ends kept and every character that cannot be seen spelled out. */
export function VisibleText({ text }: { text: string }) {
  return splitVisible(text).map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the text never changes while it is shown
    if (part.kind === 'plain') return <bdi key={index}>{part.text}</bdi>
    if (part.kind === 'line-end') return <br key={index} />
    const times = part.count > 1 ? ` ×${part.count.toLocaleString(currentLanguage())}` : ''
    return (
      <span key={index} className="unseen" title={part.name}>
        {part.code}
        {times}
        <span className="hidden-text"> ({part.name})</span>
      </span>
    )
    // biome-ignore-end lint/suspicious/noArrayIndexKey: the text never changes while it is shown
  })
}
