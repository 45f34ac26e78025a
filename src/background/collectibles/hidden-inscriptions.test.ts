import { describe, expect, it } from 'vitest'
import { BACKUP_PASSWORD as password } from '../backup/testing/full-wallet.ts'
import { defer, draft, RECIPIENT } from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { fund, PASSWORD } from '../testing/test-wallet.ts'

const PARENT = `${'ab'.repeat(32)}i0`
const PAGE = { offset: 0, limit: 60 }

async function start() {
  const started = await startInscribed([
    { sats: 600n, with: [{ parents: [PARENT] }] },
    { sats: 601n, with: [{ parents: [PARENT] }] },
    { sats: 602n, with: [{}] },
  ])
  const { worker, ids } = started
  const [first = '', second = '', third = ''] = ids
  const sort = (chosen: string[], choice: 'hidden' | 'kept' | null, children = false) =>
    worker.ui('sortInscriptions', { ids: chosen, children, choice })
  const list = async (group: 'shown' | 'hidden' = 'shown') => {
    const page = await worker.ui('getInscriptions', { ...PAGE, group })
    return { ...page, ids: page.inscriptions.map(({ id }) => id).sort() }
  }
  const coinOf = async (outpoint = '') =>
    (await worker.ui('getCoins', null)).find(coin => coin.outpoint === outpoint)
  /** Lets payments spend the coin for what is on it. */
  const release = async (outpoint = '') => {
    const shown = await coinOf(outpoint)
    if (!shown) throw new Error('No coin')
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown })
  }
  const heldOf = () =>
    Promise.all(started.outpoints.map(async outpoint => (await coinOf(outpoint))?.held))
  return { ...started, sort, list, coinOf, release, heldOf, first, second, third }
}

describe('a hidden inscription', () => {
  it('is in a list of its own and in no count of the gallery, until it is shown again', async () => {
    const { sort, list, first, second, third } = await start()
    await sort([first], 'hidden')
    expect(await list()).toMatchObject({ total: 2, hidden: 1, ids: [second, third].sort() })
    expect(await list('hidden')).toMatchObject({ total: 1, hidden: 1, ids: [first] })
    await sort([first], 'kept')
    expect(await list()).toMatchObject({ total: 3, hidden: 0 })
    await sort([first], null)
    expect(await list()).toMatchObject({ total: 3, hidden: 0 })
  })

  it('goes with its collection, and also what arrives of that later, but for those that are kept', async () => {
    const { sort, list, world, account, first, second } = await start()
    await sort([PARENT], 'hidden', true)
    expect(await list('hidden')).toMatchObject({ ids: [first, second].sort() })
    await sort([second], 'kept')
    expect(await list('hidden')).toMatchObject({ ids: [first] })
    const later = world.assets.inscribe(`${fund(world, account.address, 700n)}:0`, {
      parents: [PARENT],
    })
    expect(await list('hidden')).toMatchObject({ ids: [first, later].sort() })
    await sort([PARENT], null, true)
    expect(await list('hidden')).toMatchObject({ total: 0 })
  })

  it('says on its screen why it is hidden', async () => {
    const { sort, worker, first, second } = await start()
    await sort([first], 'hidden')
    await sort([PARENT], 'hidden', true)
    const why = async (id: string) => (await worker.ui('getInscription', { id })).sorting
    expect(await why(first)).toEqual({ group: 'hidden', why: 'chosen' })
    expect(await why(second)).toEqual({ group: 'hidden', why: 'collection' })
  })

  it('is told to sites like any other: they see what there is', async () => {
    const { sort, page, ids } = await start()
    await sort(ids, 'hidden')
    const { result } = (await page.call('getInscriptions', 0, 20)) as { result: { total: number } }
    expect(result.total).toBe(3)
  })

  it('is held again where payments were allowed to spend its coin', async () => {
    const { sort, release, coinOf, outpoints, first } = await start()
    const [outpoint] = outpoints
    await release(outpoint)
    expect(await coinOf(outpoint)).toMatchObject({ held: null })
    await sort([first], 'hidden')
    expect(await coinOf(outpoint)).toMatchObject({ held: 'inscribed', choice: null })
  })

  it('is held with its collection as well', async () => {
    const { sort, release, heldOf, outpoints } = await start()
    for (const outpoint of outpoints) await release(outpoint)
    await sort([PARENT], 'hidden', true)
    expect(await heldOf()).toEqual(['inscribed', 'inscribed', null])
  })

  it('is held with its collection also where the index does not say whose child it is', async () => {
    const { sort, release, heldOf, world, outpoints } = await start()
    for (const outpoint of outpoints) await release(outpoint)
    world.assets.faults.unreachable = true
    await sort([PARENT], 'hidden', true)
    delete world.assets.faults.unreachable
    expect((await heldOf()).slice(0, 2)).toEqual(['inscribed', 'inscribed'])
  })

  it('is held also where another page lets payments spend it while its collection is looked up', async () => {
    const { sort, release, heldOf, world, outpoints } = await start()
    await release(outpoints[0])
    const { fetchInscriptions } = world.assets.source
    const { promise: asked, resolve: tellAsked } = defer()
    const { promise: answered, resolve: answer } = defer()
    world.assets.source.fetchInscriptions = async ids => {
      tellAsked()
      await answered
      return fetchInscriptions(ids)
    }
    const hiding = sort([PARENT], 'hidden', true)
    await asked
    world.assets.source.fetchInscriptions = fetchInscriptions
    await release(outpoints[1])
    answer()
    await hiding
    expect(await heldOf()).toEqual(['inscribed', 'inscribed', 'inscribed'])
  })

  it('is spent by no payment of all there is', async () => {
    const { sort, worker, ids, outpoints } = await start()
    await sort(ids, 'hidden')
    const { review } = await worker.ui(
      'planPayment',
      draft({ recipients: [{ to: RECIPIENT, sats: 'max' }] }),
    )
    expect(
      review.inputs.map(({ outpoint }) => outpoint).filter(one => outpoints.includes(one)),
    ).toEqual([])
  })

  it('is forgotten with its account, and of another account nothing is', async () => {
    const { sort, worker, ids, account } = await start()
    await sort(ids, 'hidden')
    await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    const listed = await worker.wallet.inscriptionSorting.listOf('regtest')
    expect(new Set(listed.map(({ accountId }) => accountId))).toEqual(new Set([account.id]))
    await worker.wallet.inscriptionSorting.forgetAccount('nobody')
    expect(await worker.wallet.inscriptionSorting.listOf('regtest')).toHaveLength(3)
    await worker.wallet.inscriptionSorting.forgetAccount(account.id)
    expect(await worker.wallet.inscriptionSorting.listOf('regtest')).toEqual([])
  })

  it('has an id, and a choice that there is', async () => {
    const { worker } = await start()
    const refused = (params: object) =>
      worker.ui('sortInscriptions', params as never).catch(error => error.message)
    expect(await refused({ ids: ['x'], children: false, choice: 'hidden' })).toContain('id')
    expect(await refused({ ids: [], children: false, choice: 'hidden' })).toContain('ids')
    expect(await refused({ ids: [PARENT], children: false, choice: 'gone' })).toContain('choice')
  })
})

