import { describe, expect, it } from 'vitest'
import { crashAfter, createMemoryArea, type MemoryArea } from '../../storage/testing/memory-area.ts'
import { createAccounts } from '../accounts/accounts.ts'
import type { GivenName } from '../views/account-views.ts'
import { createTestVault, PASSWORD } from './testing/vault-fixture.ts'
import stored from './testing/vault-version-1.json' with { type: 'json' }
import { parseVaultRecord } from './vault-record.ts'

/** What a wallet of the first version stored, and the accounts that it showed. */
const { local: firstLocal, accounts: shown } = stored

function startWorker(local: MemoryArea, session = createMemoryArea()) {
  const made = createTestVault({ local, session })
  return { ...made, accounts: createAccounts(made) }
}

/** A name that the first version chose in English is a number today. */
function asToday(name: string): GivenName {
  const number = /^Account (\d)$/.exec(name)?.[1]
  return number === undefined ? name : { unnamed: 'account', number: Number(number) }
}

/** Fails unless the wallet shows what it always did, by its old names and ids, and the same account is in use. */
async function expectSameWallet({ accounts, vault }: ReturnType<typeof startWorker>) {
  const [{ id: phraseId } = { id: '' }] = (await accounts.phrases()) ?? []
  expect(phraseId).toMatch(/^[0-9a-f]{32}$/)
  for (const network of ['mainnet', 'regtest'] as const)
    expect(await accounts.list(network)).toEqual(
      shown[network].map(account => ({
        ...{ ...account, name: asToday(account.name) },
        ...{ source: 'seed', hidden: false, descriptor: null, ordinals: null, phraseId },
      })),
    )
  expect(await accounts.network()).toBe('regtest')
  expect(await accounts.selected('regtest')).toMatchObject({ id: shown.regtest[1]?.id })
  const { version, phrases } = await vault.open()
  expect(version).toBe(3)
  const words = { mnemonic: `${'abandon '.repeat(11)}about`, passphrase: '' }
  expect(phrases).toEqual([{ id: phraseId, name: 'Wallet 1', kind: 'bip39', ...words }])
}

const isGrown = async (local: MemoryArea, slot: string) =>
  ((await parseVaultRecord(local.dump()[slot]))?.payload.sealed.length ?? 0) > 2 * 2048

describe('a wallet of the first version', () => {
  it('shows the same accounts, names, network and selection after its next unlock', async () => {
    const worker = startWorker(createMemoryArea(firstLocal))
    expect(await worker.vault.status()).toBe('locked')
    expect(await worker.accounts.unlock(PASSWORD)).toEqual({ unlocked: true })
    await expectSameWallet(worker)
    expect(await worker.accounts.phrases()).toMatchObject([
      { name: { unnamed: 'wallet', number: 1 } },
    ])
  })

  it('is sealed in today’s form by that, in both slots and once', async () => {
    const local = createMemoryArea(firstLocal)
    const { accounts, vault } = startWorker(local)
    await accounts.unlock(PASSWORD)
    expect([await isGrown(local, 'vault.a'), await isGrown(local, 'vault.b')]).toEqual([true, true])
    const { revision } = local.dump()['vault.a'] as { revision: number }
    await vault.lock()
    await accounts.unlock(PASSWORD)
    expect(local.dump()['vault.a']).toMatchObject({ revision })
  })

  it('survives a worker that is killed between any two writes of it', async () => {
    const seen = new Set<boolean>()
    for (let writes = 0, crashed = true; crashed; writes++) {
      crashed = false
      const countDown = crashAfter(writes)
      const guard = () => {
        try {
          countDown()
        } catch (error) {
          crashed = true
          throw error
        }
      }
      const local = createMemoryArea(firstLocal, guard)
      const session = createMemoryArea({}, guard)
      await startWorker(local, session)
        .accounts.unlock(PASSWORD)
        .catch(() => {})
      seen.add((await isGrown(local, 'vault.a')) && (await isGrown(local, 'vault.b')))
      // The next worker, as it is after the death of this one and after that of the browser.
      for (const left of [session.dump(), {}]) {
        const next = startWorker(createMemoryArea(local.dump()), createMemoryArea(left))
        const unlocked = (await next.vault.status()) === 'unlocked'
        if (!unlocked) expect(await next.accounts.unlock(PASSWORD)).toEqual({ unlocked: true })
        await expectSameWallet(next)
      }
    }
    expect(seen).toEqual(new Set([false, true]))
  })

  it('opens unchanged where storage refuses the new form', async () => {
    const memory = createMemoryArea(firstLocal)
    const local = {
      ...memory,
      async set(entries: { [key: string]: unknown }) {
        if (Object.keys(entries).some(key => /^vault\.[ab]$/.test(key))) throw new Error('full')
        await memory.set(entries)
      },
    }
    const worker = startWorker(local)
    expect(await worker.accounts.unlock(PASSWORD)).toEqual({ unlocked: true })
    await expectSameWallet(worker)
    expect(memory.dump()['vault.a']).toEqual(firstLocal['vault.a'])
  })

  it('has its accounts kept by an update, and its password changed', async () => {
    const worker = startWorker(createMemoryArea(firstLocal))
    expect(await worker.vault.changePassword(PASSWORD, 'next')).toEqual({ accepted: true })
    expect(await worker.accounts.unlock('next')).toEqual({ unlocked: true })
    await expectSameWallet(worker)
    const { accountId } = { accountId: shown.regtest[3]?.id ?? '' }
    await worker.accounts.rename(accountId, 'Renamed')
    expect((await worker.accounts.list('mainnet')).map(({ name }) => name)).toEqual([
      ...shown.mainnet.slice(0, 3).map(({ name }) => asToday(name)),
      'Renamed',
    ])
  })
})
