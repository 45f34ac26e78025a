import { hexToBytes } from '@noble/hashes/utils.js'
import { p2tr, TEST_NETWORK } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browsersFor } from '../../fixtures/flows.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }

describe.each(browsersFor('payment'))('a page in %s', browser => {
  let world: World

  beforeAll(async () => {
    world = await startWorld(browser)
  })
  afterAll(() => world?.stop())

  it('connects, signs, pays with the person’s approval, and bitcoind mines the payment', async () => {
    const { wallet, devnet, site } = world
    const dapp = await wallet.openDapp(`${site}plain.html`)
    await dapp.record('accountChanged', 'accountsChanged', 'connect', 'disconnect')

    const connecting = dapp.request('connect')
    const connectApproval = await wallet.nextApproval()
    expect(await connectApproval.text()).toContain(new URL(site).host)
    await connectApproval.approve()
    const account = await resultOf<{ address: string; publicKey: string }>(connecting)
    // The address is that of the independent implementation for the key that the page got.
    expect(account.address).toBe(
      p2tr(hexToBytes(account.publicKey).slice(1), undefined, REGTEST).address,
    )
    expect(await resultOf(dapp.request('getAccounts'))).toEqual([account.address])
    expect(await resultOf(dapp.request('getNetwork'))).toBe('regtest')
    expect(await resultOf(dapp.request('getPublicKey'))).toBe(account.publicKey)
    expect(await dapp.evaluate(() => Object(window).satchel.bitcoin.selectedAccount)).toEqual({
      ...account,
      compressedPublicKey: account.publicKey,
    })

    const signing = dapp.request('signMessage', 'hello', 'bip322-simple')
    const signApproval = await wallet.nextApproval()
    expect(await signApproval.text()).toContain('hello')
    await signApproval.approve()
    const signature = await resultOf<string>(signing)
    const asTestnet = p2tr(hexToBytes(account.publicKey).slice(1), undefined, TEST_NETWORK).address
    expect(Verifier.verifySignature(asTestnet ?? '', 'hello', signature)).toBe(true)

    await devnet.faucet(account.address, 1_000_000n)
    expect(await resultOf(dapp.request('getBalance'))).toEqual({
      confirmed: 1_000_000,
      unconfirmed: 0,
      total: 1_000_000,
    })

    const recipient = await devnet.rpc<string>('getnewaddress', []).catch(() => RECIPIENT)
    const paying = dapp.request('sendBitcoin', recipient, 123_456, { feeRate: 2.5 })
    const payApproval = await wallet.nextApproval()
    const text = await payApproval.text()
    expect(text).toContain('0.0012')
    await payApproval.approve()
    const txid = await resultOf<string>(paying)

    await devnet.mine(1)
    const mined = await devnet.rpc<{
      confirmations: number
      vsize: number
      vout: { value: number; scriptPubKey: { address: string } }[]
    }>('getrawtransaction', [txid, true])
    expect(mined.confirmations).toBe(1)
    expect(mined.vout[0]).toMatchObject({ value: 0.00123456, scriptPubKey: { address: recipient } })
    const change = Math.round((mined.vout[1]?.value ?? 0) * 1e8)
    expect(1_000_000 - 123_456 - change).toBe(Math.ceil(mined.vsize * 2.5))

    const balance = await resultOf<{ total: number }>(dapp.request('getBalance'))
    expect(balance.total).toBe(change)
    await wallet.waitForNoApproval()
  })

  it('pushes a transaction of others without a question, and one that spends its own coins with one', async () => {
    const { wallet, devnet } = world
    const dapp = await world.openConnected(world.otherSite)
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    const fetchHex = async (txid: string) =>
      (await fetch(`${devnet.esploraUrl}/tx/${txid}/hex`)).text()

    const foreign = await devnet.faucet(RECIPIENT, 50_000n, false)
    expect(await resultOf(dapp.request('pushTx', await fetchHex(foreign)))).toBe(foreign)
    expect(await resultOf(dapp.request('pushTx', { rawtx: await fetchHex(foreign) }))).toBe(foreign)
    expect(await wallet.countApprovalWindows()).toBe(0)

    await devnet.faucet(address, 300_000n)
    const paying = dapp.request('sendBitcoin', RECIPIENT, 30_000, { feeRate: 2 })
    await (await wallet.nextApproval()).approve()
    const own = await resultOf<string>(paying)
    await wallet.waitForNoApproval()
    const pushing = dapp.request('pushTx', await fetchHex(own))
    const approval = await wallet.nextApproval()
    expect(await approval.text()).toContain('broadcast')
    await approval.approve()
    expect(await resultOf(pushing)).toBe(own)
    await wallet.waitForNoApproval()

    expect(await dapp.request('pushTx', 'not hex')).toMatchObject({ error: { code: -32602 } })
  })

  it('sends with a memo at the output that it names, and is told which field of a wrong call is wrong', async () => {
    const { wallet, devnet } = world
    const dapp = await world.openConnected()
    const [from = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await devnet.faucet(from, 400_000n)
    const payment = { from, to: RECIPIENT, value: '0.0005', satBytes: 2.5 }
    for (const [memoPos, memo] of ['Für Ada', 'invoice 7', 'last'].entries()) {
      const sending = dapp.request('send', { ...payment, memo, memoPos })
      const approval = await wallet.nextApproval()
      expect(await approval.text()).toContain(memo)
      await approval.approve()
      const { txhash } = await resultOf<{ txhash: string }>(sending)
      await wallet.waitForNoApproval()
      await devnet.mine(1)
      const { vsize, fee, vout } = await devnet.rpc<{
        vsize: number
        fee: number
        vout: { value: number; scriptPubKey: { hex: string; address?: string } }[]
      }>('getrawtransaction', [txhash, 2])
      const bytes = Buffer.from(memo, 'utf8')
      const push = bytes.length.toString(16).padStart(2, '0') + bytes.toString('hex')
      expect(vout[memoPos]).toMatchObject({ value: 0, scriptPubKey: { hex: `6a${push}` } })
      const others = vout.toSpliced(memoPos, 1)
      expect(others.map(({ scriptPubKey }) => scriptPubKey.address)).toEqual([RECIPIENT, from])
      expect(others[0]?.value).toBe(0.0005)
      expect(Math.round(fee * 1e8)).toBe(Math.ceil(vsize * 2.5))
    }

    const wrong: [field: string, fields: object][] = [
      ['from', { from: 7 }],
      ['to', { to: 'bcrt1qnobody' }],
      ['value', { value: '0.000000001' }],
      ['value', { value: -1 }],
      ['satBytes', { satBytes: 'fast' }],
      ['memo', { memo: 'é'.repeat(41), memoPos: 0 }],
      ['memoPos', { memo: 'x', memoPos: 3 }],
      ['memoPos', { memo: 'x', memoPos: 0.5 }],
    ]
    for (const [field, fields] of wrong) {
      const outcome = await dapp.request('send', { ...payment, ...fields })
      expect(outcome).toMatchObject({
        error: { code: -32602, message: expect.stringMatching(new RegExp(`\\b${field}\\b`)) },
      })
    }
    expect(await wallet.countApprovalWindows()).toBe(0)
  })

  it('hears of account switches, locking and unlocking as connected pages do', async () => {
    const { wallet } = world
    const dapp = await world.openConnected()
    await dapp.record('accountChanged', 'accountsChanged', 'connect', 'disconnect')
    expect(await dapp.events()).toEqual([])
    await wallet.chooseAccount('Account 2 Native')
    await expect
      .poll(() => dapp.events())
      .toEqual([
        { event: 'accountsChanged', args: [[]] },
        { event: 'disconnect', args: expect.anything() },
      ])
    await wallet.chooseAccount('Account 1 Taproot')
    await expect
      .poll(async () => (await dapp.events()).slice(2).map(({ event }) => event))
      .toEqual(expect.arrayContaining(['accountChanged', 'accountsChanged']))
  })
})

/** An address of nobody in particular: the generator point’s, from BIP-173’s example key. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
