import type { Network } from '../../bitcoin/network.ts'
import { unauthorized } from '../../provider/errors.ts'
import type { MethodName } from '../../provider/method-names.ts'
import type { Methods } from '../../provider/methods.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import type { SigningDevice } from '../keys/signing-device.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import type { Review } from '../views/approval-views.ts'
import type { StoredRequest } from './requests.ts'

/** Who asks, and the account that this page is connected to; null while it is not, and while the wallet is locked. */
export type PageContext<Parts = unknown> = {
  wallet: Parts
  origin: string
  network: Network
  account: SigningAccountView | null
}

/** A stored request being worked on, for the account that it was pinned to. */
export type RequestContext<Parts = unknown> = PaymentContext<Parts> & {
  key: string
  origin: string
  /** Runs a step whose result is stored: it is not run again when the request goes on in another worker. */
  once<T>(step: string, run: () => Promise<T>): Promise<T>
  /** Asks the person; resolves what was filled in (null where nothing was asked) when approved and everything still is as it was when asked. */
  approve(review: Review): Promise<string | null>
  /** Throws 4001 where it has ended while it was worked on. */
  assertOpen(): Promise<void>
}

/** The same where the account in use is none that sites can be connected to, or where there is none. */
export type ChoiceContext<Parts = unknown> = Omit<RequestContext<Parts>, 'account'>

/** How the background serves one operation; `Parts` are the parts of the wallet that it works with. */
export type Method<M extends MethodName, Parts = unknown> = {
  /** `anyone` may call it unconnected; `connected` needs a grant for the account in use. */
  access: 'anyone' | 'connected'
  /** Answering without a person has servers look up much: only so many of one origin are at it at once. */
  asksServers?: true
  /**
   * What it resolves is a secret: it is never stored. Until a page has it, the request stays approved instead, and is
   * answered anew for a page that comes back.
   */
  isSecret?: true
  /** Some of it is done without a question: while it is worked out, nobody is told that nothing is signed. */
  mayNotAsk?: true
  /** Answers without a person; `undefined` means that one is needed. */
  answer: (
    context: PageContext<Parts>,
    params: Methods[M]['params'],
  ) => Promise<Methods[M]['result'] | undefined>
  /** Answers with a person. May run again from its start after the worker died; steps in `once` are kept. */
  ask?: (
    context: RequestContext<Parts>,
    params: Methods[M]['params'],
  ) => Promise<Methods[M]['result']>
  /** The same where no site can be connected to the account in use; without it, such a request is refused with 4100. */
  askToChoose?: (
    context: ChoiceContext<Parts>,
    params: Methods[M]['params'],
  ) => Promise<Methods[M]['result']>
  /**
   * What is left to do when the journal says that there is no way back; null before. Needs no account, open wallet or
   * page, because none of them could undo it.
   */
  finish?: (
    wallet: Parts,
    journal: StoredRequest['journal'],
  ) => Promise<Methods[M]['result'] | null> | null
}

/** Throws 4100 unless the page names an address of the account that it is connected to. */
export function assertConnected({ account }: RequestContext, from: string, field = 'from'): void {
  if (from !== account.address && from !== account.ordinals?.address)
    throw unauthorized(`${field}: ${from} is not the connected address.`)
}

export type MethodTable<Parts> = { [M in MethodName]: Method<M, Parts> }

/** Finds an operation, and the parser of its parameters, whose code may have to be read first. */
export type FindMethod<Parts> = <M extends MethodName>(name: M) => Promise<FoundMethod<M, Parts>>

export type FoundMethod<M extends MethodName, Parts> = {
  method: Method<M, Parts>
  parse: (params: readonly unknown[]) => Methods[M]['params']
}

/** Has a method ask, about the account or which one it is to be. Throws 4100 for one that does not. */
export async function askBy<M extends MethodName, Parts>(
  { ask, askToChoose }: Method<M, Parts>,
  { account, ...context }: ChoiceContext<Parts> & { account: SigningAccountView | null },
  params: Methods[M]['params'],
): Promise<Methods[M]['result']> {
  const asked = account ? ask?.({ ...context, account }, params) : askToChoose?.(context, params)
  if (!asked) throw unauthorized()
  return asked
}

/** For methods that always need a person. */
export async function askAlways(): Promise<undefined> {
  return undefined
}

/** Asks the person about what is signed next. Where a device signs, its question takes the place of this one in the record. */
export async function approveBeforeSigning(context: RequestContext, review: Review): Promise<void> {
  if (context.account.source === 'device')
    await context.once('approved', () => context.approve(review))
  else await context.approve(review)
}

/** The device of a site's request: the person takes the PSBTs there and back. */
export function askForDevice({ approve }: RequestContext): SigningDevice {
  return {
    async sign(review) {
      const returned = await approve(review)
      if (returned === null) throw new Error('approval: nothing was filled in')
      const { decodeReturned } = await import('../keys/signing-device.ts')
      return decodeReturned(returned)
    },
  }
}
