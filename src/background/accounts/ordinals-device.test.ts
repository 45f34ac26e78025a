import { p2tr, Transaction } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { spendOf } from '../../bitcoin/testing/spending.ts'
import { createBackup, elsewhere, restore, startFresh } from '../backup/testing/full-wallet.ts'
import {
  addDevice,
  addPairedDevice,
  approveOnDevice,
  createDevice,
  payOnDevice,
  startPairedOnDevice,
} from '../testing/device-wallet.ts'
import {
  draft,
  inputsOf,
  outputsOf,
  RECIPIENT,
  REGTEST,
  readBroadcast,
  SITE,
} from '../testing/funded-wallet.ts'
import { connectPage, decideNext, fund, startUnlocked } from '../testing/test-wallet.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'

const PAYMENT_TYPES = ['p2wpkh', 'p2sh-p2wpkh'] as const
const resultOf = (response: object) => Reflect.get(response, 'result')
const keyOf = (key: Uint8Array) => Buffer.from(key).toString('hex')

/** Such an account with 100,000 sats for payments, and an inscription on its Taproot address. */
async function startInscribed(type: (typeof PAYMENT_TYPES)[number] = 'p2wpkh') {
  const started = await startPairedOnDevice(type, 100_000n)
  const { world, txids, holding } = started
  const inscribed = `${fund(world, holding, 546n)}:0`
  const id = world.assets.inscribe(inscribed, { body: 'Number 0' })
  return { ...started, id, clean: `${txids[0]}:0`, inscribed }
}

/** What a PSBT for the device says of the keys of its inputs, as `m/84'/1'/0'/0/0`, and whether it has their previous transactions. */
function readOrigins({ tasks }: SignOnDeviceReview) {
  return tasks.flatMap(({ psbt }) => {
    const read = Transaction.fromPSBT(fromHex(psbt), { allowUnknownOutputs: true })
    return Array.from({ length: read.inputsLength }, (_, at) => {
      const { bip32Derivation = [], tapBip32Derivation = [], nonWitnessUtxo } = read.getInput(at)
      const origins = [
        ...bip32Derivation.map(([, origin]) => origin),
        ...tapBip32Derivation.map(([, { der }]) => der),
      ]
      const paths = origins.map(({ fingerprint, path }) => {
        const steps = path.map((step: number) => (step >= 2 ** 31 ? `${step - 2 ** 31}'` : step))
        return `${fingerprint.toString(16).padStart(8, '0')}/${steps.join('/')}`
      })
      return { paths, isProven: nonWitnessUtxo !== undefined }
    })
  })
}

