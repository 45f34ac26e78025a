import { parseAddress } from '../../bitcoin/address.ts'
import { equalBytes, fromHex, toHex } from '../../bitcoin/bytes.ts'
import { countDescriptorBranches, parseDescriptor } from '../../bitcoin/descriptors/descriptor.ts'
import { type DescriptorPlace, deriveOutput } from '../../bitcoin/descriptors/descriptor-output.ts'
import { NETWORKS } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { createTransactionVerifier } from '../../bitcoin/psbt/signature-verifier.ts'
import { checkFinalScripts } from '../../bitcoin/signing/final-scripts.ts'
import {
  decodeTransaction,
  type ParsedTransaction,
  parseTransaction,
  type TransactionOutput,
} from '../../bitcoin/transaction.ts'
import { parseLabel } from '../activity/labels.ts'
import type { SentRecord } from '../activity/sent-records.ts'
import { decodeOutput, decodePayment, type StoredPayment } from '../activity/stored-payment.ts'
import type { JobBytes, JobRecord, JobTransaction } from '../inscribing/job-record.ts'
import { decodeJob, type StoredJob } from '../inscribing/stored-job.ts'
import type { MintJob } from '../minting/mint-jobs.ts'
import { listChange } from '../payments/plan-checks.ts'
import type { AccountView } from '../views/account-views.ts'
import type { BackupContents } from './backup-contents.ts'

/** A job of a backup that is what it says. */
export type CheckedJob = { job: JobRecord; bytes: JobBytes[] }

type Owner = Pick<AccountView, 'id' | 'address'> &
  Partial<Pick<AccountView, 'ordinals' | 'descriptor'>> & { network: JobRecord['network'] }

const OP_RETURN = 0x6a

/** On each branch: an account whose jobs spend later ones has more than a backup is checked for. */
const MOST_ADDRESSES = 1_000

/**
 * A job of the account as it is stored, without what a server said of it; null for one that is not what it says. Every
 * transaction in it is signed already, spends the account's coins or what the job made of them, and pays nobody but the account
 * and the receiver that the job names.
 */
export function checkJob(
  { job: told, bytes: all }: BackupContents['jobs'][number],
  owner: Owner,
): CheckedJob | null {
  try {
    const job = decodeJob(told as StoredJob)
    const bytes = all as JobBytes[]
    if (!isOfOwner(job, owner) || !isJobId(job.id) || !isTime(job.at)) return null
    if (parseLabel(job.label) !== job.label || bytes.length !== job.attempts.length) return null
    const receiver = job.delivery ? scriptOf(job.delivery.to, job.network) : null
    const isOwn = createIsOwn(owner)
    const raw = new Map(bytes.flatMap((one, attempt) => listRaw(one, attempt)))
    if (raw.size !== job.transactions.length || job.transactions.length === 0) return null
    const outputs = new Map<string, TransactionOutput>()
    for (const coin of listCoins(bytes)) outputs.set(coin.outpoint, coin)
    for (const transaction of job.transactions) {
      const made = raw.get(transaction.txid)
      if (!made || made.attempt !== transaction.attempt) return null
      if (!isSoDescribed(transaction, made.parsed, outputs, isOwn)) return null
      // What pays for a bump besides is not told: the network looks at those signatures.
      const isKnown = transaction.spends.every(outpoint => outputs.has(outpoint))
      if (!isKnown && (transaction.attempt === 0 || transaction.kind === 'commit')) return null
      if (isKnown && !isSigned(made.bytes, made.parsed, outputs)) return null
      if (!paysOnly(transaction, made.parsed, { isOwn, receiver, etches: job.etching !== null }))
        return null
      for (const [vout, output] of made.parsed.outputs.entries())
        outputs.set(formatOutpoint({ txid: transaction.txid, vout }), output)
    }
    const isWhole =
      raw.has(job.commitTxid) &&
      job.revealTxids.every(txid => raw.has(txid)) &&
      bytes.every(({ records }) => records.every(record => raw.has(record.txid)))
    if (!isWhole) return null
    return {
      job: { ...job, accountId: owner.id, ...UNSEEN_JOB },
      bytes: bytes.map(one => ({
        ...one,
        records: one.records.map(record => adopt(record, owner)),
      })),
    }
  } catch {
    // Whatever is missing or of another kind: it is no job of ours.
    return null
  }
}

