import * as ecc from '@bitcoinerlab/secp256k1'
import { p2pkh, Transaction } from '@scure/btc-signer'
import { Transaction as RawTransaction, script } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft, RECIPIENT, REGTEST } from '../../src/background/testing/funded-wallet.ts'
import { connectPage, nextApproval } from '../../src/background/testing/test-wallet.ts'
import { fromHex, toHex } from '../../src/bitcoin/bytes.ts'
import { ADDRESS_TYPES } from '../../src/bitcoin/testing/spending.ts'
import type { InscribeAnswer } from '../../src/devnet/ord/inscribe-routes.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'
import { payOnCore, signAll, startOnCore } from '../fixtures/core-account.ts'
import { type CoreDevice, startCoreDevice } from '../fixtures/core-device.ts'

const SIGHASH_ALL = 1

// The device is Bitcoin Core, which knows nothing but the PSBTs; devnet's node judges what comes of them.

let devnet: Devnet
let device: CoreDevice

beforeAll(async () => {
  // One after the other: the first may have to fetch bitcoind.
  devnet = await startDevnet()
  device = await startCoreDevice()
  // The node's own wallet is somebody else.
  await devnet.rpc('createwallet', ['peer'])
})
afterAll(() => Promise.all([devnet?.stop(), device?.stop()]))

async function isMined(txid: string): Promise<boolean> {
  const { confirmations = 0 } = await devnet.rpc<{ confirmations?: number }>('getrawtransaction', [
    txid,
    true,
  ])
  return confirmations > 0
}

describe.each(ADDRESS_TYPES)('an account of Bitcoin Core’s keys, %s,', addressType => {
  it('pays, speeds up, and moves an inscription; the node takes all of it', async () => {
    const { worker, account } = await startOnCore({ devnet, device }, addressType)
    const recipients = [{ to: RECIPIENT, sats: '30000' }]
    const first = await payOnCore(
      device,
      worker,
      await worker.ui('planPayment', draft({ recipients })),
    )
    const second = await payOnCore(
      device,
      worker,
      await worker.ui('planBump', { txid: first, kind: 'speed-up', feeRate: 20 }),
    )
    await devnet.mine(1)
    expect(await isMined(second)).toBe(true)

    const reply = await createClient(devnet).post('/devnet/inscribe', {
      ...{ address: account.address, body: 'moved by a device' },
    })
    const {
      ids: [id = ''],
    } = JSON.parse(reply.body) as InscribeAnswer
    await devnet.mine(1)
    const moved = await payOnCore(
      device,
      worker,
      await worker.ui('planTransfer', { ids: [id], to: RECIPIENT, feeRate: 3, label: '' }),
    )
    await devnet.mine(1)
    expect(await isMined(moved)).toBe(true)
  })
})

describe.each(ADDRESS_TYPES)('a PSBT of somebody else that the person brings, %s,', addressType => {
  it('is signed by the device and by the node’s wallet, combined, finalized and mined', async () => {
    const { worker, account } = await startOnCore({ devnet, device }, addressType)
    const peer = await devnet.rpc<string>('getnewaddress', ['', 'bech32'])
    await devnet.faucet(peer, 90_000n)
    await devnet.mine(1)
    const coins = await worker.ui('getCoins', null)
    const ours = coins.find(({ sats }) => sats === '120000')?.outpoint.split(':') ?? []
    const scanned = await devnet.rpc<{ unspents: { txid: string; vout: number }[] }>(
      'scantxoutset',
      ['start', [`addr(${peer})`]],
    )
    const inputs = [{ txid: ours[0], vout: Number(ours[1]) }, ...scanned.unspents]
    expect(inputs).toHaveLength(2)
    const created = await devnet.rpc<string>('createpsbt', [inputs, [{ [RECIPIENT]: 0.002 }]])
    const psbt = await devnet.rpc<string>('utxoupdatepsbt', [created])
    const { id } = await worker.ui('loadPsbt', { psbt })
    const { digest, toSign } = await worker.ui('reviewPsbt', { id })
    expect(toSign).toBe(1)
    const { task } = await worker.ui('getPsbtTask', { id, digest })
    const signed = await worker.ui('signPsbt', {
      ...{ id, digest, returned: await signAll(device, task) },
    })
    expect(signed).toMatchObject({ signed: true, final: 0 })
    expect(signed.psbt).not.toContain(account.fingerprint)
    const theirs = await devnet.rpc<{ psbt: string }>('walletprocesspsbt', [psbt])
    await worker.ui('combinePsbt', { id, psbt: theirs.psbt })
    expect(await worker.ui('reviewPsbt', { id })).toMatchObject({ toSign: 0, ready: true })
    await worker.ui('finalizePsbt', { id })
    const push = await worker.ui('reviewPsbtPush', { id })
    const sent = await worker.ui('pushPsbt', { id, digest: push.digest })
    await devnet.mine(1)
    expect(await isMined(sent.txid)).toBe(true)
  })
})

