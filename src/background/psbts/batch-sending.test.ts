import { Transaction } from 'bitcoinjs-lib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { BackendUnavailableError, BroadcastRejectedError } from '../../chain/chain-source.ts'
import type { BatchItemParam } from '../../provider/push-params.ts'
import { SITE } from '../testing/funded-wallet.ts'
import { publishPrevious, startSigner } from '../testing/psbt-site.ts'
import { buildFresh, foreign, signElsewhere, stranger } from '../testing/signed-transactions.ts'
import type { PushContext } from './push.ts'
import { approveAt, prepareBatch, sendBatch } from './send-batch.ts'

const GONE = { kind: 'unreachable', host: 'devnet', detail: '', retryInMs: 0 } as const

afterEach(() => void vi.restoreAllMocks())

const item = (
  itemId: string,
  rawTx: string,
  changes: Partial<BatchItemParam> = {},
): BatchItemParam => ({
  ...{ itemId, signedTx: { rawTx }, type: 0, dependItemId: [], inscription: null },
  ...changes,
})

async function start() {
  const site = await startSigner('p2wpkh')
  const context: PushContext = {
    ...{ wallet: site.worker.wallet, account: site.account, network: 'regtest', origin: SITE },
  }
  const { chain } = site.world
  const { broadcast } = chain.chain
  /** The node answers some transactions, by their hex, with an error. */
  const answer = (errors: { [raw: string]: Error }) => {
    chain.chain.broadcast = async bytes => {
      const error = errors[toHex(bytes)]
      if (error) throw error
      return broadcast(bytes)
    }
  }
  const prepare = (...items: BatchItemParam[]) => prepareBatch(context, items)
  /** The results by item, or what the site gets instead. */
  const send = async (...items: BatchItemParam[]) => {
    const { batch } = await prepare(...items)
    return sendBatch(site.worker.wallet, batch)
  }
  return { ...site, context, answer, prepare, send }
}

describe('what a batch is shown as', () => {
  it('is each item in the order of broadcast, with its label, and what all cost together', async () => {
    const site = await start()
    const own = { type: 'p2wpkh' as const, key: site.key, amount: 20_000n }
    const ours = (amount: bigint) =>
      signElsewhere(
        publishPrevious(site, buildFresh({ inputs: [own], outputs: [stranger(amount)] })),
        site.key,
      )
    const [one, two] = [ours(19_000n), ours(18_500n)]
    const other = foreign(site)
    const inscription = `${other.txid}i0`
    const {
      review,
      batch,
      own: coins,
    } = await site.prepare(
      item('one', one.raw, { type: 52, inscription, dependItemId: ['other', 'two'] }),
      item('two', two.raw, { type: 20, inscription: null }),
      item('other', other.raw, { type: 7, inscription }),
    )
    expect(
      review.items.map(({ itemId, about, clean, fee }) => [itemId, about, clean, fee]),
    ).toEqual([
      ['two', { kind: 'nft', inscription: null }, false, '1500'],
      ['other', null, true, '1000'],
      ['one', { kind: 'brc-20', inscription }, false, '1000'],
    ])
    expect(review).toMatchObject({ kind: 'send-batch', total: { netCost: '40000', fee: '3500' } })
    expect(coins.map(({ sats }) => sats)).toEqual(['20000', '20000'])
    expect(batch.itemIds).toEqual(['one', 'two', 'other'])
    expect(batch.steps.map(({ itemId, parents }) => [itemId, parents])).toEqual([
      ['two', []],
      ['other', []],
      ['one', ['other', 'two']],
    ])
    expect(batch.steps.map(({ record }) => record.about?.kind ?? null)).toEqual([
      'nft',
      null,
      'brc-20',
    ])
    const later = approveAt(77, batch)
    expect(later.steps.map(({ record }) => record.at)).toEqual([77, 77, 77])
    expect({ ...later, steps: [] }).toEqual({ ...batch, steps: [] })
  })

  it('has no fee in all where one is not known', async () => {
    const site = await start()
    const unknown = signElsewhere(
      buildFresh({ inputs: [stranger(5_000n)], outputs: [stranger(4_000n)] }),
    )
    const { review } = await site.prepare(item('a', foreign(site).raw), item('b', unknown.raw))
    expect(review.total).toEqual({ netCost: '0', fee: null })
  })

  it('takes what an item spends of another from the batch, for PSBTs too', async () => {
    const site = await start()
    const parent = buildFresh({ inputs: [stranger(10_000n)], outputs: [stranger(9_000n)] })
    publishPrevious(site, parent)
    const { psbt, txid } = signElsewhere(parent)
    const spent = { ...stranger(9_000n), outpoint: { txid, vout: 0 } }
    const child = signElsewhere(buildFresh({ inputs: [spent], outputs: [stranger(8_000n)] }))
    const { fetchTransaction } = site.world.chain.chain
    const asked: string[] = []
    site.world.chain.chain.fetchTransaction = of => {
      asked.push(of)
      return fetchTransaction(of)
    }
    const { review } = await site.prepare(
      item('child', '', { signedTx: { psbt: child.psbt } }),
      item('parent', '', { signedTx: { psbt } }),
    )
    expect(review.items.map(({ itemId, fee }) => [itemId, fee])).toEqual([
      ['parent', '1000'],
      ['child', '1000'],
    ])
    expect(asked).toEqual([...parent.previous.keys()])
  })

  it('is at most 800,000 bytes of transactions', async () => {
    const site = await start()
    const sized = (bytes: number, of: string) => {
      const transaction = Transaction.fromHex(of)
      const missing = bytes - of.length / 2
      // The size of so long a script takes four bytes more than that of none.
      transaction.addOutput(Uint8Array.from([0x6a, ...new Uint8Array(missing - 14)]), 0n)
      const raw = transaction.toHex()
      expect(raw).toHaveLength(2 * bytes)
      return raw
    }
    const [a, b] = [foreign(site).raw, foreign(site).raw]
    const most = [item('a', sized(400_000, a)), item('b', sized(400_000, b))]
    await expect(site.prepare(...most)).resolves.toBeDefined()
    const more = [item('a', sized(400_000, a)), item('b', sized(400_001, b))]
    await expect(site.prepare(...more)).rejects.toMatchObject({
      ...{
        code: -32602,
        message: expect.stringContaining('txs: expected transactions of at most 800000'),
      },
    })
  })
})

