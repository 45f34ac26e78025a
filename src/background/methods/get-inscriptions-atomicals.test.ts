import { describe, expect, it } from 'vitest'
import type { SiteInscription } from '../../provider/inscription-params.ts'
import { type AtomicalCoin, startWithAtomicals } from '../testing/atomical-wallet.ts'
import { RECIPIENT } from '../testing/funded-wallet.ts'
import { decideNext } from '../testing/test-wallet.ts'

type Page = { total: number; list: SiteInscription[] }
type Started = Awaited<ReturnType<typeof startWithAtomicals>>

const COINS: AtomicalCoin[] = [
  { sats: 546n, with: [], inscribed: [{ body: 'a' }] },
  { sats: 600n, with: [{ number: 7 }] },
  { sats: 700n, with: [], inscribed: [{ body: 'b' }] },
  { sats: 800n, with: [{ type: 'ft', amount: 800n }] },
  { sats: 900n, with: [{ number: 9 }, { number: 10 }] },
]

async function ask({ page }: Started, ...params: unknown[]): Promise<Page> {
  const response = await page.call('getInscriptions', ...params)
  if (!('result' in response)) throw new Error(response.error.message)
  return response.result as Page
}

const idsOf = ({ list }: Page) => list.map(({ inscriptionId }) => inscriptionId)

describe('getInscriptions with Atomicals', () => {
  it('tells of an NFT what it tells of an inscription, the protocol behind its id', async () => {
    const started = await startWithAtomicals([{ sats: 600n, with: [{ number: 7 }] }])
    const { world, account, keys, outpoints } = started
    const [output = ''] = outpoints
    expect(await ask(started)).toEqual({
      total: 1,
      list: [
        {
          inscriptionId: keys[0],
          inscriptionNumber: 7,
          address: account.address,
          outputValue: 600,
          contentLength: 0,
          contentType: '',
          timestamp: world.chain.blockTime(world.chain.tip()) / 1000,
          offset: 0,
          output,
          genesisTransaction: output.slice(0, 64),
          location: `${output}:0`,
        },
      ],
    })
  })

  it('lists NFTs behind the inscriptions, and no tokens, in pages that fit together', async () => {
    const started = await startWithAtomicals(COINS)
    const { keys } = started
    const all = await ask(started)
    expect(all.total).toBe(5)
    expect(idsOf(all).slice(0, 2).join()).not.toContain('Atomicals')
    expect(idsOf(all).slice(2).toSorted()).toEqual([keys[0], keys[2], keys[3]].toSorted())
    for (const size of [1, 2, 3, 4]) {
      const pages: string[] = []
      for (let cursor = 0; cursor < 6; cursor += size) {
        const page = await ask(started, cursor, size)
        expect(page.total).toBe(5)
        pages.push(...idsOf(page))
      }
      expect(pages).toEqual(idsOf(all))
    }
    expect(await ask(started, 5)).toEqual({ total: 5, list: [] })
  })

  it('lists ids that can be sent as they are', async () => {
    const started = await startWithAtomicals(COINS)
    const { worker, page } = started
    for (const id of idsOf(await ask(started)).slice(1, 3)) {
      const answer = page.call('sendInscription', RECIPIENT, id)
      await decideNext(worker, 'approve', 'payment')
      expect(await answer).toHaveProperty('result')
    }
  })

  it('lists inscriptions alone where no server tells of Atomicals', async () => {
    const started = await startWithAtomicals(COINS)
    await ask(started)
    started.world.atomicals.faults.none = true
    const page = await ask(started)
    expect(page.total).toBe(2)
    expect(idsOf(page).join()).not.toContain('Atomicals')
  })
})
