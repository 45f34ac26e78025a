import textStyles from '../ui/styles/text.module.css'

/** A name within a title: on one line where one has room for it, since a name cut at its hyphen reads like another. */
export function WholeText({ text }: { text: string }) {
  return <span className={textStyles.whole}>{text}</span>
}
