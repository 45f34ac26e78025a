import { useState } from 'react'
import type { HeldReason } from '../../../background/views/asset-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { sumCoins } from '../../forms/use-send-facts.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { listAssets } from '../../ui/text/asset-names.ts'
import { nameBtc, nameCoin } from '../../ui/text/btc-digits.ts'
import styles from './coin-picker.module.css'

type CoinPickerProps = {
  coins: CoinView[]
  chosen: string[] | null
  /** Null gives the choice back to the wallet. */
  onChoose: (chosen: string[] | null) => void
  onClose: () => void
}

/** How many coins are drawn at first, and how many more at each press. */
const STEP = 100

/** Exactly these coins and no others. Held ones cannot be chosen here: what holds them is decided in Coins. */
export function CoinPicker({ coins, chosen, onChoose, onClose }: CoinPickerProps) {
  const [marked, setMarked] = useState<readonly string[]>(chosen ?? [])
  const [room, setRoom] = useState(STEP)
  // One that is spent or held meanwhile has no box to be unchecked in.
  const picked = marked.filter(outpoint =>
    coins.some(coin => coin.outpoint === outpoint && coin.held === null),
  )
  const ordered = [...coins].sort((a, b) => Number(a.held !== null) - Number(b.held !== null))
  const sum = sumCoins(coins.filter(({ outpoint }) => picked.includes(outpoint)))
  return (
    <Dialog title={words('sendCoins')} onClose={onClose}>
      <p className={textStyles.muted}>{words('sendCoinsNote')}</p>
      {coins.length === 0 ? <p>{words('sendNothingAvailable')}</p> : null}
      <ul className={styles.list}>
        {ordered
          .slice(0, room)
          .map(({ outpoint, sats, held, label, height, assets, unchecked }) => (
            <li key={outpoint} className={held === null ? undefined : styles.held}>
              {held === null ? (
                <Check
                  checked={picked.includes(outpoint)}
                  onCheck={on =>
                    setMarked(before =>
                      on ? [...before, outpoint] : before.filter(other => other !== outpoint),
                    )
                  }
                >
                  <CoinText
                    sats={sats}
                    note={label || (height === null ? words('sendCoinUnconfirmed') : '')}
                    danger={
                      assets.length > 0
                        ? words('sendCoinCarries', { what: listAssets(assets) })
                        : unchecked === null
                          ? ''
                          : words('coinsUnchecked')
                    }
                    outpoint={outpoint}
                  />
                </Check>
              ) : (
                <CoinText
                  sats={sats}
                  note={assets.length > 0 ? listAssets(assets) : words(HELD_WORDS[held])}
                  outpoint={outpoint}
                />
              )}
            </li>
          ))}
      </ul>
      {coins.length > room ? (
        <Button variant="quiet" onClick={() => setRoom(before => before + STEP)}>
          {words('sendCoinsMore')}
        </Button>
      ) : null}
      <div className={styles.foot}>
        <p role="status">
          {picked.length === 0
            ? words('sendCoinsAuto')
            : `${countWords('sendCoinsChosen', picked.length)} · ${nameBtc(sum)}`}
        </p>
        <Button
          variant="primary"
          onClick={() => onChoose(picked.length === 0 ? null : [...picked])}
        >
          {words('sendCoinsUse')}
        </Button>
      </div>
    </Dialog>
  )
}

const HELD_WORDS: { [reason in HeldReason]: WordKey } = {
  reserved: 'coinsReserved',
  unconfirmed: 'coinsUnconfirmed',
  inscribed: 'coinsInscribed',
  atomical: 'coinsAtomical',
  runic: 'coinsRunic',
  ordinals: 'coinsOrdinals',
  rare: 'coinsRare',
  small: 'coinsSmall',
  dust: 'coinsDust',
  unknown: 'coinsUnchecked',
  locked: 'coinsLocked',
}

type CoinTextProps = { sats: string; note: string; danger?: string; outpoint: string }

function CoinText({ sats, note, danger, outpoint }: CoinTextProps) {
  return (
    <span className={styles.text}>
      <span className={styles.amount}>{nameCoin(BigInt(sats))}</span>
      {danger ? (
        <span className={classNames(textStyles.small, styles.careful)}>{danger}</span>
      ) : null}
      {note ? <span className={textStyles.small}>{note}</span> : null}
      <span className={classNames(textStyles.mono, textStyles.note)}>
        {outpoint.slice(0, 8)}…{outpoint.slice(-6)}
      </span>
    </span>
  )
}
