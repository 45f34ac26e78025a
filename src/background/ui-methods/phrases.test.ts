import { WIF } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { addressElsewhere, deriveElsewhere } from '../../bitcoin/testing/bip32-elsewhere.ts'
import { textDraft } from '../inscribing/testing/job-world.ts'
import { spellName } from '../keys/testing/spell-name.ts'
import { addDevice, createDevice } from '../testing/device-wallet.ts'
import {
  inputsOf,
  payFromPopup,
  REGTEST,
  readBroadcast,
  selectedAccount,
} from '../testing/funded-wallet.ts'
import { LEGAL_WINNER } from '../testing/operations/vault-operations.ts'
import {
  ABANDON_MNEMONIC,
  connectPage,
  createWorld,
  fund,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'

const SECOND = { mnemonic: LEGAL_WINNER, passphrase: '', name: '' }

async function startTwo() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const [first] = (await worker.ui('getState', null)).phrases
  const { phrase, accounts } = await worker.ui('addPhrase', SECOND)
  const [account] = accounts
  if (!first || !account) throw new Error('no wallet or account')
  return { world, worker, first, second: phrase, account, accounts }
}

/** What is kept of an account that was removed: which one was chosen last, and what sites asked in 90 days. */
const KEPT = ['accounts.selected', 'approvalHistory']

/** The other keys under which local storage tells of something. */
const keysWith = (world: World, text: string) =>
  Object.entries(world.local.dump()).flatMap(([key, value]) =>
    JSON.stringify(value).includes(text) && !KEPT.includes(key) ? [key] : [],
  )

const names = async ({ ui }: Worker) =>
  (await ui('getState', null)).phrases.map(one => spellName(one.name))

