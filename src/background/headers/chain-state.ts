import {
  BackendUnavailableError,
  type ChainServer,
  type ChainSource,
} from '../../chain/chain-source.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { ChainFault, ChainState } from '../views/settings-views.ts'
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

/**
 * What a person is to know of the chain that a server shows, after its newest headers were followed. One that answers nonsense is
 * refused; one that gives no answer is no error, as it may keep back the headers alone. Where a second server is set, the two must
 * not differ by more than the newest block.
 */
export async function fetchChainState(
  headers: Pick<HeldHeaders, 'follow'>,
  chain: ChainSource & { servers: readonly ChainServer[] },
): Promise<ChainState> {
  try {
    const following = await followTwice(headers, chain)
    const found = describe(following)
    return (await findDisagreement(headers, chain.servers, following)) ?? found
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    return error.problem.kind === 'nonsense'
      ? { is: 'refused', fault: 'invalid' }
      : { is: 'unanswered' }
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
): Promise<ChainState | null> {
  if (!first || !second || following.is === 'refused') return null
  const other = await nullIfUnanswered(followTwice(headers, second.source))
  if (!other || other.is === 'refused' || other.shown.hash === following.shown.hash) return null
  const compared =
    other.is === 'behind' ? other : await nullIfUnanswered(headers.follow(first.source))
  // A second server that is only late takes nothing from the first.
  if (compared?.is !== 'behind' || (compared === other && !other.isFork)) return null
  const { lacking: blocks } = compared
  return blocks < LATE_BLOCKS ? null : { is: 'disagree', blocks, second: second.host }
}

function describe(following: Following): ChainState {
  if (following.is === 'refused') return { is: 'refused', fault: FAULTS[following.fault] }
  if (following.is === 'followed' || following.lacking < LATE_BLOCKS) return { is: 'followed' }
  return { is: following.isFork ? 'forked' : 'behind', blocks: following.lacking }
}
