import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { Transaction as ScureTransaction } from '@scure/btc-signer'
import { crypto, Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../../src/bitcoin/bytes.ts'
import type { ScriptErrorCode } from '../../src/bitcoin/interpreter/script-error.ts'
import { CONSENSUS_RULES, STANDARD_RULES } from '../../src/bitcoin/interpreter/script-rules.ts'
import { createSignatureChecker } from '../../src/bitcoin/interpreter/signature-checker.ts'
import { verifyScript } from '../../src/bitcoin/interpreter/verify-script.ts'
import { commitToLeaf, leafHash } from '../../src/bitcoin/signing/taproot-leaf.ts'
import { createRandom } from '../../src/bitcoin/testing/signable-psbts.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'
import { campaign } from '../../testing/campaigns.ts'
import {
  KEY,
  pushOf,
  type RandomScript,
  randomScript,
  type SignedPart,
  type Sort,
} from './testing/random-scripts.ts'
import {
  CORE_ERRORS,
  DISCOURAGED_ERRORS,
  KNOTS_RULES,
  OLDER_ERRORS,
} from './testing/script-errors.ts'

const { count: COUNT, seed: SEED } = campaign('scripts, for the node')
const PER_FUNDING = 200
const AMOUNT = 2_000n
/** Blocks on top of the coins: what relative locks of a few blocks are held against. */
const DEPTH = 3

let devnet: Devnet
let client: Client
const payer = createTestWallet('payer of random scripts')

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

/**
 * The scripts, the transactions and the signatures are made without the interpreter; whether a block may hold a transaction and
 * what is wrong with it is the node's word alone.
 */
describe(`${COUNT} random scripts (seed ${SEED})`, () => {
  it(
    'are satisfied or fail as the node says, with the same error',
    async () => {
      const random = createRandom(SEED)
      const seen = new Map<string, number>()
      for (let done = 0; done < COUNT; done += PER_FUNDING) {
        const cases = Array.from({ length: Math.min(PER_FUNDING, COUNT - done) }, () =>
          randomScript(random),
        )
        const txid = await fund(cases)
        for (const [vout, one] of cases.entries()) {
          const error = await compare(one, { txid, vout }, done + vout)
          seen.set(error, (seen.get(error) ?? 0) + 1)
        }
      }
      console.info(JSON.stringify({ seed: SEED, ...Object.fromEntries(seen) }))
      expect(seen.get('')).toBeGreaterThan(COUNT / 8)
      expect(seen.size).toBeGreaterThan(20)
    },
    Math.max(120_000, 30 * COUNT),
  )
})

/** A transaction with a coin of each script, in a block, which the node's policy has no say in; and blocks on top. */
async function fund(cases: readonly RandomScript[]): Promise<string> {
  const outputs = cases.map(one => ({ script: lock(one).scriptPubKey, value: AMOUNT }))
  const source = await client.fund(payer, AMOUNT * BigInt(cases.length) + 200_000n)
  const transaction = payer.spend([source], outputs)
  await devnet.rpc('generateblock', [payer.address, [transaction.toHex()]])
  await devnet.mine(DEPTH)
  return transaction.getId()
}

/** Holds both answers together; the node's error, empty when there is none. */
async function compare(
  one: RandomScript,
  { txid, vout }: { txid: string; vout: number },
  number: number,
): Promise<string> {
  const { scriptPubKey } = lock(one)
  const transaction = spend(one, fromHex(txid).reverse(), vout)
  const hex = transaction.toHex()
  const context = `${number}: ${one.sort} ${toHex(scriptPubKey)} by ${hex}`

  const checker = createSignatureChecker(transaction, [{ scriptPubKey, amount: AMOUNT }], {
    input: 1000,
    all: 1000,
  })
  const [input] = transaction.ins
  if (!input) throw new Error('no input')
  const spent = { scriptPubKey, scriptSig: input.script, witness: input.witness }
  const standard = verifyScript(spent, STANDARD_RULES, checker(0))
  const consensus = verifyScript(spent, CONSENSUS_RULES, checker(0))

  expectNamed(consensus.error, await blockError(hex), context)

  const [answer] = await devnet.rpc<{ allowed: boolean; 'reject-reason'?: string }[]>(
    'testmempoolaccept',
    [[hex]],
  )
  const reason = answer?.['reject-reason'] ?? ''
  const said = saidOf(reason)
  // Policy may refuse what scripts do not decide, such as a coin of no standard kind; then the scripts were not run.
  if (!answer || (!answer.allowed && said === '')) return `policy: ${reason}`
  if (said === '') {
    expect(standard, context).toEqual({ error: null, upgradable: null })
    return said
  }
  if (KNOTS_RULES.has(said) && CORE_ERRORS[standard.error ?? 'SIGHASH_NOT_ALL'] !== said)
    return `Knots: ${said}`
  if (DISCOURAGED_ERRORS.has(said)) {
    // The node stops where it is discouraged; the interpreter goes on and tells of it when the script is satisfied.
    if (standard.error === null) expect(standard.upgradable, `${context}: ${said}`).not.toBe(null)
    return said
  }
  expectNamed(standard.error, said, context)
  return said
}

/** What a block with the transaction fails with, empty when it does not. */
async function blockError(hex: string): Promise<string> {
  try {
    await devnet.rpc('generateblock', [payer.address, [hex], false])
    return ''
  } catch (error) {
    const said = saidOf(String(error))
    if (said === '') throw error
    return said
  }
}

/** The script's error in the node's message. */
function saidOf(message: string): string {
  return /script-verify-flag[^(]*\((.*?)\)(?:, input|$)/.exec(message)?.[1] ?? ''
}

function expectNamed(error: ScriptErrorCode | null, said: string, context: string): void {
  const names = error === null ? [''] : [CORE_ERRORS[error], OLDER_ERRORS[error]]
  expect(names, `${context}: ${error}`).toContain(said)
}

type Locked = { scriptPubKey: Uint8Array; controlBlock?: Uint8Array }

function lock({ sort, script }: RandomScript): Locked {
  switch (sort) {
    case 'bare':
      return { scriptPubKey: script }
    case 'p2sh':
      return { scriptPubKey: scriptHashOf(script) }
    case 'p2wsh':
      return { scriptPubKey: witnessOf(script) }
    case 'p2sh-p2wsh':
      return { scriptPubKey: scriptHashOf(witnessOf(script)) }
    case 'leaf':
      return commitToLeaf(schnorr.getPublicKey(KEY), leafHash(script))
  }
}

function scriptHashOf(script: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0xa9, 20), crypto.hash160(script), Uint8Array.of(0x87))
}

