import { InvalidBrc20Error } from '../ordinals/brc20-amount.ts'
import {
  BRC20_CONTENT_TYPE,
  type Brc20Operation,
  parseBrc20Operation,
} from '../ordinals/brc20-operation.ts'
import { loadItemContent } from './job-content.ts'
import type { JobRecord } from './job-record.ts'
import { findCommit, findLanded, isTakenBack, itemStateOf, listSpenders } from './job-state.ts'
import type { PaymentContext } from './payment-context.ts'
import type { Wallet } from './wallet.ts'

type Owner = { wallet: Wallet; network: PaymentContext['network']; account: { id: string } }

/** No operation is longer. */
const MAX_TEXT = 1_000

/**
 * The account's own operations that are inscribed, or on their way, and not counted yet by an index whose newest block is at
 * `height`; oldest first. Throws BackendUnavailableError.
 */
export async function listPendingBrc20(
  { wallet, network, account }: Owner,
  height: number,
): Promise<Brc20Operation[]> {
  const jobs = (await wallet.jobs.list()).toReversed()
  const own = jobs.filter(
    job => job.network === network && job.accountId === account.id && job.fate === 'open',
  )
  const operations = own.flatMap(job =>
    job.items.map(async ({ contentLength }, item) => {
      if (contentLength > MAX_TEXT || !(await isUncounted(wallet, job, item, height))) return []
      const content = await loadItemContent(wallet, job, item)
      return content.kind === 'brc-20' ? readOperation(content.text) : []
    }),
  )
  return (await Promise.all(operations)).flat()
}

async function isUncounted(
  wallet: Wallet,
  job: JobRecord,
  item: number,
  height: number,
): Promise<boolean> {
  const state = itemStateOf(job, item)
  if (state === 'refused' || state === 'refunded' || isTakenBack(job, item)) return false
  const landed = findLanded(job, listSpenders(job, findCommit(job).txid, item))
  if (!landed) return true
  const seen = job.seen[landed.txid]
  if (typeof seen === 'number' && seen <= height) return false
  // What the job says was asked a while ago.
  const chain = await wallet.chain(job.network)
  const mined = await chain.fetchTransactionHeight(landed.txid)
  return typeof mined !== 'number' || mined > height
}

function readOperation(text: string): Brc20Operation[] {
  try {
    return [parseBrc20Operation(BRC20_CONTENT_TYPE, text)]
  } catch (error) {
    if (error instanceof InvalidBrc20Error) return []
    throw error
  }
}
