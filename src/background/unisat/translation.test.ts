import { Transaction } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import type { Response } from '../../provider/envelope.ts'
import type { UnisatName } from '../../provider/unisat-names.ts'
import { startWithAtomicals } from '../testing/atomical-wallet.ts'
import {
  inputsOf,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SITE,
  startFunded,
} from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import {
  isSignedElsewhere,
  publishPrevious,
  type Signing,
  startSigner,
} from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import {
  decideNext,
  fund,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
} from '../testing/test-wallet.ts'

type Page = Pick<ReturnType<typeof openPage>, 'call'>

const ask = (page: Page, name: UnisatName, ...params: unknown[]) =>
  page.call(`unisat.${name}`, ...params)

function readResult<T>(response: Response): T {
  if (!('result' in response)) throw new Error(JSON.stringify(response))
  return response.result as T
}

const askResult = async <T>(...asked: Parameters<typeof ask>) => readResult<T>(await ask(...asked))

describe('window.unisat', () => {
  it('connects with one question, is silent afterwards, and lets go', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answer = ask(page, 'requestAccounts')
    await decideNext(worker, 'approve', 'connect')
    const accounts = readResult<string[]>(await answer)
    expect(await askResult(page, 'requestAccounts')).toEqual(accounts)
    expect(await askResult(page, 'getAccounts')).toEqual(accounts)
    expect(await askResult(page, 'disconnect')).toBeNull()
    expect(await askResult(page, 'getAccounts')).toEqual([])
  })

  it('asks once where a client wants the key while it connects', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answers = Promise.all([ask(page, 'requestAccounts'), ask(page, 'getPublicKey')])
    await decideNext(worker, 'approve', 'connect')
    const [accounts, key] = (await answers).map(readResult)
    expect(accounts).toEqual(await askResult(page, 'getAccounts'))
    expect(key).toMatch(/^0[23][0-9a-f]{64}$/)
  })

  it('tells a no as 4001', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answer = ask(page, 'requestAccounts')
    await decideNext(worker, 'reject', 'connect')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
  })

  it('gives the compressed key and balances in sats', async () => {
    const { page, account } = await startFunded(100_000n, 5_000n)
    expect(await askResult(page, 'getPublicKey')).toBe(account.publicKey)
    expect(await askResult(page, 'getBalance')).toEqual({
      ...{ confirmed: 105_000, unconfirmed: 0, total: 105_000 },
    })
  })

  it('counts and lists as free only what a payment would spend', async () => {
    const { world, page, account, txids } = await startInscribed(
      [{ sats: 546n, with: [{}] }],
      [100_000n, 50_000n],
    )
    fund(world, account.address, 9_000n, { confirmed: false })
    expect(await askResult(page, 'getBalanceV2')).toEqual({
      ...{ available: 150_000, unavailable: 9_546, total: 159_546 },
    })
    const coins = await askResult<{ txid: string; satoshis: number }[]>(page, 'getBitcoinUtxos')
    expect(coins.map(({ txid }) => txid).sort()).toEqual([...txids].sort())
    expect(coins.find(({ txid }) => txid === txids[0])).toEqual({
      ...{ txid: txids[0], vout: 0, satoshis: 100_000 },
      // BIP-341: OP_1 and the 32 bytes of the output key, which the address encodes.
      scriptPk: expect.stringMatching(/^5120[0-9a-f]{64}$/),
      ...{ addressType: 2, pubkey: account.publicKey, inscriptions: [], atomicals: [] },
    })
    expect(await askResult(page, 'getBitcoinUtxos', 1, 5)).toEqual(coins.slice(1))
    expect(await askResult(page, 'getBitcoinUtxos', 0, 1)).toEqual(coins.slice(0, 1))
  })
})