describe('an account on a device with payments on SegWit and ordinals on Taproot', () => {
  it.each(PAYMENT_TYPES)('has the first addresses of both keys: %s', async type => {
    const { device, account } = await startPairedOnDevice(type)
    expect(account).toMatchObject({
      ...{ addressType: type, address: device.addressAt(type, 0, 0) },
      ...{ descriptor: expect.any(String), fingerprint: device.fingerprint },
      ordinals: {
        address: device.addressAt('p2tr', 0, 0),
        publicKey: keyOf(device.publicKeyAt('p2tr', 0, 0)),
        derivationPath: "m/86'/1'/0'/0/0",
      },
    })
  })

  it('is refused where the second key is not the Taproot one beside the first', async () => {
    const worker = await startUnlocked()
    const device = createDevice()
    const stranger = createDevice(new Uint8Array(32).fill(0x78))
    const add = (descriptor: string, ordinals: string) =>
      worker.ui('addDevice', { descriptor, ordinals, name: '' })
    const segwit = device.describe('p2wpkh')
    const pairs: [string, string, string][] = [
      ['another device', segwit, stranger.describe('p2tr')],
      ['another account', segwit, `tr(${device.keyAt("86'/1'/1'")}/<0;1>/*)`],
      ['no Taproot', segwit, device.describe('p2sh-p2wpkh')],
      ['beside Taproot', device.describe('p2tr'), device.describe('p2tr')],
      ['beside Legacy', device.describe('p2pkh'), device.describe('p2tr')],
      ['no origin', segwit, device.describe('p2tr').replace(/\[.*\]/, '')],
      ['no descriptor', segwit, 'tr('],
      ['one address', segwit, device.describe('p2tr').replace('/<0;1>/*', '/0/0')],
    ]
    for (const [what, descriptor, ordinals] of pairs)
      await expect(add(descriptor, ordinals), what).rejects.toMatchObject({
        ...{ code: -32602, message: expect.stringMatching(/^ordinals: /) },
      })
    const keys = [segwit, stranger.describe('p2wpkh')].map(one => one.slice(5, -1))
    await expect(add(`wsh(sortedmulti(1,${keys}))`, device.describe('p2tr'))).rejects.toMatchObject(
      { data: { reason: 'NO_ORDINALS_ADDRESS' } },
    )
    const { accounts } = await worker.ui('getState', null)
    expect(accounts.every(({ source }) => source === 'seed')).toBe(true)
  })

  it('takes no address that another account has, whichever came first', async () => {
    const worker = await startUnlocked()
    const device = createDevice()
    const { id } = await addDevice(worker, device, 'p2tr')
    const exists = { data: { reason: 'ACCOUNT_EXISTS', name: 'Cold' } }
    await expect(addPairedDevice(worker, device)).rejects.toMatchObject(exists)
    await worker.ui('removeAccount', { accountId: id })
    await addPairedDevice(worker, device)
    for (const type of ['p2wpkh', 'p2tr'] as const)
      await expect(addDevice(worker, device, type)).rejects.toMatchObject(exists)
  })

  it('gives its second address up and takes it again without the device', async () => {
    const { worker, account } = await startPairedOnDevice()
    const set = (on: boolean) => worker.ui('setOrdinalsAddress', { accountId: account.id, on })
    const read = async () => (await worker.ui('getState', null)).accounts.at(-1)
    await set(false)
    expect(await read()).toMatchObject({ address: account.address, ordinals: null })
    await set(true)
    expect(await read()).toEqual(account)
  })

  it('has no second address where the device told one key alone', async () => {
    const worker = await startUnlocked()
    const { id } = await addDevice(worker, createDevice(), 'p2wpkh')
    await expect(
      worker.ui('setOrdinalsAddress', { accountId: id, on: true }),
    ).rejects.toMatchObject({ data: { reason: 'NO_ORDINALS_ADDRESS' } })
  })

  it.each(PAYMENT_TYPES)('pays with the coins of the first alone: %s', async type => {
    const { world, worker, device, holding, txids } = await startPairedOnDevice(type, 50_000n)
    fund(world, holding, 90_000n)
    const plan = await worker.ui('planPayment', draft())
    const { txid, task } = await payOnDevice(worker, device, plan)
    expect(task.tasks).toMatchObject([{ pays: [{ address: RECIPIENT, sats: '20000' }] }])
    expect(inputsOf(readBroadcast(world, txid))).toEqual([`${txids[0]}:0`])
  })

  it.each(PAYMENT_TYPES)(
    'sends an inscription from the second with a fee from the first, each input with its key and origin: %s',
    async type => {
      const { world, worker, device, id, clean, inscribed } = await startInscribed(type)
      const order = { ids: [id], to: RECIPIENT, feeRate: 2, label: '' }
      const { txid, task } = await payOnDevice(
        worker,
        device,
        await worker.ui('planTransfer', order),
      )
      const sent = readBroadcast(world, txid)
      expect(inputsOf(sent)).toEqual([inscribed, clean])
      expect(outputsOf(sent)[0]).toEqual({ address: RECIPIENT, sats: 546n })
      const purpose = type === 'p2wpkh' ? 84 : 49
      expect(readOrigins(task)).toEqual([
        { paths: [`${device.fingerprint}/86'/1'/0'/0/0`], isProven: true },
        { paths: [`${device.fingerprint}/${purpose}'/1'/0'/0/0`], isProven: true },
      ])
      expect(task.tasks[0]?.inputs).toMatchObject([
        { addressType: 'p2tr', publicKey: keyOf(device.publicKeyAt('p2tr', 0, 0)) },
        { addressType: type, publicKey: keyOf(device.publicKeyAt(type, 0, 0)) },
      ])
      const bump = await worker.ui('planBump', { txid, kind: 'speed-up', feeRate: 20 })
      const replaced = await payOnDevice(worker, device, bump)
      const again = readBroadcast(world, replaced.txid)
      expect(inputsOf(again).slice(0, 2)).toEqual([inscribed, clean])
      expect(Number(bump.review.fee)).toBeGreaterThanOrEqual(20 * again.vsize)
    },
  )

  it('has one balance over all SegWit addresses and the Taproot one, and pays a fee with coins of several', async () => {
    const { world, worker, device, holding } = await startPairedOnDevice()
    for (const [branch, index] of [
      [0, 7],
      [1, 1],
    ] as const)
      fund(world, device.addressAt('p2wpkh', branch, index), 1_100n)
    const id = world.assets.inscribe(`${fund(world, holding, 546n)}:0`, { body: 'one' })
    const { balance } = await worker.ui('getOverview', { retry: true })
    expect(balance?.confirmed).toBe('2746')
    const order = { ids: [id], to: RECIPIENT, feeRate: 8, label: '' }
    const { task } = await payOnDevice(worker, device, await worker.ui('planTransfer', order))
    const paths = readOrigins(task).map(({ paths: [path] }) => path)
    expect(paths[0]).toBe(`${device.fingerprint}/86'/1'/0'/0/0`)
    expect(new Set(paths.slice(1))).toEqual(
      new Set([`${device.fingerprint}/84'/1'/0'/0/7`, `${device.fingerprint}/84'/1'/0'/1/1`]),
    )
  })

  it('sends runes from the second, and has the rest come back there', async () => {
    const { world, worker, device, holding } = await startPairedOnDevice('p2wpkh', 90_000n)
    const runic = `${fund(world, holding, 546n)}:0`
    const rune = 'GOLD•OF•TESTS'
    world.assets.etch(runic, { name: rune, rune: '90:1', amount: 1_000n, divisibility: 2 })
    const orders = [{ rune, amount: '3.5', to: RECIPIENT }]
    const plan = await worker.ui('planRuneTransfer', { orders, feeRate: 2, label: '' })
    const { txid } = await payOnDevice(worker, device, plan)
    const outputs = outputsOf(readBroadcast(world, txid))
    const held = outputs.flatMap(({ address }, vout) =>
      world.assets
        .truth(`${txid}:${vout}`)
        .map(asset => [address, 'amount' in asset && asset.amount]),
    )
    expect(held).toEqual(
      expect.arrayContaining([
        [holding, 650n],
        [RECIPIENT, 350n],
      ]),
    )
  })

  it('has a backup that brings both back', async () => {
    const { world, worker, account, holding } = await startPairedOnDevice()
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    await restore(there, file)
    await there.ui('selectNetwork', { network: 'regtest' })
    const { accounts } = await there.ui('getState', null)
    const { id: _, ...restored } = accounts.find(({ source }) => source === 'device') ?? {}
    const { id: __, ...before } = account
    expect(restored).toEqual(before)
    expect(restored).toMatchObject({ ordinals: { address: holding } })
  })
})