function witnessOf(script: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0, 32), crypto.sha256(script))
}

/** A transaction that spends the coin to nobody, signed. */
function spend(one: RandomScript, hash: Uint8Array, vout: number): Transaction {
  const { sort, script, version, locktime, sequence } = one
  const transaction = new Transaction()
  transaction.version = version
  transaction.locktime = locktime
  transaction.addInput(hash, vout, sequence)
  transaction.addOutput(payer.script, AMOUNT - 1_000n)
  const items = one.items.map(item => ('bytes' in item ? item.bytes : sign(one, item, transaction)))
  const pushes = concatBytes(...items.map(pushOf))
  const [input] = transaction.ins
  if (!input) throw new Error('no input')
  if (sort === 'bare') input.script = pushes
  else if (sort === 'p2sh') input.script = concatBytes(pushes, pushOf(script))
  else if (sort === 'p2sh-p2wsh') input.script = pushOf(witnessOf(script))
  const { controlBlock } = lock(one)
  if (isWitness(sort))
    input.witness = [...items, script, ...(controlBlock ? [controlBlock] : [])].map(bytes =>
      Uint8Array.from(bytes),
    )
  return transaction
}

function isWitness(sort: Sort): boolean {
  return sort !== 'bare' && sort !== 'p2sh'
}

function sign(one: RandomScript, part: SignedPart, transaction: Transaction): Uint8Array {
  const { sort, script } = one
  const { sighash, codeStart, isHighS, isOfOther } = part
  const key = isOfOther ? Uint8Array.from(KEY, byte => byte ^ 1) : KEY
  if (sort === 'leaf') {
    const { scriptPubKey } = lock(one)
    const unsigned = ScureTransaction.fromRaw(transaction.toBuffer(), {
      allowUnknownInputs: true,
      allowUnknownOutputs: true,
      disableScriptCheck: true,
    })
    const position = codeStart > 0 ? 0 : undefined
    const hash = unsigned.preimageWitnessV1(0, [scriptPubKey], sighash, [AMOUNT], position, script)
    const signature = schnorr.sign(hash, key)
    return sighash === 0 ? signature : concatBytes(signature, Uint8Array.of(sighash))
  }
  const code = script.subarray(codeStart)
  const hash = isWitness(sort)
    ? transaction.hashForWitnessV0(0, code, AMOUNT, sighash)
    : transaction.hashForSignature(0, code, sighash)
  const options = { prehash: false, lowS: true, format: 'compact' } as const
  const low = secp256k1.Signature.fromBytes(secp256k1.sign(hash, key, options), 'compact')
  const { n } = secp256k1.Point.CURVE()
  const signature = isHighS ? new secp256k1.Signature(low.r, n - low.s) : low
  return concatBytes(signature.toBytes('der'), Uint8Array.of(sighash))
}
