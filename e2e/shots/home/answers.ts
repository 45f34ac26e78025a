import type { Overview } from '../../../src/background/views/activity-views.ts'
import type { ServerState } from '../../../src/background/views/settings-views.ts'
import type { WalletState } from '../../../src/background/views/ui-methods.ts'
import { ENTRIES } from '../fixtures/activity.ts'
import { NOT_CHECKED } from '../fixtures/assets/atomicals.ts'
import { drawContent, INSCRIPTIONS, pageOf } from '../fixtures/assets/inscriptions.ts'
import { SERVERS } from '../fixtures/servers.ts'
import { type Answers, stateWith, value } from '../shot.ts'

export const EMPTY: Overview = {
  balance: { confirmed: '0', unconfirmed: '0' },
  problem: null,
  activity: [],
  more: false,
  price: null,
}

const FILLED: Overview = {
  balance: { confirmed: '131020400', unconfirmed: '0' },
  problem: null,
  activity: ENTRIES.slice(2, 7),
  more: true,
  price: null,
}

/** What the start screen asks for, with the overview and the state changed by what is given. */
export function home(overview: Partial<Overview>, state: Partial<WalletState> = {}): Answers {
  return {
    getState: value(stateWith(state)),
    touch: value(null),
    getOverview: value({ ...FILLED, ...overview }),
    getServerStates: value([serverState('synced')]),
    getChainState: value({ is: 'followed' }),
    getUnprovenPayments: value([]),
    getUnsharedPayments: value({ payments: [], askAgainInMs: null }),
    getJobs: value([]),
    getServers: value(SERVERS),
    getAtomicals: value(NOT_CHECKED),
    ...COLLECTION,
  }
}

/** What the home screen shows of the inscriptions. */
const COLLECTION: Answers = {
  getInscriptions: value(pageOf(INSCRIPTIONS.slice(1, 4), { total: 1_204 })),
  getInscriptionContent: { given: drawContent },
}

export function serverState(state: ServerState['state']): ServerState {
  const url = 'https://mempool.space/api'
  return { kind: 'chain', url, state, height: 921_403, latencyMs: 120, problem: null }
}
