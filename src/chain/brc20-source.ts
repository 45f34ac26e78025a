import type { Network } from '../bitcoin/network.ts'
import type { InscriptionId } from '../ordinals/inscription-id.ts'

/** Amounts of BRC-20 are bigints scaled by 10^18. */
export type Brc20Balance = { tick: string; available: bigint; transferable: bigint }

/** A deployed token; fields are null where a server does not report them. */
export type Brc20Token = {
  tick: string
  decimals: number
  supply: bigint
  limit: bigint
  minted: bigint | null
  selfMint: boolean
  /** Its inscription, which is the parent of every mint of a self-mint token. */
  deploy: InscriptionId | null
}

/** A valid transfer inscription that has not moved yet. */
export type Brc20Transferable = { tick: string; id: InscriptionId; amount: bigint }

/** What the wallet asks of an index of BRC-20. Every answer is checked before it is returned; all throw BackendUnavailableError. */
export type Brc20Source = {
  network: Network
  /** Newest block that is indexed. */
  fetchTip(): Promise<{ height: number }>
  /** All balances of an address that the server can list, and those of `ticks`; without those that are zero. */
  fetchBalances(address: string, ticks: readonly string[]): Promise<Brc20Balance[]>
  fetchTransferables(address: string): Promise<Brc20Transferable[]>
  /** Null for a ticker that is not deployed; `unknown` where this kind of server cannot say. */
  fetchToken(tick: string): Promise<Brc20Token | null | 'unknown'>
}

/** The interfaces that servers of BRC-20 have. */
export type Brc20Api = 'opi' | 'unisat'

/** Which servers have which interface, as far as it was found out. */
export type Brc20Apis = {
  find(url: string): Promise<Brc20Api | null>
  keep(url: string, api: Brc20Api): Promise<void>
}
