import { RawTx, Transaction } from '@scure/btc-signer'
import { RawPSBTV0, RawPSBTV2 } from '@scure/btc-signer/psbt.js'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { toHex } from '../bytes.ts'
import { lockOf } from '../testing/psbt-building.ts'
import {
  ACCOUNTS,
  createRandom,
  createRandomPsbts,
  type RandomPsbt,
} from '../testing/signable-psbts.ts'
import { PsbtRefusedError, planSigning } from './plan.ts'
import { readPrevouts } from './prevouts.ts'
import { encodePsbt, parsePsbt } from './psbt.ts'
import { type PsbtReview, reviewPsbt } from './review.ts'
import { signPsbt } from './sign.ts'
import { checkSignatures } from './signatures.ts'

const { count: COUNT, seed: SEED } = campaign('PSBTs that a second library reads')

describe('a review', () => {
  it(`of ${COUNT} random PSBTs (seed ${SEED}) says what an independent library's reading of them says`, () => {
    const random = createRandom(SEED)
    const { draw } = createRandomPsbts(random, { most: 3 })
    const seen = { badAmounts: 0, open: 0, signedBefore: 0, noFee: 0 }
    for (let i = 0; i < COUNT; ) {
      const sample = draw()
      // Some were signed before, by an account of the same wallet.
      const made = random(20) === 0 ? signBefore(sample) : sample
      const review = reviewOrRefusal(made)
      if (review === null) continue
      i++
      const expected = expectReview(made)
      if (made !== sample) seen.signedBefore++
      if (review === 'BAD_AMOUNTS') seen.badAmounts++
      else if (review.fee === null) seen.noFee++
      else if (review.fee.certainty === 'open') seen.open++
      if (!isSame(review, expected))
        expect(simplify(review), `case ${i}: ${toHex(made.bytes)}`).toEqual(expected)
    }
    // What the generator makes is worth the time.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(COUNT / 500)
  }, 1_800_000)
})

type Simple = {
  inputs: { owner: string; amount: bigint | null; proof: string | null; sighash: number | null }[]
  outputs: { owner: string; amount: bigint; script: string }[]
  net: Record<string, bigint>
  worst: bigint
  fee: { sats: bigint; certainty: string } | null
}

/** Null for what taproot cannot sign because an amount is unknown. */
function reviewOrRefusal({ bytes, previous, account, orders }: RandomPsbt) {
  const psbt = parsePsbt(bytes)
  const prevouts = readPrevouts(psbt, previous)
  try {
    const plan = planSigning({ psbt, prevouts, key: account, inputs: orders, expert: true })
    const signatures = checkSignatures(psbt, prevouts)
    return reviewPsbt({ psbt, prevouts, plan, own: ACCOUNTS, signatures })
  } catch (error) {
    if (!(error instanceof PsbtRefusedError)) throw error
    if (error.reason === 'BAD_AMOUNTS') return error.reason
    if (error.reason === 'UNVERIFIED_INPUT' && prevouts.includes(null)) return null
    throw error
  }
}

function signBefore(sample: RandomPsbt): RandomPsbt {
  const psbt = parsePsbt(sample.bytes)
  const prevouts = readPrevouts(psbt, sample.previous)
  for (const account of ACCOUNTS) {
    if (account === sample.account) continue
    try {
      const plan = planSigning({ psbt, prevouts, key: account, inputs: null, expert: false })
      return { ...sample, bytes: encodePsbt(signPsbt({ psbt, prevouts, plan, ...account })) }
    } catch (error) {
      if (!(error instanceof PsbtRefusedError)) throw error
    }
  }
  return sample
}

function simplify(review: PsbtReview | 'BAD_AMOUNTS'): Simple | 'BAD_AMOUNTS' {
  if (review === 'BAD_AMOUNTS') return review
  return {
    inputs: review.inputs.map(({ owner, amount, proof, sighash }) => ({
      owner,
      amount,
      proof,
      sighash,
    })),
    outputs: review.outputs.map(({ owner, amount, scriptPubKey }) => ({
      owner,
      amount,
      script: toHex(scriptPubKey),
    })),
    net: Object.fromEntries(review.net.value),
    worst: review.worst,
    fee: review.fee && { sats: review.fee.sats, certainty: review.fee.certainty },
  }
}

/** Cheaper than an assertion, which only words the difference. */
function isSame(review: PsbtReview | 'BAD_AMOUNTS', expected: Simple | 'BAD_AMOUNTS'): boolean {
  return flatten(simplify(review)) === flatten(expected)
}

