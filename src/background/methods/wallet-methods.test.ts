import { describe, expect, it, vi } from 'vitest'
import { RECIPIENT } from '../testing/funded-wallet.ts'
import {
  ABANDON_MNEMONIC,
  connectPage,
  createWorld,
  fund,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'

const SITE = 'https://dapp.example'
/** Of the Bitcoin wiki's page on the import format. */
const WIF = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617'
const UNCOMPRESSED = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'
const INVALID = { code: -32602 }

describe('making a wallet', () => {
  it('of a key: it has that account, no phrase, and no more accounts of one', async () => {
    const { ui } = startWorker(createWorld())
    const origin = { kind: 'wif', wif: ` ${WIF}\n`, addressType: 'p2wpkh' } as const
    await ui('createVault', { origin, password: PASSWORD })
    expect(await ui('getState', null)).toMatchObject({
      vault: 'unlocked',
      hasPhrase: false,
      accounts: [{ source: 'key', addressType: 'p2wpkh' }],
    })
    expect(await ui('revealPhrase', { password: PASSWORD })).toEqual({
      accepted: true,
      words: null,
      passphrase: '',
    })
    await expect(ui('addAccount', { addressType: 'p2tr', name: '' })).rejects.toMatchObject({
      data: { reason: 'NO_PHRASE' },
    })
  })

  it('is refused for what is no phrase, no key, no type or no password, and none is made', async () => {
    const { ui } = startWorker(createWorld())
    const words = { kind: 'mnemonic', mnemonic: ABANDON_MNEMONIC, passphrase: '' } as const
    const key = { kind: 'wif', wif: WIF, addressType: 'p2tr' } as const
    for (const [origin, password] of [
      [{ ...words, mnemonic: 'abandon abandon' }, PASSWORD],
      [{ ...words, passphrase: 7 }, PASSWORD],
      [{ ...key, wif: UNCOMPRESSED }, PASSWORD],
      [{ ...key, addressType: 'p2wsh' }, PASSWORD],
      [words, 'short'],
      [words, '😀'.repeat(7)],
      [words, 'aaaaaaaaaaaa'],
      [words, 'abababababab'],
      [words, 'PassWord1'],
      [words, undefined],
    ]) {
      const params = { origin, password } as never
      await expect(ui('createVault', params)).rejects.toMatchObject(INVALID)
    }
    expect(await ui('getState', null)).toMatchObject({ vault: 'none', hasPhrase: null })
  })

  it('never puts a secret that was refused into the error', async () => {
    const { ui, logged } = startWorker(createWorld())
    const origin = { kind: 'wif', wif: UNCOMPRESSED, addressType: 'p2tr' } as const
    const error = await ui('createVault', { origin, password: PASSWORD }).catch(String)
    expect(error).toContain('uncompressed')
    expect(`${error}${JSON.stringify(logged)}`).not.toContain(UNCOMPRESSED)
  })
})

describe('checkWif', () => {
  it('shows the address of each type, and what is wrong with others', async () => {
    const { ui } = startWorker(createWorld())
    const answer = await ui('checkWif', { wif: WIF, network: 'mainnet' })
    expect(answer).toMatchObject({
      valid: true,
      addresses: ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'].map(addressType => ({ addressType })),
    })
    // The address beside this key on the wiki's page.
    expect(JSON.stringify(answer)).toContain('1LoVGDgRs9hTfTNJNuXKSpywcbdvwRXpmK')
    for (const [wif, network, problem] of [
      [UNCOMPRESSED, 'mainnet', 'UNCOMPRESSED'],
      [WIF, 'regtest', 'WRONG_NETWORK'],
      ['no key', 'mainnet', 'MALFORMED'],
    ] as const)
      expect(await ui('checkWif', { wif, network })).toEqual({ valid: false, problem })
  })
})

describe('the password', () => {
  it('is changed by whoever knows it, to one that is long enough', async () => {
    const { ui } = await startUnlocked()
    const change = (current: string, next: string) => ui('changePassword', { current, next })
    for (const weak of ['short', '11111111', 'Password', '12345678']) {
      const error = await change(PASSWORD, weak).catch(refusal => refusal)
      expect(error).toMatchObject({ ...INVALID, message: expect.stringContaining('next') })
      expect(JSON.stringify([error.message, error.data])).not.toContain(weak)
    }
    expect(await change('wrong', 'long enough')).toMatchObject({ reason: 'WRONG_PASSWORD' })
    expect(await change(PASSWORD, 'long enough')).toEqual({ accepted: true })
    await ui('lock', null)
    expect(await ui('unlock', { password: PASSWORD })).toMatchObject({ unlocked: false })
    expect(await ui('unlock', { password: 'long enough' })).toEqual({ unlocked: true })
  })

  it('shows the words, and the key of the account on the network in use', async () => {
    const { ui } = await startUnlocked()
    const words = ABANDON_MNEMONIC.split(' ')
    expect(await ui('revealPhrase', { password: PASSWORD })).toMatchObject({ words })
    const { accountId } = await ui('getState', null)
    const key = await ui('revealKey', { password: PASSWORD, accountId: accountId ?? '' })
    const wif = key.accepted ? key.wif : ''
    expect(await ui('checkWif', { wif, network: 'mainnet' })).toMatchObject({ valid: false })
    expect(JSON.stringify(await ui('checkWif', { wif, network: 'regtest' }))).toContain(
      (await ui('getState', null)).accounts.find(({ id }) => id === accountId)?.address,
    )
    expect(await ui('revealPhrase', { password: 'wrong' })).toMatchObject({ accepted: false })
  })

  it('is asked for each time that a secret is shown, right after it was given too', async () => {
    const { ui } = await startUnlocked()
    const accountId = (await ui('getState', null)).accountId ?? ''
    for (let times = 0; times < 2; times++) {
      expect(await ui('revealPhrase', { password: PASSWORD })).toMatchObject({ accepted: true })
      expect(await ui('revealPhrase', { password: 'wrong' })).not.toHaveProperty('words')
      await expect(ui('revealPhrase', {} as never)).rejects.toMatchObject(INVALID)
      expect(await ui('revealKey', { password: PASSWORD, accountId })).toHaveProperty('wif')
      expect(await ui('revealKey', { password: '', accountId })).not.toHaveProperty('wif')
      await expect(ui('revealKey', { accountId } as never)).rejects.toMatchObject(INVALID)
    }
  })
})

describe('removing an account', () => {
  it('takes back what it had allowed', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const { accountId } = await worker.ui('getState', null)
    await worker.ui('removeAccount', { accountId: accountId ?? '' })
    expect(await worker.wallet.sites.list()).toEqual([])
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
  })
})

