import type { UiMethodName, UiMethods } from '../views/ui-methods.ts'
import type { Wallet } from '../wallet.ts'

/** What a method of our own pages works with. */
export type UiContext = {
  wallet: Wallet
  /** `n` bytes from crypto.getRandomValues. */
  random(n: number): Uint8Array
}

export type UiMethod<M extends UiMethodName> = (
  context: UiContext,
  params: Parameters<UiMethods[M]>[0],
) => Promise<ReturnType<UiMethods[M]>>

export type UiMethodTable = { [M in UiMethodName]: UiMethod<M> }
