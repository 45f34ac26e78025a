import type { Coin } from './coins.ts'
import type { DraftRequest } from './drafts.ts'
import type { Landed } from './landing.ts'
import type { ReadItem, ReadMove, ReadReview } from './review-reader.ts'
import type { Tally } from './tally.ts'
import type { PlayedTransaction, PlayedWorld } from './worlds.ts'

/** A request that the wallet signed. */
export type Granted = { draft: DraftRequest; review: ReadReview }

/** A claim that a world belies; `rule` names it. */
export type Breach = { rule: string; detail: string }

/**
 * Compares what reviews claimed with what happens in a world. `requests` are null where the
 * wallet refused; `ownKeys` name what sat on coins of the wallet.
 */
export function checkWorld(
  world: PlayedWorld,
  requests: readonly (Granted | null)[],
  ownKeys: ReadonlySet<string>,
  tally: Tally,
): Breach[] {
  return [
    ...checkWorst(world, requests, tally),
    ...world.flatMap(transaction => checkTransaction(transaction, requests, ownKeys, tally)),
  ]
}

/** For each choice of requests whose signatures are enough for the world. */
function checkWorst(
  world: PlayedWorld,
  requests: readonly (Granted | null)[],
  tally: Tally,
): Breach[] {
  const needs = world.flatMap(({ inputs, signatures }) =>
    signatures.flatMap((valid, at) => {
      const set = new Set(valid.map(({ request }) => request))
      return inputs[at]?.coin.open ? [] : [set]
    }),
  )
  const used = new Set(
    world.flatMap(({ signatures }) => signatures.flat().map(({ request }) => request)),
  )
  const net = world.reduce((sum, transaction) => sum + transaction.net, 0n)
  const breaches: Breach[] = []
  for (const chosen of listSubsets([...used])) {
    if (chosen.length === 0 || needs.some(set => !chosen.some(request => set.has(request))))
      continue
    const worsts = chosen.flatMap(request => requests[request]?.review.worst ?? [])
    const costs = worsts.filter(worst => worst < 0n)
    const [first = 0n] = worsts
    const bound =
      costs.length > 0
        ? costs.reduce((sum, worst) => sum + worst, 0n)
        : worsts.reduce((least, worst) => (worst < least ? worst : least), first)
    tally.claim(chosen.length > 1 ? 'worst of several requests' : 'worst')
    if (net === bound) tally.claim('worst that came')
    if (net < bound)
      breaches.push({ rule: 'worst', detail: `requests ${chosen}: ${net} is less than ${bound}` })
  }
  return breaches
}

function checkTransaction(
  transaction: PlayedTransaction,
  requests: readonly (Granted | null)[],
  ownKeys: ReadonlySet<string>,
  tally: Tally,
): Breach[] {
  const used = new Map(
    transaction.signatures
      .flat()
      .map(({ request, item }) => [`${request} ${item}`, { request, item }]),
  )
  return [...used.values()].flatMap(({ request, item }) => {
    const granted = requests[request]
    const read = granted?.review.items[item]
    const drafted = granted?.draft.items[item]
    if (!read || !drafted) return []
    const at = `request ${request}, item ${item}`
    const coins = drafted.inputs.map(({ coin }) => coin)
    return [
      ...checkSums(transaction, read, { request, item }, tally),
      ...checkMoves(transaction, read, coins, request, tally),
      ...checkLosses(transaction, read, coins, { request, item, ownKeys }, tally),
    ].map(breach => ({ ...breach, detail: `${at}: ${breach.detail}` }))
  })
}

/** An item of a request. */
type Place = { request: number; item: number }

/** Net, fee, txid and the amounts of inputs. */
function checkSums(
  transaction: PlayedTransaction,
  read: ReadItem,
  { request, item }: Place,
  tally: Tally,
): Breach[] {
  const breaches: Breach[] = []
  const compare = (rule: string, isSame: boolean, detail: string) => {
    tally.claim(rule)
    if (!isSame) breaches.push({ rule, detail })
  }
  const { net, fee, txid, inputs, signatures } = transaction
  if (read.net.isCertain) compare('net', read.net.sats === net, `${net} and not ${read.net.sats}`)
  if (read.fee?.isCertain) compare('fee', read.fee.sats === fee, `${fee} and not ${read.fee.sats}`)
  if (read.txid !== null) compare('txid', read.txid === txid, `${txid} and not ${read.txid}`)
  // A signature with ANYONECANPAY covers its own coin alone, not what else is spent.
  const used = signatures.map(valid =>
    valid.filter(one => one.request === request && one.item === item),
  )
  const isNaming = used.flat().some(({ sighash }) => sighash < 0x80)
  const amounts = new Map(
    inputs.flatMap(({ coin }, at) =>
      isNaming || used[at]?.length ? [[coin.at, coin.amount] as const] : [],
    ),
  )
  for (const [index, { at, proof, sats }] of read.inputs.entries()) {
    const amount = amounts.get(at)
    if (amount === undefined || (proof !== 'proven' && proof !== 'committed')) continue
    compare('amount', amount === sats, `input ${index} (${proof}): ${amount} and not ${sats}`)
  }
  return breaches
}

