import { TEST_NETWORK, Transaction, WIF } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import { Verifier } from 'bip322-js'
import { describe, expect, it, vi } from 'vitest'
import { createBackup, elsewhere, restore, startFresh } from '../backup/testing/full-wallet.ts'
import {
  inputsOf,
  outputsOf,
  payFromPopup,
  RECIPIENT,
  REGTEST,
  readBroadcast,
  SITE,
} from '../testing/funded-wallet.ts'
import {
  connectPage,
  decideAll,
  decideNext,
  fund,
  PASSWORD,
  startUnlocked,
} from '../testing/test-wallet.ts'
import { addressAt } from './testing/many-addresses.ts'
import { ORDINALS, PAYMENT, PUBLIC_KEYS, startPaired } from './testing/paired.ts'

/** An account with 100,000 sats for payments, and an inscription on its Taproot address. */
async function startInscribed() {
  const paired = await startPaired()
  const { world } = paired
  const clean = fund(world, PAYMENT, 100_000n)
  const inscribed = fund(world, ORDINALS, 546n)
  const id = world.assets.inscribe(`${inscribed}:0`, { body: 'Number 0' })
  return { ...paired, id, clean: `${clean}:0`, inscribed: `${inscribed}:0` }
}

const resultOf = (response: object) => Reflect.get(response, 'result')

