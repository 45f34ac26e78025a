import { isStaleTip } from '../../bitcoin/headers/stale-tip.ts'
import { checkLiveFeed } from '../../chain/access/live-feed.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { fetchServerTip, type ServerQuestion } from '../../chain/open/server-tip.ts'
import type { ServerCheck, ServerState } from '../views/settings-views.ts'

/** Asks a server at once what it is for; never `behind`, since that takes other servers to know. `isOld` is about its newest block. */
export async function askState(
  question: ServerQuestion,
): Promise<{ state: ServerState; isOld: boolean }> {
  const { network, kind, url, now } = question
  const startedAt = now()
  try {
    const tip = await fetchServerTip(question)
    const latencyMs = now() - startedAt
    return {
      state: {
        kind,
        url,
        state: 'synced',
        height: tip?.height ?? null,
        latencyMs,
        problem: null,
      },
      isOld: tip?.at !== undefined && isStaleTip(network, tip.at, now()),
    }
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    const { problem } = error
    const state = problem.kind === 'wrong-network' ? 'wrong-network' : 'unreachable'
    return { state: { kind, url, state, height: null, latencyMs: null, problem }, isOld: false }
  }
}

/** Whether a server can be used for this, before it is stored. */
export async function checkServer(question: ServerQuestion): Promise<ServerCheck> {
  const { kind, url } = question
  const isChain = kind === 'chain' || kind === 'secondChain'
  const [{ state }, live] = await Promise.all([
    askState(question),
    isChain ? checkLiveFeed({ url }) : false,
  ])
  return state.problem
    ? { usable: false, problem: state.problem }
    : { usable: true, height: state.height, latencyMs: state.latencyMs ?? 0, live }
}
