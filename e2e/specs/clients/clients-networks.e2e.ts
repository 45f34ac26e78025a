import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allowCall, type ClientCall, rejectCall } from '../../driver/client.ts'
import type { Dapp } from '../../driver/driver.ts'
import type { BrowserName } from '../../driver/engine.ts'
import { FIRST_ACCOUNT, OWNERS, SECOND_ACCOUNT } from '../../fixtures/account-owners.ts'
import type { TestedNetwork } from '../../fixtures/address-networks.ts'
import { broadcast, finishPsbt } from '../../fixtures/broadcast.ts'
import { type AccountType, CLIENT_FLOWS, type ClientFlow } from '../../fixtures/client-flows.ts'
import {
  draftPaid,
  listMinedOutputs,
  openClient,
  paidOn,
  startClientWorld,
} from '../../fixtures/client-world.ts'
import { browsersFor, isLong } from '../../fixtures/flows.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import { PASSWORD, type World } from '../../fixtures/world.ts'

const ACCOUNTS = [
  { type: 'taproot', account: FIRST_ACCOUNT, other: SECOND_ACCOUNT },
  { type: 'nativeSegwit', account: SECOND_ACCOUNT, other: FIRST_ACCOUNT },
] as const

type Plan = { network: TestedNetwork; names: { [T in AccountType]: readonly string[] } }

/** One of each family. */
const CHOSEN = ['midl-okx', 'ordit', 'sats-xverse', 'midl-leather', 'wallet-standard']

const IN_FIREFOX = [...CHOSEN, 'sats-satchel', 'bigmi-okx', 'ckb-unisat']

/** What a quick run takes through: those that know mainnet alone, each family, and in Firefox what most pages use. */
const QUICK: { [B in BrowserName]: readonly Plan[] } = {
  chromium: [
    {
      network: 'mainnet',
      names: {
        taproot: CHOSEN,
        nativeSegwit: ['rango-okx', 'ckb-unisat', 'rango-unisat', 'rango-xverse'],
      },
    },
    {
      network: 'testnet4',
      names: {
        taproot: ['ckb-okx', 'bigmi-unisat', 'bigmi-xverse'],
        nativeSegwit: ['midl-leather', 'bigmi-metamask'],
      },
    },
  ],
  firefox: [
    {
      network: 'mainnet',
      names: {
        taproot: ['sats-satchel', 'bigmi-okx', 'ckb-unisat', 'wallet-standard'],
        nativeSegwit: [],
      },
    },
  ],
}

/** A long run: everything in Chromium, and in Firefox one of each family with both accounts. */
function planFor(browser: BrowserName): readonly Plan[] {
  if (!isLong) return QUICK[browser]
  if (browser === 'firefox')
    return [{ network: 'mainnet', names: { taproot: IN_FIREFOX, nativeSegwit: IN_FIREFOX } }]
  return (['mainnet', 'testnet4', 'regtest'] as const).map(network => ({
    network,
    names: {
      taproot: listFlows(network, 'taproot'),
      nativeSegwit: listFlows(network, 'nativeSegwit'),
    },
  }))
}

/** Those that know the network and take the account. */
function listFlows(network: TestedNetwork, type: AccountType): string[] {
  return Object.entries(CLIENT_FLOWS).flatMap(([name, { networks, accounts }]) =>
    (networks ?? [network]).includes(network) && (accounts ?? [type]).includes(type) ? [name] : [],
  )
}

function flowOf(name: string): ClientFlow {
  const flow = CLIENT_FLOWS[name]
  if (!flow) throw new Error(`There is no library "${name}"`)
  return flow
}

/** Once for each family; in a quick run for one. */
function isDisturbed(name: string, network: TestedNetwork, type: AccountType): boolean {
  const names = isLong ? CHOSEN : ['sats-xverse']
  return network === 'mainnet' && type === 'taproot' && names.includes(name)
}

