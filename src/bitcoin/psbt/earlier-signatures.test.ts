import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { toHex } from '../bytes.ts'
import type { Sighash } from '../signing/sighash.ts'
import { type BuiltOutput, buildPsbt } from '../testing/psbt-building.ts'
import { ACCOUNTS } from '../testing/signable-psbts.ts'
import { finalizableLocks, signCoins } from '../testing/signed-psbt.ts'
import { findOnlyLeaf, weakest } from './binding.ts'
import { readPrevouts } from './prevouts.ts'
import { type Psbt, parsePsbt, withInputs } from './psbt.ts'
import { keyOfOutput, type OpenSignature, reviewPsbt } from './review.ts'
import { signPsbt } from './sign.ts'
import { checkSignatures } from './signatures.ts'

const PRICE = 100_000n
const [TAPROOT, SEGWIT] = ACCOUNTS

type Account = (typeof ACCOUNTS)[number]

/** A coin of an account for these outputs, of which our signature has this sighash. */
function sell(
  { addressType: type, privateKey: key }: Account,
  sighash: Sighash,
  outputs: readonly BuiltOutput[],
  earlier: readonly OpenSignature[] = [],
) {
  const { bytes, previous } = buildPsbt({
    inputs: [{ type, key, amount: PRICE, proof: 'both' }],
    outputs,
  })
  const psbt = parsePsbt(bytes)
  const prevouts = readPrevouts(psbt, previous)
  const plan = [{ index: 0, sighash, how: { kind: 'key' as const } }]
  const signatures = checkSignatures(psbt, prevouts)
  const review = reviewPsbt({ psbt, prevouts, plan, own: ACCOUNTS, signatures, earlier })
  return { psbt, prevouts, plan, bytes, ...review }
}

const back = { type: 'p2tr' as const, key: TAPROOT.privateKey, amount: PRICE }
const theirs = { type: 'p2wpkh' as const, amount: PRICE }
const BACK = keyOfOutput(toHex(TAPROOT.scriptPubKey), String(PRICE))

describe('a coin that is sold for its own amount, where others may add coins', () => {
  const worst = (earlier: Partial<OpenSignature>[], outputs: BuiltOutput[] = [back, theirs]) =>
    sell(
      TAPROOT,
      0x81,
      outputs,
      earlier.map(changes => ({ outpoints: ['other:0'], all: false, outputs: [BACK], ...changes })),
    ).worst

  it('costs nothing by itself', () => {
    expect(worst([])).toBe(0n)
  })

  it('costs all of it beside one that was sold before for the same output, which is paid once', () => {
    expect(worst([{}])).toBe(-PRICE)
    expect(worst([{ all: true }])).toBe(-PRICE)
  })

  it('costs nothing more beside one that asks for another output, or for none', () => {
    const other = keyOfOutput(toHex(TAPROOT.scriptPubKey), String(PRICE - 1n))
    const foreign = keyOfOutput(toHex(SEGWIT.scriptPubKey), String(PRICE))
    for (const outputs of [[other], [foreign], []]) expect(worst([{ outputs }])).toBe(0n)
  })

  it('costs nothing more where it was the same coin that was sold before', () => {
    const { inputs } = sell(TAPROOT, 0x81, [back, theirs])
    expect(worst([{ outpoints: [inputs[0]?.outpoint ?? ''] }])).toBe(0n)
    expect(worst([{ outpoints: [inputs[0]?.outpoint ?? '', 'other:0'], all: true }])).toBe(-PRICE)
  })

  it('costs nothing more where the output is not ours, whatever was asked for before', () => {
    const theirKey = keyOfOutput(
      toHex(sell(TAPROOT, 0x81, [theirs]).outputs[0]?.scriptPubKey ?? new Uint8Array()),
      String(PRICE),
    )
    expect(worst([{ outputs: [theirKey] }], [back, theirs])).toBe(0n)
  })

  it('is not put beside others where the signature names everything', () => {
    const earlier = [{ outpoints: ['other:0'], all: true, outputs: [BACK] }]
    expect(sell(TAPROOT, 0, [back], earlier).worst).toBe(0n)
  })
})