/** Mints of the account likewise. What they spend first is on the chain: its amounts are the wallet's own word. */
export function checkMint(
  { job: told }: BackupContents['mints'][number],
  owner: Owner,
): MintJob | null {
  try {
    const job = told as MintJob
    if (!isOfOwner(job, owner) || !isJobId(job.id) || !isTime(job.at)) return null
    if (parseLabel(job.label) !== job.label || job.txids.length === 0) return null
    if (job.unrecorded.length === 0 || new Set(job.txids).size !== job.txids.length) return null
    const isOfAccount = createIsOwn(owner)
    const outputs = new Map<string, TransactionOutput>()
    for (const record of job.unrecorded) {
      const bytes = fromHex(record.rawTx)
      const parsed = parseTransaction(bytes)
      if (parsed.txid !== record.txid || !job.txids.includes(parsed.txid) || !record.payment)
        return null
      for (const coin of coinsOf(record.payment))
        if (!outputs.has(coin.outpoint)) outputs.set(coin.outpoint, coin)
      const isOwn = parsed.inputs.every(input => {
        const script = outputs.get(formatOutpoint(input))?.scriptPubKey
        return script !== undefined && isOfAccount(script)
      })
      if (!isOwn || !isSigned(bytes, parsed, outputs)) return null
      if (!parsed.outputs.every(output => isOwnOrData(output, isOfAccount))) return null
      for (const [vout, output] of parsed.outputs.entries())
        outputs.set(formatOutpoint({ txid: parsed.txid, vout }), output)
    }
    const { rune, feeRate, fees, txids, id, network, address, label, at, stopped } = job
    return {
      ...{ id, network, address, label, at, rune, feeRate, fees, txids, stopped },
      accountId: owner.id,
      unrecorded: job.unrecorded.map(record => adopt(record, owner)),
      ...{ seen: {}, gave: {}, problem: null, checkedAt: 0, finishedAt: null },
    }
  } catch {
    return null
  }
}

/** Where the account's addresses are that the signed transactions of a checked job pay. */
export function listPaidOfJob({ job, bytes }: CheckedJob, owner: Owner): DescriptorPlace[] {
  const changes = bytes.flatMap(({ inscribing }) =>
    inscribing ? listChange(decodePayment(inscribing.commit)) : [],
  )
  // What holds the leaves of a commit is at no address of the account.
  const others = job.transactions.flatMap(({ kind, attempt, txid }) => {
    const raw = bytes[attempt]?.raw[txid]
    return kind === 'reveal' || kind === 'refund' ? listScriptsOf(raw ?? '') : []
  })
  return listPlaces([...changes, ...others], owner)
}

/** The same of mints. */
export function listPaidOfMint({ unrecorded }: MintJob, owner: Owner): DescriptorPlace[] {
  return listPlaces(
    unrecorded.flatMap(({ rawTx }) => listScriptsOf(rawTx)),
    owner,
  )
}

function listScriptsOf(rawTx: string): Uint8Array[] {
  return parseTransaction(fromHex(rawTx)).outputs.map(({ scriptPubKey }) => scriptPubKey)
}

/** Of those of the scripts that are an account's of many addresses. */
export function listPlaces(scripts: readonly Uint8Array[], owner: Owner): DescriptorPlace[] {
  if (!owner.descriptor) return []
  const findPlace = createPlaceFinder(owner)
  return scripts.flatMap(script => findPlace(script) ?? [])
}

/** At either address: it may have begun before the two were one account. */
function isOfOwner(
  { address, network }: Pick<JobRecord, 'address' | 'network'>,
  owner: Owner,
): boolean {
  return network === owner.network && [owner.address, owner.ordinals?.address].includes(address)
}

/** What the servers of another computer said is not kept; not 0, or it would be handed over before anybody is asked. */
const UNSEEN_JOB = {
  ...{ recorded: 0, seen: {}, refused: {}, conflict: null, problem: null },
  ...{ checkedAt: 1, finishedAt: null },
} satisfies Partial<JobRecord>

/** What servers said of it was said to another wallet. */
function adopt({ sighting: _, ...record }: SentRecord, { id, network }: Owner): SentRecord {
  const status = record.status === 'unsent' ? 'unsent' : 'sending'
  return { ...record, accountId: id, network, status, height: null, replacedBy: null }
}

function listRaw({ raw }: JobBytes, attempt: number) {
  return Object.entries(raw).map(([txid, hex]) => {
    const bytes = fromHex(hex)
    const parsed = parseTransaction(bytes)
    if (parsed.txid !== txid)
      throw new Error('backup: a transaction is not the one that it is called')
    return [txid, { bytes, parsed, attempt }] as const
  })
}

/** The account's coins that signings spend. */
function listCoins(bytes: readonly JobBytes[]) {
  return bytes.flatMap(({ inscribing }) =>
    inscribing
      ? [
          ...coinsOf(inscribing.commit),
          ...(inscribing.parent ? coinsOf({ inputs: [inscribing.parent.coin] }) : []),
        ]
      : [],
  )
}

function coinsOf({ inputs }: Pick<StoredPayment, 'inputs'>) {
  return inputs.map(coin => ({ outpoint: formatOutpoint(coin), ...decodeOutput(coin) }))
}