describe('hidden inscriptions in a backup', () => {
  it('come back where nothing else was said of them since', async () => {
    const { sort, worker, first } = await start()
    await sort([first], 'hidden')
    await sort([PARENT], 'kept', true)
    const { file } = (await worker.ui('createBackup', { walletPassword: PASSWORD, password })) as {
      file: string
    }
    const coinsOf = async () => {
      const { digest, sections } = await worker.ui('reviewBackup', { file, password })
      return { digest, section: sections.find(({ part }) => part === 'coins') }
    }
    expect((await coinsOf()).section).toMatchObject({ sameCount: 2, addedCount: 0 })
    await sort([first], null)
    const { digest, section } = await coinsOf()
    expect(section?.added).toMatchObject([{ kind: 'hidden', name: first }])
    await worker.ui('restoreBackup', { file, password, digest, parts: ['coins'] })
    expect((await worker.ui('getInscriptions', { ...PAGE, group: 'hidden' })).total).toBe(1)
  })

  /** A wallet that hid these once, has a backup from then, shows them again and lets payments spend all coins. */
  async function startReleased(hide: (ids: string[]) => { chosen: string[]; children: boolean }) {
    const started = await start()
    const { sort, release, worker, ids, outpoints } = started
    const { chosen, children } = hide(ids)
    await sort(chosen, 'hidden', children)
    const { file } = (await worker.ui('createBackup', { walletPassword: PASSWORD, password })) as {
      file: string
    }
    await sort(chosen, null, children)
    for (const outpoint of outpoints) await release(outpoint)
    const restore = async (restoring = worker) => {
      const { digest } = await restoring.ui('reviewBackup', { file, password })
      await restoring.ui('restoreBackup', { file, password, digest, parts: ['coins'] })
    }
    return { ...started, restore }
  }

  it('are held again where payments were allowed to spend their coins since', async () => {
    const { restore, heldOf, worker, outpoints } = await startReleased(([first = '']) => {
      return { chosen: [first], children: false }
    })
    expect(await heldOf()).toEqual([null, null, null])
    await restore()
    expect(await heldOf()).toEqual(['inscribed', null, null])
    const all = { recipients: [{ to: RECIPIENT, sats: 'max' }] }
    const { review } = await worker.ui('planPayment', draft(all))
    expect(review.inputs.map(({ outpoint }) => outpoint)).not.toContain(outpoints[0])
  })

  it('are held with their collection, and with them what is not known to be of another', async () => {
    const { restore, heldOf, list, world } = await startReleased(() => {
      return { chosen: [PARENT], children: true }
    })
    await restore()
    expect(await heldOf()).toEqual(['inscribed', 'inscribed', 'inscribed'])
    expect(await list('hidden')).toMatchObject({ total: 2 })
    expect(world.assets.faults).toEqual({})
  })

  it('leave coins alone that are known to carry nothing of their collection', async () => {
    const { restore, heldOf, sort, list } = await startReleased(() => {
      return { chosen: [PARENT], children: true }
    })
    const other = `${'cd'.repeat(32)}i0`
    await sort([other], 'hidden', true)
    await list()
    await sort([other], null, true)
    await restore()
    expect(await heldOf()).toEqual(['inscribed', 'inscribed', null])
  })
})
