import { fromHex } from '../../bitcoin/bytes.ts'
import { NETWORKS } from '../../bitcoin/network.ts'
import { formatOutpoint, parseOutpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { AssetSource } from '../../chain/asset-source.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainSource,
} from '../../chain/chain-source.ts'
import { findMintStanding } from '../../ordinals/runes/rune-mint.ts'
import { MINTED_VOUT } from '../../ordinals/transfers/rune-mint-chain.ts'
import type { Activity, SentRecord } from '../activity/activity.ts'
import {
  applyFinding,
  DEEP_CONFIRMATIONS,
  fetchConflictingTxid,
  withStatus,
} from '../activity/sent-status.ts'
import { decodePayment } from '../activity/stored-payment.ts'
import type { Clock } from '../primitives/clock.ts'
import { broadcastWithRetries } from '../sending/outgoing.ts'
import type { Sources } from '../settings/servers.ts'
import { isMintDue, type MintJob, type Mints } from './mint-jobs.ts'

/** The parts of the wallet that carry mints on; none of them needs an open wallet. */
export type MintRunParts = Pick<Sources, 'chain' | 'assets'> &
  Clock & {
    mints: Mints
    activity: Pick<Activity, 'listSent' | 'recordAll' | 'setLabel' | 'change'>
  }

/**
 * Asks what the network and the index say of a job, and hands over what may be: in order, and never more at once than the
 * index says are left. May be called at any time, in another worker too.
 */
export async function resumeMint(wallet: MintRunParts, id: string): Promise<void> {
  await advance(wallet, id, 'asked')
}

/** Hands nothing over any more: what was not sent never is. */
export async function stopMint(wallet: MintRunParts, id: string): Promise<void> {
  await wallet.mints.update(id, job => ({ ...job, stopped: job.stopped ?? 'person' }))
  await advance(wallet, id, 'asked')
}

