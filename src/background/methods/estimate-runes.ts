import type { RuneEstimate } from '../../provider/rune-params.ts'
import { withFixedAddresses } from '../accounts/fixed-addresses.ts'
import { planEtching } from '../inscribing/etching-plan.ts'
import { decodeInscribing } from '../inscribing/stored-inscribing.ts'
import { planRuneMint } from '../minting/mint-plan.ts'
import type { Method } from '../requests/method.ts'
import { parseEtchingOrder } from './etch-rune.ts'
import type { SiteMintingParts } from './mint-rune.ts'
import { POSTAGE, type SiteInscribingParts } from './site-inscribing.ts'

/** What mints would cost, worked out as they would be now; nothing is reserved. */
export const estimateMintRune: Method<'estimateMintRune', SiteMintingParts> = {
  access: 'connected',
  asksServers: true,
  answer: async ({ wallet, account: connected, network }, order) => {
    if (!connected) return undefined
    // Nobody is asked, so that nothing of the other addresses may be learned.
    const account = withFixedAddresses(connected)
    const { review } = await planRuneMint({ wallet, account, network }, { ...order, seed: '' })
    const { fee, postage, count, transactions } = review
    const vsize = transactions.reduce((sum, one) => sum + one.vsize, 0)
    return describe(BigInt(fee), BigInt(postage) * BigInt(count), vsize)
  },
}

/** What an etching would cost, worked out as it would be now; nothing is reserved. */
export const estimateEtchRune: Method<'estimateEtchRune', SiteInscribingParts> = {
  access: 'connected',
  asksServers: true,
  answer: async ({ wallet, account: connected, network }, params) => {
    if (!connected) return undefined
    const account = withFixedAddresses(connected)
    const order = { ...parseEtchingOrder(params), postage: POSTAGE, seed: '' }
    const { review, inscribing } = await planEtching({ wallet, account, network }, order)
    const { commit, reveals } = decodeInscribing(inscribing)
    const vsize = [commit, ...reveals].reduce((sum, one) => sum + one.vsize, 0)
    const fee = BigInt(review.totalFee)
    return describe(fee, BigInt(review.cost) - fee, vsize)
  },
}

function describe(fee: bigint, postage: bigint, vsize: number): RuneEstimate {
  return { fee: Number(fee), postage: Number(postage), total: Number(fee + postage), vsize }
}