describe('a site that is connected to an account of two keys on a device', () => {
  it('is told which address is for what', async () => {
    const { page, device, account, holding } = await startPairedOnDevice()
    const [payment, ordinals] = (['p2wpkh', 'p2tr'] as const).map(type =>
      keyOf(device.publicKeyAt(type, 0, 0)),
    )
    expect(resultOf(await page.call('connect'))).toEqual({
      ...{ address: account.address, publicKey: payment, compressedPublicKey: payment },
      ordinals: { address: holding, publicKey: ordinals },
    })
    const asked = { purposes: ['ordinals', 'payment'] }
    for (const method of ['satsConnect.getAddresses', 'satsConnect.getAccounts'] as const) {
      const result = resultOf(await page.call(method, asked))
      expect(result.addresses ?? result).toMatchObject([
        { address: holding, purpose: 'ordinals', publicKey: ordinals?.slice(2) },
        { address: account.address, purpose: 'payment', publicKey: payment },
      ])
    }
    const leather = resultOf(await page.call('leather.getAddresses', {}))
    expect(leather.addresses).toMatchObject([
      { type: 'p2wpkh', address: account.address },
      { type: 'p2tr', address: holding, tweakedPublicKey: ordinals?.slice(2) },
    ])
  })

  it('has texts signed by the address that each names, all in one round', async () => {
    const { worker, device, account, holding, page } = await startPairedOnDevice()
    const froms = [holding, account.address, holding]
    const messages = froms.map((from, at) => ({ text: `text ${at}`, type: 'bip322-simple', from }))
    const answer = page.call('signMessages', messages)
    const review = await approveOnDevice(worker, device, 'sign-messages')
    expect(review.tasks.map(({ inputs }) => inputs[0]?.addressType)).toEqual([
      ...['p2tr', 'p2wpkh', 'p2tr'],
    ])
    const signatures: string[] = resultOf(await answer)
    for (const [at, from] of froms.entries())
      expect(Verifier.verifySignature(from, `text ${at}`, signatures[at] ?? '')).toBe(true)
  })

  it('has a text signed by Taproot where the other address is one that no PSBT signs for', async () => {
    const { worker, device, holding, page } = await startPairedOnDevice('p2sh-p2wpkh')
    expect(await page.call('signMessage', 'hello', { type: 'bip322-simple' })).toHaveProperty(
      'error',
    )
    const answer = page.call('signMessage', 'hello', { type: 'bip322-simple', from: holding })
    await approveOnDevice(worker, device, 'sign-message')
    expect(Verifier.verifySignature(holding, 'hello', resultOf(await answer))).toBe(true)
  })

  it.each(PAYMENT_TYPES)(
    'has the inputs of both signed, and learns nothing of the device: %s',
    async type => {
      const started = await startInscribed(type)
      const { world, worker, device, account, page, inscribed, clean } = started
      const psbt = new Transaction()
      const own = spendOf(type, fromHex(account.publicKey))
      for (const [outpoint, redeem] of [
        [inscribed, {}],
        [clean, 'redeemScript' in own ? { redeemScript: own.redeemScript } : {}],
      ] as const) {
        const txid = outpoint.slice(0, 64)
        const nonWitnessUtxo = world.chain.get(txid)
        psbt.addInput({ txid, index: 0, ...redeem, ...(nonWitnessUtxo && { nonWitnessUtxo }) })
      }
      psbt.addOutputAddress(RECIPIENT, 546n, REGTEST)
      psbt.addOutputAddress(account.address, 99_000n, REGTEST)
      const answer = page.call('signPsbt', toHex(psbt.toPSBT(0)), { autoFinalized: false })
      const review = await approveOnDevice(worker, device, 'sign-psbt')
      expect(review.tasks[0]?.inputs.map(({ addressType }) => addressType)).toEqual(['p2tr', type])
      // What comes back to the account is no payment that the device's screen is to show.
      expect(review.tasks[0]?.pays).toMatchObject([{ address: RECIPIENT }])
      const hex = String(resultOf(await answer))
      expect(hex).not.toContain(device.fingerprint)
      const signed = Transaction.fromPSBT(fromHex(hex))
      signed.finalize()
      expect(signed.isFinal).toBe(true)
    },
  )

  it('lists what is on the Taproot address, under the sighash of a listing', async () => {
    const { world, worker, device, holding, page, inscribed } = await startInscribed()
    const key = device.publicKeyAt('p2tr', 0, 0)
    const psbt = new Transaction()
    psbt.addInput({
      ...{ txid: inscribed.slice(0, 64), index: 0, sighashType: 0x83 },
      witnessUtxo: { script: p2tr(key.slice(1)).script, amount: 546n },
      tapInternalKey: key.slice(1),
    })
    psbt.addOutputAddress(RECIPIENT, 70_000n, REGTEST)
    const toSignInputs = [{ index: 0, address: holding, sighashTypes: [0x83] }]
    const hex = toHex(psbt.toPSBT(0))
    const answer = page.call('signPsbt', hex, { toSignInputs, autoFinalized: false })
    await approveOnDevice(worker, device, 'sign-psbt')
    const [input] = parsePsbt(fromHex(String(resultOf(await answer)))).inputs
    expect(input?.tapKeySig?.length).toBe(65)
    expect(world.chain.broadcasts).toEqual([])
  })

  it('asks again before it sees the address that joins the one it was shown', async () => {
    const worker = await startUnlocked()
    const account = await addPairedDevice(worker, createDevice())
    const set = (on: boolean) => worker.ui('setOrdinalsAddress', { accountId: account.id, on })
    await set(false)
    const page = await connectPage(worker, SITE)
    await set(true)
    expect(resultOf(await page.call('getAccounts'))).toEqual([])
    const answer = page.call('connect')
    await decideNext(worker, 'approve', 'connect')
    expect(resultOf(await answer).ordinals.address).toBe(account.ordinals?.address)
  })
})
