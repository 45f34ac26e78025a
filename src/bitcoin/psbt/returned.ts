import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { equalBytes, toHex } from '../bytes.ts'
import { formatOutpoint } from '../outpoint.ts'
import { checkFinalScripts } from '../signing/final-scripts.ts'
import { finish } from '../steps.ts'
import {
  InvalidTransactionError,
  parseTransaction,
  type TransactionOutput,
} from '../transaction.ts'
import { createPsbt } from './create.ts'
import { InvalidPsbtError, PSBT_MAGIC } from './maps.ts'
import type { InputPlan } from './plan.ts'
import type { Prevout } from './prevouts.ts'
import { type Psbt, type PsbtInput, parsePsbt, withInputs } from './psbt.ts'
import { isTaprootSpend, type PlannedSignature, withSignatures } from './signature-fields.ts'
import { createVerifier, statedSighash, type Verifier } from './signature-verifier.ts'
import { countChecks, isFinal, parsePartialSignatures } from './signatures.ts'
import type { SigningKey } from './spend-method.ts'

/**
 * Why nothing is taken from what a signer handed back: it is no PSBT or transaction, another transaction, tells something
 * else of a coin, has a signature that is wrong or of another sighash, lacks one, or (of cosigners) has none that is new.
 */
export type ReturnProblem =
  | 'MALFORMED'
  | 'OTHER_TRANSACTION'
  | 'OTHER_COIN'
  | 'BAD_SIGNATURE'
  | 'OTHER_SIGHASH'
  | 'NOT_SIGNED'
  | 'NOTHING_NEW'

/** What a signer handed back is not the PSBT that it was given with the signatures that were asked for. */
export class ReturnedPsbtError extends Error {
  override name = 'ReturnedPsbtError'
  readonly problem: ReturnProblem
  /** The place of what differs: `input 0`, `output 2`, `locktime`, `version`; `psbt` for the whole. */
  readonly where: string
  constructor(problem: ReturnProblem, where: string, explanation: string, options?: ErrorOptions) {
    super(`${where}: ${explanation}`, options)
    this.problem = problem
    this.where = where
  }
}

/** Signatures beside those that were asked for, of cosigners: each costs some milliseconds to verify. */
export const MOST_OTHERS = 500

type Prevouts = readonly (Prevout | null)[]

/**
 * The PSBT that was sent with the planned signatures out of what came back, and nothing else of that: a PSBT of either version, final
 * or not, or the raw signed transaction. It must be the same transaction and may say nothing else of its coins. Every signature in
 * it that was not sent is verified; signatures that were not asked for are left out. Throws {@link ReturnedPsbtError}.
 */
export function takeSignatures(params: {
  sent: Psbt
  returned: Uint8Array
  prevouts: Prevouts
  plan: readonly InputPlan[]
  /** The key that signs an input of the plan. */
  keyOf: (index: number) => SigningKey
}): Psbt {
  const { sent, prevouts, plan, keyOf } = params
  const returned = parseReturned(params.returned)
  assertSameTransaction(sent, returned)
  if (countChecks(returned) > countChecks(sent) + plan.length + MOST_OTHERS)
    throw new ReturnedPsbtError('MALFORMED', 'psbt', 'it has more signatures than can be meant')
  const verify = createVerifier(sent, prevouts)
  const planned = new Map(plan.map(one => [one.index, one]))
  const pairs = sent.inputs.flatMap((before, index) => {
    const after = returned.inputs[index]
    return after ? { before, after, index, prevout: prevouts[index] ?? null } : []
  })
  for (const { before, after, index, prevout } of pairs)
    assertSameCoin(before, after, index, prevout)
  const found = pairs.map(({ before, after, index, prevout }) =>
    takeSignature(before, after, index, prevout, verify, planned.get(index), keyOf),
  )
  const signatures = plan.map((one): PlannedSignature => {
    const signature = found[one.index]
    if (!signature) throw notSigned(one.index)
    return { plan: one, signature, key: keyOf(one.index) }
  })
  return withSignatures(sent, signatures)
}

