import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { parseAddress, scriptPubKeyOf } from '../address.ts'
import { fromHex, toHex, toUtf8 } from '../bytes.ts'
import { parsePsbt } from '../psbt/psbt.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { buildPsbt } from '../testing/psbt-building.ts'
import vectors from '../testing/vectors/bip322-basic.json' with { type: 'json' }
import { decodeTransaction } from '../transaction.ts'
import { buildToSpend } from './message-bip322.ts'
import { parseMessage } from './psbt-message.ts'

const KEY = new Uint8Array(32).fill(9)
const OWN = scriptPubKeyOf(publicKeyOf(KEY), 'p2wpkh')
const TEXT = 'I own this'

describe('the messages of BIP-322 as PSBTs', () => {
  it.each(vectors.tx_hashes)('"$message" is read when the PSBT says its text', vector => {
    const { message, address, to_spend_tx_hash: txid } = vector
    const { scriptPubKey } = parseAddress(address, 'mainnet')
    const psbt = toSign({ txid, scriptPubKey, message: toUtf8(message) })
    expect(parseMessage(psbt, scriptPubKey)).toBe(message)
    expect(parseMessage(toSign({ txid, scriptPubKey }), scriptPubKey)).toBe('refused')
    expect(
      parseMessage(toSign({ txid, scriptPubKey, message: toUtf8('another') }), scriptPubKey),
    ).toBe('refused')
    // What is signed is what the vectors sign.
    expect(idOf(psbt)).toBe(vector.to_sign_tx_hash)
  })

  it.each(vectors.simple)('of $address are read, and of no other address', vector => {
    const { message, address } = vector
    const { scriptPubKey } = parseAddress(address, 'mainnet')
    const txid = txidOfToSpend(message, scriptPubKey)
    const psbt = toSign({ txid, scriptPubKey, message: toUtf8(message) })
    expect(parseMessage(psbt, scriptPubKey)).toBe(message)
    expect(parseMessage(psbt, OWN)).toBe('refused')
  })
})

describe('a PSBT with the form of a message', () => {
  const txid = txidOfToSpend(TEXT, OWN)
  const message = toUtf8(TEXT)

  it('is a message in both versions of PSBTs and of BIP-322', () => {
    for (const version of [0, 2] as const)
      for (const transactionVersion of [0, 2])
        expect(parseMessage(toSign({ txid, message, version, transactionVersion }), OWN)).toBe(TEXT)
  })

  it('keeps a byte order mark, which is a part of what is signed', () => {
    const marked = '\ufeffI own this'
    const psbt = toSign({ txid: txidOfToSpend(marked, OWN), message: toUtf8(marked) })
    expect(parseMessage(psbt, OWN)).toBe(marked)
  })

  it.each([
    ['spends something else', { txid: 'ab'.repeat(32) }],
    ['spends another output', { vout: 1 }],
    ['is locked until later', { locktime: 500 }],
    ['has a sequence', { sequence: 1 }],
    ['has another version', { transactionVersion: 1 }],
    ['proves funds beside it', { further: 1 }],
    ['says what is no text', { message: fromHex('ff00ff') }],
    ['says no text', { message: undefined }],
  ])('is refused when it %s', (_, change) => {
    expect(parseMessage(toSign({ txid, message, ...change }), OWN)).toBe('refused')
  })

  it('is an ordinary transaction once its output holds or says anything, or is not alone', () => {
    for (const outputs of [
      [{ script: fromHex('6a'), amount: 1n }],
      [{ script: fromHex('6a00'), amount: 0n }],
      [
        { script: fromHex('6a'), amount: 0n },
        { script: OWN, amount: 0n },
      ],
    ])
      expect(parseMessage(toSign({ txid, message, outputs }), OWN)).toBe(null)
  })
})

type ToSign = {
  txid: string
  vout?: number
  scriptPubKey?: Uint8Array
  message?: Uint8Array | undefined
  version?: 0 | 2
  transactionVersion?: number
  locktime?: number
  sequence?: number
  further?: number
  outputs?: { script: Uint8Array; amount: bigint }[]
}

function toSign(of: ToSign) {
  const { txid, vout = 0, scriptPubKey = OWN, message, sequence = 0, further = 0 } = of
  const { outputs = [{ script: fromHex('6a'), amount: 0n }] } = of
  const coin = (at: number) => ({
    type: { script: scriptPubKey, fields: {} },
    amount: 0n,
    sequence,
    outpoint: { txid, vout: at },
  })
  const { bytes } = buildPsbt({
    inputs: Array.from({ length: 1 + further }, (_, i) => coin(vout + i)),
    outputs: outputs.map(({ script, amount }) => ({ type: { script }, amount })),
    version: of.version ?? 0,
    transactionVersion: of.transactionVersion ?? 0,
    locktime: of.locktime ?? 0,
    ...(message && { raw: { '09': message } }),
  })
  return parsePsbt(bytes)
}

function idOf({ maps }: ReturnType<typeof toSign>): string {
  const unsigned = maps.global.find(({ key }) => toHex(key) === '00')?.value
  return decodeTransaction(unsigned ?? new Uint8Array()).getId()
}

/** By an independent library. */
function txidOfToSpend(message: string, scriptPubKey: Uint8Array): string {
  const raw = buildToSpend(toUtf8(message), scriptPubKey).toBuffer()
  return Transaction.fromRaw(raw, {
    allowUnknownOutputs: true,
    allowUnknownInputs: true,
    disableScriptCheck: true,
  }).id
}