type Coins = readonly (Coin | null)[]

/** Where everything lands of which the review is certain. */
function checkMoves(
  { inputs, outputs, landed, signatures }: PlayedTransaction,
  read: ReadItem,
  coins: Coins,
  request: number,
  tally: Tally,
): Breach[] {
  // What is signed later has a review of its own.
  const spent = new Set(
    inputs.flatMap(({ coin }, at) =>
      signatures[at]?.some(one => one.request <= request) ? coin.at : [],
    ),
  )
  const certain = read.moves.filter(({ certainty, own, to, input }) => {
    const at = coins[input]?.at
    if (certainty !== 'certain' || to === 'unknown' || at === undefined) return false
    return own ? spent.has(at) : to === 'own'
  })
  const wanted = new Map<string, { move: ReadMove; amount: bigint }>()
  for (const move of certain) {
    // A gain has to come, wherever it is put.
    const place = move.own ? placeOf(move) : 'own'
    const name = `${move.key} ${move.own} ${place}`
    wanted.set(name, { move, amount: (wanted.get(name)?.amount ?? 0n) + move.amount })
  }
  return [...wanted.values()].flatMap(({ move, amount }) => {
    const { key, own, to, output } = move
    tally.claim(own ? 'own asset lands' : 'asset comes')
    const there = landed.filter(one => {
      if (one.key !== key) return false
      if (!own || to === 'own') return isOwn(one, outputs) && (!own || one.output === output)
      if (to === 'foreign')
        return one.to === 'output' && !isOwn(one, outputs) && one.output === output
      return to === 'fee' ? one.to === 'fee' : one.to === 'burned'
    })
    if (sum(there) >= amount) return []
    const really = landed.filter(one => one.key === key).map(one => describe(one, outputs))
    const claim = `${amount} of ${key} to ${to} ${output ?? ''}`
    const rule = own ? 'own asset lands' : 'asset comes'
    return [{ rule, detail: `${claim}, but ${really.join(', ') || 'it is not there'}` }]
  })
}

function placeOf({ to, output }: ReadMove): string {
  return to === 'own' || to === 'foreign' ? `${to} ${output}` : to
}

/** What sat on an own coin leaves only where the review says that it does, or may. */
function checkLosses(
  { inputs, outputs, landed, signatures, holdings }: PlayedTransaction,
  read: ReadItem,
  coins: Coins,
  { request, item, ownKeys }: Place & { ownKeys: ReadonlySet<string> },
  tally: Tally,
): Breach[] {
  const ours = new Map<string, { amount: bigint; places: number[] }>()
  for (const [at, { coin }] of inputs.entries()) {
    const isSigned = signatures[at]?.some(one => one.request === request && one.item === item)
    if (coin.owner !== 'own' || !isSigned) continue
    const place = coins.findIndex(one => one?.at === coin.at)
    for (const holding of holdings[at] ?? []) {
      const { amount, places } = ours.get(holding.key) ?? { amount: 0n, places: [] }
      const more = 'amount' in holding ? holding.amount : 1n
      ours.set(holding.key, { amount: amount + more, places: [...places, place] })
    }
  }
  return [...ours].flatMap(([key, { amount, places }]): Breach[] => {
    if (!ownKeys.has(key)) return []
    tally.claim('own asset is not lost')
    const there = landed.filter(one => one.key === key)
    if (sum(there.filter(one => isOwn(one, outputs))) >= amount) return []
    const isTold =
      places.some(place => read.unchecked.has(place)) ||
      read.moves.some(
        move => move.key === key && (move.certainty !== 'certain' || move.to !== 'own'),
      )
    if (isTold) return []
    const where = there.map(one => describe(one, outputs)).join(', ')
    return [{ rule: 'own asset is not lost', detail: `${key} of input ${places}: ${where}` }]
  })
}

function isOwn({ to, output }: Landed, outputs: PlayedTransaction['outputs']): boolean {
  return to === 'output' && output !== null && outputs[output]?.own === true
}

function describe(one: Landed, outputs: PlayedTransaction['outputs']): string {
  const place = isOwn(one, outputs) ? 'own' : one.to === 'output' ? 'foreign' : one.to
  return `${one.amount} to ${place} ${one.output ?? ''}`
}

function sum(parts: readonly { amount: bigint }[]): bigint {
  return parts.reduce((total, { amount }) => total + amount, 0n)
}

function listSubsets<T>(all: readonly T[]): T[][] {
  const sets: T[][] = [[]]
  for (const one of all) sets.push(...sets.map(set => [...set, one]))
  return sets
}
