import type { Lock } from '../../../src/bitcoin/testing/psbt-building.ts'
import type { Coin, Holding } from './coins.ts'
import { encodeRaw } from './coins.ts'
import type { DraftCase, DraftInput, DraftOutput } from './drafts.ts'
import type { Kit } from './kit.ts'
import {
  foreignLock,
  forgedLeafField,
  leafWitness,
  type MovingOperation,
  operationLeaf,
  SHARED_KINDS,
} from './scripts.ts'
import { sumOf } from './worlds.ts'

type Shape = (kit: Kit) => Omit<DraftCase, 'shape' | 'tricks'>

const one = (account: number, item: ReturnType<Kit['item']>, expert = false) => ({
  requests: [{ account, items: [item], expert }],
})

/** What an attacker asks for. */
export const HOSTILE_SHAPES: { [name: string]: Shape } = {
  /** An operation that is in no output's tree, or in a witness that its owner replaces, deals out an own Atomical. */
  'forged envelope'(kit) {
    const account = kit.chance(2) ? 0 : kit.randomAccount()
    const amount = kit.between(600, 20_000)
    const holding = kit.chance(3) ? kit.mint.ft(amount) : kit.mint.nft()
    const isTheirs = kit.chance(3)
    const given = isTheirs
      ? kit.mint.foreign('p2wpkh', amount, { holdings: [holding] })
      : kit.mint.own(account, amount, [holding])
    const isWitness = kit.chance(2)
    const payer = kit.mint.own(account, kit.between(30_000, 60_000))
    // An input of others that may still carry any operation would make all destinations unknown.
    const guest = kit.mint.foreign(isWitness ? 'p2tr' : 'p2wpkh', kit.between(600, 5_000))
    const rest = payer.amount + guest.amount - amount - 500n
    const outputs = [
      kit.toThem(amount),
      ...kit.shuffle([kit.toOwn(account, amount), kit.toOwn(account, rest)]),
    ]
    if (kit.chance(3)) outputs.reverse()
    const target = outputs.findIndex(output => output.own)
    const leaf = operationLeaf(...drawOperation(kit, [holding], outputs, target))
    const guestExtra = isWitness ? { finalScriptWitness: leafWitness(leaf) } : null
    kit.note(guestExtra ? 'operation in a foreign witness' : 'operation in a forged leaf')
    const inputs = [
      kit.spend(guest, guestExtra ? { extra: guestExtra } : {}),
      kit.spend(given, guestExtra || isTheirs ? {} : forged(leaf)),
      kit.spend(payer, guestExtra || !isTheirs ? {} : forged(leaf)),
    ]
    return one(account, kit.item(account, kit.shuffle(inputs), outputs))
  },

  /** A signature on a leaf that the attacker goes round covers amounts that are false. */
  bait(kit) {
    const account = kit.randomAccount()
    const amount = kit.between(2_000, 20_000)
    const stake = kit.mint.own(account, amount, kit.randomHoldings(amount, 1))
    const bait = kit.mint.shared(
      kit.pick(['bait-leaf', 'hidden-leaf', 'bait-leaf', 'leaf']),
      account,
      kit.between(600, 3_000),
    )
    const shift = kit.between(1, 1_500)
    const told = kit.between(3_000, 9_000)
    const isMore = kit.chance(2)
    const lied = kit.mint.foreign(randomPlain(kit), isMore ? told + shift : told - shift, {
      lie: { amount: told },
    })
    kit.note('false amount')
    const inputs = [kit.spend(lied), kit.spend(stake), kit.spend(bait)]
    const before = isMore ? told : told - 1n
    const first = kit.chance(2) ? before : before + shift
    const rest = kit.claimed(inputs) - first - amount - kit.between(1_600, 2_000)
    const outputs = [
      kit.toThem(first),
      kit.toOwn(account, amount),
      kit.toThem(rest > 0n ? rest : 1n),
    ]
    if (kit.chance(3)) outputs.splice(0, 2, kit.toOwn(account, first), kit.toThem(amount))
    return one(account, kit.item(account, kit.chance(4) ? kit.shuffle(inputs) : inputs, outputs))
  },

  /** A foreign input lies about what it is or holds. */
  lie(kit) {
    const account = kit.randomAccount()
    const amount = kit.between(2_000, 20_000)
    const stake = kit.mint.own(account, amount, kit.randomHoldings(amount, 2))
    const lock = randomPlain(kit)
    const told = kit.between(2_000, 9_000)
    const isScript = kit.chance(3)
    const script = foreignLock(kit.pick(['p2tr', 'p2wpkh'])).script
    const lie = isScript ? { script } : { amount: told }
    kit.note(isScript ? 'false script' : 'false amount')
    const real = isScript ? told : told + kit.between(0, 3_000) - 1_000n
    const known = isScript && account === 0 && kit.chance(2)
    const lied = kit.mint.foreign(lock, real, { lie, isKnown: known })
    const sighash = kit.pick([null, null, null, 0x81, 0x83])
    const inputs = kit.shuffle([
      kit.spend(lied, { proof: 'witness' }),
      kit.spend(stake, { sighash, proof: known ? 'witness' : 'previous' }),
    ])
    const amounts = kit.divide(kit.claimed(inputs) - kit.between(1_000, 1_800), 2 + kit.random(2))
    const outputs = amounts.map(part =>
      kit.chance(2) ? kit.toThem(part) : kit.toOwn(account, part),
    )
    return one(account, kit.item(account, inputs, outputs))
  },

  /** A small coin binds the goods that the paying coin does not depend on. */
  'loose payment'(kit) {
    const account = kit.randomAccount()
    const goods = kit.between(330, 5_000)
    const bought = kit.mint.foreign(kit.randomLock(), goods, {
      holdings: [kit.randomHolding(goods)],
    })
    const small = kit.mint.own(account, kit.between(330, 900))
    const paying = kit.mint.own(account, kit.between(30_000, 90_000))
    const inputs = [
      kit.spend(bought),
      kit.spend(small, { isNamed: true, sighash: kit.chance(2) ? null : 1 }),
      kit.spend(paying, { sighash: 0x81 }),
    ]
    const price = kit.between(5_000, 20_000)
    const rest = kit.claimed(inputs) - goods - price - 500n
    const outputs = [kit.toOwn(account, goods), kit.toThem(price), kit.toOwn(account, rest)]
    return one(account, kit.item(account, kit.chance(3) ? kit.shuffle(inputs) : inputs, outputs))
  },

  /** The transaction that made an own coin comes along as an item, so that its coin looks like one of the batch's. */
  'old transaction'(kit) {
    const account = kit.randomAccount()
    const amount = kit.between(2_000, 20_000)
    const source = kit.chance(2)
      ? kit.mint.own(account, amount + 500n)
      : kit.mint.shared('bait-leaf', account, amount + 500n)
    const old = {
      ...kit.item(account, [kit.spend(source)], [kit.toOwn(account, amount)]),
      isMined: true,
    }
    const [{ txid, vout }, scriptSig] = [
      source.outpoint,
      source.kind === 'p2sh-p2wpkh' ? source.scriptSig : new Uint8Array(),
    ]
    const raw = encodeRaw([{ txid, vout, scriptSig }], old.outputs)
    const coin = kit.mint.made(account, raw, 0, amount, kit.randomHoldings(amount, 1))
    if (!kit.chance(4)) kit.mint.empty(source)
    kit.note('old transaction')
    const inputs = [kit.spend(coin, { proof: kit.pick(['previous', 'none']) })]
    const outputs = kit.chance(2)
      ? [kit.toThem(amount - 400n)]
      : kit
          .divide(amount - 400n, 2)
          .map(part => (kit.chance(2) ? kit.toThem(part) : kit.toOwn(account, part)))
    const items = [old, kit.item(account, inputs, outputs)]
    return { requests: [{ account, items: kit.shuffle(items), expert: false }] }
  },

  /** Pays in one item and receives in another. */
  'split trade'(kit) {
    const account = kit.randomAccount()
    const amount = kit.between(10_000, 60_000)
    const paying = kit.mint.own(account, amount, kit.randomHoldings(amount, 3))
    const price = kit.between(3_000, Number(amount) - 1_000)
    const paid = [
      kit.toThem(price),
      ...(amount - price > 800n ? [kit.toOwn(account, amount - price - 400n)] : []),
    ]
    const goods = kit.between(600, 30_000)
    const seller = kit.mint.foreign(kit.randomLock(), goods, {
      holdings: kit.chance(2) ? [kit.randomHolding(goods)] : [],
    })
    const small = kit.mint.own(account, kit.between(600, 2_000))
    const got = [kit.toOwn(account, goods), kit.toOwn(account, small.amount - 200n)]
    const items = [
      kit.item(account, [kit.spend(paying)], paid),
      kit.item(account, [kit.spend(seller), kit.spend(small)], got),
    ]
    return { requests: [{ account, items: kit.shuffle(items), expert: false }] }
  },

  /** A coin with a blank signature of before stands beside one that is signed now. */
  'blank before': kit => randomBlank(kit, kit.pick([3, 3, 2, 0x81, null])),

  /** The same where that coin is signed again and in full. */
  'blank again': kit => randomBlank(kit, kit.pick([3, 3, 2]), kit.pick([null, 1, 0x81, 3])),

  /** A coin that is on sale for an output stands beside one whose signature pays the same output. */
  'listed before'(kit) {
    const account = kit.randomAccount()
    const [first, second] = [kit.between(600, 10_000), kit.between(20_000, 60_000)]
    const listed = kit.mint.own(account, first, kit.randomHoldings(first, 1))
    const paying = kit.mint.own(account, second, kit.randomHoldings(second))
    const price = kit.toOwn(account, kit.between(600, 15_000))
    const before = kit.item(account, [kit.spend(listed, { sighash: 0x83 })], [price])
    const sighash = kit.pick([0x81, 0x81, 0x83, null])
    const inputs = [
      kit.spend(listed, { isNamed: false, brings: kit.chance(2) }),
      { ...kit.spend(paying, { sighash }), isNamed: true },
    ]
    const rest = first + second - price.amount - 500n
    const others = kit.divide(rest, 2).map(part => {
      return kit.chance(2) ? kit.toThem(part) : kit.toOwn(account, part)
    })
    const outputs = kit.chance(3) ? [...others, price] : [price, ...others]
    const item = { ...kit.item(account, inputs, outputs), inputs }
    return {
      requests: [
        { account, items: [before], expert: false },
        { account, items: [item], expert: false },
      ],
    }
  },

  /** Scripts that our key is only part of. */
  shared(kit) {
    const account = kit.randomAccount()
    const kinds = [0, 1].map(more => SHARED_KINDS[(2 * kit.turn + more) % SHARED_KINDS.length])
    const sighash = kit.pick([null, null, 0x81, 0x83])
    const shared = kinds.map((kind = 'leaf') => {
      const amount = kit.between(2_000, 20_000)
      return kit.mint.shared(kind, account, amount, kit.randomHoldings(amount, 2))
    })
    const amount = kit.between(2_000, 20_000)
    const own = kit.mint.own(account, amount, kit.randomHoldings(amount, 2))
    const inputs = kit
      .shuffle([...shared, ...(kit.chance(3) ? [] : [own])])
      .map(coin => kit.spend(coin, { sighash }))
    const parts = kit.divide(kit.claimed(inputs) - 500n, inputs.length + kit.random(2))
    const outputs = parts.map(part => (kit.chance(2) ? kit.toThem(part) : kit.toOwn(account, part)))
    return one(account, kit.item(account, inputs, outputs))
  },

  anything: randomAnything,
}