describe('the txid that a review tells', () => {
  it('is that of another library, and certain where our signature names everything', () => {
    const { bytes, txid } = sell(SEGWIT, 1, [theirs])
    const transaction = Transaction.fromPSBT(bytes)
    transaction.signIdx(SEGWIT.privateKey, 0)
    transaction.finalize()
    expect(txid).toEqual({ value: transaction.id, certainty: 'certain' })
  })

  it('is none where others may change the transaction', () => {
    expect(sell(SEGWIT, 0x81, [theirs]).txid).toEqual({ value: null, certainty: 'open' })
  })
})

describe('an input that others have signed', () => {
  const KEYS: [Uint8Array, Uint8Array, Uint8Array] = [
    new Uint8Array(32).fill(0x61),
    new Uint8Array(32).fill(0x62),
    new Uint8Array(32).fill(0x63),
  ]
  const reviewOf = (psbt: Psbt) => {
    const prevouts = readPrevouts(psbt, new Map())
    const signatures = checkSignatures(psbt, prevouts)
    return reviewPsbt({ psbt, prevouts, plan: [], own: ACCOUNTS, signatures })
  }

  it.each(Object.entries(finalizableLocks(KEYS)))('is complete: %s', (_, lock) => {
    const { bytes } = signCoins([lock], KEYS)
    const signed = parsePsbt(bytes)
    const nothing = { partialSigs: [], tapKeySig: null, tapScriptSigs: [] }
    const unsigned = reviewOf(withInputs(signed, new Map([[0, nothing]])))
    expect([unsigned.inputs[0]?.state, unsigned.after]).toEqual(['open', 'needs-others'])
    const review = reviewOf(signed)
    expect([review.inputs[0]?.state, review.after]).toEqual(['signed', 'complete'])
  })
})

describe('the field of the sighash type', () => {
  const fieldOf = (account: Account, sighash: Sighash) => {
    const { psbt, prevouts, plan } = sell(account, sighash, [theirs])
    const { privateKey, addressType } = account
    return signPsbt({ psbt, prevouts, plan, privateKey, addressType }).inputs[0]?.sighashType
  }

  it('is written for taproot alone, and not for SIGHASH_DEFAULT (BIP-371)', () => {
    expect([fieldOf(TAPROOT, 0), fieldOf(TAPROOT, 1), fieldOf(TAPROOT, 0x81)]).toEqual([
      null,
      1,
      0x81,
    ])
    expect([fieldOf(SEGWIT, 1), fieldOf(SEGWIT, 0x83)]).toEqual([null, null])
  })
})

describe('what a claim hangs on', () => {
  it('makes it as certain as the least certain of it', () => {
    expect(weakest()).toBe('certain')
    expect(weakest('certain', 'claimed')).toBe('claimed')
    expect(weakest('claimed', 'open')).toBe('open')
    expect(weakest('open', 'unknown', 'certain')).toBe('unknown')
  })
})

describe('the only leaf of a taproot output', () => {
  const H = Uint8Array.from(
    Buffer.from('50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0', 'hex'),
  )
  const OURS = new Uint8Array(32).fill(5)
  const SCRIPT = Uint8Array.of(0x51)
  const find = (controlBlock: readonly Uint8Array[], leafHash: Uint8Array | null = OURS) =>
    findOnlyLeaf(
      [{ leafHash, script: SCRIPT, after: [SCRIPT, ...controlBlock] }] as unknown as Parameters<
        typeof findOnlyLeaf
      >[0],
      key => toHex(key) === toHex(OURS),
    )
  const block = (key: Uint8Array, path = 0) =>
    Uint8Array.from([0xc0, ...key, ...new Uint8Array(path)])

  it('is one without a path, whose internal key nobody or only we can use', () => {
    expect(find([block(H)])).toEqual(SCRIPT)
    expect(find([block(OURS)])).toEqual(SCRIPT)
  })

  it('is none that others can go around', () => {
    expect(find([block(new Uint8Array(32).fill(6))])).toBeNull()
    expect(find([block(H, 32)])).toBeNull()
    expect(find([block(H)], null)).toBeNull()
    expect(find([])).toBeNull()
  })
})
