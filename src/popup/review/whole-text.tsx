import textStyles from '../ui/styles/text.module.css'
import { widthOf } from '../ui/text/letter-width.ts'

/** As many characters as fit on a line of a title at 360 pixels. */
const LINE = 26

/** A name within a title: on one line where it fits, since a name cut at its hyphen reads like another. */
export function WholeText({ text }: { text: string }) {
  return (
    <span className={widthOf(text) <= LINE ? textStyles.nowrap : textStyles.breakable}>{text}</span>
  )
}
