import { joinList } from '../../platform/join-words.ts'
import { words } from '../../platform/words.ts'
import { Notice } from '../../ui/notice.tsx'

/** Said of a ticker with letters of more than one alphabet: it may pass for another token's. */
export function TickerNotice({ tick }: { tick: string }) {
  const foreign = listForeignLetters(tick)
  if (foreign.length === 0) return null
  return (
    <Notice tone="caution" title={words('brc20MixedLetters')}>
      {words('brc20MixedLettersNote', { letters: joinList(foreign) })}
    </Notice>
  )
}

/** Code points of the letters that are not Latin, where others are; none where all letters are of one kind. */
export function listForeignLetters(tick: string): string[] {
  const letters = tick.match(/\p{L}/gu) ?? []
  const foreign = letters.filter(letter => !/\p{Script=Latin}/u.test(letter))
  if (foreign.length === letters.length) return []
  return foreign.map(letter => `U+${codeOf(letter)}`)
}

function codeOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