describe.each(browsersFor('clients-networks'))('libraries of dapps in %s', browser => {
  describe.each(planFor(browser))('on $network', ({ network, names }) => {
    let world: World

    beforeAll(async () => {
      const owners = OWNERS[network]
      const pages = [...names.taproot, ...names.nativeSegwit].map(name => flowOf(name).page)
      const coins = [owners.taproot, owners.nativeSegwit].map(owner => ({ owner, count: 3 }))
      world = await startClientWorld([...new Set(pages)], coins, { browser, network })
    })
    afterAll(() => world?.stop())
    afterEach(async () => {
      expect(await world.wallet.countApprovalWindows()).toBe(0)
    })

    const used = ACCOUNTS.filter(({ type }) => names[type].length > 0)
    describe.each(used)('with the $type account', ({ type, account, other }) => {
      const owner = OWNERS[network][type]
      beforeAll(() => world.wallet.chooseAccount(account))

      describe.each(names[type])('%s', name => {
        const flow = flowOf(name)
        let page: Dapp
        let client: ReturnType<ClientFlow['open']>
        afterAll(() => page?.close())

        it('connects with the address and the key of the network', async () => {
          const host = `${name}-${type.toLowerCase()}`
          page = await openClient(world, flow.page, { query: flow.query ?? '', host })
          client = flow.open(page, owner, network)
          await client.prepare?.()
          const connected = await allow(client.connect())
          const known = (await client.readAccount?.()) ?? connected
          expect(known).toMatchObject(Object(client.account))
        })

        it('signs and pays, and says in its own words that the person rejected', async () => {
          if (client.sign) await expectSigned(client.sign('Grüße'))
          if (client.pay) {
            const paid = await allow(client.pay(await draftPaid(world, owner)))
            expect(await listMinedOutputs(world, await send(paid))).toContainEqual(paidOn(network))
          }
          const call = await ask()
          await rejectCall(world.wallet, call)
          expect(await call.thrown()).toMatchObject(flow.rejected ?? { code: 4001 })
        })

        if (isDisturbed(name, network, type))
          it('says the same of a closed window, is told of another account, and waits for the unlock', async () => {
            const { wallet } = world
            const closed = await ask()
            await (await wallet.nextApproval()).close()
            expect(await closed.thrown()).toMatchObject(flow.rejected ?? { code: 4001 })

            const switched = await ask()
            await wallet.nextApproval()
            await wallet.chooseAccount(other)
            expect(await switched.thrown()).toMatchObject(flow.unauthorized ?? { code: 4100 })
            await wallet.waitForNoApproval()
            await wallet.chooseAccount(account)

            await wallet.lock()
            const call = await ask()
            await (await wallet.nextApproval()).unlock(PASSWORD)
            await expectSigned(call)
          })

        const ask = async () => {
          const call = client.sign?.('Grüße') ?? client.pay?.(await draftPaid(world, owner))
          if (!call) throw new Error('It asks for nothing')
          return call
        }

        const expectSigned = async (call: ClientCall<unknown>) => {
          const signature = textOf(await allow(call), 'signature')
          expect(provesMessage(owner.address, 'Grüße', signature)).toBe(true)
        }
      })
    })

    const allow = <T>(call: ClientCall<T>) => allowCall(world.wallet, call)

    /** The txid, after sending what the library left to send. */
    const send = async (paid: unknown): Promise<string> => {
      const text = textOf(paid, 'txid', 'id', 'psbt')
      if (/^[0-9a-f]{64}$/.test(text)) return text
      const isRaw = /^0[12]000000/.test(text)
      return broadcast(world.devnet, isRaw ? text : finishPsbt(text))
    }
  })
})

/** What a library resolves to, or the first of it, or a field of that. */
function textOf(value: unknown, ...names: readonly string[]): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first === 'string') return first
  const found = names.map(name => Object(first)[name]).find(field => typeof field === 'string')
  if (found === undefined) throw new Error(`There is no ${names} in ${JSON.stringify(value)}`)
  return found
}
