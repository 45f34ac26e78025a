import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../bitcoin/address.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'

const PAGE = { offset: 0, limit: 60 }
const HTML = { contentType: 'text/html', body: '<script>drain()</script>' }

async function start(...kinds: { contentType?: string; body?: string }[]) {
  const started = await startInscribed(
    kinds.map((kind, at) => ({ sats: 600n + BigInt(at), with: [kind] })),
  )
  const { worker } = started
  const list = async (group: 'shown' | 'spam' = 'spam') =>
    (await worker.ui('getInscriptions', { ...PAGE, group })).inscriptions.map(({ id }) => id)
  const readHistory = () => worker.ui('getOverview', { retry: false })
  return { ...started, list, readHistory }
}

describe('possible spam', () => {
  it('is what strangers sent, once the history says that they did, and is kept with one press', async () => {
    const { worker, ids, list, readHistory } = await start(HTML, { body: 'a poem' })
    const [page = '', poem = ''] = ids
    expect(await list()).toEqual([])
    await readHistory()
    expect(await list()).toEqual([page])
    expect(await list('shown')).toEqual([poem])
    expect((await worker.ui('getInscription', { id: page })).sorting).toEqual({
      ...{ group: 'spam', why: 'code' },
    })
    await worker.ui('sortInscriptions', { ids: [page], children: false, choice: 'kept' })
    expect(await list()).toEqual([])
  })

  it('is not what this wallet inscribed itself', async () => {
    const { worker, world, list, readHistory } = await start()
    const plan = await worker.ui('planInscribe', {
      ...{ items: [{ kind: 'file', contentType: 'text/html', hex: '3c703e', encoding: null }] },
      ...{ postage: 546, feeRate: 2, parent: null, metadata: null, label: '' },
    })
    await worker.ui('confirmInscribe', plan)
    world.chain.mine()
    await readHistory()
    expect(await list()).toEqual([])
  })

  it('is set apart only where the person wants it', async () => {
    const { worker, list, readHistory } = await start(HTML)
    await readHistory()
    expect(await list()).toHaveLength(1)
    await worker.ui('changeSettings', { sortSpam: false })
    expect(await list()).toEqual([])
  })

  it('is what shows the same three times, once that was seen; token operations are alike and none', async () => {
    const copy = { body: 'Claim at example.com' }
    const token = { body: '{"p":"brc-20","op":"transfer","tick":"ordi","amt":"1"}' }
    const { worker, ids, list, readHistory } = await start(copy, copy, copy, token, token, token)
    await readHistory()
    expect(await list()).toEqual([])
    for (const id of ids) await worker.ui('getInscriptionContent', { id, preview: true })
    expect((await list()).sort()).toEqual(ids.slice(0, 3).sort())
  })

  it('stays where it is when one of three copies is kept, or hidden', async () => {
    const copy = { body: 'Claim at example.com' }
    const { worker, ids, list, readHistory } = await start(copy, copy, copy)
    await readHistory()
    await list()
    for (const id of ids) await worker.ui('getInscriptionContent', { id, preview: true })
    const [first = '', ...others] = ids
    for (const choice of ['kept', 'hidden'] as const) {
      await worker.ui('sortInscriptions', { ids: [first], children: false, choice })
      expect((await list()).sort(), choice).toEqual(others.sort())
    }
  })

  it('is what came in a transaction to ten addresses, and not in one to nine', async () => {
    const { world, account, list, readHistory } = await start()
    const receive = (recipients: number) => {
      const transaction = new Transaction()
      transaction.addInput(crypto.getRandomValues(new Uint8Array(32)), 0)
      transaction.addOutput(parseAddress(account.address, 'regtest').scriptPubKey, 600n)
      for (let other = 1; other < recipients; other++)
        transaction.addOutput(Uint8Array.of(0x00, 0x14, ...new Uint8Array(20).fill(other)), 600n)
      return world.assets.inscribe(`${world.chain.add(transaction.toBuffer())}:0`)
    }
    const [, ten] = [receive(9), receive(10)]
    await readHistory()
    expect(await list()).toEqual([ten])
  })

  it('asks nobody about transactions, and the index about what came unasked alone', async () => {
    const { world, ids, list, readHistory } = await start(HTML, { body: 'a poem' })
    await readHistory()
    const before = world.assets.asked.length
    await list()
    const asked = world.assets.asked.slice(before).filter(one => one.startsWith('inscriptions'))
    expect(asked.length).toBeGreaterThan(0)
    for (const question of asked)
      for (const id of question.split(' ').slice(1)) expect(ids).toContain(id)
  })
})