describe('an account with a Taproot address for ordinals', () => {
  it('has the addresses of BIP-84 and BIP-86 at one place of the phrase', async () => {
    const { account } = await startPaired()
    expect(account).toMatchObject({
      ...{ addressType: 'p2wpkh', address: PAYMENT, publicKey: PUBLIC_KEYS.payment },
      derivationPath: "m/84'/1'/1'/0/0",
      ordinals: {
        address: ORDINALS,
        publicKey: PUBLIC_KEYS.ordinals,
        derivationPath: "m/86'/1'/1'/0/0",
      },
    })
  })

  it('takes no address that another account has, and gives it free again', async () => {
    const worker = await startUnlocked()
    const { accounts } = await worker.ui('getState', null)
    const [segwit, taproot] = (['p2wpkh', 'p2tr'] as const).map(type =>
      accounts.find(({ addressType }) => addressType === type),
    )
    const set = (on: boolean) =>
      worker.ui('setOrdinalsAddress', { accountId: segwit?.id ?? '', on })
    await expect(set(true)).rejects.toMatchObject({
      data: { reason: 'ACCOUNT_EXISTS', name: taproot?.name },
    })
    await worker.ui('removeAccount', { accountId: taproot?.id ?? '' })
    await set(true)
    const after = await worker.ui('getState', null)
    expect(after.accounts.map(({ ordinals }) => ordinals?.address)).toEqual([taproot?.address])
    // The next Taproot account is another one, and its old place is taken.
    const next = await worker.ui('addAccount', { addressType: 'p2tr', name: '' })
    expect(next.address).not.toBe(taproot?.address)
    const found = [{ addressType: 'p2tr', line: 'accounts', index: 0 }] as const
    expect(await worker.ui('addScanned', { found: [...found] })).toEqual([])
    await set(false)
    expect((await worker.ui('addScanned', { found: [...found] }))[0]?.address).toBe(
      taproot?.address,
    )
  })

  it('is for SegWit accounts of the phrase alone', async () => {
    const worker = await startUnlocked()
    for (const addressType of ['p2tr', 'p2pkh'] as const) {
      const account = await worker.ui('addAccount', { addressType, name: '' })
      await expect(
        worker.ui('setOrdinalsAddress', { accountId: account.id, on: true }),
      ).rejects.toMatchObject({ data: { reason: 'NO_ORDINALS_ADDRESS' } })
      await expect(
        worker.ui('addAccount', { addressType, name: '', ordinals: true }),
      ).rejects.toMatchObject({ data: { reason: 'NO_ORDINALS_ADDRESS' } })
    }
  })

  it('shows what is on both, and pays with the coins of the first alone', async () => {
    const { world, worker } = await startPaired()
    const clean = fund(world, PAYMENT, 50_000n)
    const kept = fund(world, ORDINALS, 90_000n)
    const { balance } = await worker.ui('getOverview', null)
    expect(BigInt(balance?.confirmed ?? 0)).toBe(140_000n)
    const coins = await worker.ui('getCoins', null)
    expect(coins.map(({ outpoint, held }) => [outpoint, held])).toEqual(
      expect.arrayContaining([
        [`${clean}:0`, null],
        [`${kept}:0`, 'ordinals'],
      ]),
    )
    const { txid } = await payFromPopup(worker)
    const paid = readBroadcast(world, txid)
    expect(inputsOf(paid)).toEqual([`${clean}:0`])
    expect(outputsOf(paid).map(({ address }) => address)).toEqual(
      expect.arrayContaining([RECIPIENT, PAYMENT]),
    )
    const recipients = [{ to: RECIPIENT, sats: '60000' }]
    await expect(payFromPopup(worker, { recipients })).rejects.toMatchObject({
      data: { reason: 'COINS_HELD', heldOrdinals: '90000' },
    })
  })

  it('spends a coin of the second together with those of the first once the person allows it', async () => {
    const { world, worker } = await startPaired()
    const coins = [fund(world, PAYMENT, 50_000n), fund(world, ORDINALS, 90_000n)]
    await worker.ui('setCoinChoice', { outpoint: `${coins[1]}:0`, choice: 'unlocked' })
    const recipients = [{ to: RECIPIENT, sats: '130000' }]
    const { txid, review } = await payFromPopup(worker, { recipients, feeRate: 3 })
    const paid = readBroadcast(world, txid)
    expect(new Set(inputsOf(paid))).toEqual(new Set(coins.map(coin => `${coin}:0`)))
    expect(Number(review.fee)).toBe(3 * paid.vsize)
  })

  it('shows what came to either in one activity', async () => {
    const { world, worker } = await startPaired()
    const txids = [fund(world, PAYMENT, 50_000n), fund(world, ORDINALS, 90_000n)]
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    expect(new Set(entries.map(({ txid }) => txid))).toEqual(new Set(txids))
  })

  it('gives the keys of both to the person who has the password', async () => {
    const { worker, account } = await startPaired()
    const shown = await worker.ui('revealKey', { password: PASSWORD, accountId: account.id })
    const keys = [Reflect.get(shown, 'wif'), Reflect.get(shown, 'ordinalsWif')].map(wif =>
      Buffer.from(pubECDSA(WIF(TEST_NETWORK).decode(wif))).toString('hex'),
    )
    expect(keys).toEqual([PUBLIC_KEYS.payment, PUBLIC_KEYS.ordinals])
  })

  it('comes back from a backup with both, and with what it was inscribing', async () => {
    const { world, worker, page } = await startInscribed()
    world.chain.faults.refuse = 'not now'
    void page.call('mint', { type: 61, from: PAYMENT, inscriptions: [{ body: 'hello' }] })
    await decideNext(worker, 'approve', 'inscribe')
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const review = await restore(there, file)
    expect(review.sections.map(({ leftOut }) => leftOut)).toEqual(review.sections.map(() => 0))
    const { accounts } = await there.ui('getState', null)
    expect(accounts.find(({ address }) => address === PAYMENT)?.ordinals?.address).toBe(ORDINALS)
    await there.ui('selectAccount', {
      accountId: accounts.find(({ address }) => address === PAYMENT)?.id ?? '',
    })
    const jobs = await there.ui('getJobs', null)
    expect(jobs).toHaveLength(1)
  })

  it('sends an inscription from the one with a fee from the other', async () => {
    const { world, worker, page, id, clean, inscribed } = await startInscribed()
    const answer = page.call('sendInscription', RECIPIENT, id, { feeRate: 2 })
    const sent = await decideAll(worker, 'approve', answer)
    const transaction = readBroadcast(world, String(resultOf(sent)))
    expect(inputsOf(transaction)).toEqual([inscribed, clean])
    const [first, change] = outputsOf(transaction)
    expect(first).toEqual({ address: RECIPIENT, sats: 546n })
    expect(change?.address).toBe(PAYMENT)
    expect(546n + 100_000n - 546n - (change?.sats ?? 0n)).toBe(BigInt(2 * transaction.vsize))
  })

  it('may have a fresh address for each payment as well', async () => {
    const { world, worker, account, id } = await startInscribed()
    await worker.ui('setManyAddresses', { accountId: account.id, on: true })
    const { address: fresh } = await worker.ui('getReceiveAddress', { after: null })
    expect([PAYMENT, ORDINALS]).not.toContain(fresh)
    fund(world, fresh, 30_000n)
    const { balance } = await worker.ui('getOverview', { retry: true })
    expect(BigInt(balance?.confirmed ?? 0)).toBe(130_546n)
    const plan = await worker.ui('planTransfer', {
      ...{ ids: [id], to: RECIPIENT, feeRate: 2, label: '' },
    })
    const { planId, digest } = plan
    const { txid } = await worker.ui('confirmPayment', { planId, digest })
    const [first, change, ...others] = outputsOf(readBroadcast(world, txid))
    expect([first?.address, others]).toEqual([RECIPIENT, []])
    expect([PAYMENT, ORDINALS, fresh, null]).not.toContain(change?.address ?? null)
  })

  it('inscribes with money of the first, and holds what comes of it on the second', async () => {
    const { world, worker, page } = await startInscribed()
    const answer = page.call('mint', {
      ...{ type: 61, from: PAYMENT, feeRate: 2 },
      inscriptions: [{ body: 'hello' }, { body: 'world' }],
    })
    const { review } = await decideNext(worker, 'approve', 'inscribe')
    expect(review).toMatchObject({ receiver: ORDINALS })
    const { commitTx, revealTxs } = resultOf(await answer)
    expect(outputsOf(readBroadcast(world, commitTx)).at(-1)?.address).toBe(PAYMENT)
    expect(revealTxs).toHaveLength(2)
    for (const txid of revealTxs)
      expect(outputsOf(readBroadcast(world, txid)).map(({ address }) => address)).toEqual([
        ORDINALS,
      ])
  })
})