/** `again` is how the coin is signed for the second time, if it is. */
function randomBlank(kit: Kit, sighash: number | null, again?: number | null): ReturnType<Shape> {
  const account = kit.randomAccount()
  const [first, second] = [kit.between(5_000, 20_000), kit.between(20_000, 60_000)]
  const blank = kit.mint.own(account, first, kit.randomHoldings(first, 2))
  const bound = kit.mint.own(account, second, kit.randomHoldings(second))
  const before = [kit.spend(blank, { sighash: 0x82 })]
  const inputs: DraftInput[] = [
    again === undefined
      ? kit.spend(blank, { brings: kit.chance(2) })
      : { ...kit.spend(blank, { sighash: again }), isNamed: true },
    { ...kit.spend(bound, { sighash }), isNamed: true },
  ]
  const least = kit.between(330, 4_000)
  const outputs = [kit.toOwn(account, first + second - least - 500n), kit.toOwn(account, least)]
  const item = { ...kit.item(account, inputs, outputs), inputs }
  return {
    requests: [
      { account, items: [kit.item(account, before, [kit.toOwn(account, first)])], expert: true },
      { account, items: [item], expert: true },
    ],
  }
}

/** Everything at random, in up to three requests that share coins. */
function randomAnything(kit: Kit): ReturnType<Shape> {
  const expert = kit.chance(4)
  const account = kit.randomAccount()
  const kept: Coin[] = []
  const requests = Array.from({ length: 1 + (kit.chance(2) ? kit.random(3) : 0) }, () => {
    const items = Array.from({ length: kit.chance(3) ? 1 + kit.random(4) : 1 }, () =>
      randomItem(kit, account, expert, kept),
    )
    return { account, items, expert }
  })
  return { requests }
}

