import { Fragment } from 'react'
import { formatRuneAmount } from './asset-names.ts'
import { HiddenAmount, useAmounts } from './hidden-amounts.tsx'

/** So many characters fit on any line. */
const SHORT = 16

/** An amount of tokens with all its digits; one that is too long for a line goes on after a group of them. */
export function TokenNumber({ amount }: { amount: string }) {
  const text = formatRuneAmount(amount)
  if (text.length <= SHORT) return text
  const whole = formatRuneAmount(amount.split('.')[0] ?? '')
  return [...whole.split(/(?<=\D)/), text.slice(whole.length)].map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a group of digits is its place
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ))
}

/** How many tokens the account has. */
export function HeldTokens({ amount }: { amount: string }) {
  const { isHidden } = useAmounts()
  return isHidden ? <HiddenAmount /> : <TokenNumber amount={amount} />
}
