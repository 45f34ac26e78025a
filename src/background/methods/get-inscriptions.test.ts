import { describe, expect, it } from 'vitest'
import type { SiteInscription } from '../../provider/inscription-params.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { openPage } from '../testing/test-wallet.ts'

type Page = { total: number; list: SiteInscription[] }
type Started = Awaited<ReturnType<typeof startInscribed>>

async function ask({ page }: Pick<Started, 'page'>, ...params: unknown[]): Promise<Page> {
  const response = await page.call('getInscriptions', ...params)
  if (!('result' in response)) throw new Error(response.error.message)
  return response.result as Page
}

const SIX = Array.from({ length: 6 }, (_, n) => ({ sats: 546n + BigInt(n), with: [{}] }))

describe('getInscriptions', () => {
  it('tells everything of an inscription in the types that dapps read', async () => {
    const body = 'hello'
    const started = await startInscribed([
      { sats: 900n, with: [{ body, offset: 12n, number: -7, contentType: 'text/plain' }] },
    ])
    const { account, ids, outpoints, world } = started
    const [output = ''] = outpoints
    expect(await ask(started)).toEqual({
      total: 1,
      list: [
        {
          inscriptionId: ids[0],
          inscriptionNumber: -7,
          address: account.address,
          outputValue: 900,
          contentLength: 5,
          contentType: 'text/plain',
          timestamp: world.chain.blockTime(world.chain.tip()) / 1000,
          offset: 12,
          output,
          genesisTransaction: output.split(':')[0],
          location: `${output}:12`,
        },
      ],
    })
  })

  it('pages from a cursor: 20 unless told, and nothing past the end', async () => {
    const started = await startInscribed(SIX)
    const all = await ask(started)
    expect(all.list.map(({ inscriptionId }) => inscriptionId).toSorted()).toEqual(
      started.ids.toSorted(),
    )
    expect(await ask(started, 4, 100)).toEqual({ total: 6, list: all.list.slice(4) })
    expect(await ask(started, 1, 3)).toEqual({ total: 6, list: all.list.slice(1, 4) })
    expect(await ask(started, undefined, null)).toEqual(all)
    for (const beyond of [6, 7, 2 ** 40])
      expect(await ask(started, beyond)).toEqual({ total: 6, list: [] })
  })

  it('lists those of the connected account only, to pages that are connected', async () => {
    const started = await startInscribed([{ sats: 546n, with: [{}] }])
    const { worker } = started
    expect(
      await openPage(worker, 'https://stranger.example').call('getInscriptions'),
    ).toMatchObject({
      error: { code: 4100 },
    })
  })

  it.each([[-1], [1.5], ['0'], [0, 101], [0, -1], [0, '20'], [{}]])(
    'refuses %o',
    async (...params) => {
      const { page } = await startInscribed([])
      expect(await page.call('getInscriptions', ...params)).toMatchObject({
        error: { code: -32602 },
      })
    },
  )

  it('says so when the index does not answer', async () => {
    const started = await startInscribed([{ sats: 546n, with: [{}] }])
    await ask(started)
    started.world.assets.faults.unreachable = true
    expect(await started.page.call('getInscriptions')).toMatchObject({
      error: { data: { reason: 'BACKEND_UNAVAILABLE' } },
    })
  })
})
