import type { Network } from '../../bitcoin/network.ts'
import type { AccountInfo, BackgroundMessage, PageState } from '../../provider/envelope.ts'
import { type Accounts, canSign } from '../accounts/accounts.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import type { Sites } from './sites.ts'

/** A connected content script; origin, tab and frame are the browser's word, never the page's. */
export type PagePort = {
  origin: string
  tabId: number
  frameId: number
  /** Resolves once the browser has the message, where that is not at once. */
  post(message: BackgroundMessage): void | Promise<void>
}

/** The parts of the wallet that tell what a page may know. */
export type PageParts = {
  accounts: Pick<Accounts, 'network' | 'selected'>
  sites: Pick<Sites, 'isKnown' | 'isGranted'>
}

export type Announcer = {
  /** To be called after account, network, lock or grants changed: pages hear of it, and requests that no longer stand end. */
  announce(): void
}

/** The pages that have a connection now, and what each was told last. */
export function createPages(wallet: PageParts) {
  const told = new Map<PagePort, string>()

  return {
    add(port: PagePort): void {
      told.set(port, '')
    },
    remove(port: PagePort): void {
      told.delete(port)
    },
    has(port: PagePort): boolean {
      return told.has(port)
    },
    /** The site of a tab whose page is connected; null for any other tab. */
    originOf(tabId: number): string | null {
      return [...told.keys()].findLast(port => port.tabId === tabId)?.origin ?? null
    },
    tell,
    async tellAll(): Promise<void> {
      await Promise.all([...told.keys()].map(tell))
    },
  }

  /** Tells a page what it may know now, unless it has been told. */
  async function tell(port: PagePort): Promise<void> {
    const state = await stateFor(port.origin)
    const text = JSON.stringify(state)
    if (!told.has(port) || told.get(port) === text) return
    told.set(port, text)
    port.post({ state })
  }

  async function stateFor(origin: string): Promise<PageState> {
    if (!(await wallet.sites.isKnown(origin))) return { account: null, network: null }
    const network = await wallet.accounts.network()
    const account = await connectedAccount(wallet, origin, network)
    return { account: account && describeAccount(account), network: nameNetwork(network) }
  }
}

export type Pages = ReturnType<typeof createPages>

/** The account that a page is connected to, and the network in use, of one moment. */
export type Connected = { account: SigningAccountView; network: Network }

/** The account in use on a network if this origin may see it; null while the wallet is locked, and for one that is only watched. */
export async function connectedAccount(
  { accounts, sites }: PageParts,
  origin: string,
  network: Network,
): Promise<SigningAccountView | null> {
  const account = await accounts.selected(network)
  if (!account || !canSign(account)) return null
  return (await sites.isGranted(origin, account.id, network)) ? account : null
}

/** Both keys are the 33-byte compressed one, for every address type. */
export function describeAccount({ address, publicKey, ordinals }: SigningAccountView): AccountInfo {
  const info = { address, publicKey, compressedPublicKey: publicKey }
  if (!ordinals) return info
  return { ...info, ordinals: { address: ordinals.address, publicKey: ordinals.publicKey } }
}

/** The word that pages know a network by: `livenet` for mainnet, as the OKX and UniSat providers have it. */
export function nameNetwork(network: Network): string {
  return network === 'mainnet' ? 'livenet' : network
}