/** Whether every input may spend what it spends: its signatures are right and cover all of the transaction. */
function isSigned(
  bytes: Uint8Array,
  { inputs }: ParsedTransaction,
  outputs: ReadonlyMap<string, TransactionOutput>,
): boolean {
  const transaction = decodeTransaction(bytes)
  const prevouts = inputs.map(input => outputs.get(formatOutpoint(input)) ?? null)
  const verify = createTransactionVerifier(transaction, prevouts)
  return transaction.ins.every(({ script, witness }, index) => {
    const prevout = prevouts[index]
    if (!prevout) return false
    const { valid, signatures } = checkFinalScripts(
      prevout.scriptPubKey,
      { scriptSig: script, witness },
      (template, key, signature) => verify(index, template, key, signature),
    )
    return valid === true && signatures.every(({ signature }) => coversAll(signature))
  })
}

/** ALL, or DEFAULT of taproot, which is 64 bytes. */
function coversAll(signature: Uint8Array): boolean {
  return signature.length === 64 || signature.at(-1) === 1
}

/** Whether a transaction's entry says of it what its bytes say. What comes from outside of the job are the account's own coins. */
function isSoDescribed(
  { spends, parentTxids, fee, vsize, kind }: JobTransaction,
  parsed: ParsedTransaction,
  outputs: ReadonlyMap<string, TransactionOutput>,
  isOwn: IsOwn,
): boolean {
  const outpoints = parsed.inputs.map(formatOutpoint)
  const spent = outpoints.flatMap(outpoint => outputs.get(outpoint) ?? [])
  const isKnown = spent.length === outpoints.length
  const made = parsed.outputs.reduce((sum, { amount }) => sum + amount, 0n)
  const paid = spent.reduce((sum, { amount }) => sum + amount, 0n) - made
  return (
    JSON.stringify(outpoints) === JSON.stringify(spends) &&
    parentTxids.every(txid => parsed.inputs.some(input => input.txid === txid)) &&
    (kind !== 'commit' || spent.every(({ scriptPubKey }) => isOwn(scriptPubKey))) &&
    (!isKnown || paid === BigInt(fee)) &&
    parsed.vsize === vsize
  )
}

/** A commit pays what the job itself spends: the account signed it as a whole. */
function paysOnly(
  { kind }: JobTransaction,
  { outputs }: ParsedTransaction,
  { isOwn, receiver, etches }: { isOwn: IsOwn; receiver: Uint8Array | null; etches: boolean },
): boolean {
  if (kind === 'commit') return true
  return outputs.every(output => {
    if (isOwn(output.scriptPubKey)) return true
    if (kind === 'delivery') return receiver !== null && equalBytes(output.scriptPubKey, receiver)
    return kind === 'reveal' && etches && isOwnOrData(output, isOwn)
  })
}

function isOwnOrData({ scriptPubKey, amount }: TransactionOutput, isOwn: IsOwn): boolean {
  return isOwn(scriptPubKey) || (scriptPubKey[0] === OP_RETURN && amount === 0n)
}

type IsOwn = (scriptPubKey: Uint8Array) => boolean

function createIsOwn(owner: Owner): IsOwn {
  const findPlace = createPlaceFinder(owner)
  return scriptPubKey => findPlace(scriptPubKey) !== null
}

/**
 * Where a script is among the account's addresses; null for one that is not there. Its fixed addresses and, of an account of many, as
 * many on each branch as are looked through; derived as far as is needed.
 */
function createPlaceFinder({
  address,
  ordinals,
  descriptor,
  network,
}: Owner): (scriptPubKey: Uint8Array) => DescriptorPlace | null {
  const fixed = [address, ...(ordinals ? [ordinals.address] : [])]
  const known = new Map(fixed.map(one => [toHex(scriptOf(one, network)), { branch: 0, index: 0 }]))
  const further = descriptor ? deriveScripts(descriptor) : null
  return scriptPubKey => {
    // Runestones are nobody's.
    if (scriptPubKey[0] === OP_RETURN) return null
    const script = toHex(scriptPubKey)
    for (;;) {
      const place = known.get(script)
      if (place) return place
      const next = further?.next()
      if (!next || next.done) return null
      known.set(...next.value)
    }
  }
}

function* deriveScripts(text: string): Generator<[string, DescriptorPlace], undefined> {
  const descriptor = parseDescriptor(text)
  const branches = countDescriptorBranches(descriptor)
  for (let index = 0; index < MOST_ADDRESSES; index++)
    for (let branch = 0; branch < branches; branch++) {
      const place = { branch, index }
      yield [toHex(deriveOutput(descriptor, place).scriptPubKey), place]
    }
}

function scriptOf(address: string, network: JobRecord['network']): Uint8Array {
  if (!NETWORKS.includes(network)) throw new Error('backup: an unknown network')
  return parseAddress(address, network).scriptPubKey
}

/** As plans and the digests of sites' requests are called. */
function isJobId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-zA-Z-]{8,128}$/.test(value)
}

function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
