import { createContext, type ReactNode, useContext } from 'react'
import type { AssetView } from '../../../background/views/asset-views.ts'
import { words } from '../../platform/words.ts'
import textStyles from '../styles/text.module.css'
import { formatRuneAmount, nameAsset } from './asset-names.ts'
import { formatFiat, nameBtc, nameCoin, nameSats } from './btc-digits.ts'

/** Stands for the digits of any amount, so that its length says nothing. */
const MASK = '••••'

/** How amounts of the account are written: as they are, or each as the same mask. */
const SHOWN = {
  isHidden: false,
  sats: nameSats,
  coin: nameCoin,
  btc: (sats: bigint): string => nameBtc(sats),
  fiat: formatFiat,
  tokens: formatRuneAmount,
  /** For what spells them itself. */
  digits: (amount: string): string => amount,
  asset: nameAsset,
}

export type AmountWriter = typeof SHOWN

const HIDDEN: AmountWriter = {
  isHidden: true,
  sats: () => MASK,
  coin: () => MASK,
  btc: () => MASK,
  fiat: () => MASK,
  tokens: () => MASK,
  digits: () => MASK,
  asset: asset => nameAsset(maskUnits(asset)),
}

const Writer = createContext(SHOWN)

/** Whether the screens inside hide what the account holds. Forms, reviews and approvals do not ask, and show every amount. */
export function HideAmounts(props: { hidden: boolean; children: ReactNode }) {
  return <Writer value={props.hidden ? HIDDEN : SHOWN}>{props.children}</Writer>
}

/** For the amounts of screens that show what the account holds. */
export function useAmounts(): AmountWriter {
  return useContext(Writer)
}

/** In the place of an amount; read as a word. */
export function HiddenAmount() {
  return (
    <>
      <span aria-hidden="true">{MASK}</span>
      <span className={textStyles.visuallyHidden}>{words('amountHidden')}</span>
    </>
  )
}

function maskUnits(asset: AssetView): AssetView {
  return asset.kind === 'inscription' ? asset : { ...asset, amount: MASK }
}
