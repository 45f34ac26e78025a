import { isStaleTip } from '../../bitcoin/headers/stale-tip.ts'
import type { Network } from '../../bitcoin/network.ts'
import {
  BackendUnavailableError,
  type ChainServer,
  type ChainSource,
} from '../../chain/chain-source.ts'
import type { Clock } from '../primitives/clock.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { ChainFault, ChainFinding, ChainState } from '../views/settings-views.ts'
import type { CheckedHeights } from './checked-heights.ts'
import type { FollowFault, Following, HeldHeaders } from './held-headers.ts'

/** A server that hears of a block a little later than others is no news. */
const LATE_BLOCKS = 2

const FAULTS: { [fault in FollowFault]: ChainFault } = {
  'not-anchored': 'other-chain',
  'too-little-work': 'no-work',
  'high-hash': 'no-work',
  'bad-diffbits': 'no-work',
  unlinked: 'unlinked',
  'prev-blk-not-found': 'unlinked',
  'bad-size': 'invalid',
  'bad-version': 'invalid',
  'time-too-old': 'invalid',
  'time-timewarp-attack': 'invalid',
  'time-too-new': 'clock',
}

/** What was found, and the height up to which blocks passed; null where all did, and where none was ever held. */
type Finding = { state: ChainFinding; passed: number | null }

export type ChainStateParts = Clock & {
  chain(network: Network): Promise<ChainSource & { servers: readonly ChainServer[] }>
  heldHeaders: Pick<HeldHeaders, 'follow' | 'tip'>
  checkedHeights: Pick<CheckedHeights, 'load' | 'set'>
}

/**
 * Follows the newest headers of a network's server, and keeps up to which height its blocks passed where not all did: from then on
 * nothing above counts as confirmed. One that answers nonsense is refused; one that gives no answer is no error, as it may keep back
 * the headers alone, and changes nothing. Where a second server is set, the two must not differ by more than the newest block.
 */
export async function checkChain(wallet: ChainStateParts, network: Network): Promise<ChainState> {
  const found = await findState(wallet, await wallet.chain(network))
  const passed = found ? found.passed : await wallet.checkedHeights.load(network)
  await wallet.checkedHeights.set(network, passed)
  const state = found ? found.state : { is: 'unanswered' as const }
  return passed === null ? state : { ...state, checkedTo: passed }
}

/** What waits for confirmations goes on once blocks pass again, also where nobody looks. */
export async function checkDoubted(
  wallet: ChainStateParts & { checkedHeights: Pick<CheckedHeights, 'listNetworks'> },
): Promise<void> {
  for (const network of await wallet.checkedHeights.listNetworks()) {
    await checkChain(wallet, network)
  }
}

/** Null where there is no answer. */
async function findState(
  { heldHeaders, now }: ChainStateParts,
  chain: ChainSource & { servers: readonly ChainServer[] },
): Promise<Finding | null> {
  try {
    const following = await followTwice(heldHeaders, chain)
    const found = describe(following, chain.network, now())
    return (await findDisagreement(heldHeaders, chain.servers, following)) ?? found
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    if (error.problem.kind !== 'nonsense') return null
    const tip = await heldHeaders.tip(chain.network)
    return { state: { is: 'refused', fault: 'invalid' }, passed: tip?.height ?? null }
  }
}

/** A block may come between two answers. */
async function followTwice(
  headers: Pick<HeldHeaders, 'follow'>,
  source: ChainSource,
): Promise<Following> {
  const following = await headers.follow(source)
  const isBetween = following.is === 'refused' && following.fault === 'prev-blk-not-found'
  return isBetween ? headers.follow(source) : following
}

/**
 * Null where there is no second server, it does not answer or shows nothing that holds, or the two have the same blocks but for the
 * newest. The first is asked once more only where the second has a block that it had not.
 */
async function findDisagreement(
  headers: Pick<HeldHeaders, 'follow'>,
  [first, second]: readonly ChainServer[],
  following: Following,
): Promise<Finding | null> {
  if (!first || !second || following.is === 'refused') return null
  const other = await nullIfUnanswered(followTwice(headers, second.source))
  if (!other || other.is === 'refused' || other.shown.hash === following.shown.hash) return null
  const compared =
    other.is === 'behind' ? other : await nullIfUnanswered(headers.follow(first.source))
  // A second server that is only late takes nothing from the first.
  if (compared?.is !== 'behind' || (compared === other && !other.isFork)) return null
  const { lacking: blocks, tip } = compared
  if (blocks < LATE_BLOCKS) return null
  return { state: { is: 'disagree', blocks, second: second.host }, passed: tip.height - blocks }
}

function describe(following: Following, network: Network, now: number): Finding {
  if (following.is === 'refused') {
    const { fault, passed } = following
    return { state: { is: 'refused', fault: FAULTS[fault] }, passed }
  }
  const { tip } = following
  if (following.is === 'behind' && following.lacking >= LATE_BLOCKS) {
    const { isFork, lacking: blocks } = following
    // What it keeps back is held, and passed.
    const passed = isFork ? tip.height - blocks : tip.height
    return { state: { is: isFork ? 'forked' : 'behind', blocks }, passed }
  }
  if (!isStaleTip(network, tip.at, now)) return { state: { is: 'followed' }, passed: null }
  const hours = Math.floor((now - tip.at) / 3_600_000)
  return { state: { is: 'stale', hours }, passed: tip.height }
}