describe('networks in UniSat’s words', () => {
  const regtest = { enum: 'BITCOIN_REGTEST', name: 'Bitcoin Regtest', network: 'testnet' }

  it('are told to everybody', async () => {
    const page = openPage(await startUnlocked(), SITE)
    expect(await askResult(page, 'getChain')).toEqual(regtest)
    expect(await askResult(page, 'getNetwork')).toBe('testnet')
  })

  it.each([
    ['BITCOIN_SIGNET', 'Bitcoin Signet', 'testnet'],
    ['BITCOIN_TESTNET4', 'Bitcoin Testnet4', 'testnet'],
    ['BITCOIN_MAINNET', 'Bitcoin Mainnet', 'livenet'],
  ])('switchChain(%j) asks, and resolves the chain', async (chain, name, network) => {
    const { worker, page } = await startFunded()
    const answer = ask(page, 'switchChain', chain)
    await decideNext(worker, 'approve', 'switch-network')
    expect(await answer).toMatchObject({ result: { enum: chain, name, network } })
    expect(await askResult(page, 'getNetwork')).toBe(network)
    expect(await askResult(page, 'getChain')).toEqual({ enum: chain, name, network })
  })

  it('switchNetwork asks nobody for a network that already goes by that word', async () => {
    const { worker, page, world } = await startFunded()
    const { shown } = world.window
    expect(await askResult(page, 'switchNetwork', 'testnet')).toBe('testnet')
    expect(await askResult(page, 'getChain')).toEqual(regtest)
    expect(world.window.shown).toBe(shown)
    const answer = ask(page, 'switchNetwork', 'mainnet')
    await decideNext(worker, 'approve', 'switch-network')
    expect(await answer).toMatchObject({ result: 'livenet' })
  })
})

describe('unisat.sendBitcoin', () => {
  it('pays with one question and resolves the txid', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    const answer = ask(page, 'sendBitcoin', RECIPIENT, '20000', { feeRate: 3 })
    const { review } = await decideNext(worker, 'approve', 'payment')
    expect(review).toMatchObject({ sats: '20000', feeRate: 3, memo: null })
    const txid = readResult<string>(await answer)
    expect(outputsOf(readBroadcast(world, txid))[0]).toEqual({
      ...{ address: RECIPIENT, sats: 20_000n },
    })
  })

  it.each([
    [{ memo: 'grüße' }, 'grüße'],
    [{ memo: toHex(Buffer.from('grüße')) }, 'grüße'],
    [{ memos: ['hello'] }, 'hello'],
    [{ memo: '', memos: ['hello'] }, 'hello'],
  ])('puts %j behind the recipient and shows it', async (options, memo) => {
    const { world, worker, page } = await startFunded(100_000n)
    const answer = ask(page, 'sendBitcoin', RECIPIENT, 20_000, options)
    const { review } = await decideNext(worker, 'approve', 'payment')
    expect(review).toMatchObject({ memo, sats: '20000' })
    const sent = readBroadcast(world, readResult<string>(await answer))
    const text = Buffer.from(memo)
    expect(Buffer.from(sent.getOutput(1).script ?? [])).toEqual(
      Buffer.concat([Buffer.of(0x6a, text.length), text]),
    )
  })

  it('of a locked wallet asks to unlock it for the payment and goes on', async () => {
    const { worker, page } = await startFunded(100_000n)
    await worker.ui('lock', null)
    const answer = ask(page, 'sendBitcoin', RECIPIENT, 20_000, { memo: 'hello' })
    expect((await nextApproval(worker, 'unlock')).review).toMatchObject({ method: 'send' })
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', 'payment')
    expect(await answer).toHaveProperty('result')
  })

  it('sends nothing where the person says no', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    const answer = ask(page, 'sendBitcoin', RECIPIENT, 20_000)
    await decideNext(worker, 'reject', 'payment')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
  })
})

describe('runes in UniSat’s words', () => {
  it('are listed as our own provider lists them', async () => {
    const { world, page, account } = await startFunded(50_000n)
    const outpoint = `${fund(world, account.address, 546n)}:0`
    world.assets.etch(outpoint, { name: 'GOLD•OF•TESTS', rune: '90:1', amount: 7n })
    expect(await askResult(page, 'getRunes', 0, 5)).toMatchObject({
      ...{ total: 1 },
      list: [{ id: '90:1', amount: '7', coins: [{ output: outpoint }] }],
    })
    expect(await askResult(page, 'getRunes', 1)).toEqual({ total: 1, list: [] })
  })
})