function randomItem(kit: Kit, account: number, expert: boolean, kept: Coin[]) {
  const sighashes = [
    null,
    null,
    null,
    1,
    0x81,
    0x81,
    0x83,
    0x83,
    ...(expert ? [2, 3, 0x82, 0x82, 3] : []),
  ]
  const own = () => {
    if (kept.length > 0 && kit.chance(3)) return kit.pick(kept)
    const amount = kit.between(330, 40_000)
    const coin = kit.mint.own(
      kit.chance(6) ? kit.randomAccount() : account,
      amount,
      kit.randomHoldings(amount),
    )
    kept.push(coin)
    return coin
  }
  const coins = new Set<Coin>([own()])
  const wanted = 1 + kit.random(6)
  for (let more = 1; more < wanted; more++) {
    const amount = kit.between(330, 20_000)
    const draws = [
      own,
      own,
      () => kit.mint.foreign(kit.randomLock(), amount, { holdings: kit.randomHoldings(amount) }),
      () =>
        kit.mint.foreign(randomPlain(kit), amount, { lie: { amount: kit.between(330, 20_000) } }),
      () => kit.mint.shared(kit.pick(SHARED_KINDS), account, amount, kit.randomHoldings(amount)),
    ]
    coins.add(kit.pick(draws)())
  }
  const common = kit.pick(sighashes)
  const list = kit.shuffle([...coins])
  const length = Math.max(1, list.length + kit.random(3) - 1)
  const inputs = list.map((coin, at): DraftInput => {
    const asked = kit.chance(3) ? kit.pick(sighashes) : common
    const isOne = asked !== null && (asked & 3) === 3
    const sighash = coin.owner === 'foreign' || (isOne && at >= length) ? null : asked
    const brings = coin.owner === 'own' && kit.chance(8)
    return kit.spend(coin, {
      sighash,
      brings,
      isNamed: coin.owner !== 'foreign' && coin.account === account && !brings,
    })
  })
  const total = kit.claimed(inputs) - kit.between(0, 600)
  const outputs: DraftOutput[] = kit
    .divide(total > 0n ? total : 0n, length)
    .map(part =>
      kit.chance(12)
        ? kit.toNobody(part)
        : kit.chance(2)
          ? kit.toThem(part, kit.randomLock())
          : kit.toOwn(account, part),
    )
  const extra = kit.randomRunestone(list, outputs.length)
  return kit.item(account, withForgery(kit, inputs, outputs), [...outputs, ...extra])
}

