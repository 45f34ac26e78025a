import { currentLanguage } from '../../platform/words.ts'
import { splitVisible, splitWord, type VisiblePart } from './visible-parts.ts'
import './visible-text.css'

/** Text of a site with its line ends kept and every character that cannot be seen spelled out. */
export function VisibleText({ text }: { text: string }) {
  return drawParts(splitVisible(text))
}

/** What counts as one word, such as a token's ticker: its spaces and line ends are spelled out, too. */
export function VisibleWord({ text }: { text: string }) {
  return drawParts(splitWord(text))
}

function drawParts(parts: readonly VisiblePart[]) {
  return parts.map((part, index) => {
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
