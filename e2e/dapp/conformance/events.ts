import { type Check, type CheckDraft, describeOperation } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { Failed, NotApplicable } from './outcome.ts'
import { asRecord, asTexts, holdShape, SHAPES } from './shapes.ts'

const EVENTS = ['accountChanged', 'accountsChanged'] as const
const ALLOWED = 'the page stays connected and an accountChanged event carries the new account'

type Heard = { event: string; args: unknown[] }[]

/** Records every event of the wallet from now on. */
function listen({ provider }: Kit): Heard {
  const heard: Heard = []
  if (typeof provider.on !== 'function') throw new Failed('there is no on()')
  for (const event of EVENTS)
    provider.on(event, (...args: unknown[]) => heard.push({ event, args }))
  return heard
}

const lastOf = (heard: Heard, event: string) => heard.filter(one => one.event === event).at(-1)

/**
 * To an account that has not allowed the page, connecting that one, and back to the first: once for all checks. What was
 * heard on the way, and the first account.
 */
const switchAccounts = (kit: Kit) =>
  kit.share('switch of accounts', async () => {
    const first = await kit.account()
    const heard = listen(kit)
    await kit.askFor('switch', 'accountsChanged', async () =>
      (await currentAddress(kit)) === first.address ? null : true,
    )
    await hear(kit, heard, 'accountsChanged')
    const afterLeaving = { heard: [...heard], address: await currentAddress(kit) }
    const second = asRecord(await kit.resolve('connect', [], 'approve'), 'connect')
    if (second.address === first.address) throw new NotApplicable('the account was not switched')
    heard.length = 0
    await kit.askFor('switch back', 'accountChanged', async () =>
      (await currentAddress(kit)) === first.address ? true : null,
    )
    for (const event of EVENTS) await hear(kit, heard, event)
    return { first, afterLeaving, heard }
  })

async function currentAddress(kit: Kit): Promise<unknown> {
  return (await kit.addresses())[0]
}

/** Waits a moment for an event; that it did not come is for a check to say. */
async function hear(kit: Kit, heard: Heard, event: string): Promise<void> {
  await kit.waitFor(event, async () => lastOf(heard, event) ?? null, 3_000).catch(() => null)
}

const PERSON = ['switch', 'approve', 'switch back'] as const

const REGISTRATION: CheckDraft = {
  id: 'on',
  name: 'is registered by on(), before anything happens',
  section: 'Events',
  words: 'Registration:',
  async run(kit) {
    listen(kit)
    return 'on() takes the name and a handler'
  },
}

export const EVENT_CHECKS: readonly Check[] = [
  ...describeOperation('accountChanged', [
    REGISTRATION,
    {
      id: 'payload',
      name: 'comes when the person switches to an account that has allowed the page, with its data',
      section: 'Events',
      words: 'object: address (string), publicKey (string), compressedPublicKey (string)',
      person: PERSON,
      async run(kit) {
        const { heard, first } = await switchAccounts(kit)
        const told = lastOf(heard, 'accountChanged')
        if (!told) throw new Failed('it did not come')
        const [account] = told.args
        const seen = holdShape(account, SHAPES['Account info'], 'accountChanged')
        const { address, publicKey, compressedPublicKey } = asRecord(account, 'accountChanged')
        expect(address === first.address, `it tells ${address}, and not ${first.address}`)
        const key = first.publicKey.slice(-64)
        expect(String(publicKey).endsWith(key), `another publicKey: ${publicKey}`)
        const isCompressed = /^0[23]/.test(String(compressedPublicKey))
        const isSame = isCompressed && String(compressedPublicKey).endsWith(key)
        expect(isSame, `another compressedPublicKey: ${compressedPublicKey}`)
        return seen
      },
    },
    {
      id: 'connected',
      name: 'finds the page connected to the account',
      section: 'States and transitions',
      words: ALLOWED,
      async run(kit) {
        const { first } = await switchAccounts(kit)
        const address = await currentAddress(kit)
        expect(address === first.address, `the page sees ${describe(address)}`)
        return 'getAccounts() tells the account that was switched to'
      },
    },
  ]),
  ...describeOperation('accountsChanged', [
    REGISTRATION,
    {
      id: 'payload',
      name: 'comes with the address of an account that has allowed the page',
      section: 'Events',
      words: 'the user',
      async run(kit) {
        const { heard, first } = await switchAccounts(kit)
        const told = lastOf(heard, 'accountsChanged')
        if (!told) throw new Failed('it did not come')
        const addresses = asTexts(told.args[0], 'accountsChanged')
        expect(addresses[0] === first.address, `it tells ${describe(addresses)}`)
        return describe(addresses)
      },
    },
    {
      id: 'not-allowed',
      name: 'comes when the person switches to an account that has not allowed the page, which then sees none',
      section: 'Authentication',
      words: 'After an account switch an application stays connected only if the new account',
      async run(kit) {
        const { afterLeaving } = await switchAccounts(kit)
        const { heard, address } = afterLeaving
        expect(address === undefined, `the page sees ${address}`)
        const told = lastOf(heard, 'accountsChanged')
        if (!told) throw new Failed('it did not come')
        const addresses = asTexts(told.args[0], 'accountsChanged')
        expect(addresses.length === 0, `it tells ${describe(addresses)}`)
        return 'it tells an empty list'
      },
    },
  ]),
]
