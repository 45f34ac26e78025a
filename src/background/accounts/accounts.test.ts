import { describe, expect, it } from 'vitest'
import type { MemoryArea } from '../../storage/testing/memory-area.ts'
import { UnknownAccountError } from '../keys/account-errors.ts'
import { spellName } from '../keys/testing/spell-name.ts'
import { createTestVault, GROWN_SECRET, PASSWORD, SECRET } from '../keys/testing/vault-fixture.ts'
import { VaultLockedError } from '../keys/vault-session.ts'
import type { WalletOrigin } from '../views/account-views.ts'
import { createAccounts } from './accounts.ts'

const MNEMONIC = SECRET.phrases[0]?.mnemonic ?? ''
const ORIGIN: WalletOrigin = { kind: 'mnemonic', mnemonic: MNEMONIC, passphrase: '' }

/** A worker over these areas; `opened` counts how often the vault was. */
function startWorker(areas: { local?: MemoryArea; session?: MemoryArea } = {}) {
  const made = createTestVault(areas)
  const counter = { opened: 0 }
  const vault = {
    ...made.vault,
    open() {
      counter.opened++
      return made.vault.open()
    },
  }
  return { ...made, counter, accounts: createAccounts({ ...made, vault }) }
}

async function startWithWallet() {
  const worker = startWorker()
  await worker.accounts.create(ORIGIN, PASSWORD)
  return worker
}

describe('accounts', () => {
  it('of a new wallet are a taproot and a segwit account at the first addresses of BIP-86 and BIP-84', async () => {
    const { accounts } = await startWithWallet()
    expect(await accounts.list('mainnet')).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: { unnamed: 'account', number: 1 },
        hidden: false,
        source: 'seed',
        phraseId: expect.stringMatching(/^[0-9a-f]{32}$/),
        addressType: 'p2tr',
        address: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
        publicKey: expect.stringMatching(
          /^0[23]cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115$/,
        ),
        descriptor: null,
        ordinals: null,
        derivationPath: "m/86'/0'/0'/0/0",
      },
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: { unnamed: 'account', number: 2 },
        hidden: false,
        source: 'seed',
        phraseId: expect.stringMatching(/^[0-9a-f]{32}$/),
        addressType: 'p2wpkh',
        address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        publicKey: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
        descriptor: null,
        ordinals: null,
        derivationPath: "m/84'/0'/0'/0/0",
      },
    ])
  })

  it('have ids that no one else can have', async () => {
    const lists = [await startWithWallet(), await startWithWallet()]
    const ids = lists.map(({ accounts }) => accounts.list('mainnet'))
    expect(new Set((await Promise.all(ids)).flat().map(({ id }) => id)).size).toBe(4)
  })

  it('have other keys and prefixes on the test networks, and the same ids', async () => {
    const { accounts } = await startWithWallet()
    const [main] = await accounts.list('mainnet')
    const [testnet] = await accounts.list('testnet4')
    const [signet] = await accounts.list('signet')
    const [regtest] = await accounts.list('regtest')
    expect(signet).toEqual(testnet)
    expect(testnet?.address).toMatch(/^tb1p/)
    expect(regtest?.address).toMatch(/^bcrt1p/)
    expect(regtest?.publicKey).toBe(testnet?.publicKey)
    expect(testnet?.publicKey).not.toBe(main?.publicKey)
    expect(regtest?.derivationPath).toBe("m/86'/1'/0'/0/0")
    expect(regtest?.id).toBe(main?.id)
  })

  it('are answered by a worker that just started without opening the vault', async () => {
    const { local, session, accounts } = await startWithWallet()
    const next = startWorker({ local, session })
    expect(await next.accounts.list('regtest')).toEqual(await accounts.list('regtest'))
    expect(await next.accounts.selected('mainnet')).not.toBeNull()
    expect(next.counter.opened).toBe(0)
  })

  it('are none while locked, and nothing of them stays in the session', async () => {
    const { accounts, session } = await startWithWallet()
    expect(session.dump()).toHaveProperty('accounts.views')
    await accounts.lock()
    expect(session.dump()).toEqual({})
    expect(await accounts.list('mainnet')).toEqual([])
    expect(await accounts.selected('mainnet')).toBeNull()
    expect(await accounts.unlock('wrong')).toMatchObject({ unlocked: false })
    expect(await accounts.list('mainnet')).toEqual([])
    expect(await accounts.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(await accounts.list('mainnet')).toHaveLength(2)
  })

  it('leave the session at the deadline too', async () => {
    const { accounts, session, clock } = await startWithWallet()
    clock.now += 15 * 60_000
    expect(await accounts.list('mainnet')).toEqual([])
    expect(JSON.stringify(session.dump())).not.toContain('bc1')
  })

  it('do not come back when a lock overtakes their reading', async () => {
    const made = await startWithWallet()
    const open = async () => {
      const secret = await made.vault.open()
      await made.vault.lock()
      return secret
    }
    const accounts = createAccounts({ ...made, vault: { ...made.vault, open } })
    await accounts.refresh()
    expect(made.session.dump()).toEqual({})
    expect(await accounts.list('mainnet')).toEqual([])
  })

  it('are none when the lock comes before their reading', async () => {
    const made = await startWithWallet()
    await made.session.remove('accounts.views')
    const open = () => made.vault.lock().then(() => made.vault.open())
    const accounts = createAccounts({ ...made, vault: { ...made.vault, open } })
    expect(await accounts.list('mainnet')).toEqual([])
  })

  it('show what the vault gained after a refresh', async () => {
    const { accounts, vault } = await startWithWallet()
    await vault.update(() => GROWN_SECRET)
    await accounts.refresh()
    const names = (await accounts.list('mainnet')).map(({ name }) => spellName(name))
    expect(names).toEqual(['Account 1', 'Account 2', 'Account 3'])
  })

  it('that an earlier version named in English have their number, and those of a person their name, with nothing written', async () => {
    const { accounts, vault, local } = await startWithWallet()
    const [first, second, third] = GROWN_SECRET.accounts
    if (!first || !second || !third) throw new Error('no accounts')
    const sealed = [first, { ...second, name: 'Savings' }, { ...third, name: 'Wallet 1' }]
    await vault.update(() => ({ ...GROWN_SECRET, accounts: sealed }))
    await accounts.lock()
    const before = local.dump()
    expect(await accounts.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect((await accounts.list('mainnet')).map(({ name }) => name)).toEqual([
      ...[{ unnamed: 'account', number: 1 }, 'Savings', 'Wallet 1'],
    ])
    expect(await accounts.phrases()).toMatchObject([{ name: { unnamed: 'wallet', number: 1 } }])
    const vaultOf = (dump: typeof before) => [dump['vault.a'], dump['vault.b']]
    expect(vaultOf(local.dump())).toEqual(vaultOf(before))
  })

  it('are not made over another wallet', async () => {
    const { accounts } = await startWithWallet()
    const before = await accounts.list('mainnet')
    await expect(accounts.create(ORIGIN, PASSWORD)).rejects.toThrow('a wallet already')
    expect(await accounts.list('mainnet')).toEqual(before)
  })
})

