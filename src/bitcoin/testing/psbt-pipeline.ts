import { Transaction } from '@scure/btc-signer'
import { equalBytes, fromHex, toHex } from '../bytes.ts'
import { formatOutpoint, parseOutpoint } from '../outpoint.ts'
import { UnverifiedInputError } from '../previous-output.ts'
import { extractTransaction, IncompletePsbtError } from '../psbt/extract.ts'
import { finalizePsbt } from '../psbt/finalize.ts'
import { InvalidPsbtError } from '../psbt/maps.ts'
import { type InputPlan, PsbtRefusedError, planSigning } from '../psbt/plan.ts'
import { readPrevouts } from '../psbt/prevouts.ts'
import { encodePsbt, type Psbt, type PsbtInput, parsePsbt } from '../psbt/psbt.ts'
import { type PsbtReview, reviewPsbt } from '../psbt/review.ts'
import { signPsbt } from '../psbt/sign.ts'
import { checkSignatures } from '../psbt/signatures.ts'
import { lockOf } from './psbt-building.ts'
import type { MutatedPsbt } from './psbt-mutations.ts'
import { ACCOUNTS, type Coin } from './signable-psbts.ts'
import { PERMISSIVE, type Signed, verifyIndependently } from './signature-oracle.ts'

/** Everything that became of one PSBT between the page and the signed transaction; a string says how it was refused. */
export type Processed = {
  psbt: Psbt
  plan: readonly InputPlan[]
  review: PsbtReview
  signed: Psbt
  finalized: Psbt
  raw: Uint8Array | null
}

/** Takes a PSBT through all that the wallet does with it. Resolves the name of the error that refused it; others are thrown. */
export function processPsbt({
  bytes,
  previous,
  account,
  orders,
  expert,
}: MutatedPsbt): Processed | string {
  try {
    const psbt = parsePsbt(bytes)
    if (!equalBytes(encodePsbt(psbt), bytes)) throw new Error('parsed, but written otherwise')
    const inputs = orders?.filter(({ index }) => index < psbt.inputs.length) ?? null
    const prevouts = readPrevouts(psbt, previous)
    const plan = planSigning({ psbt, prevouts, key: account, inputs, expert })
    const signatures = checkSignatures(psbt, prevouts)
    const review = reviewPsbt({ psbt, prevouts, plan, own: ACCOUNTS, signatures })
    const signed = signPsbt({ psbt, prevouts, plan, ...account })
    const finalized = finalizePsbt(signed, prevouts, [...psbt.inputs.keys()])
    return { psbt, plan, review, signed, finalized, raw: attemptExtract(finalized) }
  } catch (error) {
    if (
      error instanceof InvalidPsbtError ||
      error instanceof UnverifiedInputError ||
      error instanceof PsbtRefusedError
    )
      return error.name
    throw error
  }
}

function attemptExtract(psbt: Psbt): Uint8Array | null {
  try {
    return extractTransaction(psbt)
  } catch (error) {
    if (error instanceof IncompletePsbtError) return null
    throw error
  }
}

/**
 * What is wrong with the signatures that were added; empty when each is one that the review covers: of a planned input,
 * right over exactly the transaction, coins and sighash that were shown, and of amounts that are the true ones.
 */
