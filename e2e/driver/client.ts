import type { Client } from '../fixtures/clients/expose.ts'
import type { Wallet } from './driver.ts'
import { within } from './engine.ts'
import type { Screen } from './screen.ts'

/** `cause` is also the `error` of an answer in JSON-RPC that is thrown as it came. */
type Thrown = { code: unknown; name: string; message: string; cause: Thrown | null }

/** A call of a page module that has been made and may wait for the person. */
export type ClientCall<T> = {
  /** What it resolved to; throws when it did not. */
  result(): Promise<T>
  /** What the library threw; throws when it resolved. */
  thrown(): Promise<Thrown>
}

export type ClientCalls<C extends Client> = {
  [K in keyof C]: (...args: Parameters<C[K]>) => ClientCall<Awaited<ReturnType<C[K]>>>
}

/** Far longer than a client takes once nobody has to be asked any more. */
const ANSWER_TIMEOUT = 60_000

/** The functions that a page module exposes, called in its page. */
export function reachClient<C extends Client>(page: Screen): ClientCalls<C> {
  return new Proxy({} as ClientCalls<C>, {
    get:
      (_, name) =>
      (...args: unknown[]) => {
        const settled = page.evaluate(callClient, String(name), args)
        // It is looked at later, when the person has answered.
        settled.catch(() => {})
        const settle = () => within(`${String(name)} of the client`, ANSWER_TIMEOUT, settled)
        return {
          async result() {
            const outcome = await settle()
            if ('result' in outcome) return outcome.result
            throw new Error(`${String(name)} failed: ${JSON.stringify(outcome.thrown)}`)
          },
          async thrown() {
            const outcome = await settle()
            if ('thrown' in outcome) return outcome.thrown
            throw new Error(`${String(name)} resolved: ${JSON.stringify(outcome.result)}`)
          },
        }
      },
  })
}

/** Runs in the page. */
async function callClient(
  name: string,
  args: readonly unknown[],
): Promise<{ result: unknown } | { thrown: Thrown }> {
  type Calls = { [name: string]: ((...args: readonly unknown[]) => unknown) | undefined }
  const describe = (error: unknown, depth: number): Thrown => {
    const { code, name, message, cause, error: answered } = Object(error)
    const inner = cause ?? answered
    const deeper = inner && depth < 3 ? describe(inner, depth + 1) : null
    return { code: code ?? null, name: String(name), message: String(message), cause: deeper }
  }
  const { dappClient } = globalThis as unknown as { dappClient: Calls }
  try {
    // Nothing is told as null: what the browser drops from JSON would look like a missing answer.
    return { result: (await dappClient[name]?.(...args)) ?? null }
  } catch (error) {
    return { thrown: describe(error, 0) }
  }
}

/** What a call resolves to when the person approves what it asks; throws when nobody is asked. */
export async function allowCall<T>(
  wallet: Wallet,
  call: ClientCall<T>,
  consent?: string,
): Promise<T> {
  const approval = await awaitApproval(wallet, call)
  if (consent !== undefined) await approval.clickTestId(`confirm-${consent}`)
  await approval.approve()
  await wallet.waitForNoApproval()
  return call.result()
}

/** What a library throws, or resolves to, when the person rejects what the call asks. */
export async function rejectCall(wallet: Wallet, call: ClientCall<unknown>): Promise<void> {
  await (await awaitApproval(wallet, call)).reject()
  await wallet.waitForNoApproval()
}

/** The window, unless the call ends before there is one: then what it ended with is told. */
async function awaitApproval(wallet: Wallet, call: ClientCall<unknown>) {
  const unasked = call.result().then(result => {
    throw new Error(`Nobody was asked: ${JSON.stringify(result)}`)
  })
  const asked = wallet.nextApproval()
  // Whichever comes later is of no interest.
  for (const late of [unasked, asked]) late.catch(() => {})
  return Promise.race([asked, unasked])
}
