import type { Network } from '../../bitcoin/network.ts'
import type {
  ChainState,
  ServerCheck,
  ServerKind,
  ServerState,
  ServerView,
} from './settings-views.ts'

/** The network in use, and the servers of each. */
export type ServerMethods = {
  selectNetwork(params: { network: Network }): null
  getServers(params: { network: Network }): ServerView[]
  /** Asks a server whether it serves this network; stores nothing. */
  checkServer(params: {
    network: Network
    kind: ServerKind
    url: string
    key?: string
  }): ServerCheck
  /**
   * Stores the URL of a server, and for `brc20` its API key; an empty URL restores the default. A server of another network
   * is refused.
   */
  setServer(params: { network: Network; kind: ServerKind; url: string; key?: string }): null
  /** Whether the servers of the network in use answer and are up to date; asks each of them now. */
  getServerStates(params: null): ServerState[]
  /** Whether the blocks of the chain server in use are those that proof of work leads to; asks it for its newest headers. */
  getChainState(params: null): ChainState
}
