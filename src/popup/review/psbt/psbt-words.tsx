import type { ReactNode } from 'react'
import type { AssetMoveView } from '../../../background/views/asset-views.ts'
import type { PsbtOutputView, PsbtView } from '../../../background/views/psbt-views.ts'
import { countWords, richWords, type WordKey, words } from '../../platform/words.ts'
import textStyles from '../../ui/styles/text.module.css'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { nameSats, nameValue } from '../../ui/text/btc-digits.ts'
import { sayName } from '../../ui/text/names.ts'
import {
  givenOf,
  groupByOutcome,
  NameMoved,
  tellAssetsFirst,
  tellPromisedLast,
} from '../asset-words.tsx'
import { isRunestone } from '../output-script.ts'
import { WholeText } from '../whole-text.tsx'
import {
  type Coins,
  canGetWorse,
  chooseEffect,
  type PsbtEffect,
  signedCoinsOfOthers,
} from './psbt-effect.ts'

/** What signing one PSBT does, as one sentence; with a condition where others can make it worse, and with what may come but is not certain to. */
export function describePsbt(view: PsbtView): ReactNode {
  const effect = chooseEffect(view)
  const sentence = describeWithAssets(effect, view)
  const qualified =
    effect.kind !== 'blank' && canGetWorse(view)
      ? richWords('psbtUnless', { effect: sentence })
      : sentence
  const shared = signedCoinsOfOthers(view)
  const isSaid = effect.kind === 'shared' || (effect.kind === 'blank' && effect.sats === null)
  const whole =
    shared.count === 0 || isSaid
      ? qualified
      : describeShared('psbtAlsoShared', 'psbtAlsoSharedCoins', shared, { effect: qualified })
  return tellPromisedLast(view.assets, whole)
}

/** An exchange of bitcoin for inscriptions or runes is one sentence; else what happens to them comes first. */
function describeWithAssets(effect: PsbtEffect, { assets }: PsbtView): ReactNode {
  const moves = groupByOutcome(assets)
  const given = givenOf(moves)
  const { comes = [], lost = [], unknown = [] } = moves
  const gives = given.length > 0 && comes.length === 0
  const gets = comes.length > 0 && given.length === 0
  const rest = [...lost, ...unknown]
  if (effect.kind === 'get' && gives)
    return tellAssetsFirst(rest, trade('psbtGetFor', effect.sats, given))
  if (effect.kind === 'pay' && gets)
    return tellAssetsFirst(rest, trade('psbtPayFor', effect.sats, comes))
  if (effect.kind === 'send' && gives) {
    const [to] = effect.outputs
    if (effect.outputs.length === 1 && given.every(({ address }) => address === to?.address)) {
      return tellAssetsFirst(
        rest,
        richWords('psbtSendWith', {
          amount: whole(effect.sats),
          what: <NameMoved moves={given} />,
          to: nameRecipients(effect.outputs),
        }),
      )
    }
  }
  return tellAssetsFirst(assets, describeEffect(effect))
}

function trade(key: WordKey, sats: bigint, moves: readonly AssetMoveView[]): ReactNode {
  return richWords(key, { amount: whole(sats), what: <NameMoved moves={moves} /> })
}

function describeEffect(effect: PsbtEffect): ReactNode {
  switch (effect.kind) {
    case 'send':
      return richWords(effect.outputs.length === 1 ? 'reviewEffect' : 'reviewEffectMany', {
        amount: whole(effect.sats),
        to: nameRecipients(effect.outputs),
      })
    case 'pay':
      return exchange('psbtPay', 'psbtPayCoin', 'psbtPayCoins', effect)
    case 'get':
      return exchange('psbtGet', 'psbtGetCoin', 'psbtGetCoins', effect)
    case 'move':
      return richWords('psbtMove', {
        amount: whole(effect.sats),
        from: <WholeText text={effect.from} />,
        to: <WholeText text={effect.to} />,
      })
    case 'burn':
      return richWords('psbtBurn', { amount: whole(effect.sats) })
    case 'fee':
      return richWords(effect.back ? 'psbtFeeOnly' : 'psbtFeeAll', { amount: whole(effect.sats) })
    case 'nothing':
      return words('psbtNothing')
    case 'shared':
      return describeShared('psbtShared', 'psbtSharedCoins', effect.coins)
    case 'blank':
      return effect.sats === null
        ? words('psbtBlankShared')
        : richWords('psbtBlank', { amount: whole(effect.sats) })
  }
}

function describeShared(
  one: WordKey,
  many: WordKey,
  { count, sats }: Coins,
  values: { effect?: ReactNode } = {},
): ReactNode {
  return richWords(count === 1 ? one : many, { ...values, count, coin: whole(sats) })
}

function exchange(
  plain: WordKey,
  one: WordKey,
  many: WordKey,
  { sats, coins }: { sats: bigint; coins: Coins | null },
): ReactNode {
  if (coins === null) return richWords(plain, { amount: whole(sats) })
  return richWords(coins.count === 1 ? one : many, {
    amount: whole(sats),
    count: coins.count,
    coin: whole(coins.sats, nameSats),
  })
}

function nameRecipients(outputs: PsbtOutputView[]): ReactNode {
  const [first] = outputs
  if (outputs.length !== 1 || first === undefined)
    return countWords('reviewRecipients', outputs.length)
  return <WholeText text={nameOutput(first)} />
}

/** Whom an output pays, as short as can be. */
export function nameOutput({ name, address, kind, script }: PsbtOutputView): string {
  if (name !== null) return sayName(name)
  if (address !== null) return shortenAddress(address)
  if (isRunestone(script)) return words('reviewFlowRunestone')
  return words(kind === 'data' ? 'psbtOutputData' : 'psbtOutputScript')
}

/** An amount in a title, which is never broken between figure and unit. */
function whole(sats: bigint, name = nameValue): ReactNode {
  return <span className={textStyles.nowrap}>{name(sats)}</span>
}