export function findUncovered(
  { psbt, plan, review, signed, finalized, raw }: Processed,
  { account }: MutatedPsbt,
  coins: ReadonlyMap<string, Coin>,
): string[] {
  const problems: string[] = []
  const expect = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem)
  }
  const shown = randomShown(psbt, review)
  const prevouts = review.inputs.map(({ scriptPubKey, amount }) => ({
    scriptPubKey: scriptPubKey ?? new Uint8Array(),
    amount: amount ?? 0n,
  }))
  const plans = new Map(plan.map(each => [each.index, each]))
  for (const [i, input] of signed.inputs.entries()) {
    const reviewed = review.inputs[i]
    const planned = plans.get(i)
    const before = new Set(listSignatures(psbt.inputs[i]).map(nameSignature))
    const added = listSignatures(input).filter(each => !before.has(nameSignature(each)))
    expect(added.length === (planned ? 1 : 0), `input ${i}: ${added.length} signatures added`)
    const [signature] = added
    if (!signature || !planned || !reviewed) continue
    expect(reviewed.state === 'to-sign', `input ${i}: shown as ${reviewed.state}`)
    expect(reviewed.sighash === planned.sighash, `input ${i}: another sighash was shown`)
    expect(
      reviewed.owner === (isWhole(planned) ? 'own' : 'shared'),
      `input ${i}: ${reviewed.owner}`,
    )
    const opening = openingOf(planned, account.publicKey, prevouts[i]?.scriptPubKey)
    expect(
      verifyIndependently(shown, prevouts, i, opening, reviewed.sighash ?? -1, signature.bytes),
      `input ${i}: the signature is not of what was shown`,
    )
    if (opening.scheme === 'taproot') continue
    const coin = coins.get(reviewed.outpoint)
    expect(reviewed.proof === 'proven', `input ${i}: the amount was not proven`)
    expect(
      coin !== undefined &&
        coin.amount === reviewed.amount &&
        toHex(coin.script) === toHex(reviewed.scriptPubKey ?? new Uint8Array()),
      `input ${i}: shows ${reviewed.amount} sats, is ${coin?.amount}`,
    )
  }
  expect(
    toHex(shown.unsignedTx) === toHex(randomShown(finalized, review).unsignedTx),
    'finalizing changed the transaction',
  )
  // Final scripts are taken as they are, and amounts too; what is wrong with them is shown.
  const isRight = review.inputs.every(({ badSignature }) => !badSignature)
  const isPaid = sumOf(review.inputs) >= sumOf(review.outputs) || !isKnown(review)
  expect(
    (raw !== null && isRight && isPaid) === (review.after === 'complete'),
    `shown as ${review.after}`,
  )
  if (raw && review.vsizeExact) {
    const { vsize } = Transaction.fromRaw(raw, PERMISSIVE)
    expect(vsize === review.vsize, `${vsize} vB, shown as ${review.vsize}`)
  }
  return problems
}

function isKnown({ inputs }: PsbtReview): boolean {
  return inputs.every(({ amount }) => amount !== null)
}

function sumOf(parts: readonly { amount: bigint | null }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
}

/** The transaction of a review, in an independent library. Only locktime, version and sequences are the PSBT's. */
function randomShown(psbt: Psbt, { inputs, outputs }: PsbtReview): Transaction {
  const { version, locktime } = psbt.transaction
  // The library reads the four bytes of the version as a signed number.
  const transaction = new Transaction({ ...PERMISSIVE, version: version | 0, lockTime: locktime })
  for (const [i, { outpoint }] of inputs.entries()) {
    const { txid, vout } = parseOutpoint(outpoint)
    const sequence = psbt.inputs[i]?.sequence ?? 0
    transaction.addInput({ txid: fromHex(txid), index: vout, sequence })
  }
  for (const { scriptPubKey, amount } of outputs)
    transaction.addOutput({ script: scriptPubKey, amount })
  return transaction
}

type InputSignature = { publicKey: Uint8Array; leafHash: Uint8Array; bytes: Uint8Array }

function listSignatures(input: PsbtInput | undefined): InputSignature[] {
  const none = new Uint8Array()
  if (!input) return []
  return [
    ...input.partialSigs.map(({ publicKey, signature }) => ({
      publicKey,
      leafHash: none,
      bytes: signature,
    })),
    ...(input.tapKeySig ? [{ publicKey: none, leafHash: none, bytes: input.tapKeySig }] : []),
    ...input.tapScriptSigs.map(({ publicKey, leafHash, signature }) => ({
      publicKey,
      leafHash,
      bytes: signature,
    })),
  ]
}

function nameSignature({ publicKey, leafHash, bytes }: InputSignature): string {
  return [publicKey, leafHash, bytes].map(toHex).join()
}

/** Whether the key alone opens the coin. */
function isWhole({ how }: InputPlan): boolean {
  return how.kind === 'key' || how.kind === 'raw-taproot'
}

function openingOf(
  { how }: InputPlan,
  publicKey: Uint8Array,
  scriptPubKey: Uint8Array = new Uint8Array(),
): Signed {
  if (how.kind === 'script')
    return { scheme: how.segwit ? 'v0' : 'legacy', publicKey, script: how.script }
  if (how.kind === 'leaf')
    return { scheme: 'taproot', publicKey: publicKey.slice(1), leaf: how.script }
  if (scriptPubKey[0] === 0x51) return { scheme: 'taproot', publicKey: scriptPubKey.slice(2) }
  const { script } = P2PKH.get(toHex(publicKey)) ?? { script: new Uint8Array() }
  return { scheme: scriptPubKey[0] === 0x76 ? 'legacy' : 'v0', publicKey, script }
}

/** The script code of every kind of address of one key without taproot (BIP-143). */
const P2PKH = new Map(
  ACCOUNTS.map(({ privateKey, publicKey }) => [toHex(publicKey), lockOf('p2pkh', privateKey)]),
)

/** The coins by outpoint. */
export function indexCoins(coins: readonly Coin[]): ReadonlyMap<string, Coin> {
  return new Map(coins.map(coin => [formatOutpoint(coin), coin]))
}
