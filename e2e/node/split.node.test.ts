import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PreparedCoin } from '../../src/background/sending/outgoing.ts'
import { SITE, selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import { approveSigning, privateKeyOf, resultOf } from '../../src/background/testing/psbt-site.ts'
import { buildPurchase } from '../../src/background/testing/purchase.ts'
import { connectPage, decideNext } from '../../src/background/testing/test-wallet.ts'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { lockOf } from '../../src/bitcoin/testing/psbt-building.ts'
import { formatAddress } from '../../src/devnet/chain/script.ts'
import type { InscribeAnswer } from '../../src/devnet/ord/inscribe-routes.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import type { SiteInscription } from '../../src/provider/inscription-params.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

/** A wallet on devnet with a coin to split and one to pay with, and a page that is connected to it. */
async function startBuyer(addressType: AddressType) {
  const { world, worker } = await startOnDevnet(devnet)
  const added = await worker.ui('addAccount', { addressType, name: 'Buyer' })
  await worker.ui('selectAccount', { accountId: added.id })
  const account = await selectedAccount(worker)
  const page = await connectPage(worker, SITE)
  for (const sats of [30_000n, 100_000n]) await devnet.faucet(account.address, sats)
  return { world, worker, account, page, key: await privateKeyOf(account) }
}

type Buyer = Awaited<ReturnType<typeof startBuyer>>

/** An inscription of somebody who sells it, confirmed. */
async function listInscription() {
  const address = formatAddress(lockOf('p2wpkh').script)
  const reply = await client.post('/devnet/inscribe', {
    address,
    body: 'for sale',
    postage: 10_000,
  })
  const { ids, outpoints } = JSON.parse(reply.body) as InscribeAnswer
  await devnet.mine()
  const [txid = '', vout = ''] = outpoints[0]?.split(':') ?? []
  return { id: ids[0] ?? '', listed: { txid, vout: Number(vout) } }
}

/** The site asks for two small coins, and for the signature of a purchase with them. */
async function prepare(buyer: Buyer) {
  const { page, worker, account } = buyer
  const answer = page.call('splitUtxo', { from: account.address })
  await decideNext(worker, 'approve', 'payment')
  const { result } = (await answer) as { result: { utxos: PreparedCoin[] } }
  const { id, listed } = await listInscription()
  const payment = (await worker.ui('getCoins', null)).find(({ held }) => held === null)
  const [txid = '', vout = ''] = payment?.outpoint.split(':') ?? []
  const coin = { txid, vout: Number(vout), sats: BigInt(payment?.sats ?? 0) }
  // Nobody but the wallet has the small coins' transaction yet: the PSBT tells of them what it must.
  const proof = account.addressType === 'p2pkh' ? 'none' : 'witness'
  const { psbt } = buildPurchase(buyer, result.utxos, coin, { listed, proof })
  const { response } = await approveSigning(buyer, 'signPsbt', psbt)
  return { id, utxos: result.utxos, psbt: resultOf(response) }
}

/** Whether the node has a transaction, and whether a block has it. */
async function stateOf(txid: string): Promise<'unknown' | 'waiting' | 'mined'> {
  const { status, body } = await client.request(`/api/tx/${txid}`)
  if (status !== 200) return 'unknown'
  return JSON.parse(body).status.confirmed ? 'mined' : 'waiting'
}

/** The account's inscriptions after a block, each with the sats of its coin. */
async function listBought({ page }: Buyer): Promise<[string, number][]> {
  await devnet.mine()
  const { result } = (await page.call('getInscriptions', 0, 10)) as {
    result: { list: SiteInscription[] }
  }
  return result.list.map(({ inscriptionId, outputValue }) => [inscriptionId, outputValue])
}

describe('small coins for a purchase, on a real network', () => {
  it.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const)(
    'are made when the signed purchase is pushed, and both are mined (%s)',
    async type => {
      const buyer = await startBuyer(type)
      const { id, utxos, psbt } = await prepare(buyer)
      const txid = utxos[0]?.txId ?? ''
      expect(await stateOf(txid)).toBe('unknown')
      const bought = await buyer.page.call('pushPsbt', psbt)
      expect(bought).toHaveProperty('result')
      expect(await listBought(buyer)).toContainEqual([id, 10_000])
      for (const each of [txid, resultOf(bought)]) {
        expect(await stateOf(each)).toBe('mined')
      }
    },
  )

  it('are the first item of the batch that the purchase depends on', async () => {
    const buyer = await startBuyer('p2tr')
    const { id, utxos, psbt } = await prepare(buyer)
    const [{ txId = '', rawTransaction = '' } = {}] = utxos
    const batch = [
      { itemId: 'buy', signedTx: psbt, type: 52, dependItemId: ['split'] },
      { itemId: 'split', signedTx: rawTransaction, type: 52 },
    ]
    expect(await buyer.page.call('sendPsbt', batch, buyer.account.address)).toMatchObject({
      result: [{ buy: expect.stringMatching(/^[0-9a-f]{64}$/) }, { split: txId }],
    })
    expect(await listBought(buyer)).toContainEqual([id, 10_000])
    expect(await stateOf(txId)).toBe('mined')
  })
})