/** A raw transaction is read as the PSBT whose inputs are final with its scripts. */
export function parseReturned(bytes: Uint8Array): Psbt {
  try {
    if (PSBT_MAGIC.every((byte, at) => bytes[at] === byte)) return parsePsbt(bytes)
    parseTransaction(bytes)
    const signed = Transaction.fromBuffer(bytes)
    const unsigned = signed.clone()
    for (const input of unsigned.ins)
      Object.assign(input, { script: new Uint8Array(), witness: [] })
    const finals = signed.ins.map(
      ({ script, witness }, at) =>
        [
          at,
          {
            finalScriptSig: script.length > 0 ? script : null,
            finalScriptWitness: witness.length > 0 ? witness : null,
          },
        ] as const,
    )
    return withInputs(createPsbt(unsigned), new Map(finals))
  } catch (cause) {
    if (cause instanceof InvalidPsbtError)
      throw new ReturnedPsbtError('MALFORMED', cause.where, cause.message, { cause })
    if (!(cause instanceof InvalidTransactionError)) throw cause
    const explanation = 'expected a PSBT or a signed transaction'
    throw new ReturnedPsbtError('MALFORMED', 'psbt', explanation, { cause })
  }
}

export function assertSameTransaction(sent: Psbt, returned: Psbt): void {
  const facts = [listFacts(sent), listFacts(returned)] as const
  for (const [where, before] of facts[0]) {
    const after = facts[1].get(where)
    if (after !== before) throw otherTransaction(where, before, after)
  }
  for (const [where, after] of facts[1])
    if (!facts[0].has(where)) throw otherTransaction(where, undefined, after)
}

/** What makes a transaction the one that it is, in words. */
function listFacts({ transaction, inputs, outputs }: Psbt): Map<string, string> {
  return new Map([
    ...inputs.map(
      (input, at) =>
        [`input ${at}`, `${formatOutpoint(input)} with sequence ${input.sequence}`] as const,
    ),
    ...outputs.map(
      ({ amount, scriptPubKey }, at) =>
        [`output ${at}`, `${amount} sats to ${toHex(scriptPubKey)}`] as const,
    ),
    ['locktime', String(transaction.locktime)] as const,
    ['version', String(transaction.version)] as const,
  ])
}

/** What the two tell of a coin, and how it is to be signed. */
export function assertSameCoin(
  before: PsbtInput,
  after: PsbtInput,
  index: number,
  prevout: Prevout | null,
): void {
  const where = `input ${index}`
  const { witnessUtxo, nonWitnessUtxo, sighashType } = after
  const known = prevout ?? before.witnessUtxo
  if (witnessUtxo && known && !isSameOutput(witnessUtxo, known))
    throw new ReturnedPsbtError(
      'OTHER_COIN',
      where,
      `it spends ${known.amount} sats of ${toHex(known.scriptPubKey)}, not ${witnessUtxo.amount} of ${toHex(witnessUtxo.scriptPubKey)}`,
    )
  if (
    nonWitnessUtxo &&
    before.nonWitnessUtxo &&
    !isSameTransaction(nonWitnessUtxo, before.nonWitnessUtxo)
  )
    throw new ReturnedPsbtError('OTHER_COIN', where, 'its previous transaction is another one')
  if (sighashType !== null && before.sighashType !== null && sighashType !== before.sighashType)
    throw new ReturnedPsbtError(
      'OTHER_SIGHASH',
      where,
      `expected the sighash ${before.sighashType}, found ${sighashType}`,
    )
}

function isSameOutput(a: TransactionOutput, b: TransactionOutput): boolean {
  return a.amount === b.amount && equalBytes(a.scriptPubKey, b.scriptPubKey)
}

/** A signer may leave out witnesses, which a txid does not cover. */
function isSameTransaction(a: Uint8Array, b: Uint8Array): boolean {
  const txid = (raw: Uint8Array) => {
    try {
      return Transaction.fromBuffer(raw).getId()
    } catch {
      return null
    }
  }
  return equalBytes(a, b) || (txid(a) !== null && txid(a) === txid(b))
}

/** A signature in what came back; `publicKey` and `leafHash` as of the way to spend that it is for. */
export type FoundSignature = {
  publicKey: Uint8Array
  leafHash: Uint8Array | null
  signature: Uint8Array
  valid: boolean | null
}

