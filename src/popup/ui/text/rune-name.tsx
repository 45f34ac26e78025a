import { Fragment } from 'react'

/** The name of a rune, which may go on in the next line behind each of its spacers. */
export function RuneName({ name }: { name: string }) {
  const parts = name.split('•')
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
    <Fragment key={at}>
      {part}
      {at < parts.length - 1 ? (
        <>
          •<wbr />
        </>
      ) : null}
    </Fragment>
  ))
}
