import { describe, expect, it } from 'vitest'
import { startMortalWorker } from '../testing/mortal-worker.ts'
import { TEST_WIF } from '../testing/operations/vault-operations.ts'
import { ABANDON_MNEMONIC, createWorld, PASSWORD, startWorker } from '../testing/test-wallet.ts'

const ORIGIN = { kind: 'mnemonic', mnemonic: ABANDON_MNEMONIC, passphrase: '' } as const
const NEW = { origin: ORIGIN, password: PASSWORD, isNew: true } as const

const noticesOf = async ({ ui }: ReturnType<typeof startWorker>) =>
  (await ui('getState', null)).oneTimeNotices

/** A wallet made of new words by this version. */
async function createWith(version: string) {
  const world = createWorld()
  world.version = version
  const worker = startWorker(world)
  await worker.ui('createVault', NEW)
  return { world, worker }
}

describe('what is new', () => {
  it('is not told by the version that made the wallet, nor by another worker of it', async () => {
    const { world, worker } = await createWith('0.2.0')
    expect((await noticesOf(worker)).newsUpTo).toBe('0.2.0')
    expect((await noticesOf(startWorker(world))).newsUpTo).toBe('0.2.0')
  })

  it('stands after an update until it is dismissed, however often the worker ends, and then never again', async () => {
    const { world } = await createWith('0.1.0')
    world.version = '0.2.0'
    expect((await noticesOf(startWorker(world))).newsUpTo).toBe('0.1.0')
    const updated = startWorker(world)
    expect((await noticesOf(updated)).newsUpTo).toBe('0.1.0')
    await updated.ui('dismissNews', null)
    expect((await noticesOf(updated)).newsUpTo).toBe('0.2.0')
    expect((await noticesOf(startWorker(world))).newsUpTo).toBe('0.2.0')
  })

  it('of an update while the wallet is locked is there after the unlock', async () => {
    const { world, worker } = await createWith('0.1.0')
    await worker.ui('lock', null)
    world.version = '0.2.0'
    const updated = startWorker(world)
    await updated.ui('unlock', { password: PASSWORD })
    expect((await noticesOf(updated)).newsUpTo).toBe('0.1.0')
  })

  it.each([
    ['missing', undefined],
    ['a number', { newsUpTo: 0.1, awaitsFirstPayment: {} }],
    ['a version of words', { newsUpTo: 'newest', awaitsFirstPayment: 'yes' }],
    ['a version of five numbers', { newsUpTo: '1.2.3.4.5', awaitsFirstPayment: 1 }],
    ['a version without end', { newsUpTo: '1'.repeat(100_000), awaitsFirstPayment: null }],
  ])(
    'is read from no record that is %s, and is told of by the next version after an unlock',
    async (_, stored) => {
      const { world, worker } = await createWith('0.1.0')
      await worker.ui('lock', null)
      await world.local.remove(['newsUpTo', 'awaitsFirstPayment'])
      await world.local.set({ ...stored })
      const next = startWorker(world)
      expect(await noticesOf(next)).toEqual({ newsUpTo: null, awaitsFirstPayment: false })
      await next.ui('unlock', { password: PASSWORD })
      expect(await noticesOf(next)).toEqual({ newsUpTo: '0.1.0', awaitsFirstPayment: false })
    },
  )

  it('leaves nothing in storage before there is a wallet, and after it was erased', async () => {
    const world = createWorld()
    const worker = startWorker(world)
    expect(await noticesOf(worker)).toEqual({ newsUpTo: null, awaitsFirstPayment: false })
    expect(world.local.dump()).toEqual({})
    await worker.ui('createVault', NEW)
    await worker.ui('resetWallet', { confirmation: 'erase' })
    expect(world.local.dump()).toEqual({})
  })

  it('asks no server', async () => {
    const world = createWorld()
    const asked: string[] = []
    const { chain } = world.chain
    world.chain.chain = new Proxy(chain, {
      get(source, name, receiver) {
        asked.push(String(name))
        return Reflect.get(source, name, receiver)
      },
    })
    const { ui } = startWorker(world)
    await ui('createVault', NEW)
    await ui('getState', null)
    asked.length = 0
    await ui('dismissNews', null)
    await ui('dismissFirstPayment', null)
    await ui('getState', null)
    expect(asked).toEqual([])
  })
})

describe('the first payment', () => {
  it('is awaited by a wallet of new words until it is dismissed, and the version stays', async () => {
    const { world, worker } = await createWith('0.1.0')
    expect(await noticesOf(startWorker(world))).toEqual({
      newsUpTo: '0.1.0',
      awaitsFirstPayment: true,
    })
    await worker.ui('dismissFirstPayment', null)
    expect(await noticesOf(startWorker(world))).toEqual({
      newsUpTo: '0.1.0',
      awaitsFirstPayment: false,
    })
  })

  it('is not awaited by a wallet of words or a key that were there before', async () => {
    const key = { kind: 'wif', wif: TEST_WIF, addressType: 'p2wpkh' } as const
    for (const origin of [ORIGIN, key]) {
      const worker = startWorker(createWorld())
      await worker.ui('selectNetwork', { network: 'regtest' })
      await worker.ui('createVault', { origin, password: PASSWORD })
      expect((await noticesOf(worker)).awaitsFirstPayment).toBe(false)
    }
  })
})

describe('a worker that ends while the wallet is made', () => {
  it('leaves no wallet that takes the version that made it for an update, or awaits no payment', async () => {
    const points = await makeUntil(null)
    expect(points.total).toBeGreaterThan(1)
    for (let at = 0; at < points.total; at++)
      for (const when of ['before', 'after'] as const) {
        const { world } = await makeUntil({ at, when })
        const next = startWorker(world)
        const { vault, oneTimeNotices } = await next.ui('getState', null)
        if (vault !== 'none')
          expect(oneTimeNotices, `${when} ${at}`).toEqual({
            newsUpTo: '0.1.0',
            awaitsFirstPayment: true,
          })
        // Who begins again comes to the same.
        if (vault === 'none') await next.ui('createVault', NEW)
        expect(await noticesOf(next)).toEqual({ newsUpTo: '0.1.0', awaitsFirstPayment: true })
      }
  })
})

/** Makes a wallet in a worker that ends at that point; gives how many there were. */
async function makeUntil(stop: Parameters<typeof startMortalWorker>[1]) {
  const world = createWorld()
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const worker = startMortalWorker(world, stop, end)
  await Promise.race([worker.run(() => worker.ui('createVault', NEW)), ended])
  return { world, total: worker.life.spare().length }
}
