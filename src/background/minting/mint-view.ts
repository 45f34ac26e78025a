import { formatRuneAmount } from '../../ordinals/runes/rune-amount.ts'
import { explorerUrlOf, type Servers } from '../settings/servers.ts'
import type { RuneMintItemState, RuneMintView } from '../views/mint-views.ts'
import type { MintJob } from './mint-jobs.ts'
import { isFinished } from './mint-run.ts'

/** A job as our own pages show it, from what is stored. */
export async function viewMint(
  wallet: { servers: Pick<Servers, 'urls'> },
  job: MintJob,
): Promise<RuneMintView> {
  const { id, at, rune, fees, feeRate, txids, stopped, problem } = job
  const { chain } = await wallet.servers.urls(job.network)
  const amount = BigInt(rune.amount)
  const format = (units: bigint) => formatRuneAmount(units, rune.divisibility)
  const minted = txids.filter(txid => job.gave[txid] === 'minted').length
  const state = stateOf(job)
  return {
    ...{ id, at, feeRate, state, stopped, problem },
    rune: { id: rune.id, name: rune.name, symbol: rune.symbol },
    each: format(amount),
    minted: format(amount * BigInt(minted)),
    // Nothing is paid for what was never sent.
    fee: String(
      fees.reduce((sum, fee, index) => {
        const isSent = stopped === null || job.seen[txids[index] ?? ''] !== undefined
        return isSent ? sum + BigInt(fee) : sum
      }, 0n),
    ),
    mints: txids.map((txid, index) => {
      const itemState = stateOfMint(job, txid)
      const isThere = itemState !== 'waiting' && itemState !== 'dropped'
      return {
        txid,
        fee: fees[index] ?? '0',
        state: itemState,
        explorerUrl: isThere ? explorerUrlOf(chain, job.network, txid) : null,
      }
    }),
    can: {
      resume: state === 'stuck',
      stop: stopped === null && txids.some(txid => job.seen[txid] === undefined),
    },
  }
}

function stateOfMint({ seen, gave, stopped }: MintJob, txid: string): RuneMintItemState {
  const height = seen[txid]
  if (height === undefined) return stopped === null ? 'waiting' : 'dropped'
  return height === null ? 'pending' : (gave[txid] ?? 'confirmed')
}

function stateOf(job: MintJob): RuneMintView['state'] {
  if (isFinished(job)) return job.stopped === null ? 'done' : 'stopped'
  const isSent = job.txids.every(txid => job.seen[txid] !== undefined)
  if (isSent || job.stopped !== null) return 'waiting'
  return job.problem?.kind === 'refused' || job.problem?.kind === 'unanswered' ? 'stuck' : 'minting'
}
