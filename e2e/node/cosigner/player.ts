import { fromHex } from '../../../src/bitcoin/bytes.ts'
import { pick, type Random } from '../../../src/bitcoin/testing/signable-psbts.ts'
import { runestoneScript } from '../../../src/ordinals/testing/runestone-script.ts'
import type { Coin, Mint } from './coins.ts'
import type { DraftOutput } from './drafts.ts'
import { foreignLock, leafWitness, type MovingOperation, operationLeaf } from './scripts.ts'
import type { OwnSignature } from './signatures.ts'
import { type Loot, type MadeTransaction, type PlayedWorld, playWorld, sumOf } from './worlds.ts'

type MadeInput = MadeTransaction['inputs'][number]
type Fill = (DraftOutput | null)[]

const THEIR_SCRIPT = foreignLock('p2wpkh').script
const RETURN_SCRIPT = fromHex('6a0568656c6c6f')

/** Makes random worlds that an attacker with every key but the wallet's could make of what it signed. */
export function createPlayer(random: Random, loot: Loot, mint: Mint) {
  const { signatures, items } = loot
  const chance = (out: number) => random(out) === 0
  const theirs = (amount: bigint): DraftOutput => ({ script: THEIR_SCRIPT, amount, own: false })
  const anyone = signatures.filter(({ sighash }) => (sighash & 0x80) !== 0)
  const single = signatures.filter(({ sighash }) => sighash === 0x83)
  const blank = signatures.filter(({ sighash }) => sighash === 0x82)
  const sameOutputs = signatures.filter(({ sighash }) => sighash === 0x81)
  const sameInputs = signatures.filter(({ sighash }) => sighash === 2 || sighash === 3)
  const pendings = items.filter(({ draft }) => !draft.isMined)
  const onlyProposed = anyone.length === 0 && sameInputs.length === 0

  /** One more world; null where what was tried is not possible. */
  function play(): PlayedWorld | null {
    const made: MadeTransaction[] = []
    const wanted =
      onlyProposed && pendings.length === 1 ? 1 : 1 + random(Math.min(4, signatures.length + 1))
    for (let tries = 0; tries < wanted; tries++) {
      const next = randomTransaction()
      if (next) place(made, next)
    }
    return made.length === 0 ? null : playWorld(made, loot)
  }

  /** Behind its parents, unless it spends what another one does. */
  function place(made: MadeTransaction[], next: MadeTransaction): boolean {
    const before = made.length
    for (const { coin } of next.inputs) {
      if (coin.raw) continue
      const parent = items.find(({ txid }) => txid === coin.outpoint.txid)
      const isThere = made.some(
        ({ proposed }) => proposed?.request === parent?.request && proposed?.item === parent?.item,
      )
      const proposed = parent && !isThere ? randomAsProposed(parent) : null
      if (!isThere && !(proposed && place(made, proposed))) {
        made.length = before
        return false
      }
    }
    const spent = new Set(made.flatMap(({ inputs }) => inputs.map(({ coin }) => coin.at)))
    if (next.inputs.some(({ coin }) => spent.has(coin.at))) {
      made.length = before
      return false
    }
    made.push(next)
    return true
  }

  function randomTransaction(): MadeTransaction | null {
    const made = randomShape()
    if (!made) return null
    return chance(12) ? mutate(made) : made
  }

  function randomShape(): MadeTransaction | null {
    const ways: (() => MadeTransaction | null)[] = []
    if (pendings.length > 0) ways.push(() => randomAsProposed(pick(random, pendings)))
    if (sameOutputs.length > 0) ways.push(keepOutputs, keepOutputs)
    if (sameInputs.length > 0) ways.push(keepInputs, keepInputs)
    if (single.length + blank.length > 0) ways.push(keepPairs, keepPairs)
    return ways.length === 0 ? null : pick(random, ways)()
  }

  /** As the PSBT has it, but for witnesses of others. */
  function randomAsProposed({
    request,
    item,
    draft,
  }: Loot['items'][number]): MadeTransaction | null {
    const coins = draft.inputs.flatMap(({ coin }) => coin ?? [])
    if (coins.length < draft.inputs.length) return null
    const { outputs } = draft
    return dress({ inputs: coins.map(coin => ({ coin })), outputs, proposed: { request, item } })
  }

  /** The outputs of one proposal, paid by any coins whose signatures allow that. */
  function keepOutputs(): MadeTransaction | null {
    const first = pick(random, sameOutputs)
    const draft = draftOf(first)
    if (!draft) return null
    const { outputs } = draft
    const places: (Coin | null)[] = []
    for (const [at, output] of outputs.entries()) {
      const fitting = single.filter(signature => isSame(committed(signature), output))
      if (fitting.length > 0 && chance(2)) places[at] = pick(random, fitting).coin
    }
    const rest = sameOutputs.filter(one => one !== first && draftOf(one)?.outputs === outputs)
    const coins = [first, ...rest.filter(() => chance(2)), ...blank.filter(() => chance(4))]
    const others = draft.inputs
      .flatMap(({ coin }) => (coin?.open ? coin : []))
      .filter(() => chance(3))
    return fill(places, shuffle([...coins.map(({ coin }) => coin), ...others]), outputs)
  }

  /** The inputs of one proposal, and other outputs where none of its signatures binds them. */
  function keepInputs(): MadeTransaction | null {
    const draft = draftOf(pick(random, sameInputs))
    const coins = draft?.inputs.flatMap(({ coin }) => coin ?? []) ?? []
    if (!draft || coins.length < draft.inputs.length) return null
    const outputs: Fill = draft.outputs.map((output, at) => {
      const { coin } = draft.inputs[at] ?? { coin: null }
      const isBound = signatures.some(
        one =>
          one.coin.at === coin?.at && (one.sighash & 3) === 3 && isSame(committed(one), output),
      )
      return isBound || chance(6) ? output : null
    })
    return dress({
      inputs: coins.map(coin => ({ coin })),
      outputs: takeRest(outputs, sumOf(coins), coins),
      proposed: null,
    })
  }

  /** Coins that bring one output along, or none, each at the place of its output. */
  function keepPairs(): MadeTransaction | null {
    const some = shuffle([...single, ...blank]).slice(0, 1 + random(3))
    const places: (Coin | null)[] = []
    const outputs: Fill = []
    for (const signature of some) {
      const at = random(4)
      if (places[at] || places.includes(signature.coin)) continue
      places[at] = signature.coin
      if (signature.sighash === 0x83) outputs[at] = committed(signature) ?? null
    }
    const coins = places.flatMap(coin => coin ?? [])
    const needed = sumOf(outputs.flatMap(output => output ?? []))
    const padding = padTo(places, needed > sumOf(coins) ? needed - sumOf(coins) : 0n)
    const inputs = padding.map(coin => ({ coin }))
    return dress({ inputs, outputs: takeRest(outputs, sumOf(padding), padding), proposed: null })
  }

  /** The places in between, and what is missing, from the attacker's own coins. */
  function fill(
    places: (Coin | null)[],
    rest: readonly Coin[],
    outputs: readonly DraftOutput[],
  ): MadeTransaction | null {
    const left = rest.filter(coin => !places.includes(coin))
    const all: (Coin | null)[] = []
    for (let at = 0; at < Math.max(places.length, 1) || left.length > 0; at++) {
      const kept = places[at]
      all.push(kept ?? (chance(4) ? null : (left.shift() ?? null)))
      if (all.length > 12) return null
    }
    const needed = sumOf(outputs) - sumOf(all.flatMap(coin => coin ?? []))
    if (needed > 0n && !all.includes(null))
      all.splice(single.length > 0 ? all.length : random(all.length + 1), 0, null)
    const coins = padTo(all, needed > 0n ? needed : 0n)
    return dress({ inputs: coins.map(coin => ({ coin })), outputs, proposed: null })
  }

  /** Fills all empty places with coins of the attacker's that hold the missing sats, or as many as shift the sats behind them. */
  function padTo(places: readonly (Coin | null | undefined)[], missing: bigint): Coin[] {
    const all = Array.from(places, coin => coin ?? null)
    if (missing > 0n && !all.includes(null)) all.push(null)
    let left = missing
    const holes = all.filter(coin => coin === null).length
    let hole = 0
    return all.map(coin => {
      if (coin) return coin
      const isLast = ++hole === holes
      const part = isLast ? left : (left * BigInt(random(101))) / 100n
      left -= part
      const fee = BigInt(pick(random, [0, 1, 300, 330, 546, 10_000, random(60_000)]))
      return randomTheirs(part + fee)
    })
  }

  function randomTheirs(amount: bigint): Coin {
    const lock = pick(random, ['p2tr', 'p2tr', 'p2wpkh', 'p2pkh'] as const)
    const wanted = signatures.flatMap(({ coin }) => coin.holdings)
    const alike = wanted.filter(({ kind }) => kind === 'rune' || kind === 'ft')
    const holdings = alike.length > 0 && chance(4) ? [pick(random, alike)] : []
    return mint.secret(lock, amount > 0n ? amount : 1n, holdings)
  }

  /** Everything that no output binds goes to the attacker, who may try to lose what he cannot have. */
  function takeRest(fixed: Fill, total: bigint, coins: readonly Coin[]): DraftOutput[] {
    const bound = sumOf(fixed.flatMap(output => output ?? []))
    let left = total > bound ? total - bound : 0n
    const outputs: DraftOutput[] = []
    for (let at = 0; at < fixed.length; at++) {
      const kept = fixed[at]
      if (kept) {
        outputs.push(kept)
        continue
      }
      const amount = chance(3) ? 0n : (left * BigInt(random(101))) / 100n
      left -= amount
      outputs.push(chance(8) ? { script: RETURN_SCRIPT, amount, own: false } : theirs(amount))
    }
    const rune = coins.flatMap(({ holdings }) => holdings).find(({ kind }) => kind === 'rune')
    if (rune?.kind === 'rune' && chance(2)) {
      const [block = 0n, tx = 0n] = rune.rune.split(':').map(BigInt)
      const all = chance(4) ? [126, 0] : [0, block, tx, 0, random(outputs.length + 1)]
      outputs.push({ script: runestoneScript(all), amount: 0n, own: false })
    }
    if (left > 0n && !chance(4)) outputs.push(theirs(left))
    if (outputs.length === 0) outputs.push(theirs(0n))
    return outputs
  }

  /** Shows scripts of the attacker's where he can. */
  function dress(made: MadeTransaction): MadeTransaction {
    const ids = made.inputs.flatMap(({ coin }) =>
      [...coin.holdings, ...inherited(coin)].flatMap(({ kind, key }) =>
        kind === 'nft' || kind === 'ft' ? key : [],
      ),
    )
    const able = made.inputs.flatMap(({ coin }, at) => (coin.reveals ? at : []))
    if (ids.length === 0 || able.length === 0 || chance(4)) return made
    const at = pick(random, able)
    const witness = leafWitness(randomOperation([...new Set(ids)], made.outputs))
    return {
      ...made,
      inputs: made.inputs.map((input, i): MadeInput => (i === at ? { ...input, witness } : input)),
    }
  }

  /** What a coin of a request may carry once it is made. */
  function inherited(coin: Coin) {
    return coin.raw ? [] : [...loot.coins.values()].flatMap(({ holdings }) => holdings)
  }

  function randomOperation(ids: readonly string[], outputs: readonly DraftOutput[]): Uint8Array {
    const operation = pick<MovingOperation>(random, ['x', 'y', 'z', 'z'])
    const wishes = ids.slice(0, 6).map(id => {
      if (operation !== 'z') return [id, random(Number(sumOf(outputs)) + 1)] as const
      const output = random(outputs.length)
      return [id, { [String(output)]: Number(outputs[output]?.amount ?? 0n) + 1 }] as const
    })
    return operationLeaf(operation, Object.fromEntries(operation === 'x' ? [] : wishes))
  }

  /** Changes one thing at random, mostly to no avail. */
  function mutate(made: MadeTransaction): MadeTransaction {
    const inputs = [...made.inputs]
    const outputs = [...made.outputs]
    const [input, output] = [random(inputs.length), random(outputs.length)]
    const changes: (() => void)[] = [
      () => inputs.splice(input, 1),
      () => inputs.splice(input, 0, { coin: randomTheirs(BigInt(random(50_000))) }),
      () => outputs.splice(output, 1),
      () => outputs.splice(output, 0, theirs(BigInt(random(1_000)))),
      () => outputs.push(theirs(BigInt(random(1_000)))),
      () => inputs.push({ coin: randomTheirs(BigInt(random(50_000))) }),
      () => inputs.push(...inputs.splice(input, 1)),
      () => outputs.push(...outputs.splice(output, 1)),
    ]
    pick(random, changes)()
    return { inputs, outputs, proposed: null }
  }

  function draftOf({ request, item }: OwnSignature) {
    return items.find(one => one.request === request && one.item === item)?.draft
  }

  function committed(signature: OwnSignature): DraftOutput | undefined {
    return draftOf(signature)?.outputs[signature.index]
  }

  function shuffle<T>(list: readonly T[]): T[] {
    const rest = [...list]
    return list.flatMap(() => rest.splice(random(rest.length), 1))
  }

  return play
}

function isSame(a: DraftOutput | undefined, b: DraftOutput): boolean {
  return a !== undefined && a.amount === b.amount && Buffer.compare(a.script, b.script) === 0
}