describe('the selection', () => {
  it('is the taproot account on mainnet at first', async () => {
    const { accounts } = await startWithWallet()
    expect(await accounts.network()).toBe('mainnet')
    expect(await accounts.selected('mainnet')).toMatchObject({ addressType: 'p2tr' })
  })

  it('is kept over restarts and locks', async () => {
    const { accounts, local } = await startWithWallet()
    const [, segwit] = await accounts.list('mainnet')
    await accounts.select(segwit?.id ?? '')
    await accounts.selectNetwork('regtest')
    const later = startWorker({ local })
    expect(await later.accounts.network()).toBe('regtest')
    await later.accounts.unlock(PASSWORD)
    expect(await later.accounts.selected('regtest')).toMatchObject({ id: segwit?.id })
  })

  it('takes only accounts that exist, and none while locked', async () => {
    const { accounts } = await startWithWallet()
    const [taproot] = await accounts.list('mainnet')
    await expect(accounts.select('zz')).rejects.toThrow(UnknownAccountError)
    await accounts.lock()
    await expect(accounts.select(taproot?.id ?? '')).rejects.toThrow(VaultLockedError)
  })

  it('falls back to the first account and to mainnet where what is stored means nothing', async () => {
    const { accounts, local } = await startWithWallet()
    await local.set({ 'accounts.selected': 'gone', network: 'moon' })
    expect(await accounts.network()).toBe('mainnet')
    expect(await accounts.selected('mainnet')).toMatchObject({ addressType: 'p2tr' })
  })
})