function flatten(simple: Simple | 'BAD_AMOUNTS'): string {
  const sort = (net: Record<string, bigint>) => Object.entries(net).sort()
  return JSON.stringify(
    simple === 'BAD_AMOUNTS' ? simple : { ...simple, net: sort(simple.net) },
    (_, value) => (typeof value === 'bigint' ? `${value}n` : value),
  )
}

const ownScripts = new Map(ACCOUNTS.map(each => [toHex(each.scriptPubKey), each.accountId]))
const rawScripts = new Map(
  ACCOUNTS.map(each => [toHex(lockOf('raw-p2tr', each.privateKey).script), each.accountId]),
)
const sharedScripts = new Map(
  ACCOUNTS.flatMap(each =>
    (['leaf', 'p2sh-multisig', 'p2wsh-multisig', 'p2sh-p2wsh-multisig'] as const).map(
      lock => [toHex(lockOf(lock, each.privateKey).script), each] as const,
    ),
  ),
)
const nameless = new Set(
  (['p2pk', 'multisig', 'future', 'p2a', 'odd'] as const).map(lock => toHex(lockOf(lock).script)),
)

type Fact = { index: number; sighash: number; own: boolean; taproot: boolean; amount: bigint }

/** The review reckoned from the independent library's reading of the bytes. */
function expectReview({ bytes, previous, account, orders }: RandomPsbt): Simple | 'BAD_AMOUNTS' {
  const read = readIndependently(bytes)
  const facts: Fact[] = []
  const coins = read.inputs.map((input, index) => {
    const fetched = previous.get(input.txid)
    const proving = input.nonWitnessUtxo ?? (fetched && RawTx.decode(fetched))
    const output = proving ? proving.outputs[input.index] : input.witnessUtxo
    if (!output)
      return { owner: 'unknown', account: null, amount: null, proven: false, sighash: null }
    const script = toHex(output.script)
    const accountId = ownScripts.get(script) ?? rawScripts.get(script) ?? null
    const owner = accountId !== null ? 'own' : sharedScripts.has(script) ? 'shared' : 'foreign'
    const taproot = script.startsWith('5120')
    const signed = input.tapKeySig ?? input.partialSig?.[0]?.[1]
    const isNamed = orders?.some(order => order.index === index) ?? false
    const isAsked = orders ? isNamed : script === toHex(account.scriptPubKey)
    const usual = taproot ? 0 : 1
    const stated = signed && (signed.length === 64 ? 0 : (signed.at(-1) ?? 0))
    const sighash = stated ?? (isAsked ? (input.sighashType ?? usual) : null)
    if (sighash !== null)
      facts.push({ index, sighash, own: owner === 'own', taproot, amount: output.amount })
    return { owner, account: accountId, amount: output.amount, proven: Boolean(proving), sighash }
  })
  const inputs = coins.map(({ owner, amount, proven, sighash }, i) => {
    const naming = facts.filter(({ index, sighash }) => index === i || sighash < 0x80)
    const committed = naming.length > 0 && naming.every(fact => coversAmount(fact, i))
    const proof = amount === null ? null : proven ? 'proven' : committed ? 'committed' : 'claimed'
    return { owner, amount, proof, sighash }
  })
  const net: Record<string, bigint> = {}
  const add = (id: string | null | undefined, sats: bigint) => {
    if (id) net[id] = (net[id] ?? 0n) + sats
  }
  for (const coin of coins) add(coin.account, 0n - (coin.amount ?? 0n))
  const outputs = read.outputs.map(({ script, amount }) => {
    const hex = toHex(script)
    add(ownScripts.get(hex), amount)
    const owner = ownScripts.has(hex)
      ? 'own'
      : hex.startsWith('6a')
        ? 'data'
        : nameless.has(hex)
          ? 'unknown'
          : 'foreign'
    return { owner, amount, script: hex }
  })
  const total = (amounts: readonly (bigint | null)[]) =>
    amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)
  const sats = total(inputs.map(({ amount }) => amount)) - total(outputs.map(each => each.amount))
  const isKnown = inputs.every(({ amount }) => amount !== null)
  const isOpen = facts.some(({ sighash }) => sighash > 1)
  if (isKnown && sats < 0n && !isOpen) return 'BAD_AMOUNTS'
  const isFixed = facts.length > 0 && facts.every(({ sighash }) => sighash < 2)
  const isProven = inputs.every(({ proof }) => proof !== 'claimed')
  const certainty = !isFixed ? 'open' : isProven ? 'certain' : 'claimed'
  return {
    inputs,
    outputs,
    net,
    worst: leastBySubsets(
      facts,
      total(coins.map(({ owner, amount }) => (owner === 'own' ? amount : null))),
      outputs.map(({ owner, amount }) => (owner === 'own' ? amount : 0n)),
    ),
    fee: isKnown && sats >= 0n ? { sats, certainty } : null,
  }
}

