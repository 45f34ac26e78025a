import { invalidParams } from '../../provider/errors.ts'
import { parseString } from '../../provider/params.ts'
import { payFromSelected } from '../accounts/payment-context.ts'
import { parseLabel } from '../activity/labels.ts'
import {
  confirmRuneMint,
  describeMintTask,
  type MintConfirmationParts,
  storeMintPlan,
} from '../minting/mint-confirmation.ts'
import type { MintJob, Mints } from '../minting/mint-jobs.ts'
import { planRuneMint } from '../minting/mint-plan.ts'
import { resumeMint, stopMint } from '../minting/mint-run.ts'
import { viewMint } from '../minting/mint-view.ts'
import type { PlanningParts } from '../payments/payment-plan.ts'
import { withTimeout } from '../primitives/timeout.ts'
import type { Servers } from '../settings/servers.ts'
import { parseGivenFeeRate, parseRuneParam } from './params.ts'
import { loadSelected, type SelectionParts, type UiMethodsOf } from './ui-context.ts'

/** What is stored is shown after this, whether the servers answered or not. */
const REFRESH_TIMEOUT_MS = 5000
const RESUME_TIMEOUT_MS = 10_000

export type MintingMethodParts = PlanningParts &
  MintConfirmationParts &
  SelectionParts & { servers: Pick<Servers, 'urls'> }

/**
 * Minting runes from our own pages, and the mints of the account in use. A plan signs nothing; only `confirmRuneMint` does.
 * Mints of another account are never shown or touched.
 */
export const mintingMethods = {
  async planRuneMint({ wallet, random }, draft) {
    const label = parseLabel(draft.label)
    const rune = parseRuneParam('rune', draft.rune)
    const { count } = draft
    const feeRate = parseGivenFeeRate(draft.feeRate)
    const context = await payFromSelected(wallet)
    // The same draft takes the same coins, whatever its fee rate.
    const order = { rune, count, feeRate, seed: `mint ${rune} ${count}` }
    return storeMintPlan(context, random, await planRuneMint(context, order), label)
  },

  async getRuneMintTask({ wallet }, { planId, digest }) {
    const shown = parseString('digest', digest, 64)
    return describeMintTask(wallet, parseString('planId', planId, 64), shown)
  },

  async confirmRuneMint({ wallet }, { planId, digest, returned = null }) {
    const shown = parseString('digest', digest, 64)
    return confirmRuneMint(wallet, parseString('planId', planId, 64), shown, returned)
  },

  async getRuneMints({ wallet }) {
    return Promise.all((await listOwnMints(wallet)).map(job => viewMint(wallet, job)))
  },

  async getRuneMint({ wallet }, { mintId }) {
    const { id } = await findOwnMint(wallet, mintId)
    await withTimeout(REFRESH_TIMEOUT_MS, resumeMint(wallet, id))
    return viewMint(wallet, await findOwnMint(wallet, mintId))
  },

  async resumeRuneMint({ wallet }, { mintId }) {
    const { id } = await findOwnMint(wallet, mintId)
    await withTimeout(RESUME_TIMEOUT_MS, resumeMint(wallet, id))
    return viewMint(wallet, await findOwnMint(wallet, mintId))
  },

  async stopRuneMint({ wallet }, { mintId }) {
    const { id } = await findOwnMint(wallet, mintId)
    await withTimeout(RESUME_TIMEOUT_MS, stopMint(wallet, id))
    return viewMint(wallet, await findOwnMint(wallet, mintId))
  },
} satisfies UiMethodsOf<MintingMethodParts>

type OwnMintParts = SelectionParts & { mints: Pick<Mints, 'list'> }

/** Mints of the addresses in use, newest first. Throws 4100 while locked. */
async function listOwnMints(wallet: OwnMintParts): Promise<MintJob[]> {
  const { network, account } = await loadSelected(wallet)
  const jobs = await wallet.mints.list()
  const own = [account.address, account.ordinals?.address]
  return jobs.filter(job => job.network === network && own.includes(job.address))
}

/** Throws -32602 for mints of another account. */
async function findOwnMint(wallet: OwnMintParts, mintId: unknown): Promise<MintJob> {
  const id = parseString('mintId', mintId, 64)
  const job = (await listOwnMints(wallet)).find(one => one.id === id)
  if (!job) throw invalidParams('mintId', id, 'mints of this account')
  return job
}