describe('a listing of an account whose key is on a device', () => {
  it.each(['p2tr', 'p2wpkh'] as const)('is signed there alone, and sold: %s', async addressType => {
    const { world, worker, account } = await startOnCore({ devnet, device }, addressType)
    const page = await connectPage(worker, 'https://market.example')
    // Another test's change may be on the account's further addresses, which sites do not know.
    const coins = await worker.ui('getCoins', null)
    const coin = coins.find(({ sats }) => sats === '120000')
    const [txid = '', vout = ''] = coin?.outpoint.split(':') ?? []
    const psbt = new Transaction()
    const previous = await world.chain.chain.fetchTransaction(txid)
    psbt.addInput({
      ...{ txid: fromHex(txid), index: Number(vout), nonWitnessUtxo: previous },
      sighashType: 0x83,
      ...(addressType === 'p2tr' && { tapInternalKey: fromHex(account.publicKey).slice(1) }),
    })
    psbt.addOutputAddress(account.address, BigInt(coin?.sats ?? 0) + 5_000n, REGTEST)
    const toSignInputs = [{ index: 0, address: account.address, sighashTypes: [0x83] }]
    const answer = page.call('signPsbt', toHex(psbt.toPSBT(0)), { toSignInputs })
    const asked = await nextApproval(worker, 'sign-psbt')
    await worker.ui('decide', { key: asked.key, digest: asked.digest, decision: 'approve' })
    const { key, digest, review } = await nextApproval(worker, 'sign-on-device')
    if (review.kind !== 'sign-on-device') throw new Error('Wrong review')
    const input = await signAll(device, review, 'SINGLE|ANYONECANPAY')
    await worker.ui('decide', { key, digest, decision: 'approve', input })
    const response = await answer
    const listed = Transaction.fromPSBT(
      fromHex('result' in response ? String(response.result) : ''),
    )
    // Whoever buys adds a coin and takes what the listing spends.
    const client = createClient(devnet)
    const buyer = createTestWallet(`buyer of ${addressType}`)
    const paying = await client.fund(buyer, 400_000n)
    const { finalScriptWitness = [], sequence } = listed.getInput(0)
    const paid = listed.getOutput(0)
    const sale = new RawTransaction()
    sale.version = listed.version
    sale.addInput(fromHex(txid).reverse(), Number(vout), sequence)
    sale.setWitness(0, finalScriptWitness)
    sale.addOutput(paid.script ?? new Uint8Array(), paid.amount ?? 0n)
    sale.addInput(fromHex(paying.txid).reverse(), paying.vout)
    sale.addOutput(buyer.script, 300_000n)
    const code = p2pkh(buyer.publicKey).script
    const hash = sale.hashForWitnessV0(1, code, paying.value, SIGHASH_ALL)
    const signature = script.signature.encode(ecc.sign(hash, buyer.privateKey), SIGHASH_ALL)
    sale.setWitness(1, [signature, buyer.publicKey])
    const sold = await client.broadcast(sale.toHex())
    await devnet.mine(1)
    expect(await isMined(sold)).toBe(true)
  })
})