/** At times an operation for an Atomical among the inputs, in a field that binds nothing. */
function withForgery(
  kit: Kit,
  inputs: readonly DraftInput[],
  outputs: readonly DraftOutput[],
): DraftInput[] {
  const held = inputs
    .flatMap(({ coin }) => coin?.holdings ?? [])
    .filter(({ kind }) => kind === 'nft' || kind === 'ft')
  const able = inputs.flatMap(({ coin }, at) =>
    coin && (coin.owner === 'foreign' ? coin.reveals : coin.kind === 'p2tr') ? at : [],
  )
  if (held.length === 0 || able.length === 0 || kit.chance(3)) return [...inputs]
  const place = kit.pick(able)
  const leaf = operationLeaf(...drawOperation(kit, held, outputs, kit.random(outputs.length)))
  kit.note('forged operation')
  return inputs.map((input, at): DraftInput => {
    if (at !== place) return input
    const isFinal = input.coin?.owner === 'foreign'
    return {
      ...input,
      extra: isFinal ? { finalScriptWitness: leafWitness(leaf) } : forged(leaf).extra,
    }
  })
}

function forged(leaf: Uint8Array) {
  return { extra: { tapLeafScript: forgedLeafField(leaf) } }
}

/** An operation that brings these to an output. */
function drawOperation(
  kit: Kit,
  holdings: readonly Holding[],
  outputs: readonly DraftOutput[],
  target: number,
): [MovingOperation, object] {
  const operation = kit.pick<MovingOperation>(['z', 'z', 'y', 'x'])
  if (operation === 'x') return ['x', {}]
  const skipped = Number(sumOf(outputs.slice(0, target)))
  const wish = (at: number) => ({ [String(at)]: Number(outputs[at]?.amount ?? 0n) + 1 })
  return [
    operation,
    Object.fromEntries(
      holdings.map(({ key }) => [key, operation === 'z' ? wish(target) : skipped]),
    ),
  ]
}

function randomPlain(kit: Kit): Lock {
  return kit.pick(['p2wpkh', 'p2tr', 'p2wsh-multisig'])
}
