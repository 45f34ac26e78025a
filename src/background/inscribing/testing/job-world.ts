import { formatOutpoint } from '../../../bitcoin/outpoint.ts'
import {
  decodeTransaction,
  type ParsedTransaction,
  parseTransaction,
} from '../../../bitcoin/transaction.ts'
import { BackendUnavailableError, BroadcastRejectedError } from '../../../chain/chain-source.ts'
import { parseEnvelopes } from '../../../ordinals/inscriptions/envelope.ts'
import { startFunded } from '../../testing/funded-wallet.ts'
import { startWorker, type Worker, type World } from '../../testing/test-wallet.ts'
import type { InscribeDraft } from '../../views/inscribe-views.ts'

export const FIVE = ['one', 'two', 'three', 'four', 'five']

/** Stands before the chain server: may refuse or lose what is handed over, by txid. */
export type Gate = {
  /** Words of the node, for what it refuses. */
  refuse: (txid: string) => string | null
  /** `before` it arrives or `after` it did, the answer is lost. */
  lose: (txid: string) => 'before' | 'after' | null
  /** Says that it took what it drops. */
  lie: (txid: string) => boolean
  /** Runs before and after each; what never resolves is a worker that died. */
  watch: (moment: 'before' | 'after', txid: string) => Promise<void>
}

/** A funded wallet on a chain that takes nothing whose inputs it does not have, and the gate before it. */
export async function startJobs(...coins: bigint[]) {
  const started = await startFunded(...(coins.length > 0 ? coins : [100_000n]))
  const gate: Gate = {
    refuse: () => null,
    lose: () => null,
    lie: () => false,
    watch: async () => {},
  }
  const { chain } = started.world.chain
  const broadcast = chain.broadcast.bind(chain)
  chain.broadcast = async rawTx => {
    const { txid, inputs } = parseTransaction(rawTx)
    await gate.watch('before', txid)
    const reason = gate.refuse(txid)
    if (reason !== null) throw new BroadcastRejectedError(reason)
    if (gate.lose(txid) === 'before') throw lost()
    if (gate.lie(txid)) return txid
    if (inputs.some(input => started.world.chain.get(input.txid) === undefined))
      throw new BroadcastRejectedError('bad-txns-inputs-missingorspent')
    if (!inputs.every(input => isOldEnough(started.world, input)))
      throw new BroadcastRejectedError('non-BIP68-final')
    const taken = await broadcast(rawTx)
    if (gate.lose(txid) === 'after') throw lost()
    await gate.watch('after', txid)
    return taken
  }
  return { ...started, gate }
}

/** Whether the next block may have an input by its relative lock of blocks (BIP-68). */
function isOldEnough({ chain }: World, { txid, sequence }: ParsedInput): boolean {
  if (sequence >= 0x80000000) return true
  const height = chain.heightOf(txid)
  return height !== null && chain.tip() + 1 - height >= sequence
}

type ParsedInput = ParsedTransaction['inputs'][number]

function lost(): BackendUnavailableError {
  const problem = {
    kind: 'unreachable' as const,
    host: 'memory.test',
    detail: 'lost',
    retryInMs: null,
  }
  return new BackendUnavailableError(problem)
}

export function textDraft(bodies: readonly string[], changes: Partial<InscribeDraft> = {}) {
  const items = bodies.map(text => ({ kind: 'text' as const, text }))
  return { items, postage: 546, feeRate: 5, parent: null, metadata: null, label: '', ...changes }
}

/** Works a mint out and confirms it, as a person does who changes nothing; resolves once all that can be is handed over. */
export async function mintTexts(
  worker: Worker,
  bodies: readonly string[] = FIVE,
  changes: Partial<InscribeDraft> = {},
) {
  const plan = await worker.ui('planInscribe', textDraft(bodies, changes))
  const { jobId } = await confirm(worker, plan)
  return { ...plan, jobId }
}

export async function confirm(worker: Worker, plan: { planId: string; digest: string }) {
  const { planId, digest } = plan
  return worker.ui('confirmInscribe', { planId, digest })
}

/** Pays more for a job, as a person does who changes nothing; resolves what was shown. */
export function bump(worker: Worker, jobId: string, feeRate: number) {
  return change(worker, 'planJobBump', jobId, feeRate)
}

/** Takes its money back. */
export function refund(worker: Worker, jobId: string, feeRate: number) {
  return change(worker, 'planJobRefund', jobId, feeRate)
}

async function change(
  worker: Worker,
  method: 'planJobBump' | 'planJobRefund',
  jobId: string,
  feeRate: number,
) {
  const plan = await worker.ui(method, { jobId, feeRate })
  await confirm(worker, plan)
  return plan.review
}

/** A new worker on the same world, as after a crash; without its session, as after the browser's end. */
export function restart(world: World, { keepsSession }: { keepsSession: boolean }): Worker {
  return startWorker(keepsSession ? world : { ...world, session: emptyArea(world) })
}

function emptyArea(world: World): World['session'] {
  const entries = new Map<string, unknown>()
  const get = async (key: string) => entries.get(key)
  return {
    ...world.session,
    get,
    getStored: get,
    async set(changes) {
      for (const [key, value] of Object.entries(changes)) entries.set(key, value)
    },
    async remove(keys) {
      for (const key of [keys].flat()) entries.delete(key)
    },
    async clear() {
      entries.clear()
    },
    dump: () => Object.fromEntries(entries),
  }
}

/** What the chain has of inscriptions: each text with the transactions that reveal it, and all that spend a coin. */
export function readChain({ chain }: World) {
  const transactions = chain.list()
  const reveals = transactions.flatMap(({ txid, rawTx }) =>
    parseEnvelopes(decodeTransaction(rawTx).ins.map(({ witness }) => witness)).map(
      ({ fields }) => [new TextDecoder().decode(fields.body ?? new Uint8Array()), txid] as const,
    ),
  )
  return {
    texts: reveals.map(([text]) => text).sort(),
    spendersOf: (outpoint: string) =>
      transactions.flatMap(({ txid, inputs }) =>
        inputs.some(input => formatOutpoint(input) === outpoint) ? [txid] : [],
      ),
    revealOf: (text: string) => reveals.find(([other]) => other === text)?.[1] ?? null,
  }
}

/** Time passes, and the job is looked at as the alarm does. */
export async function wait(world: World, worker: Worker, jobId: string) {
  world.clock.now += 60_000
  return worker.ui('getJob', { jobId })
}
