import { describe, expect, it } from 'vitest'
import { LEGAL_WINNER } from '../testing/operations/vault-operations.ts'
import { ABANDON_MNEMONIC, createWorld, PASSWORD, startWorker } from '../testing/test-wallet.ts'
import { BACKUP_PASSWORD, createBackup, restore } from './testing/full-wallet.ts'

const password = BACKUP_PASSWORD
const FIRST = { mnemonic: ABANDON_MNEMONIC, passphrase: '' }
const SECOND = { mnemonic: LEGAL_WINNER, passphrase: 'tea' }

/** A wallet of these phrases on regtest. */
async function startWith(...[first, ...others]: (typeof FIRST)[]) {
  const worker = startWorker(createWorld())
  await worker.ui('selectNetwork', { network: 'regtest' })
  const origin = { kind: 'mnemonic' as const, ...(first ?? FIRST) }
  await worker.ui('createVault', { origin, password: PASSWORD })
  for (const phrase of others) await worker.ui('addPhrase', { ...phrase, name: '' })
  return worker
}

/** A wallet of both, each with a named account more, and names of its own. */
async function startNamed() {
  const worker = await startWith(FIRST, SECOND)
  const { phrases } = await worker.ui('getState', null)
  for (const [at, { id }] of phrases.entries()) {
    await worker.ui('renamePhrase', { phraseId: id, name: `Mine ${at}` })
    const addressType = 'p2sh-p2wpkh'
    await worker.ui('addAccount', { addressType, name: `Extra ${at}`, phraseId: id })
  }
  return worker
}

async function describeWallets(worker: Awaited<ReturnType<typeof startWith>>) {
  const { accounts, phrases } = await worker.ui('getState', null)
  return phrases.map(({ id, name }) => ({
    name,
    accounts: accounts
      .filter(one => one.source === 'seed' && one.phraseId === id)
      .map(({ name, address }) => ({ name, address })),
  }))
}

describe('a backup of several wallets', () => {
  it('brings accounts and names of each back where all the phrases are, in any order', async () => {
    const worker = await startNamed()
    const file = await createBackup(worker)
    const [first, second] = await describeWallets(worker)
    const there = await startWith(SECOND, FIRST)
    const { isOwn, sections } = await there.ui('reviewBackup', { file, password })
    expect(isOwn).toBe(true)
    const accounts = sections.find(({ part }) => part === 'accounts')
    expect(accounts).toMatchObject({ leftOut: 0 })
    expect(accounts?.added.map(({ kind, name, own }) => [kind, name, own])).toEqual([
      ...[
        ['phrase', 'Mine 1', { unnamed: 'wallet', number: 1 }],
        ['phrase', 'Mine 0', { unnamed: 'wallet', number: 2 }],
      ],
      ...[
        ['seed', 'Extra 0', null],
        ['seed', 'Extra 1', null],
      ],
    ])
    await restore(there, file)
    const restored = await describeWallets(there)
    const extras = (wallets: typeof restored) =>
      wallets.map(({ name, accounts: all }) => [name, all.at(-1)])
    expect(extras(restored)).toEqual(extras([second, first].flatMap(one => one ?? [])))
  })

  it.each([
    ['first', FIRST, 0],
    ['second', SECOND, 1],
  ] as const)(
    'is the own one of a wallet of its %s phrase alone, which gets that one’s accounts',
    async (_, phrase, at) => {
      const worker = await startNamed()
      const file = await createBackup(worker)
      const there = await startWith(phrase)
      const review = await there.ui('reviewBackup', { file, password })
      expect(review.isOwn).toBe(true)
      const accounts = review.sections.find(({ part }) => part === 'accounts')
      expect(accounts).toMatchObject({ leftOut: 3 })
      await restore(there, file)
      const [only] = await describeWallets(there)
      const all = await describeWallets(worker)
      expect(only?.name).toBe(`Mine ${at}`)
      expect(only?.accounts.at(-1)).toEqual(all[at]?.accounts.at(-1))
    },
  )

  it('has no word of a phrase in it, nor a name that a phrase could be guessed by', async () => {
    const worker = await startNamed()
    const { phrases } = await worker.ui('getState', null)
    const { openBackup } = await import('../keys/backup-file.ts')
    const { sha256 } = await import('@noble/hashes/sha2.js')
    const deriveKey = async (text: string, salt: Uint8Array) =>
      sha256(new Uint8Array([...salt, ...new TextEncoder().encode(text)]))
    const plain = await openBackup(await createBackup(worker), password, { deriveKey })
    const text = new TextDecoder().decode(plain)
    expect(text).toContain('Extra 1')
    for (const word of ['abandon', 'legal', 'winner', 'tea"', ...phrases.map(({ id }) => id)])
      expect(text).not.toContain(word)
  })
})