/** Goes on with every job that is due, of all accounts and networks. What goes wrong with one stops no other. */
export async function refreshMints(wallet: MintRunParts, mode: 'due' | 'news' = 'due') {
  const jobs = await wallet.mints.list()
  const ends = await Promise.allSettled(
    NETWORKS.map(async network => {
      const errors: unknown[] = []
      // A later one may spend the change of an earlier one.
      for (const job of jobs.filter(job => job.network === network).toReversed())
        await advance(wallet, job.id, mode).catch(error => errors.push(error))
      if (errors.length > 0) throw errors[0]
    }),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

function advance(wallet: MintRunParts, id: string, mode: 'asked' | 'due' | 'news'): Promise<void> {
  return wallet.mints.inTurn(id, async () => {
    const found = await wallet.mints.find(id)
    if (!found) return
    const now = wallet.now()
    if (mode !== 'asked' && !isMintDue(found, now, { news: mode === 'news' })) return
    await recordMints(wallet, found)
    const job = { ...(await learn(wallet, found)), checkedAt: now }
    await syncActivity(wallet, job)
    await store(wallet, { ...job, finishedAt: isFinished(job) ? (job.finishedAt ?? now) : null })
  })
}

/** Nothing of it is to be handed over, and nothing waits for a block or for what the index says of it. */
export function isFinished({ txids, seen, gave, stopped }: MintJob): boolean {
  return txids.every(txid =>
    seen[txid] === undefined ? stopped !== null : seen[txid] !== null && gave[txid] !== undefined,
  )
}

/** Puts the transactions on record, once; nothing is handed over before that. */
async function recordMints(wallet: MintRunParts, job: MintJob): Promise<void> {
  if (job.unrecorded.length === 0) return
  await wallet.activity.recordAll(job.unrecorded)
  const [first] = job.txids
  if (job.label !== '' && first !== undefined)
    await wallet.activity.setLabel(job.network, first, job.label)
  await wallet.mints.update(job.id, stored => ({ ...stored, unrecorded: [] }))
}

/** Stores what was learnt; what the person said meanwhile stands. */
function store(wallet: MintRunParts, job: MintJob): Promise<void> {
  return wallet.mints.update(job.id, stored => ({
    ...job,
    unrecorded: stored.unrecorded,
    stopped: job.stopped ?? stored.stopped,
  }))
}

async function learn(wallet: MintRunParts, found: MintJob): Promise<MintJob> {
  let job = found
  try {
    const chain = await wallet.chain(job.network)
    const tip = (await chain.fetchTip()).height
    job = await syncWithChain(chain, job, tip)
    await store(wallet, job)
    const source = await wallet.assets(job.network)
    const records = await loadRecords(wallet, job)
    const indexed = (await source.fetchTip()).height
    job = await askWhatTheyGave(source, job, records, indexed)
    if (job.stopped !== null || job.txids.every(txid => job.seen[txid] !== undefined))
      return { ...job, problem: null }
    if (indexed < tip) {
      const detail = `The index is at block ${indexed}, and the chain at ${tip}.`
      return { ...job, problem: { kind: 'behind', detail } }
    }
    return await handOver(wallet, { chain, source, tip }, job, records)
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    const stored = (await wallet.mints.find(found.id)) ?? job
    return {
      ...job,
      ...{ seen: stored.seen, gave: job.gave, stopped: job.stopped ?? stored.stopped },
      problem: { kind: 'unanswered', detail: error.message },
    }
  }
}

/** Each spends the one before, so what follows one that is not there is not there. */
async function syncWithChain(chain: ChainSource, job: MintJob, tip: number): Promise<MintJob> {
  const seen: MintJob['seen'] = {}
  const gave: MintJob['gave'] = {}
  for (const txid of job.txids) {
    const before = job.seen[txid]
    const isDeep = typeof before === 'number' && tip - before + 1 >= DEEP_CONFIRMATIONS
    const height = isDeep && job.gave[txid] ? before : await chain.fetchTransactionHeight(txid)
    if (height === undefined) break
    seen[txid] = height
    const told = job.gave[txid]
    // In another block it may give something else.
    if (told && height === before) gave[txid] = told
  }
  return { ...job, seen, gave }
}

async function loadRecords(
  wallet: MintRunParts,
  { network, accountId, txids }: MintJob,
): Promise<ReadonlyMap<string, SentRecord>> {
  const sent = await wallet.activity.listSent(network, accountId)
  return new Map(sent.filter(one => txids.includes(one.txid)).map(one => [one.txid, one]))
}

/** Of those in blocks that the index has got to. */
async function askWhatTheyGave(
  source: AssetSource,
  job: MintJob,
  records: ReadonlyMap<string, SentRecord>,
  indexed: number,
): Promise<MintJob> {
  const coins = job.txids.flatMap((txid): (Utxo & { outpoint: string })[] => {
    const height = job.seen[txid]
    const payment = records.get(txid)?.payment
    const output = payment ? decodePayment(payment).outputs[MINTED_VOUT] : undefined
    if (job.gave[txid] || typeof height !== 'number' || height > indexed || !output) return []
    const outpoint = { txid, vout: MINTED_VOUT }
    return [{ ...outpoint, ...output, height, outpoint: formatOutpoint(outpoint) }]
  })
  if (coins.length === 0) return job
  const told = await source.fetchAssets(coins)
  const gave = { ...job.gave }
  for (const { txid, outpoint } of coins) {
    const assets = told.get(outpoint)
    if (!assets?.known) continue
    const isMinted = assets.assets.some(
      asset =>
        asset.kind === 'rune' && (asset.rune === job.rune.id || asset.name === job.rune.name),
    )
    gave[txid] = isMinted ? 'minted' : 'empty'
  }
  return { ...job, gave }
}

/** As many as are left for sure: those of ours that the index has not counted yet are counted as done. */
async function handOver(
  wallet: MintRunParts,
  { chain, source, tip }: { chain: ChainSource; source: AssetSource; tip: number },
  given: MintJob,
  records: ReadonlyMap<string, SentRecord>,
): Promise<MintJob> {
  let job: MintJob = { ...given, problem: null }
  const facts = await source.fetchRune(job.rune.name)
  if (facts?.id !== job.rune.id) {
    const detail = `The index has no rune ${job.rune.name} with the id ${job.rune.id} now.`
    return { ...job, problem: { kind: 'behind', detail } }
  }
  const standing = findMintStanding(facts, BigInt(tip + 1))
  if (standing.is === 'closed') {
    const { why } = standing
    if (why === 'cap' || why === 'end') return { ...job, stopped: why }
    return { ...job, problem: { kind: 'behind', detail: `The index says: ${why}.` } }
  }
  const waiting = job.txids.filter(txid => job.seen[txid] === null).length
  let left = standing.remaining - BigInt(waiting)
  for (const txid of job.txids) {
    if (job.seen[txid] !== undefined) continue
    if (left <= 0n || (await wallet.mints.find(job.id))?.stopped) break
    const record = records.get(txid)
    // The account was removed, with all that is on record of it.
    if (!record || record.rawTx === '') return { ...job, stopped: 'person' }
    const reason = await broadcast(chain, record)
    if (reason !== null) return explainRefusal(chain, job, record, reason)
    left--
    job = { ...job, seen: { ...job.seen, [txid]: null } }
    await store(wallet, job)
  }
  return job
}

/** Null once a server took it, else why the node refused it. A node may be told of what it spends a moment later. */
async function broadcast(chain: ChainSource, { rawTx }: SentRecord): Promise<string | null> {
  try {
    await broadcastWithRetries(chain, fromHex(rawTx), {
      isTemporary: error =>
        error instanceof BroadcastRejectedError
          ? /missing/i.test(error.reason)
          : error instanceof BackendUnavailableError,
    })
    return null
  } catch (error) {
    if (error instanceof BroadcastRejectedError) return error.reason
    throw error
  }
}

/** What is refused is handed over again, unless something else spends what it spends. */
async function explainRefusal(
  chain: ChainSource,
  job: MintJob,
  { txid, spends }: SentRecord,
  reason: string,
): Promise<MintJob> {
  const conflicting = await fetchConflictingTxid(chain, txid, spends.map(parseOutpoint))
  if (conflicting === null) return { ...job, problem: { kind: 'refused', detail: reason } }
  const detail = `${conflicting} spends a coin of it.`
  return { ...job, stopped: 'conflict', problem: { kind: 'refused', detail } }
}

/** Brings the activity to what is known of a job: coins of what is never sent are free again. */
async function syncActivity(wallet: MintRunParts, job: MintJob): Promise<void> {
  const chain = await wallet.chain(job.network)
  return wallet.activity.change(open =>
    job.txids.reduce<readonly SentRecord[]>((records, txid) => {
      const record = records.find(one => one.txid === txid)
      if (!record) return records
      const height = job.seen[txid]
      if (height === undefined)
        return withStatus(records, txid, job.stopped === null ? 'unsent' : 'failed')
      return applyFinding(
        records,
        record,
        height === null ? { is: 'waiting' } : { is: 'in-block', height },
        chain,
      )
    }, open),
  )
}
