import { toHex } from '../../../src/bitcoin/bytes.ts'
import type { Breach, Granted } from './claims.ts'
import { draftTxid } from './drafts.ts'
import { land } from './landing.ts'
import type { Tally } from './tally.ts'
import { sumOf } from './worlds.ts'

type Draft = Granted['draft']['items'][number]

/** The effect of one item if it is mined alone, exactly as proposed. */
type Effect = { gives: boolean; brings: boolean }

/** A batch whose items bring something must not hide that others of it, used without those, only give. */
export function checkOneSided({ draft, review }: Granted, tally: Tally): Breach[] {
  const { items } = draft
  // Where an item names no input, all of the account are signed.
  const isOurs = ({ inputs }: Draft) => {
    const namesNone = !inputs.some(({ isNamed }) => isNamed)
    return inputs.every(
      ({ coin, isNamed }) =>
        coin?.owner !== 'own' || (coin.account === draft.account && (namesNone || isNamed)),
    )
  }
  // One that another account of the wallet has to sign too does not happen by these signatures.
  const effects = items.map(item => (item.isMined || !isOurs(item) ? null : effectOf(item)))
  const txids = items.map(draftTxid)
  const parentsOf = (at: number): number[] =>
    (items[at]?.inputs ?? []).flatMap(({ coin }) => {
      const parent = coin?.raw === null ? txids.indexOf(coin.outpoint.txid) : -1
      return parent < 0 ? [] : [parent, ...parentsOf(parent)]
    })
  const giving = effects.flatMap((effect, at) => {
    const used = [at, ...parentsOf(at)].map(one => effects[one])
    return effect?.gives && used.every(one => one && !one.brings) ? at : []
  })
  const isBringing = effects.some((effect, at) => effect?.brings && isTold(items[at]))
  if (giving.length === 0 || !isBringing) return []
  tally.claim('one-sided items')
  if (review.warnings.includes('one-sided-items')) return []
  return [{ rule: 'one-sided items', detail: `items ${giving} only give, and others bring` }]
}

/** Whether everything that an item spends is known and true. Only what the review says will come can make a person give something for it. */
function isTold(item: Draft | undefined): boolean {
  return !item?.inputs.some(
    ({ coin, proof }) =>
      coin &&
      ((proof === 'none' && !coin.isKnown) ||
        (coin.claim !== null && coin.claim.amount !== coin.amount) ||
        (coin.claim !== null && toHex(coin.claim.script) !== toHex(coin.script))),
  )
}

function effectOf({ inputs, outputs }: Draft): Effect | null {
  const coins = inputs.flatMap(({ coin }) => coin ?? [])
  const fee = sumOf(coins) - sumOf(outputs)
  if (coins.length < inputs.length || fee < 0n) return null
  const own = sumOf(coins.filter(({ owner }) => owner === 'own'))
  const net = sumOf(outputs.filter(output => output.own)) - own
  const landed = land({
    inputs: coins.map(({ outpoint, amount, holdings, shows }) => ({
      ...{ outpoint, amount, holdings, witness: shows },
    })),
    outputs,
  })
  const ours = new Map<string, bigint>()
  for (const { owner, holdings } of coins)
    for (const holding of holdings)
      if (owner === 'own') add(ours, holding.key, 'amount' in holding ? holding.amount : 1n)
  let [isGiven, isBrought] = [false, false]
  for (const key of new Set(landed.map(one => one.key))) {
    const kept = landed.filter(
      one => one.key === key && one.to === 'output' && outputs[one.output ?? -1]?.own,
    )
    const change = sumOf(kept) - (ours.get(key) ?? 0n)
    const isSent = landed.some(
      one => one.key === key && one.to === 'output' && !outputs[one.output ?? -1]?.own,
    )
    if (change > 0n) isBrought = true
    if (change < 0n && isSent) isGiven = true
  }
  return { gives: net < -fee || isGiven, brings: net > 0n || isBrought }
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}
