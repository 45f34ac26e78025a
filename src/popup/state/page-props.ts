import type { WalletState } from '../../background/views/ui-methods.ts'

/** What every screen of an open wallet gets; `onChanged` asks for the state anew. */
export type PageProps = { state: WalletState; onChanged: () => Promise<void> }