describe('inscriptions in UniSat’s words', () => {
  it('are listed without what is no inscription', async () => {
    const inscribed = [{ body: 'a' }]
    const nft = { sats: 600n, with: [{ number: 7 }] }
    const { page } = await startWithAtomicals([{ sats: 546n, with: [], inscribed }, nft])
    const range = [0, 500]
    expect(await askResult(page, 'getInscriptions', ...range)).toMatchObject({
      total: 1,
      list: [{ inscriptionId: expect.stringMatching(/^[0-9a-f]{64}i0$/), outputValue: 546 }],
    })
  })

  it('are sent with one question', async () => {
    const { world, worker, page, ids, outpoints } = await startInscribed([
      { sats: 546n, with: [{}] },
    ])
    const answer = ask(page, 'sendInscription', RECIPIENT, ids[0], { feeRate: 2 })
    await decideNext(worker, 'approve', 'payment')
    const txid = readResult<string>(await answer)
    expect(inputsOf(readBroadcast(world, txid))[0]).toBe(outpoints[0])
    expect(outputsOf(readBroadcast(world, txid))[0]?.address).toBe(RECIPIENT)
  })

  it('that transfer BRC-20 hold what the person says, whatever the page proposes', async () => {
    const { world, worker, page, account } = await startFunded(100_000n)
    world.brc20.deploy('ordi', { decimals: 1, minted: '1000' })
    world.brc20.credit(account.address, 'ordi', '80', '20')
    const answer = ask(page, 'inscribeTransfer', 'ordi', '10')
    const { key, digest, review } = await nextApproval(worker, 'brc20-amount')
    expect(review).toMatchObject({ tick: 'ordi', proposed: '10' })
    await worker.ui('decide', { key, digest, decision: 'approve', input: '12.5' })
    await decideNext(worker, 'approve', 'inscribe')
    const result = readResult(await answer)
    const [, reveal] = world.chain.broadcasts
    expect(result).toEqual({ inscriptionId: `${reveal}i0`, ticker: 'ordi' })
  })
})

describe('messages in UniSat’s words', () => {
  it.each(ADDRESS_TYPES)('are signed by ECDSA unless the page says otherwise (%s)', async type => {
    const { page, worker, account } = await startSigner(type)
    const answer = ask(page, 'signMessage', 'Grüße', '')
    const { review } = await decideNext(worker, 'approve', 'sign-message')
    expect(review).toMatchObject({ message: 'Grüße', type: 'ecdsa' })
    const signature = readResult<string>(await answer)
    expect(Buffer.from(signature, 'base64')).toHaveLength(65)
    expect(Verifier.verifySignature(account.address, 'Grüße', signature)).toBe(true)
  })

  it('are verified by BIP-322, as 1 or 0', async () => {
    const { page, worker, account } = await startSigner('p2tr')
    const answer = ask(page, 'signMessage', 'hello', 'bip322-simple')
    await decideNext(worker, 'approve', 'sign-message')
    const signature = readResult<string>(await answer)
    expect(Verifier.verifySignature(account.address, 'hello', signature)).toBe(true)
    const verify = (...given: unknown[]) => askResult(page, 'verifyMessageOfBIP322Simple', ...given)
    expect(await verify(account.address, 'hello', signature)).toBe(1)
    expect(await verify(account.address, 'hello', signature, 1)).toBe(1)
    expect(await verify(account.address, 'hallo', signature)).toBe(0)
    expect(await verify(RECIPIENT, 'hello', signature)).toBe(0)
    expect(await verify('me', 'hello', signature)).toBe(0)
  })

  it.each(['ecdsa', 'bip322'])(
    'signed as %s, which is not the simple form, does not verify as it',
    async type => {
      const { page, worker, account } = await startSigner('p2sh-p2wpkh')
      const answer = page.call('signMessage', 'hello', type)
      await decideNext(worker, 'approve', 'sign-message')
      const signature = readResult<string>(await answer)
      expect(
        await askResult(page, 'verifyMessageOfBIP322Simple', account.address, 'hello', signature),
      ).toBe(0)
    },
  )

  it.each(['signMessages', 'multiSignMessage'] as const)(
    'several are signed with one question by %s',
    async name => {
      const { page, worker, account } = await startSigner('p2wpkh')
      const answer = ask(page, name, [{ text: 'one' }, { text: 'two', type: 'bip322-simple' }])
      const { review } = await decideNext(worker, 'approve', 'sign-messages')
      expect(review).toMatchObject({ messages: [{ message: 'one' }, { message: 'two' }] })
      const [one = '', two = ''] = readResult<string[]>(await answer)
      expect(Buffer.from(one, 'base64')).toHaveLength(65)
      expect(Verifier.verifySignature(account.address, 'one', one)).toBe(true)
      expect(Verifier.verifySignature(account.address, 'two', two)).toBe(true)
    },
  )
})

