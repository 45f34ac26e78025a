import { describe, expect, it, vi } from 'vitest'
import { SITE, startFunded } from '../testing/funded-wallet.ts'
import { decideNext, nextApproval } from '../testing/test-wallet.ts'

const REJECTED = { error: { code: 4001 } }
const UNAUTHORIZED = { error: { code: 4100 } }

/** Long enough for what is under way to be worked on. */
const turns = () => new Promise<string>(resolve => setTimeout(resolve, 50, 'no answer'))

/** A site's transfer whose amount the person has filled in; what it costs is not known before `answer` is called. */
async function fillIn() {
  const funded = await startFunded(100_000n)
  const { world, worker, page, account } = funded
  world.brc20.deploy('ordi', { decimals: 1, minted: '1000' })
  world.brc20.credit(account.address, 'ordi', '80', '20')
  const { chain } = world.chain
  const { fetchFeeRates } = chain
  let answer = () => {}
  const isAnswered = new Promise<void>(resolve => {
    answer = resolve
  })
  const asked = vi.spyOn(chain, 'fetchFeeRates').mockImplementation(async () => {
    await isAnswered
    return fetchFeeRates()
  })
  const outcome = page.call('inscribe', { from: account.address, tick: 'ordi', amt: '5' })
  const { key, digest } = await nextApproval(worker, 'brc20-amount')
  await worker.ui('decide', { key, digest, decision: 'approve', input: '5' })
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 10_000 })
  const { shown } = world.window
  const isOver = async () => (await worker.wallet.requests.find(key))?.outcome !== null
  /** Until the question with what it costs has come, or could have. */
  const askFurther = async () => {
    await turns()
    answer()
    const isAsked = async () => (await worker.ui('getApproval', null)) !== null
    await vi.waitUntil(async () => (await isOver()) || (await isAsked()), 10_000)
    await turns()
  }
  return { ...funded, outcome, answer, askFurther, shown }
}

describe('a request whose amount is filled in, and that is not agreed to yet', () => {
  it('asks nothing more for a site that is blocked meanwhile, which hears it at once', async () => {
    const { world, worker, outcome, askFurther, shown } = await fillIn()
    await worker.ui('blockSite', { origin: SITE })
    expect(await Promise.race([outcome, turns()])).toMatchObject(REJECTED)
    await askFurther()
    expect(world.window.shown).toBe(shown)
  })

  it('ends with its page', async () => {
    const { world, page, askFurther, shown } = await fillIn()
    await page.leave()
    await askFurther()
    expect([world.window.shown, world.chain.broadcasts]).toEqual([shown, []])
  })

  it('ends with the site’s leave', async () => {
    const { world, worker, outcome, askFurther, shown } = await fillIn()
    await worker.ui('revokeSite', { origin: SITE, grant: null })
    await askFurther()
    expect(world.window.shown).toBe(shown)
    expect(await outcome).toMatchObject(UNAUTHORIZED)
  })

  it('ends where another account is chosen', async () => {
    const { world, worker, outcome, askFurther, shown } = await fillIn()
    const other = { addressType: 'p2wpkh', name: 'other' } as const
    const { id } = await worker.ui('addAccount', other)
    await worker.ui('selectAccount', { accountId: id })
    await askFurther()
    expect(world.window.shown).toBe(shown)
    expect(await outcome).toMatchObject(UNAUTHORIZED)
  })

  it('goes on where nothing of that happens, and is asked about with what it costs', async () => {
    const { worker, outcome, answer } = await fillIn()
    answer()
    await decideNext(worker, 'approve', 'inscribe')
    expect(await outcome).toHaveProperty('result')
  })
})
