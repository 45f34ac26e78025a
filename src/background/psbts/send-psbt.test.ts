import { describe, expect, it, vi } from 'vitest'
import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { FOREIGN_KEY, lockOf } from '../../bitcoin/testing/psbt-building.ts'
import { parsers } from '../../provider/methods.ts'
import { dieAfter, SITE } from '../testing/funded-wallet.ts'
import { approveSigning, publishPrevious, startSigner } from '../testing/psbt-site.ts'
import { buildFresh, foreign, signElsewhere, stranger } from '../testing/signed-transactions.ts'
import { decideNext, nextApproval, openPage, startWorker } from '../testing/test-wallet.ts'

type Site = Awaited<ReturnType<typeof startSigner>>

/** One that spends a coin of the account and that no approval has shown. */
function unseen({ world, key }: Site, sats: bigint) {
  const own = { type: 'p2wpkh' as const, key, amount: sats }
  const built = buildFresh({ inputs: [own], outputs: [stranger(sats - 1_000n)] })
  return signElsewhere(publishPrevious({ world }, built), key)
}

function item(itemId: string, signedTx: string, changes: object = {}) {
  return { itemId, signedTx, type: 52, ...changes }
}

describe('sendPsbt', () => {
  it('sends what costs the account nothing without a question, and tells each txid', async () => {
    const site = await startSigner()
    const [a, b] = [foreign(site), foreign(site)]
    const txs = [item('b', b.base64, { dependItemId: ['a'] }), item('a', a.raw)]
    expect(await site.page.call('sendPsbt', txs, site.account.address)).toMatchObject({
      result: [{ b: b.txid }, { a: a.txid }],
    })
    expect(site.world.chain.broadcasts).toEqual([a.txid, b.txid])
  })

  it('takes the BRC-20 and NFT labels of a site into activity, its file and its details', async () => {
    const site = await startSigner()
    const { page, worker, account, world } = site
    const [brc, nft, other] = [foreign(site), foreign(site), foreign(site)]
    const inscription = `${nft.txid}i0`
    const txs = [
      item('1', brc.raw, { extJson: {} }),
      item('2', nft.psbt, { type: 20, extJson: { inscription, more: 1 }, unknown: true }),
      item('3', other.raw, { type: 7, extJson: null, dependItemId: undefined }),
    ]
    expect(await page.call('sendPsbt', txs, account.address)).toHaveProperty('result')
    const labelOf = async (txid: string) =>
      (await worker.ui('getActivityDetails', { txid })).entry.about
    for (let times = 0; times < 2; times++) {
      expect(await labelOf(brc.txid)).toEqual({ kind: 'brc-20', inscription: null })
      expect(await labelOf(nft.txid)).toEqual({ kind: 'nft', inscription })
      expect(await labelOf(other.txid)).toBeNull()
      // Settled, they are kept in short.
      world.chain.mine(101)
      await worker.wallet.activity.refresh(world.chain.chain, account)
    }
    const { csv } = await worker.ui('exportActivity', { unnamed: 'Account {number}' })
    expect(csv).toContain(`,nft,${inscription}\r\n`)
  })

  it('asks once for all when one spends a coin of the account, showing each', async () => {
    const site = await startSigner('p2wpkh')
    const { page, worker, account, world } = site
    const [theirs, ours] = [foreign(site), unseen(site, 20_000n)]
    const txs = [item('ours', ours.final, { dependItemId: ['theirs'] }), item('theirs', theirs.raw)]
    const answer = page.call('sendPsbt', txs, account.address)
    const { review } = await decideNext(worker, 'approve', 'send-batch')
    expect(review).toMatchObject({
      items: [
        { itemId: 'theirs', txid: theirs.txid, clean: true, netCost: '0', fee: '1000' },
        {
          ...{ itemId: 'ours', txid: ours.txid, clean: false, netCost: '20000', fee: '1000' },
          about: { kind: 'brc-20', inscription: null },
          inputs: [{ own: true, sats: '20000', address: account.address }],
        },
      ],
      total: { netCost: '20000', fee: '2000' },
    })
    expect(await answer).toMatchObject({ result: [{ ours: ours.txid }, { theirs: theirs.txid }] })
    expect(world.chain.broadcasts).toEqual([theirs.txid, ours.txid])
    expect((await worker.ui('getActivityDetails', { txid: ours.txid })).entry).toMatchObject({
      ...{ kind: 'pushed', net: '-20000', fee: '1000', origin: SITE },
    })
  })

  it('rejected by the person sends nothing of it', async () => {
    const site = await startSigner('p2wpkh')
    const txs = [item('a', foreign(site).raw), item('b', unseen(site, 20_000n).raw)]
    const answer = site.page.call('sendPsbt', txs, site.account.address)
    await decideNext(site.worker, 'reject', 'send-batch')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(site.world.chain.broadcasts).toEqual([])
    const { wallet } = site.worker
    expect(await wallet.activity.listSent('regtest', site.account.id)).toEqual([])
  })

  it.each(['p2tr', 'p2sh-p2wpkh'] as const)(
    'asks nothing for a parent and its child that signPsbts has just shown (%s)',
    async type => {
      const site = await startSigner(type)
      const { page, account, world, key } = site
      const own = (amount: bigint) => ({ type, key, amount })
      const parent = publishPrevious(
        site,
        buildFresh({ inputs: [own(50_000n)], outputs: [own(30_000n), stranger(19_000n)] }),
      )
      const nested = type === 'p2sh-p2wpkh'
      // Another library's key for the same, to foresee the txid that the child names.
      const fields = nested ? {} : { tapInternalKey: fromHex(account.publicKey).slice(1) }
      const { txid } = signElsewhere(
        buildFresh({
          inputs: [
            {
              ...{ ...own(50_000n), fields },
              outpoint: { txid: [...parent.previous.keys()][0] ?? '', vout: 0 },
            },
          ],
          outputs: [own(30_000n), stranger(19_000n)],
        }),
        key,
      )
      const child = buildFresh({
        inputs: [{ ...own(30_000n), outpoint: { txid, vout: 0 } }],
        outputs: [stranger(29_000n)],
      })
      const psbts = [parent, child].map(({ bytes }) => Buffer.from(bytes).toString('hex'))
      const { response } = await approveSigning(site, 'signPsbts', psbts, { autoFinalized: false })
      const [first = '', second = ''] = 'result' in response ? (response.result as string[]) : []
      const sent = await page.call(
        'sendPsbt',
        [item('c', second), item('p', first)],
        account.address,
      )
      expect(sent).toMatchObject({ result: [{ c: expect.any(String) }, { p: txid }] })
      expect(world.chain.broadcasts[0]).toBe(txid)
      expect(world.chain.broadcasts).toHaveLength(2)
    },
  )

  it('tells null for an item that something unexpected stopped, logs it, and sends the rest', async () => {
    const site = await startSigner()
    const { page, account, world } = site
    const [a, b, c] = [foreign(site), foreign(site), foreign(site)]
    const { broadcast } = world.chain.chain
    world.chain.chain.broadcast = async raw => {
      if (Buffer.from(raw).toString('hex') === b.raw) throw new TypeError('out of order')
      return broadcast(raw)
    }
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const txs = [item('a', a.raw), item('b', b.raw), item('c', c.raw)]
    expect(await page.call('sendPsbt', txs, account.address)).toMatchObject({
      result: [{ a: a.txid }, { b: null }, { c: c.txid }],
    })
    expect(logged).toHaveBeenCalledExactlyOnceWith('Item b was not sent', expect.any(TypeError))
    logged.mockRestore()
  })

  it('is in activity at the time of the approval, not of the question', async () => {
    const site = await startSigner('p2wpkh')
    const { page, worker, account, world } = site
    const ours = unseen(site, 20_000n)
    const answer = page.call('sendPsbt', [item('a', ours.raw)], account.address)
    await nextApproval(worker, 'send-batch')
    world.clock.now += 60_000
    await decideNext(worker, 'approve', 'send-batch')
    await answer
    const [record] = await worker.wallet.activity.listSent('regtest', account.id)
    expect(record?.at).toBe(world.clock.now)
  })

  it('is BACKEND_UNAVAILABLE when nothing was answered; what may have been sent stays in activity', async () => {
    const site = await startSigner()
    const { page, account, world, worker } = site
    const only = foreign(site)
    world.chain.faults.loseAnswers = true
    expect(await page.call('sendPsbt', [item('a', only.raw)], account.address)).toMatchObject({
      error: { code: -32000, data: { reason: 'BACKEND_UNAVAILABLE', txid: only.txid } },
    })
    delete world.chain.faults.loseAnswers
    expect((await worker.ui('getActivityDetails', { txid: only.txid })).entry.status).toBe(
      'sending',
    )
    await worker.wallet.activity.refresh(world.chain.chain, account)
    expect((await worker.ui('getActivityDetails', { txid: only.txid })).entry.status).toBe(
      'pending',
    )
  })

  it('finishes what was on its way although the page never comes back and the wallet is locked', async () => {
    const site = await startSigner()
    const { world, account } = site
    const [a, b] = [foreign(site), foreign(site)]
    const txs = [item('a', a.raw), item('b', b.raw, { dependItemId: ['a'] })]
    const doomed = dieAfter(world, 5)
    void openPage(startWorker(doomed), SITE).send('x', 'sendPsbt', txs, account.address)
    await doomed.died
    expect(JSON.stringify(world.session.dump())).toContain('"signed":{')
    vi.useFakeTimers()
    const second = startWorker(world)
    await second.ui('lock', null)
    const settling = second.router.settleOrphans()
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    await settling
    expect(new Set(world.chain.broadcasts)).toEqual(new Set([a.txid, b.txid]))
  })

  it('goes on when its page leaves while it is sent', async () => {
    const site = await startSigner()
    const { world, account, page } = site
    const [a, b] = [foreign(site), foreign(site)]
    const { broadcast } = world.chain.chain
    world.chain.chain.broadcast = async raw => {
      await page.leave()
      return broadcast(raw)
    }
    void page.call('sendPsbt', [item('a', a.raw), item('b', b.raw)], account.address)
    await vi.waitFor(() => expect(world.chain.broadcasts).toEqual([a.txid, b.txid]))
    await vi.waitFor(async () =>
      expect((await site.worker.wallet.requests.load()).every(({ outcome }) => outcome)).toBe(true),
    )
    expect((await site.worker.wallet.requests.load()).at(-1)?.outcome).toHaveProperty('result')
  })

  it('answers 4100 when `from` is another address than the connected one', async () => {
    const site = await startSigner()
    const other = addressOfScript(lockOf('p2wpkh', FOREIGN_KEY).script, 'regtest')
    const txs = [item('a', foreign(site).raw)]
    expect(await site.page.call('sendPsbt', txs, other)).toMatchObject({ error: { code: 4100 } })
    expect(site.world.chain.broadcasts).toEqual([])
  })

  it('refuses a circle, and two items that spend one coin', async () => {
    const site = await startSigner()
    const [a, b, c] = [foreign(site), foreign(site), foreign(site)]
    const circle = [
      item('a', a.raw),
      item('b', b.raw, { dependItemId: ['c'] }),
      item('c', c.raw, { dependItemId: ['b'] }),
    ]
    const conflict = [item('a', a.raw), item('b', b.raw), item('c', a.psbt)]
    for (const [txs, message] of [
      [circle, 'txs[1].dependItemId: "b", "c" depend on each other'],
      [conflict, 'txs[2].signedTx: txs[0] spends'],
    ] as const) {
      expect(await site.page.call('sendPsbt', txs, site.account.address)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(message) },
      })
    }
    expect(site.world.chain.broadcasts).toEqual([])
  })

  it('names the item and the input that is not complete, or whose signature is wrong', async () => {
    const site = await startSigner()
    const open = buildFresh({ inputs: [stranger(10_000n)], outputs: [stranger(9_000n)] })
    publishPrevious(site, open)
    const send = (signedTx: string) =>
      site.page.call(
        'sendPsbt',
        [item('a', foreign(site).raw), item('b', signedTx)],
        site.account.address,
      )
    expect(await send(Buffer.from(open.bytes).toString('hex'))).toMatchObject({
      error: {
        code: -32602,
        message: 'txs[1].signedTx: input 0 is not complete: it has no signature.',
      },
    })
    const { psbt } = signElsewhere(open)
    // The first byte of r: the signature stays well-formed.
    const at = psbt.indexOf('0220', psbt.indexOf('2202')) + 6
    const broken = psbt.slice(0, at) + (psbt[at] === '1' ? '2' : '1') + psbt.slice(at + 1)
    expect(await send(broken)).toMatchObject({
      error: { code: -32000, data: { reason: 'BAD_SIGNATURE', input: 0 } },
    })
    expect(site.world.chain.broadcasts).toEqual([])
  })

  const good = { itemId: 'a', signedTx: '00', type: 52 }
  it.each([
    ['txs', undefined],
    ['txs', []],
    ['txs', 'text'],
    ['txs', {}],
    ['txs', Array(101).fill(good)],
    ['txs[0]', ['text']],
    ['txs[0]', [null]],
    ['txs[0].itemId', [{ ...good, itemId: 5 }]],
    ['txs[0].itemId', [{ ...good, itemId: '' }]],
    ['txs[0].itemId', [{ ...good, itemId: 'x'.repeat(101) }]],
    ['txs[0].itemId', [{ signedTx: '00', type: 52 }]],
    ['txs[1].itemId', [good, good]],
    ['txs[0].signedTx', [{ ...good, signedTx: undefined }]],
    ['txs[0].signedTx', [{ ...good, signedTx: '' }]],
    ['txs[0].signedTx', [{ ...good, signedTx: '0' }]],
    ['txs[0].signedTx', [{ ...good, signedTx: 'cHNidA==' }]],
    ['txs[0].signedTx', [{ ...good, signedTx: '00'.repeat(400_001) }]],
    ['txs[0].type', [{ ...good, type: undefined }]],
    ['txs[0].type', [{ ...good, type: '52' }]],
    ['txs[0].dependItemId', [{ ...good, dependItemId: 'a' }]],
    ['txs[0].dependItemId[0]', [{ ...good, dependItemId: [1] }]],
    ['txs[0].dependItemId[0]', [{ ...good, dependItemId: ['b'] }]],
    ['txs[0].extJson', [{ ...good, extJson: '{}' }]],
    ['txs[0].extJson.inscription', [{ ...good, extJson: { inscription: 5 } }]],
    ['txs[0].extJson.inscription', [{ ...good, extJson: { inscription: 'x'.repeat(101) } }]],
  ])('names the field %s of what is malformed: %#', (field, txs) => {
    const name = field.replace(/[[\].]/g, '\\$&')
    expect(() => parsers.sendPsbt([txs, 'address'])).toThrow(new RegExp(`^${name}: expected`))
  })

  it('names `from` and an item that is no transaction', async () => {
    const { page, account } = await startSigner()
    expect(() => parsers.sendPsbt([[good], 5])).toThrow(/^from: expected/)
    expect(await page.call('sendPsbt', [good], account.address)).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^txs\[0\]\.signedTx: expected/) },
    })
  })
})
