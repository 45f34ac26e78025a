import { p2pkh, p2wpkh, Script } from '@scure/btc-signer'
import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { fromHex, toHex } from '../../src/bitcoin/bytes.ts'
import { extractTransaction } from '../../src/bitcoin/psbt/extract.ts'
import { finalizePsbt } from '../../src/bitcoin/psbt/finalize.ts'
import { type InputOrder, planSigning } from '../../src/bitcoin/psbt/plan.ts'
import { readPrevouts } from '../../src/bitcoin/psbt/prevouts.ts'
import {
  type Psbt,
  parsePsbt,
  unsignedTransaction,
  withInputs,
} from '../../src/bitcoin/psbt/psbt.ts'
import { signPsbt } from '../../src/bitcoin/psbt/sign.ts'
import { checkSignatures } from '../../src/bitcoin/psbt/signatures.ts'
import { publicKeyOf, signEcdsa } from '../../src/bitcoin/secp256k1.ts'
import {
  type BuiltInput,
  buildPsbt,
  COSIGNER_KEY,
  type Lock,
  lockOf,
} from '../../src/bitcoin/testing/psbt-building.ts'
import { ADDRESS_TYPES } from '../../src/bitcoin/testing/spending.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'

const KEY = new Uint8Array(32).fill(0x51)
const AMOUNT = 10_000n
const PAID = 9_000n

/** A kind of coin, the type of the accounts that sign for it, and their keys. */
type Kind = { lock: Lock; addressType: AddressType; keys: readonly Uint8Array[] }

const KINDS: readonly Kind[] = [
  ...ADDRESS_TYPES.map(addressType => ({ lock: addressType, addressType, keys: [KEY] })),
  { lock: 'raw-p2tr', addressType: 'p2tr', keys: [KEY] },
  { lock: 'leaf', addressType: 'p2tr', keys: [KEY] },
  { lock: 'p2sh-multisig', addressType: 'p2pkh', keys: [KEY, COSIGNER_KEY] },
  { lock: 'p2wsh-multisig', addressType: 'p2wpkh', keys: [COSIGNER_KEY, KEY] },
  { lock: 'p2sh-p2wsh-multisig', addressType: 'p2tr', keys: [KEY, COSIGNER_KEY] },
]

let devnet: Devnet
let client: Client
const payer = createTestWallet('payer of PSBT coins')

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

describe('the node mines what the wallet signed and finalized', () => {
  it.each(KINDS)('of $lock, under each sighash that a page may ask for', async kind => {
    const sighashes = [undefined, 1, 0x81, 0x83]
    await sendSigned(sighashes.map(sighash => ({ ...kind, sighash })))
  })

  it('of all kinds in one transaction', async () => {
    await sendSigned(KINDS)
  })
})

describe('the node mines what the wallet does not understand', () => {
  it('and so does not call wrong: a number in a scriptSig, and SINGLE without an output', async () => {
    const publicKey = publicKeyOf(KEY)
    const either = Script.encode([
      'IF',
      publicKey,
      'ELSE',
      publicKeyOf(COSIGNER_KEY),
      'ENDIF',
      'CHECKSIG',
    ])
    const keyHash = p2pkh(publicKey).script
    const scripts = [
      Script.encode(['HASH160', hash160(either), 'EQUAL']),
      keyHash,
      p2wpkh(publicKey).script,
    ]
    const { txid, raw } = await fundScripts(scripts)
    const { bytes } = buildPsbt({
      inputs: scripts.map((script, vout) => ({
        type: { script, fields: {} },
        amount: AMOUNT,
        proof: 'none' as const,
        outpoint: { txid, vout },
      })),
      outputs: [{ type: 'p2wpkh', amount: PAID }],
    })
    const unsigned = parsePsbt(bytes)
    const transaction = unsignedTransaction(unsigned)
    const sign = (hash: Uint8Array, sighash: number) => signEcdsa(hash, KEY, sighash)
    const SINGLE = 3
    // What legacy signs then is the number 1, by its lowest byte first.
    const legacy = sign(Uint8Array.of(1, ...new Uint8Array(31)), SINGLE)
    const v0 = sign(transaction.hashForWitnessV0(2, keyHash, AMOUNT, SINGLE), SINGLE)
    const branch = sign(transaction.hashForSignature(0, either, 1), 1)
    const final = withInputs(
      unsigned,
      new Map([
        [0, { finalScriptSig: Script.encode([branch, 1, either]) }],
        [1, { finalScriptSig: Script.encode([legacy, publicKey]) }],
        [2, { finalScriptWitness: [v0, publicKey] }],
      ]),
    )
    const prevouts = readPrevouts(unsigned, new Map([[txid, raw]]))
    expect(checkSignatures(final, prevouts).map(({ valid }) => valid)).toEqual([null, null, null])
    await expectMined(final)
  })
})

/** Spends a coin of each kind in one transaction, to as many outputs. */
async function sendSigned(kinds: readonly (Kind & { sighash?: number | undefined })[]) {
  const { txid, raw } = await fund(kinds)
  const inputs = kinds.map(
    ({ lock, sighash }, vout): BuiltInput => ({
      type: lock,
      key: KEY,
      amount: AMOUNT,
      // All that is known of the coins is what a server tells.
      proof: 'none',
      outpoint: { txid, vout },
      ...(sighash === undefined ? {} : { sighash }),
    }),
  )
  const { bytes } = buildPsbt({
    inputs,
    outputs: kinds.map(() => ({ type: 'p2wpkh', amount: PAID })),
  })
  const unsigned = parsePsbt(bytes)
  const prevouts = readPrevouts(unsigned, new Map([[txid, raw]]))
  let psbt: Psbt = unsigned
  for (const [index, { lock, addressType, keys, sighash }] of kinds.entries()) {
    const order: InputOrder = {
      index,
      sighashTypes: sighash === undefined ? null : [sighash],
      disableTweakSigner: lock === 'raw-p2tr' || lock === 'leaf',
    }
    for (const privateKey of keys) {
      const key = { publicKey: publicKeyOf(privateKey), addressType }
      const plan = planSigning({ psbt, prevouts, key, inputs: [order], expert: false })
      expect(plan).toHaveLength(1)
      psbt = signPsbt({ psbt, prevouts, plan, privateKey, addressType })
    }
  }
  const final = finalizePsbt(psbt, prevouts, [...kinds.keys()])
  await expectMined(final)
}

async function expectMined(final: Psbt): Promise<void> {
  const sent = await client.broadcast(toHex(extractTransaction(final)))
  expect(sent).toMatch(/^[0-9a-f]{64}$/)
  await devnet.mine()
  const mined = await devnet.rpc<{ confirmations: number }>('getrawtransaction', [sent, true])
  expect(mined.confirmations).toBe(1)
}

/** A confirmed transaction whose outputs are these coins. */
function fund(kinds: readonly Kind[]): Promise<{ txid: string; raw: Uint8Array }> {
  return fundScripts(kinds.map(({ lock }) => lockOf(lock, KEY).script))
}

async function fundScripts(
  scripts: readonly Uint8Array[],
): Promise<{ txid: string; raw: Uint8Array }> {
  const outputs = scripts.map(script => ({ script, value: AMOUNT }))
  const source = await client.fund(payer, AMOUNT * BigInt(scripts.length) + 5_000n)
  const hex = payer.spend([source], outputs).toHex()
  const txid = await client.broadcast(hex)
  await devnet.mine()
  return { txid, raw: fromHex(hex) }
}
