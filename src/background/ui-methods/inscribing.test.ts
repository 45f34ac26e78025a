import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { tinyImage } from '../../ordinals/testing/tiny-images.ts'
import { startFunded } from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import type { InscribeDraft } from '../views/inscribe-views.ts'

function draft(changes: Partial<InscribeDraft> = {}): InscribeDraft {
  const items: InscribeDraft['items'] = [{ kind: 'text', text: 'hello' }]
  return { items, postage: 546, feeRate: 2, parent: null, metadata: null, label: '', ...changes }
}

describe('what a person inscribes in our own pages', () => {
  it('is worked out with everything that is signed once it is confirmed', async () => {
    const { worker } = await startFunded(100_000n)
    const items: InscribeDraft['items'] = [
      { kind: 'text', text: 'hello' },
      { kind: 'file', contentType: 'image/png', encoding: null, hex: toHex(tinyImage('png')) },
      { kind: 'file', contentType: 'model/gltf-binary', encoding: null, hex: '00' },
      { kind: 'brc-20', operation: { op: 'mint', tick: 'ordi', amt: '5' } },
    ]
    const { review, planId, digest } = await worker.ui('planInscribe', draft({ items }))
    expect(review).toMatchObject({ kind: 'inscribe', purpose: 'inscribe', feeRate: 2 })
    expect(review.items.map(({ kind, preview }) => [kind, preview.kind])).toEqual([
      ['text', 'text'],
      ['image', 'image'],
      ['model', 'placeholder'],
      ['brc-20', 'brc-20'],
    ])
    expect(review.items[3]?.brc20).toMatchObject({ checked: true, obstacles: ['not-deployed'] })
    const { jobId } = await worker.ui('confirmInscribe', { planId, digest })
    expect((await worker.ui('getJob', { jobId })).items).toHaveLength(4)
  })

  it('is not BRC-20 that is compressed, which no indexer counts', async () => {
    const { worker } = await startFunded(100_000n)
    const hex = gzipSync('{"p":"brc-20","op":"mint","tick":"ordi","amt":"5"}').toString('hex')
    const items: InscribeDraft['items'] = [
      { kind: 'text', text: 'hello' },
      { kind: 'file', contentType: 'text/plain', encoding: 'gzip', hex },
    ]
    await expect(worker.ui('planInscribe', draft({ items }))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('items[1].encoding'),
    })
  })

  it('shows what is compressed as it will look, and what all of them say of themselves', async () => {
    const { world, worker } = await startFunded(100_000n)
    const text = 'to be or not to be, '.repeat(100)
    const packed = gzipSync(text)
    const items: InscribeDraft['items'] = [
      { kind: 'file', contentType: 'text/plain', encoding: 'gzip', hex: packed.toString('hex') },
      { kind: 'file', contentType: 'text/plain', encoding: 'gzip', hex: '00' },
    ]
    const metadata = '{"artist":"Alice","year":2026}'
    const plan = await worker.ui('planInscribe', draft({ items, metadata }))
    expect(plan.review.items).toMatchObject([
      {
        preview: { kind: 'text', text },
        contentLength: packed.length,
        encoding: 'gzip',
        metadata: '{\n  "artist": "Alice",\n  "year": 2026\n}',
      },
      { preview: { kind: 'placeholder', why: 'damaged' } },
    ])
    const { jobId } = await worker.ui('confirmInscribe', plan)
    expect(await worker.ui('getJobContent', { jobId, item: 0 })).toMatchObject({ text })
    const [first] = (await worker.ui('getJob', { jobId })).items
    const reveal = world.chain.get(first?.inscriptionId.slice(0, 64) ?? '')
    const written = Buffer.from(reveal ?? []).toString('hex')
    // Tag 9 with the encoding, and tag 5 with the metadata as CBOR (RFC 8949).
    expect(written).toContain('010904677a6970')
    expect(written).toContain('010516a266617274697374' + '65416c696365' + '6479656172' + '1907ea')
  })

  it('takes 330 to 10,000 sats with it, and no less than its address allows', async () => {
    const { worker } = await startFunded(100_000n)
    for (const postage of [330, 10_000]) {
      const { review } = await worker.ui('planInscribe', draft({ postage }))
      expect(review.postage).toBe(String(postage))
    }
    for (const postage of [329, 10_001, 546.5, -1])
      await expect(worker.ui('planInscribe', draft({ postage }))).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(/^postage: /),
      })
  })

  it('can stand for another inscription, and be the child of one', async () => {
    const { worker, ids } = await startInscribed([{ sats: 546n, with: [{}] }])
    const [id = ''] = ids
    const items: InscribeDraft['items'] = [{ kind: 'delegate', id }]
    const { review } = await worker.ui('planInscribe', draft({ items, parent: id }))
    expect(review).toMatchObject({
      parent: id,
      items: [
        {
          kind: 'none',
          contentType: null,
          contentLength: 0,
          delegate: id,
          preview: { kind: 'text', text: 'Number 0.0' },
        },
      ],
    })
  })

  it('is refused by the name of what is wrong', async () => {
    const { worker } = await startFunded(100_000n)
    const refused = (changes: object) => worker.ui('planInscribe', { ...draft(), ...changes })
    for (const [changes, field] of [
      [{ items: [] }, 'items'],
      [{ items: 'x' }, 'items'],
      [{ items: [{ kind: 'text', text: 1 }] }, 'items[0]'],
      [{ feeRate: 0 }, 'feeRate'],
      [{ parent: 'x' }, 'id'],
      [{ metadata: '{artist: Alice}' }, 'metadata'],
      [{ metadata: '[1]'.padEnd(20_001) }, 'metadata'],
      [{ label: 'a\nb' }, 'label'],
    ] as const)
      await expect(refused(changes)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(new RegExp(`^${field.replace(/[[\]]/g, '\\$&')}: `)),
      })
  })

  it('without the money for it says so', async () => {
    const { worker } = await startFunded(1_000n)
    await expect(worker.ui('planInscribe', draft())).rejects.toMatchObject({
      data: { reason: 'INSUFFICIENT_FUNDS', available: '1000' },
    })
  })
})
