import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { parseAddress } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { colour } from '../../devnet/atomicals/colouring.ts'
import { keyOfAsset, keyOfAtomical } from '../../ordinals/asset-key.ts'
import { flowElsewhere, MINTED } from '../../ordinals/testing/rune-oracle.ts'
import { walkSat } from '../../ordinals/testing/sat-walk.ts'
import { inUnits, inWhole, sumUp } from '../../ordinals/testing/unit-sums.ts'
import { draft, RECIPIENT, SECOND_RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import { fund } from '../testing/test-wallet.ts'
import type { PaymentPlanView, PaymentReview } from '../views/payment-views.ts'

/**
 * Wallets with coins that hold inscriptions, runes and Atomicals in every mixture, whose indexes tell the truth: sends of all
 * kinds, mints, and bumps and cancellations of sends. What went out is read byte by byte, and followed by three indexes that share
 * nothing with the wallet: sats by counting, runes by runestone-lib, Atomicals by devnet's. Nothing may be lost, everything
 * must land where the review showed it, and others get nothing but what was to be sent.
 */
const { count: COUNT, seed: SEED } = campaign('wallets with everything')
const ACTIONS = 6

const RUNES = [
  { name: 'GOLD•OF•TESTS', rune: '90:1', divisibility: 2 },
  { name: 'SILVER•OF•TESTS', rune: '90:2', divisibility: 0 },
  { name: 'BRONZE•OF•TESTS', rune: '91:7', divisibility: 1 },
] as const
/** What anybody can mint. */
const OPEN = { name: 'OPEN•RUNE•OF•TESTS', rune: '92:1', divisibility: 0 } as const
const EACH = 100n
const KNOWN = [...RUNES, OPEN]
const ACTS = [
  ...(['pay', 'pay', 'max', 'runes', 'runes', 'runes', 'nft', 'nft', 'units', 'units'] as const),
  ...(['bump', 'bump', 'bump', 'mine', 'mine', 'mint', 'mint'] as const),
]
const POSTAGES = [546n, 600n, 1_000n, 5_000n, 12_000n, 40_000n]

type Random = ReturnType<typeof createSeededRandom>

/** What sits on an output, as an index of its own has it. */
type Holding = {
  sats: bigint
  inscriptions: { id: string; offset: bigint }[]
  runes: Map<string, bigint>
  atomicals: { id: string; type: 'nft' | 'ft'; amount: bigint }[]
}

const done = { pay: 0, max: 0, runes: 0, nft: 0, units: 0, bump: 0, mine: 0, mint: 0, refused: 0 }
const landed = { inscriptions: 0, runes: 0, atomicals: 0 }

describe(`a wallet with everything, ${COUNT} times ${ACTIONS} actions`, () => {
  it(
    'loses nothing, and moves nothing that was not shown',
    async () => {
      for (let wallet = 0; wallet < COUNT; wallet++)
        await play(createSeededRandom(SEED * 100_000 + wallet))
      console.info(JSON.stringify({ seed: SEED, ...done, landed }))
      for (const often of [...Object.values(done), ...Object.values(landed)])
        expect(often).toBeGreaterThan(COUNT / 10)
    },
    60_000 + COUNT * 3_000,
  )
})

async function play(random: Random): Promise<void> {
  const wallet = await startMixed(random)
  const { worker, world } = wallet
  let last: { txid: string; foreign: string[] } | null = null
  for (let action = 0; action < ACTIONS; action++) {
    const act = ACTS[random.below(ACTS.length)] ?? 'mine'
    if (act === 'mine') {
      wallet.mine()
      last = null
      done.mine++
      continue
    }
    if (act === 'mint') {
      await mintSome(wallet, random)
      last = null
      continue
    }
    const order =
      act === 'bump' ? await orderBump(wallet, random, last) : orderOf(wallet, random, act)
    if (!order) continue
    let plan: PaymentPlanView
    try {
      plan = await order.plan()
    } catch (error) {
      // What cannot be done is refused by its name or reason, never half done.
      expect([-32602, -32000, 4200], String(error)).toContain(Object(error).code)
      done.refused++
      continue
    }
    const before = world.chain.broadcasts.length
    const { txid } = await worker.ui('confirmPayment', plan)
    expect(world.chain.broadcasts.slice(before)).toContain(txid)
    const foreign = await wallet.judge(txid, plan.review)
    expect(foreign, `${act} gives others`).toEqual(order.gives ?? foreign)
    last = { txid, foreign }
    done[act]++
  }
}

/** Mints some, whatever else there is: each spends nothing that anything sits on, and gives to nobody else. */
async function mintSome(wallet: Mixed, random: Random): Promise<void> {
  const { worker, world } = wallet
  const count = 1 + random.below(4)
  const draft = { rune: OPEN.name, count, feeRate: 1 + random.below(5), label: '' }
  const plan = await worker.ui('planRuneMint', draft).catch(error => {
    expect([-32000], String(error)).toContain(Object(error).code)
    return null
  })
  if (!plan) {
    done.refused++
    return
  }
  const before = world.chain.broadcasts.length
  await worker.ui('confirmRuneMint', { planId: plan.planId, digest: plan.digest })
  const txids = world.chain.broadcasts.slice(before)
  expect(txids).toHaveLength(count)
  for (const txid of txids) await wallet.judgeMint(txid)
  done.mint++
}

/** A transaction to be planned, and what others get of what sits on coins, as `script key units`; null for what the review shows. */
type Order = { plan: () => Promise<PaymentPlanView>; gives: string[] | null }

function orderOf(
  { worker, listOf, spare }: Mixed,
  random: Random,
  act: 'pay' | 'max' | 'runes' | 'nft' | 'units',
): Order | null {
  const feeRate = 1 + random.below(5)
  const to = random.below(2) === 0 ? RECIPIENT : SECOND_RECIPIENT
  const label = ''
  const script = toHex(scriptOf(to))
  if (act === 'pay' || act === 'max') {
    const sats = act === 'max' ? 'max' : String(546 + random.below(90_000))
    const plan = () =>
      worker.ui('planPayment', draft({ recipients: [{ to, sats }], feeRate } as never))
    return { plan, gives: [] }
  }
  if (act === 'runes') {
    const orders = Array.from({ length: 1 + random.below(3) }, () => {
      const rune = KNOWN[random.below(KNOWN.length)] ?? OPEN
      const units = BigInt(1 + random.below(700))
      const receiver = random.below(2) === 0 ? RECIPIENT : SECOND_RECIPIENT
      return { rune, units, to: receiver }
    })
    const gives = sumUp(
      orders.map(({ rune, units, to }) => [`${toHex(scriptOf(to))} ${rune.name}`, units] as const),
    )
    const plan = () =>
      worker.ui('planRuneTransfer', {
        orders: orders.map(({ rune, units, to }) => ({
          ...{ rune: rune.name, amount: inWhole(units, rune.divisibility), to },
        })),
        ...{ feeRate, label },
      })
    return { plan, gives }
  }
  if (act === 'units') {
    const token = listOf('ft')[0]
    if (!token) return null
    const units = 546n + BigInt(random.below(2_000))
    const plan = () =>
      worker.ui('planTokenTransfer', {
        ...{ id: token.id, amount: String(units), to, feeRate, label },
      })
    return { plan, gives: [`${script} ${keyOfAtomical(token.id)} ${units}`] }
  }
  const keys = spare(random)
  // What shares a coin with it may go along, and then the review shows it.
  return keys.length === 0
    ? null
    : { plan: () => worker.ui('planTransfer', { ids: keys, to, feeRate, label }), gives: null }
}

async function orderBump(
  { worker }: Mixed,
  random: Random,
  last: { txid: string; foreign: string[] } | null,
): Promise<Order | null> {
  if (!last) return null
  const options = await worker.ui('getBumpOptions', { txid: last.txid })
  const kinds = (['speed-up', 'cancel', 'child'] as const).filter(
    kind => options[kind].leastFeeRate !== null,
  )
  const kind = kinds[random.below(kinds.length)]
  if (!kind) return null
  const feeRate = Math.ceil((options[kind].leastFeeRate ?? 0) + random.below(4))
  return {
    plan: () => worker.ui('planBump', { txid: last.txid, kind, feeRate }),
    gives: kind === 'speed-up' ? last.foreign : [],
  }
}

type Mixed = Awaited<ReturnType<typeof startMixed>>

/** A wallet whose coins hold everything in some mixture, and the books of what sits where. */
async function startMixed(random: Random) {
  const started = await startFunded(120_000n, 60_000n, 3_000n)
  const { world, account } = started
  const book = new Map<string, Holding>()
  const none = { start: null, end: null }
  world.assets.etch('', OPEN)
  world.assets.describeRune(OPEN.rune, {
    ...{ mints: 0n, isMintable: true },
    terms: { amount: EACH, cap: 1_000n, height: none, offset: none },
  })
  const own = toHex(scriptOf(account.address))
  const token = drawId()
  const coins = 3 + random.below(5)
  for (let at = 0; at < coins; at++) {
    // Some coins are of a token alone: only those can be sent in part.
    const isToken = random.below(5) === 0
    const sats = isToken ? 12_000n : (POSTAGES[random.below(POSTAGES.length)] ?? 546n)
    const outpoint = `${fund(world, account.address, sats)}:0`
    const holding: Holding = { sats, inscriptions: [], runes: new Map(), atomicals: [] }
    for (let n = isToken ? 0 : random.below(3); n > 0; n--) {
      const offset = BigInt(random.below(Number(sats)))
      const id = world.assets.inscribe(outpoint, { offset, body: `${at} ${n}` })
      holding.inscriptions.push({ id, offset })
    }
    for (const rune of RUNES.filter(() => !isToken && random.below(3) === 0)) {
      const amount = BigInt(1 + random.below(1_500))
      world.assets.etch(outpoint, { ...rune, amount })
      holding.runes.set(rune.rune, amount)
    }
    const kind = isToken ? 1 : random.below(7)
    if (kind === 0) {
      const { id } = world.atomicals.mint(outpoint, {})
      holding.atomicals.push({ id, type: 'nft', amount: 1n })
    } else if (kind === 1) {
      world.atomicals.mint(outpoint, { id: token, type: 'ft', amount: sats, name: 'pack' })
      holding.atomicals.push({ id: token, type: 'ft', amount: sats })
    }
    book.set(outpoint, holding)
  }
  const transactions = new Map<string, Transaction>()
  const readSpent = (transaction: Transaction) =>
    transaction.ins.map(({ hash, index }): Holding => {
      const txid = toHex(Uint8Array.from(hash).reverse())
      const known = book.get(`${txid}:${index}`)
      if (known) return known
      const raw = world.chain.get(txid)
      const sats = raw ? (Transaction.fromBuffer(raw).outs[index]?.value ?? 0n) : 0n
      return { sats, inscriptions: [], runes: new Map(), atomicals: [] }
    })
  const colourOf = (transaction: Transaction) =>
    colour({
      spent: readSpent(transaction).flatMap(({ atomicals }, input) =>
        atomicals.map(atomical => ({ input, ...atomical })),
      ),
      outputs: transaction.outs,
      operation: null,
    })
  world.atomicals.foretell(raw => {
    const { landed, burned } = colourOf(Transaction.fromBuffer(raw))
    return { outputs: landed, burned }
  })

  /** Coins of the account that no transaction of ours spends. */
  function listUnspent(): [string, Holding][] {
    const spent = new Set(
      world.chain
        .list()
        .flatMap(({ txid }) =>
          (transactions.get(txid)?.ins ?? []).map(
            ({ hash, index }) => `${toHex(Uint8Array.from(hash).reverse())}:${index}`,
          ),
        ),
    )
    const live = new Set(world.chain.list().map(({ txid }) => txid))
    return [...book].filter(([outpoint]) => !spent.has(outpoint) && live.has(outpoint.slice(0, 64)))
  }

  return {
    ...started,
    listOf: (type: 'nft' | 'ft') =>
      listUnspent().flatMap(([, { atomicals }]) => atomicals.filter(one => one.type === type)),
    /** Keys of one or two inscriptions or NFTs of the account. */
    spare(some: Random): string[] {
      const keys = listUnspent().flatMap(([, { inscriptions, atomicals }]) => [
        ...inscriptions.map(({ id }) => id),
        ...atomicals.filter(({ type }) => type === 'nft').map(({ id }) => keyOfAtomical(id)),
      ])
      const first = keys[some.below(Math.max(keys.length, 1))]
      const second = keys[some.below(Math.max(keys.length, 1))]
      return [...new Set([first, second].slice(0, 1 + some.below(2)).flatMap(key => key ?? []))]
    },
    mine(): void {
      world.chain.mine()
      // The memory index of Atomicals does not follow them.
      for (const [outpoint, { atomicals }] of book)
        if (transactions.has(outpoint.slice(0, 64)))
          world.atomicals.lie(outpoint, {
            known: true,
            assets: atomicals.map(one => ({ ...one, kind: 'atomical', number: 1, name: null })),
          })
    },
    /** Follows a mint that went out. */
    async judgeMint(txid: string): Promise<void> {
      const transaction = Transaction.fromBuffer(world.chain.get(txid) ?? new Uint8Array())
      transactions.set(txid, transaction)
      for (const { inscriptions, runes, atomicals } of readSpent(transaction))
        expect([inscriptions.length, runes.size, atomicals.length]).toEqual([0, 0, 0])
      const scripts = transaction.outs.map(({ script }) => Uint8Array.from(script))
      // The index mints an amount of its own.
      const moves = await flowElsewhere([], scripts)
      expect(moves).toEqual([`${MINTED} of ${OPEN.rune} to 0`])
      for (const [at, { value }] of transaction.outs.entries()) {
        const script = scripts[at] ?? new Uint8Array()
        if (script[0] === 0x6a) continue
        expect(toHex(script), 'a mint pays others').toBe(own)
        const runes = new Map(at === 0 ? [[OPEN.rune as string, EACH]] : [])
        book.set(`${txid}:${at}`, { sats: value, inscriptions: [], runes, atomicals: [] })
      }
    },
    /** Follows a transaction that went out, holds it against what was shown, and tells what others got. */
    async judge(txid: string, review: PaymentReview): Promise<string[]> {
      const raw = world.chain.get(txid)
      if (!raw) throw new Error(`${txid} did not go out`)
      const transaction = Transaction.fromBuffer(raw)
      transactions.set(txid, transaction)
      const spent = readSpent(transaction)
      const outputs = transaction.outs.map(
        ({ value }): Holding => ({
          ...{ sats: value, inscriptions: [], runes: new Map(), atomicals: [] },
        }),
      )
      const amounts = {
        inputs: spent.map(({ sats }) => ({ amount: sats })),
        outputs: outputs.map(({ sats }) => ({ amount: sats })),
      }
      const isData = (at: number) => transaction.outs[at]?.script[0] === 0x6a
      const truth: (readonly [string, bigint])[] = []
      const put = (at: number, key: string, units: bigint) => {
        expect(isData(at), `${key} is lost`).toBe(false)
        truth.push([`${at} ${key}`, units])
      }
      for (const [input, { inscriptions }] of spent.entries())
        for (const { id, offset } of inscriptions) {
          const place = walkSat(amounts, input, offset)
          if (!place) throw new Error(`${id} is spent as a fee`)
          put(place.output, id, 1n)
          outputs[place.output]?.inscriptions.push({ id, offset: place.offset })
          landed.inscriptions++
        }
      const balances = spent.flatMap(({ runes }) =>
        [...runes].map(([rune, amount]) => ({ rune, amount })),
      )
      const scripts = transaction.outs.map(({ script }) => Uint8Array.from(script))
      for (const move of balances.length > 0 ? await flowElsewhere(balances, scripts) : []) {
        const [, amount = '', rune = '', to = ''] = /^(\d+) of (\S+) to (\S+)$/.exec(move) ?? []
        expect(to, `${move}: burned`).toMatch(/^\d+$/)
        put(Number(to), KNOWN.find(one => one.rune === rune)?.name ?? rune, BigInt(amount))
        outputs[Number(to)]?.runes.set(rune, BigInt(amount))
        landed.runes++
      }
      const coloured = colourOf(transaction)
      expect(coloured.burned, 'Atomicals are burned').toEqual([])
      for (const { output, id, type, amount } of coloured.landed) {
        put(output, keyOfAtomical(id), type === 'nft' ? 1n : amount)
        outputs[output]?.atomicals.push({ id, type, amount })
        landed.atomicals++
      }
      for (const [at, holding] of outputs.entries())
        if (toHex(transaction.outs[at]?.script ?? new Uint8Array()) === own)
          book.set(`${txid}:${at}`, holding)
      const shown = review.assets.map(({ asset, output }) => {
        const decimals = KNOWN.find(({ name }) => name === keyOfAsset(asset))?.divisibility ?? 0
        const units = 'amount' in asset ? inUnits(asset.amount, decimals) : 1n
        return [`${output} ${keyOfAsset(asset)}`, units] as const
      })
      expect(sumUp(shown), 'what is shown').toEqual(sumUp(truth))
      return sumUp(
        truth.flatMap(([place, units]) => {
          const [at = '', key = ''] = place.split(' ')
          const script = toHex(transaction.outs[Number(at)]?.script ?? new Uint8Array())
          return script === own ? [] : [[`${script} ${key}`, units] as const]
        }),
      )
    },
  }

  function drawId(): string {
    return `${toHex(crypto.getRandomValues(new Uint8Array(32)))}i0`
  }
}

function scriptOf(address: string): Uint8Array {
  return parseAddress(address, 'regtest').scriptPubKey
}