type Read = {
  inputs: {
    txid: string
    index: number
    nonWitnessUtxo?: { outputs: { script: Uint8Array; amount: bigint }[] } | undefined
    witnessUtxo?: { script: Uint8Array; amount: bigint } | undefined
    partialSig?: [Uint8Array, Uint8Array][] | undefined
    tapKeySig?: Uint8Array | undefined
    sighashType?: number | undefined
  }[]
  outputs: { script: Uint8Array; amount: bigint }[]
}

function readIndependently(bytes: Uint8Array): Read {
  if (isVersion2(bytes)) {
    const { inputs, outputs } = RawPSBTV2.decode(bytes)
    return {
      inputs: inputs.map(({ txid = NOTHING, index = 0, ...rest }) => ({
        ...rest,
        txid: toHex(txid),
        index,
      })),
      outputs: outputs.map(({ script = NOTHING, amount = 0n }) => ({ script, amount })),
    }
  }
  const { global, inputs } = RawPSBTV0.decode(bytes)
  const unsigned = global.unsignedTx
  if (!unsigned) throw new Error('no unsigned transaction')
  return {
    inputs: inputs.map((input, i) => ({
      ...input,
      txid: toHex(unsigned.inputs[i]?.txid ?? NOTHING),
      index: unsigned.inputs[i]?.index ?? 0,
    })),
    outputs: unsigned.outputs,
  }
}

const NOTHING = new Uint8Array()

/** The first record of version 0 is the unsigned transaction. */
function isVersion2(bytes: Uint8Array): boolean {
  return !(bytes[5] === 1 && bytes[6] === 0)
}

const coverage = new Map<string, boolean>()

/** Whether the hash that a signature signs changes with the amount of an input, by the independent library's hashing. */
function coversAmount({ index, sighash, taproot }: Fact, input: number): boolean {
  const own = index === input
  const name = `${taproot} ${sighash} ${own}`
  const known = coverage.get(name)
  if (known !== undefined) return known
  const transaction = new Transaction({ allowUnknownOutputs: true })
  const script = lockOf(taproot ? 'p2tr' : 'p2wpkh').script
  for (const txid of ['11', '22']) transaction.addInput({ txid: txid.repeat(32), index: 0 })
  for (const amount of [5n, 6n]) transaction.addOutput({ script, amount })
  const hash = (amount: bigint) =>
    toHex(
      taproot
        ? transaction.preimageWitnessV1(
            0,
            [script, script],
            sighash,
            own ? [amount, 9n] : [9n, amount],
          )
        : transaction.preimageWitnessV0(0, script, sighash, own ? amount : 9n),
    )
  const covers = hash(7n) !== hash(8n)
  coverage.set(name, covers)
  return covers
}

/**
 * Tries each signature that names all inputs, whatever further ones of ours will be there then; every set of the others
 * together in one transaction; and every division of them over several.
 */
function leastBySubsets(
  facts: readonly Fact[],
  spentByAll: bigint,
  outputs: readonly bigint[],
): bigint {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((a, b) => a + b, 0n)
  const paidBy = (used: readonly Fact[]) =>
    used.some(({ sighash }) => (sighash & 3) < 2)
      ? sum(outputs)
      : sum(
          used.flatMap(({ sighash, index }) => ((sighash & 3) === 3 ? (outputs[index] ?? 0n) : [])),
        )
  let least: bigint | null = null
  const consider = (change: bigint) => {
    if (least === null || change < least) least = change
  }
  const free = facts.filter(({ sighash }) => sighash >= 0x80)
  for (const fact of facts) if (!free.includes(fact)) consider(paidBy([fact]) - spentByAll)
  const count = 1 << free.length
  const together = Array.from({ length: count }, (_, set) => {
    const used = free.filter((_, i) => set & (1 << i))
    return paidBy(used) - sum(used.flatMap(({ own, amount }) => (own ? amount : [])))
  })
  const apart: bigint[] = [0n]
  for (let set = 1; set < count; set++) {
    let best = together[set] ?? 0n
    for (let part = (set - 1) & set; part > 0; part = (part - 1) & set) {
      const sum = (together[part] ?? 0n) + (apart[set ^ part] ?? 0n)
      if (sum < best) best = sum
    }
    apart[set] = best
    consider(best)
  }
  return least ?? 0n
}