/** The planned signature of an input; null where it is missing. Looks at every signature that was not sent. */
function takeSignature(
  before: PsbtInput,
  after: PsbtInput,
  index: number,
  prevout: Prevout | null,
  verify: Verifier,
  plan: InputPlan | undefined,
  keyOf: (index: number) => SigningKey,
): Uint8Array | null {
  if (isFinal(before)) return null
  const known = listSignatures(before)
  const added = (
    isFinal(after)
      ? listFinal(after, index, prevout, verify)
      : listPartial(before, after, index, prevout, verify)
  ).filter(({ signature }) => !known.some(other => equalBytes(other, signature)))
  if (added.some(({ valid }) => valid === false)) throw badSignature(index)
  const own = plan && added.find(one => one.valid && isOf(one, plan, prevout, keyOf(index)))
  if (!own) return null
  const sighash = statedSighash(own.signature)
  if (sighash === plan.sighash) return own.signature
  throw new ReturnedPsbtError(
    'OTHER_SIGHASH',
    `input ${index}`,
    `expected a signature with the sighash ${plan.sighash}, found ${sighash}`,
  )
}

export function listPartial(
  before: PsbtInput,
  { partialSigs, tapKeySig, tapScriptSigs }: PsbtInput,
  index: number,
  prevout: Prevout | null,
  verify: Verifier,
): FoundSignature[] {
  const input = { ...before, partialSigs, tapKeySig, tapScriptSigs }
  const { signatures } = finish(parsePartialSignatures(input, index, prevout, verify))
  return signatures.map(({ publicKey, signature, right, template }) => ({
    publicKey,
    signature,
    valid: right,
    leafHash: template?.leafHash ?? null,
  }))
}

export function listFinal(
  { finalScriptSig, finalScriptWitness }: PsbtInput,
  index: number,
  prevout: Prevout | null,
  verify: Verifier,
): FoundSignature[] {
  if (!prevout) return []
  const unlocking = {
    scriptSig: finalScriptSig ?? new Uint8Array(),
    witness: finalScriptWitness ?? [],
  }
  let leafHash: Uint8Array | null = null
  const { signatures } = checkFinalScripts(prevout.scriptPubKey, unlocking, (template, ...rest) => {
    leafHash = template.leafHash
    return verify(index, template, ...rest)
  })
  return signatures.map(({ key, signature, valid }) => ({
    publicKey: key ?? new Uint8Array(),
    signature,
    valid,
    leafHash,
  }))
}

/** Whether a signature is of the key, made in the way that was planned. */
function isOf(
  { publicKey, leafHash }: FoundSignature,
  { how }: InputPlan,
  prevout: Prevout | null,
  key: SigningKey,
): boolean {
  if (!isTaprootSpend(how, key.addressType)) return equalBytes(publicKey, key.publicKey)
  if (how.kind === 'leaf')
    return (
      equalBytes(publicKey, key.publicKey.subarray(1)) &&
      leafHash !== null &&
      equalBytes(leafHash, how.leafHash)
    )
  return (
    leafHash === null && prevout !== null && equalBytes(publicKey, prevout.scriptPubKey.subarray(2))
  )
}

export function listSignatures({ partialSigs, tapKeySig, tapScriptSigs }: PsbtInput): Uint8Array[] {
  return [
    ...partialSigs.map(({ signature }) => signature),
    ...(tapKeySig ? [tapKeySig] : []),
    ...tapScriptSigs.map(({ signature }) => signature),
  ]
}

function otherTransaction(
  where: string,
  before: string | undefined,
  after: string | undefined,
): ReturnedPsbtError {
  const explanation = `expected ${before ?? 'none'}, found ${after ?? 'none'}`
  return new ReturnedPsbtError('OTHER_TRANSACTION', where, explanation)
}

export function badSignature(index: number): ReturnedPsbtError {
  const explanation = 'it has a signature that is wrong'
  return new ReturnedPsbtError('BAD_SIGNATURE', `input ${index}`, explanation)
}

function notSigned(index: number): ReturnedPsbtError {
  const explanation = 'it has no signature of this account’s key'
  return new ReturnedPsbtError('NOT_SIGNED', `input ${index}`, explanation)
}
