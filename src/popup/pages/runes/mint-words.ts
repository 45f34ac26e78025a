import type { RuneMintItemState, RuneMintView } from '../../../background/views/mint-views.ts'
import { currentLanguage, type WordKey, words } from '../../platform/words.ts'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { plainNumber } from '../../ui/text/typed-number.ts'

/** More are never part of one approval. */
export const MOST_MINTS = 24

/** How often it is minted, as typed; or what is wrong with it, in words. */
export function readCount(
  typed: string,
  left: bigint | null,
): { count: number } | { error: string } {
  const most = left === null || left > BigInt(MOST_MINTS) ? MOST_MINTS : Number(left)
  const text = plainNumber(typed)
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > MOST_MINTS) return { error: words('runeMintCountWrong', { most }) }
  return count > most ? { error: words('runeMintCountLeft', { most }) } : { count }
}

/** How it stands, in few words: "2 of 5 sent". */
export function nameMintState(mint: RuneMintView): string {
  if (mint.state !== 'minting') return words(STATES[mint.state])
  const number = (count: number) => count.toLocaleString(currentLanguage())
  const sent = mint.mints.filter(({ state }) => isSent(state)).length
  return words('jobSent', { sent: number(sent), count: number(mint.mints.length) })
}

const STATES: { [state in RuneMintView['state']]: WordKey } = {
  minting: 'jobSent',
  waiting: 'jobWaiting',
  stuck: 'jobStuck',
  done: 'runeMintDone',
  stopped: 'runeMintStopped',
}

/** What that means, what comes next, and what became of what was not sent. */
export function explainMintState(mint: RuneMintView): string {
  const { state, stopped, rune } = mint
  if (stopped !== null && (state === 'stopped' || state === 'waiting')) return words(STOPS[stopped])
  if (state === 'done') {
    return words('runeMintDoneNote', { amount: formatRuneAmount(mint.minted), name: rune.name })
  }
  return words(state === 'waiting' ? 'runeMintWaitingNote' : 'runeMintMintingNote')
}

const STOPS: { [stop in NonNullable<RuneMintView['stopped']>]: WordKey } = {
  cap: 'runeMintStopCap',
  end: 'runeMintStopEnd',
  person: 'runeMintStopPerson',
  conflict: 'runeMintStopConflict',
}

/** How one of the mints stands. */
export function nameItemState(state: RuneMintItemState, each: string): string {
  return words(ITEM_STATES[state], { amount: formatRuneAmount(each) })
}

const ITEM_STATES: { [state in RuneMintItemState]: WordKey } = {
  waiting: 'runeMintItemWaiting',
  pending: 'runeMintItemPending',
  confirmed: 'runeMintItemConfirmed',
  minted: 'runeMintItemMinted',
  empty: 'runeMintItemEmpty',
  dropped: 'activityNeverSent',
}

/** Whether the network has it. */
export function isSent(state: RuneMintItemState): boolean {
  return state !== 'waiting' && state !== 'dropped'
}

export const PROBLEMS: {
  [kind in NonNullable<RuneMintView['problem']>['kind']]: { title: WordKey; note: WordKey }
} = {
  refused: { title: 'jobProblemRefused', note: 'runeMintRefusedNote' },
  unanswered: { title: 'jobProblemUnanswered', note: 'runeMintUnansweredNote' },
  behind: { title: 'runeMintBehind', note: 'runeMintBehindNote' },
}

/** Whether something of it is still under way. */
export function isMintOpen({ state }: RuneMintView): boolean {
  return state !== 'done' && state !== 'stopped'
}
