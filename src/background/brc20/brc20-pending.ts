import { InvalidBrc20Error } from '../../ordinals/brc20/brc20-amount.ts'
import {
  BRC20_CONTENT_TYPE,
  type Brc20Operation,
  MAX_BRC20_LENGTH,
  parseBrc20Operation,
} from '../../ordinals/brc20/brc20-operation.ts'
import { loadItemContent } from '../inscribing/job-content.ts'
import type { JobRecord } from '../inscribing/job-record.ts'
import {
  findCommit,
  findLanded,
  itemStateOf,
  listSpenders,
  wantsRefund,
} from '../inscribing/job-state.ts'
import type { Sources } from '../settings/servers.ts'
import type { Brc20Context } from './brc20-parts.ts'

/** Operations that are in blocks, and those that no block has. */
type PendingBrc20 = { mined: Brc20Operation[]; waiting: Brc20Operation[] }

/**
 * The account's own operations that are inscribed, or on their way, and not counted yet by an index whose newest block is at
 * `height`; oldest first. Throws BackendUnavailableError.
 */
export async function listPendingBrc20(
  { wallet, network, account }: Brc20Context,
  height: number,
): Promise<PendingBrc20> {
  const jobs = (await wallet.jobs.list()).toReversed()
  const own = jobs.filter(
    job => job.network === network && job.accountId === account.id && job.lifecycle === 'open',
  )
  const found = own.flatMap(job =>
    job.items.map(async ({ contentLength }, item) => {
      const place =
        contentLength > MAX_BRC20_LENGTH ? null : await placeOf(wallet, job, item, height)
      if (place === null) return []
      const content = await loadItemContent(wallet, job, item)
      const operations = content.kind === 'brc-20' ? readOperation(content.text) : []
      return operations.map(operation => ({ place, operation }))
    }),
  )
  const all = (await Promise.all(found)).flat()
  const listAt = (at: keyof PendingBrc20) =>
    all.flatMap(({ place, operation }) => (place === at ? operation : []))
  return { mined: listAt('mined'), waiting: listAt('waiting') }
}

/** Null for what is counted, and for what never will be. */
async function placeOf(
  wallet: Pick<Sources, 'chain'>,
  job: JobRecord,
  item: number,
  height: number,
): Promise<keyof PendingBrc20 | null> {
  if (itemStateOf(job, item) === 'refunded' || wantsRefund(job, item)) return null
  const landed = findLanded(job, listSpenders(job, findCommit(job).txid, item))
  if (!landed) return 'waiting'
  const seen = job.seen[landed.txid]
  if (typeof seen === 'number' && seen <= height) return null
  // What the job says was asked a while ago.
  const chain = await wallet.chain(job.network)
  const mined = await chain.fetchTransactionHeight(landed.txid)
  if (typeof mined !== 'number') return 'waiting'
  return mined > height ? 'mined' : null
}

function readOperation(text: string): Brc20Operation[] {
  try {
    return [parseBrc20Operation(BRC20_CONTENT_TYPE, text)]
  } catch (error) {
    if (error instanceof InvalidBrc20Error) return []
    throw error
  }
}
