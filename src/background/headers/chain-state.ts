import { BackendUnavailableError, type ChainSource } from '../../chain/chain-source.ts'
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
 * refused; one that gives no answer is no error, as it may keep back the headers alone.
 */
export async function fetchChainState(
  headers: Pick<HeldHeaders, 'follow'>,
  source: ChainSource,
): Promise<ChainState> {
  try {
    const following = await headers.follow(source)
    // A block that came between two answers.
    const isBetween = following.is === 'refused' && following.fault === 'prev-blk-not-found'
    return describe(isBetween ? await headers.follow(source) : following)
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    return error.problem.kind === 'nonsense'
      ? { is: 'refused', fault: 'invalid' }
      : { is: 'unanswered' }
  }
}

function describe(following: Following): ChainState {
  if (following.is === 'refused') return { is: 'refused', fault: FAULTS[following.fault] }
  const blocks = following.tip.height - following.shown.height
  if (following.is === 'behind' && blocks >= LATE_BLOCKS) return { is: 'behind', blocks }
  return { is: 'followed' }
}
