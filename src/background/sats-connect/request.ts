import type { MethodName } from '../../provider/method-names.ts'
import type { Methods } from '../../provider/methods.ts'

/** Runs an operation of the wallet as if the page had called it; throws what the page would have got. */
export type Call = <M extends MethodName>(
  method: M,
  ...params: unknown[]
) => Promise<Methods[M]['result']>

export type SatsConnectContext = {
  origin: string
  call: Call
  /**
   * The connected address, after the person has unlocked the wallet for this purpose if need be. Throws 4100 for a page that may
   * not ask.
   */
  requireAddress(purpose: MethodName): Promise<string>
}

/**
 * Translates one request of sats-connect into operations of the wallet, and their results into its own. When the worker
 * dies it runs again from its start, and calls that a person had decided have their outcome: so which calls are made, in
 * which order and with what, may follow from the parameters and from earlier results only.
 */
export type SatsConnectRequest = (context: SatsConnectContext, params: unknown) => Promise<unknown>
