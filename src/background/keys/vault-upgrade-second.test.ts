import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { BACKUP_PASSWORD, elsewhere, restore, startFresh } from '../backup/testing/full-wallet.ts'
import { createWorld, PASSWORD, startWorker } from '../testing/test-wallet.ts'
import type { AccountView } from '../views/account-views.ts'
import second from './testing/wallet-version-2.json' with { type: 'json' }

/** What the last version with one phrase stored, what it showed, the keys that it derived, and a backup that it made. */
const { local, accounts: shown, accountId, jobs, derived, backup } = second

async function startSecond() {
  const world = { ...createWorld(), local: createMemoryArea(local) }
  const worker = startWorker(world)
  expect(await worker.ui('unlock', { password: PASSWORD })).toEqual({ unlocked: true })
  return { world, worker }
}

function withoutPhrase(account: AccountView) {
  const { phraseId: _, ...rest } = { phraseId: null, ...account }
  return rest
}

describe('a wallet of the last version with one phrase', () => {
  it('shows the same accounts and jobs after its next unlock, as one wallet', async () => {
    const { worker } = await startSecond()
    const state = await worker.ui('getState', null)
    expect(state.accounts.map(withoutPhrase)).toEqual(
      shown.map(account =>
        account.name === 'Account 2'
          ? { ...account, name: { unnamed: 'account', number: 2 } }
          : account,
      ),
    )
    expect(state).toMatchObject({ accountId, network: 'regtest', hasChangedRecords: false })
    expect(state.phrases).toEqual([
      { id: expect.any(String), name: { unnamed: 'wallet', number: 1 }, kind: 'bip39' },
    ])
    const [{ id } = { id: '' }] = state.phrases
    for (const account of state.accounts)
      if (account.source === 'seed') expect(account.phraseId).toBe(id)
    expect((await worker.ui('getJobs', null)).map(job => job.id)).toEqual(jobs)
  })

  it('derives the same keys, with another wallet beside it too', async () => {
    const { worker } = await startSecond()
    const { signer } = worker.wallet
    const derive = async () => {
      const device = { accountId: derived.device, network: 'regtest' } as const
      const base = async (ofType: 'p2wpkh' | 'p2tr') =>
        Buffer.from(await signer.deriveBasePublicKey({ ...device, ofType })).toString('hex')
      return {
        ofSegwit: await base('p2wpkh'),
        ofTaproot: await base('p2tr'),
        contextHash: await signer.deriveContextHash({
          ...{ accountId: derived.spending, network: 'regtest', appName: 'app.example' },
          context: '00ff',
        }),
        cosignerKey: await worker.ui('getCosignerKey', { script: 'p2wsh' }),
      }
    }
    const { device: _, spending: __, ...expected } = derived
    expect(await derive()).toEqual(expected)
    const mnemonic = `${'zoo '.repeat(11)}wrong`
    await worker.ui('addPhrase', { mnemonic, passphrase: '', name: '' })
    expect(await derive()).toEqual(expected)
  })

  it('has the same wallet each time that it is opened before it can be sealed anew', async () => {
    const world = createWorld()
    const memory = createMemoryArea(local)
    const refusing = {
      ...memory,
      async set(entries: { [key: string]: unknown }) {
        if (Object.keys(entries).some(key => /^vault\.[ab]$/.test(key))) throw new Error('full')
        await memory.set(entries)
      },
    }
    const ids = []
    for (const session of [createMemoryArea(), createMemoryArea()]) {
      const worker = startWorker({ ...world, local: refusing, session })
      await worker.ui('unlock', { password: PASSWORD })
      ids.push((await worker.ui('getState', null)).phrases.map(({ id }) => id))
    }
    expect(ids[1]).toEqual(ids[0])
    expect(memory.dump()['vault.a']).toEqual(local['vault.a'])
  })

  it('has its backups read, here and where the phrase is one of two', async () => {
    const { world } = await startSecond()
    const there = await startFresh(elsewhere(world))
    const mnemonic = `${'zoo '.repeat(11)}wrong`
    await there.ui('addPhrase', { mnemonic, passphrase: '', name: 'Other' })
    const password = BACKUP_PASSWORD
    expect(await there.ui('reviewBackup', { file: backup, password })).toMatchObject({
      isOwn: true,
    })
    await restore(there, backup)
    await there.ui('selectNetwork', { network: 'regtest' })
    const { accounts, phrases } = await there.ui('getState', null)
    const addresses = accounts.map(({ address }) => address)
    for (const { address } of shown) expect(addresses).toContain(address)
    const spending = accounts.find(({ name }) => name === 'Spending')
    expect(spending).toMatchObject({ phraseId: phrases[0]?.id })
  })
})