describe('reset', () => {
  it('needs the word', async () => {
    const { ui } = await startUnlocked()
    await expect(ui('resetWallet', { confirmation: 'yes' })).rejects.toMatchObject(INVALID)
    expect(await ui('getState', null)).toMatchObject({ vault: 'unlocked' })
  })

  it('leaves nothing behind, tells pages, and ends what waits', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await worker.ui('resetWallet', { confirmation: 'erase' })
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.window.open).toBe(false)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(page.states().at(-1)).toEqual({ account: null, network: null })
    expect(world.local.dump()).toEqual({})
    expect(JSON.stringify(world.session.dump())).not.toMatch(/bcrt1|"0[23][0-9a-f]{64}"|hello/)
    expect(await worker.ui('getState', null)).toMatchObject({
      vault: 'none',
      network: 'mainnet',
      accounts: [],
      pendingApprovals: 0,
    })
    expect(await page.call('connect')).toMatchObject({ error: { code: 4900 } })
  })

  it('ends what is still being worked out for a page', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const { accounts } = await worker.ui('getState', null)
    fund(world, accounts[0]?.address ?? '', 50_000n)
    const page = await connectPage(worker, SITE)
    world.chain.faults.slowFeesMs = 100
    const answer = page.call('sendBitcoin', RECIPIENT, 5_000)
    await vi.waitUntil(async () => (await worker.wallet.requests.load()).some(one => !one.outcome))
    await worker.ui('resetWallet', { confirmation: 'erase' })
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(worker.logged).toEqual([])
  })

  it('ends what is still being read from a server: it is not stored afterwards', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const { accounts } = await worker.ui('getState', null)
    fund(world, accounts[0]?.address ?? '', 50_000n)
    const { fetchHistory } = world.chain.chain
    let answer = () => {}
    const asked = new Promise<void>(resolve => {
      world.chain.chain.fetchHistory = async (...params) => {
        world.chain.chain.fetchHistory = fetchHistory
        resolve()
        await new Promise<void>(go => {
          answer = go
        })
        return fetchHistory(...params)
      }
    })
    const reading = worker.ui('getActivity', { offset: 0, limit: 10 }).catch(() => {})
    await asked
    await worker.ui('resetWallet', { confirmation: 'erase' })
    answer()
    await reading
    expect(world.local.dump()).toEqual({})
  })

  it('lets nothing of the old wallet come back with a new one, from this worker’s memory either', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await connectPage(worker, SITE)
    await worker.ui('changeSettings', { currency: 'EUR' })
    const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    await worker.ui('saveContact', { id: null, name: 'Alice', address })
    const { accounts } = await worker.ui('getState', null)
    await worker.ui('resetWallet', { confirmation: 'erase' })
    const origin = { kind: 'mnemonic', mnemonic: ABANDON_MNEMONIC, passphrase: 'other' } as const
    await worker.ui('createVault', { origin, password: PASSWORD })
    await worker.ui('selectNetwork', { network: 'regtest' })
    await connectPage(worker, 'https://second.example')
    await worker.ui('changeSettings', { theme: 'dark' })
    await worker.ui('saveContact', { id: null, name: 'Bob', address })
    const left = JSON.stringify([world.local.dump(), world.session.dump()])
    const traces = accounts.flatMap(account => [account.id, account.address])
    for (const trace of [...traces, SITE, 'EUR', 'Alice']) expect(left).not.toContain(trace)
  })

  it('is the way out of a damaged wallet, which sites are told to be not ready', async () => {
    const world = createWorld()
    await startUnlocked(world)
    await world.local.set({ 'vault.a': 'rubble', 'vault.b': 'rubble' })
    const worker = startWorker({ ...world })
    expect(await worker.ui('getState', null)).toMatchObject({ vault: 'damaged', accounts: [] })
    const page = openPage(worker, SITE)
    expect(await page.call('connect')).toMatchObject({ error: { code: 4900 } })
    await worker.ui('resetWallet', { confirmation: 'erase' })
    expect(await worker.ui('getState', null)).toMatchObject({ vault: 'none' })
  })
})
