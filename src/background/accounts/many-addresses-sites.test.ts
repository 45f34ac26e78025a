import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { outputsOf, RECIPIENT, REGTEST, readBroadcast, SITE } from '../testing/funded-wallet.ts'
import { connectPage, decideAll, fund, nextApproval } from '../testing/test-wallet.ts'

import { addressAt, nextReceiveAddress, pay, startWithMany } from './testing/many-addresses.ts'

describe('a site, with an account of many addresses,', () => {
  it('keeps a change address for its request until that is decided', async () => {
    const { world, worker } = await startWithMany()
    for (let at = 0; at < 4; at++) fund(world, addressAt('p2wpkh', 0, 1), 50_000n)
    const page = await connectPage(worker, SITE)
    const asked = page.call('sendBitcoin', RECIPIENT, 20_000)
    await nextApproval(worker, 'payment')
    const { review } = await pay(worker, '21000')
    expect(review.outputs.at(-1)?.address).toBe(addressAt('p2wpkh', 1, 1))
    const answer = await decideAll(worker, 'approve', asked)
    const txid = 'result' in answer ? String(answer.result) : ''
    expect(outputsOf(readBroadcast(world, txid)).at(-1)?.address).toBe(addressAt('p2wpkh', 1, 0))
  })

  it('sees one fixed address, its balance and its coins alone', async () => {
    const { world, worker, account } = await startWithMany()
    fund(world, addressAt('p2wpkh', 0, 0), 7_000n)
    fund(world, addressAt('p2wpkh', 0, 1), 30_000n)
    const page = await connectPage(worker, SITE)
    await nextReceiveAddress(worker)
    expect(await page.call('getAccounts')).toEqual({
      id: expect.anything(),
      result: [account.address],
    })
    expect(await page.call('getBalance')).toMatchObject({ result: { total: 7_000 } })
    const text = JSON.stringify(page.received)
    for (const index of [1, 2]) expect(text).not.toContain(addressAt('p2wpkh', 0, index))
    expect(text).not.toContain('tpub')
  })

  it('sees no inscription of another address, and the person all of them', async () => {
    const { world, worker } = await startWithMany('p2tr')
    for (const index of [0, 1]) {
      const txid = fund(world, addressAt('p2tr', 0, index), 546n)
      world.assets.inscribe(`${txid}:0`)
      fund(world, addressAt('p2tr', 0, index), 20_000n)
    }
    const page = await connectPage(worker, SITE)
    expect(await page.call('getInscriptions')).toMatchObject({ result: { total: 1 } })
    const all = await worker.ui('getInscriptions', { offset: 0, limit: 10 })
    expect(all.total).toBe(2)
    const addresses = await Promise.all(
      all.inscriptions.map(async ({ id }) => (await worker.ui('getInscription', { id })).address),
    )
    expect(new Set(addresses)).toEqual(new Set([0, 1].map(index => addressAt('p2tr', 0, index))))
    const { result } = (await page.call('getBitcoinUtxos')) as { result?: unknown }
    expect(JSON.stringify(result ?? '')).not.toContain(addressAt('p2tr', 0, 1))
  })

  it('is given no list that was read for the person, and the person none of the site’s', async () => {
    const { world, worker } = await startWithMany('p2tr')
    for (const index of [0, 1, 2]) {
      const txid = fund(world, addressAt('p2tr', 0, index), 546n)
      world.assets.inscribe(`${txid}:0`)
    }
    const page = await connectPage(worker, SITE)
    const list = (offset: number) => worker.ui('getInscriptions', { offset, limit: 10 })
    expect((await list(0)).total).toBe(3)
    expect(await page.call('getInscriptions', 1, 10)).toMatchObject({
      result: { total: 1, list: [] },
    })
    await page.call('getInscriptions', 0, 10)
    expect((await list(1)).total).toBe(3)
  })

  it('is paid from all of them', async () => {
    const { world, worker } = await startWithMany()
    fund(world, addressAt('p2wpkh', 0, 1), 30_000n)
    fund(world, addressAt('p2wpkh', 0, 2), 30_000n)
    const page = await connectPage(worker, SITE)
    const answer = await decideAll(worker, 'approve', page.call('sendBitcoin', RECIPIENT, 50_000))
    const txid = 'result' in answer ? String(answer.result) : ''
    const [first, change] = outputsOf(readBroadcast(world, txid))
    expect(first).toEqual({ address: RECIPIENT, sats: 50_000n })
    expect(change?.address).toBe(addressAt('p2wpkh', 1, 0))
  })

  it('gets signatures of the key of the address that it sees, and of no other', async () => {
    const { world, worker } = await startWithMany()
    const page = await connectPage(worker, SITE)
    const psbt = new Transaction()
    for (const index of [0, 1]) {
      const txid = fund(world, addressAt('p2wpkh', 0, index), 20_000n)
      const nonWitnessUtxo = world.chain.get(txid)
      psbt.addInput({ txid, index: 0, ...(nonWitnessUtxo && { nonWitnessUtxo }) })
    }
    psbt.addOutputAddress(RECIPIENT, 39_000n, REGTEST)
    const hex = Buffer.from(psbt.toPSBT(0)).toString('hex')
    const answer = await decideAll(
      worker,
      'approve',
      page.call('signPsbt', hex, { autoFinalized: false }),
    )
    const result = 'result' in answer ? String(answer.result) : ''
    const read = Transaction.fromPSBT(Buffer.from(result, 'hex'))
    expect([0, 1].map(at => read.getInput(at).partialSig?.length ?? 0)).toEqual([1, 0])
  })

  it('learns no sum of the others from what it asks in vain', async () => {
    const { world, worker } = await startWithMany()
    fund(world, addressAt('p2wpkh', 0, 1), 54_321n)
    fund(world, addressAt('p2wpkh', 0, 2), 12_345n, { confirmed: false })
    const page = await connectPage(worker, SITE)
    const asked: [string, ...unknown[]][] = [
      ['sendBitcoin', RECIPIENT, 60_000],
      ['sendBitcoin', RECIPIENT, 10_000_000],
      ['inscribe', [{ type: 'text', text: 'a' }], { feeRate: 400 }],
    ]
    for (const params of asked) {
      const { error } = (await page.call(...params)) as { error?: object }
      expect(error, params[0]).toBeDefined()
      expect(JSON.stringify(error)).not.toMatch(/54,?321|12,?345|66,?666/)
    }
    expect(JSON.stringify(page.received)).not.toMatch(/54,?321|12,?345|66,?666/)
  })

  it('learns of no inscription of the others by asking to move it', async () => {
    const { world, worker } = await startWithMany('p2tr')
    const txid = fund(world, addressAt('p2tr', 0, 1), 546n)
    world.assets.inscribe(`${txid}:0`)
    fund(world, addressAt('p2tr', 0, 0), 50_000n)
    const page = await connectPage(worker, SITE)
    const hidden = await worker.ui('getInscriptions', { offset: 0, limit: 1 })
    const [held] = hidden.inscriptions
    const unknown = `${'ab'.repeat(32)}i0`
    const answers = await Promise.all(
      [held?.id ?? '', unknown].map(id => page.call('sendInscription', RECIPIENT, id)),
    )
    const [known, other] = answers.map(answer => ('error' in answer ? answer.error.code : null))
    expect(known).toBe(other)
    expect(known).not.toBeNull()
    expect(await worker.ui('getApproval', null)).toBeNull()
  })
})