describe('PSBTs in UniSat’s words', () => {
  const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

  function ownInput({ account, key }: Signing) {
    const { addressType: type, publicKey } = account
    return {
      ...{ type, key, amount: 50_000n },
      proof: type === 'p2pkh' ? ('previous' as const) : ('witness' as const),
      fields: type === 'p2tr' ? { tapInternalKey: fromHex(publicKey).slice(1) } : {},
    }
  }

  function build(site: Signing, own: { sighash?: number } = {}, isShared = false) {
    const foreign = isShared ? [stranger(10_000n)] : []
    return publishPrevious(
      site,
      buildFresh({
        inputs: [{ ...ownInput(site), ...own }, ...foreign],
        outputs: [stranger(49_000n), ...(isShared ? [stranger(9_000n)] : [])],
      }),
    )
  }

  async function approve(site: Signing, name: 'signPsbt' | 'signPsbts', ...params: unknown[]) {
    const answer = ask(site.page, name, ...params)
    await decideNext(site.worker, 'approve', 'sign-psbt')
    return [readResult<string | string[]>(await answer)].flat()
  }

  const readPsbt = (hex = '') => Transaction.fromPSBT(fromHex(hex))

  it.each(ADDRESS_TYPES)('come back final where nothing else is said (%s)', async type => {
    const site = await startSigner(type)
    const built = build(site)
    const [signed = ''] = await approve(site, 'signPsbt', toHex(built.bytes))
    expect(readPsbt(signed).isFinal).toBe(true)
    expect(toHex(readPsbt(signed).unsignedTx)).toBe(
      toHex(Transaction.fromPSBT(built.bytes).unsignedTx),
    )
    // Of P2PKH the signature is part of the txid, and there is more than one that is right.
    if (type !== 'p2pkh') expect(readPsbt(signed).id).toBe(signElsewhere(built, site.key).txid)
    const pushed = await ask(site.page, 'pushPsbt', signed)
    expect(pushed).toMatchObject({ result: readPsbt(signed).id })
  })

  it.each([
    [{ index: 0 }, 'address'],
    [{ index: '0', sighashTypes: ['1'] }, 'address'],
    [{ index: 0, useTweakedSigner: true, disableTweakSigner: true }, 'publicKey'],
  ])('are signed where %j names it by %s', async (input, by) => {
    const site = await startSigner('p2tr')
    const { address, publicKey } = site.account
    const named = by === 'address' ? { address } : { publicKey }
    const options = { autoFinalized: false, toSignInputs: [{ ...input, ...named }] }
    const hex = toHex(build(site, 'sighashTypes' in input ? { sighash: 1 } : {}, true).bytes)
    const [signed = ''] = await approve(site, 'signPsbt', hex, options)
    expect(isSignedElsewhere(signed, 0)).toBe(true)
    expect(readPsbt(signed).getInput(0)).not.toHaveProperty('finalScriptWitness')
    expect(readPsbt(signed).getInput(1)).not.toHaveProperty('partialSig')
  })

  it('are signed by their own sighash types where no input is named, and only then', async () => {
    const site = await startSigner('p2wpkh')
    const hex = toHex(build(site, { sighash: 0x81 }, true).bytes)
    const [signed = ''] = await approve(site, 'signPsbt', hex, { autoFinalized: false })
    const [[, signature] = []] = readPsbt(signed).getInput(0).partialSig ?? []
    expect(signature?.at(-1)).toBe(0x81)
    const toSignInputs = [{ index: 0, address: site.account.address }]
    expect(await ask(site.page, 'signPsbt', hex, { toSignInputs })).toMatchObject({
      error: { data: { reason: 'SIGHASH_REFUSED' } },
    })
  })

  it('are several in one question, with options that have holes', async () => {
    const site = await startSigner('p2wpkh')
    const psbts = [build(site), build(site, {}, true)].map(({ bytes }) => toHex(bytes))
    const signed = await approve(site, 'signPsbts', psbts, [null, { autoFinalized: false }])
    expect(readPsbt(signed[0]).isFinal).toBe(true)
    expect(isSignedElsewhere(signed[1] ?? '', 0)).toBe(true)
    expect(readPsbt(signed[1]).getInput(0)).not.toHaveProperty('finalScriptWitness')
  })

  it('are never sent by signing, whatever else the options say', async () => {
    const site = await startSigner('p2wpkh')
    await approve(site, 'signPsbt', toHex(build(site).bytes), { broadcast: true })
    expect(site.world.chain.broadcasts).toEqual([])
  })

  it('and transactions are pushed in the forms that clients have', async () => {
    const site = await startSigner('p2wpkh')
    const built = build(site)
    const { raw, txid } = signElsewhere(built, site.key)
    await approve(site, 'signPsbt', toHex(built.bytes))
    expect(await ask(site.page, 'pushTx', { rawtx: raw })).toMatchObject({ result: txid })
    expect(await ask(site.page, 'pushTx', raw)).toMatchObject({ result: txid })
  })
})