describe('what a batch gets for an answer', () => {
  it('is null for what was refused, also where that is all of it', async () => {
    const site = await start()
    const [a, b] = [foreign(site), foreign(site)]
    const refused = new BroadcastRejectedError('dust')
    site.answer({ [a.raw]: refused, [b.raw]: refused })
    expect(await site.send(item('a', a.raw), item('b', b.raw))).toEqual([{ a: null }, { b: null }])
  })

  it('is null for what nobody answered for, where anything was answered at all', async () => {
    const site = await start()
    const [a, b] = [foreign(site), foreign(site)]
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    site.answer({ [a.raw]: new BackendUnavailableError(GONE) })
    expect(await site.send(item('a', a.raw), item('b', b.raw))).toEqual([
      { a: null },
      { b: b.txid },
    ])
    const c = foreign(site)
    site.answer({
      [a.raw]: new BackendUnavailableError(GONE),
      [c.raw]: new BroadcastRejectedError('dust'),
    })
    expect(await site.send(item('a', a.raw), item('c', c.raw))).toEqual([{ a: null }, { c: null }])
    // That a server is away is no fault of ours.
    expect(logged).not.toHaveBeenCalled()
  })

  it('is the first failure where nothing was answered', async () => {
    const site = await start()
    const [a, b] = [foreign(site), foreign(site)]
    vi.spyOn(console, 'error').mockImplementation(() => {})
    site.answer({ [a.raw]: new BackendUnavailableError(GONE), [b.raw]: new TypeError('broken') })
    await expect(site.send(item('a', a.raw), item('b', b.raw))).rejects.toMatchObject({
      ...{ data: { reason: 'BACKEND_UNAVAILABLE', txid: a.txid } },
    })
  })

  it('is null for all that depends on a refused one, however far', async () => {
    const site = await start()
    const [a, b, c] = [foreign(site), foreign(site), foreign(site)]
    site.answer({ [a.raw]: new BroadcastRejectedError('dust') })
    const items = [
      item('a', a.raw),
      item('b', b.raw, { dependItemId: ['a'] }),
      item('c', c.raw, { dependItemId: ['b'] }),
    ]
    expect(await site.send(...items)).toEqual([{ a: null }, { b: null }, { c: null }])
    expect(site.world.chain.broadcasts).toEqual([])
  })
})
