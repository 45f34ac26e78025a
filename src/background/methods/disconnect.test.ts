import { describe, expect, it } from 'vitest'
import { connectPage, createWorld, openPage, startUnlocked } from '../testing/test-wallet.ts'

const SITE = 'https://dapp.example'
const STRANGER = 'https://stranger.example'

/** An unlocked wallet that counts what is written to disk. */
async function startCounted() {
  const world = createWorld()
  const writes: string[] = []
  const { local } = world
  const counted = {
    ...world,
    local: {
      ...local,
      async set(entries: { [key: string]: unknown }) {
        writes.push(...Object.keys(entries))
        await local.set(entries)
      },
    },
  }
  const worker = await startUnlocked(counted)
  const page = await connectPage(worker, SITE)
  writes.length = 0
  return { worker, page, writes }
}

/** Announcements are made behind the answer. */
const settle = () => new Promise(resolve => setTimeout(resolve, 20))

describe('a call that changes nothing writes nothing and tells nobody:', () => {
  it.each(['disconnect', 'unisat.disconnect', 'satsConnect.wallet_disconnect'])(
    '%s of a page that was never connected, while the wallet is locked and while it is not',
    async method => {
      const { worker, page, writes } = await startCounted()
      const stranger = openPage(worker, STRANGER, 2)
      expect(await stranger.call(method)).toMatchObject({ result: null })
      await worker.ui('lock', null)
      await settle()
      writes.length = 0
      const told = page.states().length
      for (let turn = 0; turn < 5; turn++) await stranger.call(method)
      await settle()
      expect(writes).toEqual([])
      expect(page.states()).toHaveLength(told)
      expect(stranger.states().every(({ network }) => network === null)).toBe(true)
    },
  )

  it.each([
    ['connect', []],
    ['requestAccounts', []],
    ['switchNetwork', ['regtest']],
    ['unisat.switchChain', ['BITCOIN_REGTEST']],
    ['satsConnect.wallet_connect', [{ network: 'Regtest' }]],
    ['satsConnect.wallet_requestPermissions', []],
  ] as const)('%s of a page that has what it asks for', async (method, params) => {
    const { page, writes } = await startCounted()
    // That the site was used is noted once an hour.
    await page.call('getAccounts')
    await settle()
    writes.length = 0
    const told = page.states().length
    expect(await page.call(method, ...params)).toHaveProperty('result')
    await settle()
    expect(writes).toEqual([])
    expect(page.states()).toHaveLength(told)
  })
})

it('a connected page that disconnects while the wallet is locked is forgotten', async () => {
  const { worker, page, writes } = await startCounted()
  await worker.ui('lock', null)
  expect(await page.call('disconnect')).toMatchObject({ result: null })
  expect(writes).toContain('sites.revoked')
  await settle()
  expect(page.states().at(-1)).toEqual({ account: null, network: null })
})