describe('wallets side by side', () => {
  it('have the addresses that another implementation derives from each phrase', async () => {
    const { worker, first, second } = await startTwo()
    for (const { id } of [first, second])
      for (const addressType of ['p2tr', 'p2wpkh'] as const)
        await worker.ui('addAccount', { addressType, name: '', phraseId: id })
    const { accounts } = await worker.ui('getState', null)
    const expected = [
      { phraseId: first.id, mnemonic: ABANDON_MNEMONIC },
      { phraseId: second.id, mnemonic: LEGAL_WINNER },
    ].flatMap(({ phraseId, mnemonic }) =>
      [0, 1].flatMap(index =>
        (['p2tr', 'p2wpkh'] as const).map(type => {
          const path = `${type === 'p2tr' ? 86 : 84}'/1'/${index}'/0/0`
          const key = deriveElsewhere(mnemonic, '', path)
          return [phraseId, addressElsewhere(key, type, REGTEST)]
        }),
      ),
    )
    const seen = accounts.map(one => ['phraseId' in one ? one.phraseId : null, one.address])
    expect(seen.sort()).toEqual(expected.sort())
  })

  it('pay each with its own key, which alone is shown for its account', async () => {
    const { world, worker, account } = await startTwo()
    const own = await selectedAccount(worker)
    const coin = fund(world, own.address, 50_000n)
    const other = fund(world, account.address, 60_000n)
    await worker.ui('selectAccount', { accountId: account.id })
    const { txid } = await payFromPopup(worker)
    expect(inputsOf(readBroadcast(world, txid))).toEqual([`${other}:0`])
    await worker.ui('selectAccount', { accountId: own.id })
    const paid = await payFromPopup(worker)
    expect(inputsOf(readBroadcast(world, paid.txid))).toEqual([`${coin}:0`])
    for (const [accountId, mnemonic] of [
      [own.id, ABANDON_MNEMONIC],
      [account.id, LEGAL_WINNER],
    ] as const) {
      const shown = await worker.ui('revealKey', { password: PASSWORD, accountId })
      const key = WIF(REGTEST).encode(deriveElsewhere(mnemonic, '', "86'/1'/0'/0/0"))
      expect(shown).toMatchObject({ accepted: true, wif: key })
    }
  })

  it('are shown their own words, and only for the password', async () => {
    const { worker, first, second } = await startTwo()
    for (const [phraseId, mnemonic] of [
      [first.id, ABANDON_MNEMONIC],
      [second.id, LEGAL_WINNER],
    ] as const) {
      const shown = await worker.ui('revealPhrase', { password: PASSWORD, phraseId })
      expect(shown).toMatchObject({ accepted: true, words: mnemonic.split(' ') })
      expect(await worker.ui('revealPhrase', { password: 'wrong', phraseId })).toMatchObject({
        accepted: false,
      })
    }
    const unknown = worker.ui('revealPhrase', { password: PASSWORD, phraseId: '00'.repeat(16) })
    await expect(unknown).rejects.toMatchObject({ code: -32602 })
  })

  it('are not there twice: the wallet that has these words is named, another passphrase is another', async () => {
    const { worker } = await startTwo()
    await expect(
      worker.ui('addPhrase', { ...SECOND, mnemonic: `  ${LEGAL_WINNER.toUpperCase()} ` }),
    ).rejects.toMatchObject({
      data: { reason: 'PHRASE_EXISTS', name: { unnamed: 'wallet', number: 2 } },
    })
    const { phrase, accounts } = await worker.ui('addPhrase', { ...SECOND, passphrase: 'tea' })
    expect(phrase.name).toEqual({ unnamed: 'wallet', number: 3 })
    const key = deriveElsewhere(LEGAL_WINNER, 'tea', "86'/1'/0'/0/0")
    expect(accounts[0]?.address).toBe(addressElsewhere(key, 'p2tr', REGTEST))
    expect(await names(worker)).toEqual(['Wallet 1', 'Wallet 2', 'Wallet 3'])
  })

  it('are renamed, and nothing else is a name or a wallet', async () => {
    const { worker, second } = await startTwo()
    await worker.ui('renamePhrase', { phraseId: second.id, name: ' Holidays ' })
    expect(await names(worker)).toEqual(['Wallet 1', 'Holidays'])
    for (const params of [
      { phraseId: second.id, name: ' ' },
      { phraseId: second.id, name: 'a\u202eb' },
      { phraseId: 'ff', name: 'Bills' },
      { phraseId: 7, name: 'Bills' },
    ])
      await expect(worker.ui('renamePhrase', params as never)).rejects.toMatchObject({
        code: -32602,
      })
    for (const params of [
      { ...SECOND, mnemonic: 'legal winner' },
      { ...SECOND, passphrase: null },
      { ...SECOND, mnemonic: `${'zoo '.repeat(11)}wrong`, name: 'a\u202eb' },
    ])
      await expect(worker.ui('addPhrase', params as never)).rejects.toMatchObject({ code: -32602 })
    expect(await names(worker)).toEqual(['Wallet 1', 'Holidays'])
  })

  it('are called by their number again where their name is taken away', async () => {
    const { worker, first, second } = await startTwo()
    const rename = (phraseId: string, name: string) => worker.ui('renamePhrase', { phraseId, name })
    await rename(second.id, 'Holidays')
    await rename(second.id, '')
    expect((await worker.ui('getState', null)).phrases[1]?.name).toEqual(second.name)
    await rename(first.id, 'Wallet 2')
    expect(await names(worker)).toEqual(['Wallet\u00a02', 'Wallet 2'])
    await rename(first.id, '')
    expect((await worker.ui('getState', null)).phrases[0]?.name).toEqual(first.name)
  })

  it('have accounts, scans and keys for other signers of the account in use, unless one is named', async () => {
    const { worker, first, account } = await startTwo()
    const range = { addressType: 'p2wpkh', line: 'receive', from: 0, count: 2 } as const
    const add = async (more: { phraseId?: string }) => {
      const added = await worker.ui('addAccount', { addressType: 'p2tr', name: '', ...more })
      return 'phraseId' in added ? added.phraseId : null
    }
    const script = 'p2wsh' as const
    const ofFirst = await worker.ui('getCosignerKey', { script })
    await worker.ui('selectAccount', { accountId: account.id })
    const ofSecond = await worker.ui('getCosignerKey', { script })
    expect(ofSecond).not.toBe(ofFirst)
    expect(await worker.ui('getCosignerKey', { script, phraseId: first.id })).toBe(ofFirst)
    expect(await add({})).toBe('phraseId' in account && account.phraseId)
    expect(await add({ phraseId: first.id })).toBe(first.id)
    const found = [{ addressType: 'p2wpkh', line: 'receive', index: 1 } as const]
    const [scanned] = await worker.ui('addScanned', { found })
    const key = deriveElsewhere(LEGAL_WINNER, '', "84'/1'/0'/0/1")
    expect(scanned?.address).toBe(addressElsewhere(key, 'p2wpkh', REGTEST))
    await worker.ui('addScanned', { found, phraseId: first.id })
    expect(await worker.ui('scanAddresses', { ...range, phraseId: first.id })).toEqual({ used: [] })
    await expect(worker.ui('scanAddresses', { ...range, phraseId: 'ff' })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it('are not told apart by a site, which sees one account of either', async () => {
    const { worker, account, second } = await startTwo()
    await worker.ui('selectAccount', { accountId: account.id })
    const page = await connectPage(worker, 'https://dapp.example')
    const received = JSON.stringify([page.received, await page.call('getAccounts')])
    expect(received).toContain(account.address)
    expect(received).not.toContain(second.id)
    expect(received).not.toContain(second.name)
  })

  it('leave no word of any phrase in storage, in the log, in a backup, or in what pages are told', async () => {
    const { world, worker, account, second } = await startTwo()
    await worker.ui('addPhrase', SECOND).catch(error => worker.logged.push(error.message))
    await worker.ui('selectAccount', { accountId: account.id })
    const page = await connectPage(worker, 'https://dapp.example')
    const passwords = { walletPassword: PASSWORD, password: 'Zebra-Quartz-7741' }
    const told = [
      await worker.ui('getState', null),
      await worker.ui('renamePhrase', { phraseId: second.id, name: 'Holidays' }),
      await worker.ui('getCosignerKey', { script: 'p2wsh', phraseId: second.id }),
      await worker.ui('createBackup', passwords),
      page.received,
    ]
    const seen = JSON.stringify([world.local.dump(), world.session.dump(), worker.logged, told])
    for (const word of [...LEGAL_WINNER.split(' '), 'abandon'].filter(one => one.length > 4))
      expect(seen).not.toContain(word)
  })
})

describe('removing a wallet', () => {
  it('takes its accounts and all that is known of them, and leaves the others as they are', async () => {
    const { world, worker, second, account } = await startTwo()
    const own = await selectedAccount(worker)
    fund(world, own.address, 50_000n)
    await connectPage(worker, 'https://first.example')
    const before = await worker.ui('getState', null)
    await worker.ui('selectAccount', { accountId: account.id })
    const txid = fund(world, account.address, 60_000n)
    await connectPage(worker, 'https://second.example')
    await worker.ui('getActivity', { offset: 0, limit: 20 })
    await worker.ui('setLabel', { txid, label: 'salary' })
    await worker.ui('setCoinChoice', { outpoint: `${txid}:0`, choice: 'locked' })
    const wrong = await worker.ui('removePhrase', { phraseId: second.id, password: 'wrong' })
    expect(wrong).toMatchObject({ accepted: false, reason: 'WRONG_PASSWORD' })
    expect(await names(worker)).toEqual(['Wallet 1', 'Wallet 2'])
    const removed = await worker.ui('removePhrase', { phraseId: second.id, password: PASSWORD })
    expect(removed).toEqual({ accepted: true })
    const after = await worker.ui('getState', null)
    const ofFirst = before.accounts.filter(one => 'phraseId' in one && one.phraseId !== second.id)
    expect(after.accounts).toEqual(ofFirst)
    expect(after).toMatchObject({
      accountId: own.id,
      phrases: [{ name: { unnamed: 'wallet', number: 1 } }],
    })
    const sites = await worker.ui('getSites', null)
    expect(sites.map(({ origin }) => origin)).toEqual(['https://first.example'])
    for (const gone of [account.id, second.id, 'salary', `${txid}:0`])
      expect(keysWith(world, gone)).toEqual([])
    expect((await payFromPopup(worker)).txid).toHaveLength(64)
    // Asked again, as after an answer that got lost.
    const again = await worker.ui('removePhrase', { phraseId: second.id, password: PASSWORD })
    expect(again).toEqual({ accepted: true })
  })

  it('is refused while something that it inscribes is under way, and for the last one that signs', async () => {
    const { world, worker, first, second, account } = await startTwo()
    await worker.ui('selectAccount', { accountId: account.id })
    fund(world, account.address, 90_000n)
    const plan = await worker.ui('planInscribe', textDraft(['one']))
    await worker.ui('confirmInscribe', { planId: plan.planId, digest: plan.digest })
    const remove = (phraseId: string) => worker.ui('removePhrase', { phraseId, password: PASSWORD })
    await expect(remove(second.id)).rejects.toMatchObject({
      data: { reason: 'JOBS_UNDER_WAY', names: [account.name] },
    })
    expect(await names(worker)).toEqual(['Wallet 1', 'Wallet 2'])
    expect(await remove(first.id)).toEqual({ accepted: true })
    await expect(remove(second.id)).rejects.toMatchObject({ data: { reason: 'LAST_ACCOUNT' } })
  })

  it('leaves none of its words in the vault, and those of the others there', async () => {
    const { worker, second } = await startTwo()
    const open = async () => JSON.stringify(await worker.wallet.vault.open())
    expect(await open()).toContain(LEGAL_WINNER)
    await worker.ui('removePhrase', { phraseId: second.id, password: PASSWORD })
    const left = await open()
    for (const word of ['legal', 'sausage', second.id]) expect(left).not.toContain(word)
    expect(left).toContain(ABANDON_MNEMONIC)
  })

  it('changes no key with which a device’s account inscribes', async () => {
    const { worker, first } = await startTwo()
    const device = await addDevice(worker, createDevice(), 'p2wpkh')
    const request = { accountId: device.id, network: 'regtest', ofType: 'p2wpkh' } as const
    const derive = async () => toHex(await worker.wallet.signer.deriveBasePublicKey(request))
    const before = await derive()
    await worker.ui('removePhrase', { phraseId: first.id, password: PASSWORD })
    expect(await derive()).toBe(before)
  })

  it('goes on at the next unlock where the background died before all was forgotten', async () => {
    const { world, worker, second, account } = await startTwo()
    await worker.ui('selectAccount', { accountId: account.id })
    await connectPage(worker, 'https://second.example')
    // As a worker leaves it that died after the one write.
    await worker.wallet.accounts.removePhrase(second.id, PASSWORD, async () => {})
    expect(keysWith(world, account.id)).toContain('sites')
    const next = startWorker(world)
    await next.ui('lock', null)
    await next.ui('unlock', { password: PASSWORD })
    expect(keysWith(world, account.id)).toEqual([])
  })
})

describe('a secret for an application', () => {
  it('follows from the phrase of the account that is asked', async () => {
    const { worker, account } = await startTwo()
    const own = await selectedAccount(worker)
    const derive = (accountId: string) =>
      worker.wallet.signer.deriveContextHash({
        ...{ accountId, network: 'regtest', appName: 'app.example', context: '00ff' },
      })
    const [one, other] = [await derive(own.id), await derive(account.id)]
    expect(fromHex(one)).toHaveLength(32)
    expect(other).not.toBe(one)
    const alone = startWorker(createWorld())
    const origin = { kind: 'mnemonic', mnemonic: LEGAL_WINNER, passphrase: '' } as const
    await alone.ui('createVault', { origin, password: PASSWORD })
    await alone.ui('selectNetwork', { network: 'regtest' })
    const { id } = await selectedAccount(alone)
    const asked = { network: 'regtest', appName: 'app.example', context: '00ff' } as const
    expect(await alone.wallet.signer.deriveContextHash({ ...asked, accountId: id })).toBe(other)
  })
})