describe('a site that is connected to such an account', () => {
  it('is told which address is for what', async () => {
    const { page } = await startPaired()
    expect(resultOf(await page.call('connect'))).toEqual({
      ...{ address: PAYMENT, publicKey: PUBLIC_KEYS.payment },
      compressedPublicKey: PUBLIC_KEYS.payment,
      ordinals: { address: ORDINALS, publicKey: PUBLIC_KEYS.ordinals },
    })
    const asked = { purposes: ['ordinals', 'payment'] }
    const { addresses } = resultOf(await page.call('satsConnect.getAddresses', asked))
    expect(addresses).toMatchObject([
      {
        ...{ address: ORDINALS, purpose: 'ordinals', addressType: 'p2tr' },
        publicKey: PUBLIC_KEYS.ordinals.slice(2),
      },
      {
        ...{ address: PAYMENT, purpose: 'payment', addressType: 'p2wpkh' },
        publicKey: PUBLIC_KEYS.payment,
      },
    ])
    const leather = resultOf(await page.call('leather.getAddresses', {}))
    expect(leather.addresses).toMatchObject([
      { type: 'p2wpkh', address: PAYMENT },
      { type: 'p2tr', address: ORDINALS, tweakedPublicKey: PUBLIC_KEYS.ordinals.slice(2) },
    ])
  })

  it('is told where each inscription is, and the balance for payments', async () => {
    const { page, world, id } = await startInscribed()
    const other = world.assets.inscribe(`${fund(world, PAYMENT, 600n)}:0`)
    const { list } = resultOf(await page.call('getInscriptions'))
    expect(
      list.map((one: { inscriptionId: string; address: string }) => [
        one.inscriptionId,
        one.address,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [id, ORDINALS],
        [other, PAYMENT],
      ]),
    )
    expect(resultOf(await page.call('getBalance')).total).toBe(100_600)
  })

  it('gets no coin of the second one told as one of the first', async () => {
    const { world, worker, page, clean } = await startInscribed()
    const outpoint = `${fund(world, ORDINALS, 70_000n)}:0`
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked' })
    const coins = resultOf(await page.call('unisat.getBitcoinUtxos'))
    expect(
      coins.map(({ txid, vout }: { txid: string; vout: number }) => `${txid}:${vout}`),
    ).toEqual([clean])
  })

  it.each([
    ['the one for payments', PAYMENT],
    ['the one for ordinals', ORDINALS],
  ])('has a text signed by the address that it names: %s', async (_, from) => {
    const { worker, page } = await startPaired()
    for (const [method, params, read] of [
      ['signMessage', ['hello', { type: 'bip322-simple', from }], (result: unknown) => result],
      [
        'satsConnect.signMessage',
        [{ address: from, message: 'hello', protocol: 'BIP322' }],
        (result: { signature: string }) => result.signature,
      ],
      [
        'leather.signMessage',
        [{ message: 'hello', paymentType: from === PAYMENT ? 'p2wpkh' : 'p2tr' }],
        (result: { signature: string }) => result.signature,
      ],
    ] as const) {
      const answer = page.call(method, ...params)
      const { review } = await decideNext(worker, 'approve', 'sign-message')
      expect(Reflect.get(review, 'from')).toBe(from === PAYMENT ? undefined : ORDINALS)
      const signature = String(read(resultOf(await answer)))
      expect(Verifier.verifySignature(from, 'hello', signature), method).toBe(true)
    }
  })

  it('has the inputs of both signed, each with its key, named or not', async () => {
    const { world, worker, page, clean, inscribed } = await startInscribed()
    const psbt = new Transaction()
    for (const outpoint of [inscribed, clean]) {
      const [txid = ''] = outpoint.split(':')
      const nonWitnessUtxo = world.chain.get(txid)
      psbt.addInput({ txid, index: 0, ...(nonWitnessUtxo && { nonWitnessUtxo }) })
    }
    psbt.addOutputAddress(RECIPIENT, 546n, REGTEST)
    psbt.addOutputAddress(PAYMENT, 99_000n, REGTEST)
    const bytes = psbt.toPSBT(0)
    const [hex, base64] = (['hex', 'base64'] as const).map(as => Buffer.from(bytes).toString(as))
    const named = { [ORDINALS]: [0], [PAYMENT]: [1] }
    const calls: [string, unknown[], (result: never) => Uint8Array][] = [
      ['signPsbt', [hex, { autoFinalized: false }], result => Buffer.from(result, 'hex')],
      [
        'satsConnect.signPsbt',
        [{ psbt: base64, signInputs: named }],
        ({ psbt }: { psbt: string }) => Buffer.from(psbt, 'base64'),
      ],
      [
        'satsConnect.signPsbt',
        [{ psbt: base64 }],
        ({ psbt }: { psbt: string }) => Buffer.from(psbt, 'base64'),
      ],
      [
        'leather.signPsbt',
        [{ hex, signAtIndex: [0, 1] }],
        ({ hex: signed }: { hex: string }) => Buffer.from(signed, 'hex'),
      ],
      ['unisat.signPsbt', [hex, { autoFinalized: false }], result => Buffer.from(result, 'hex')],
    ]
    for (const [method, params, read] of calls) {
      const answer = await decideAll(worker, 'approve', page.call(method, ...params))
      const signed = Transaction.fromPSBT(read(resultOf(answer) as never))
      signed.finalize()
      expect(signed.isFinal, method).toBe(true)
    }
  })

  it('has no input signed by another address than the one that it names', async () => {
    const { world, page, inscribed } = await startInscribed()
    const [txid = ''] = inscribed.split(':')
    const psbt = new Transaction()
    const nonWitnessUtxo = world.chain.get(txid)
    psbt.addInput({ txid, index: 0, ...(nonWitnessUtxo && { nonWitnessUtxo }) })
    psbt.addOutputAddress(RECIPIENT, 546n, REGTEST)
    const hex = Buffer.from(psbt.toPSBT(0)).toString('hex')
    for (const named of [{ address: PAYMENT }, { publicKey: PUBLIC_KEYS.payment }]) {
      const toSignInputs = [{ index: 0, ...named }]
      expect(await page.call('signPsbt', hex, { toSignInputs })).toHaveProperty('error')
    }
    const stranger = addressAt('p2tr', 0, 1)
    expect(
      await page.call('signPsbt', hex, { toSignInputs: [{ index: 0, address: stranger }] }),
    ).toMatchObject({ error: { code: 4100 } })
  })

  it('asks again before it sees another address than the one that it was shown', async () => {
    const worker = await startUnlocked()
    const account = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Everyday' })
    await worker.ui('selectAccount', { accountId: account.id })
    const page = await connectPage(worker, SITE)
    await worker.ui('setOrdinalsAddress', { accountId: account.id, on: true })
    expect(resultOf(await page.call('getAccounts'))).toEqual([])
    expect(JSON.stringify(page.received)).not.toContain(ORDINALS)
    const answer = page.call('connect')
    await decideNext(worker, 'approve', 'connect')
    expect(resultOf(await answer).ordinals.address).toBe(ORDINALS)
  })

  it('hears of another address when it is switched on or off', async () => {
    const { worker, page, account } = await startPaired()
    const heard = () => page.received.filter(message => 'state' in message).length
    const before = heard()
    await worker.ui('setOrdinalsAddress', { accountId: account.id, on: false })
    await vi.waitFor(() => expect(heard()).toBe(before + 1))
    expect(resultOf(await page.call('connect'))).not.toHaveProperty('ordinals')
  })
})
