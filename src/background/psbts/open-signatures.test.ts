import { describe, expect, it } from 'vitest'
import type { OpenSignature } from '../../bitcoin/psbt/review.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { dieAfter, SITE } from '../testing/funded-wallet.ts'
import {
  approveSigning,
  hexOf,
  restart,
  resultOf,
  type Signing,
  startSigner,
} from '../testing/psbt-site.ts'
import { connectPage, decideNext, openPage, startWorker } from '../testing/test-wallet.ts'
import { createOpenSignatures } from './open-signatures.ts'

const PRICE = 100_000n

const back = ({ key }: Signing) => ({ type: 'p2tr' as const, key, amount: PRICE })
const theirs = { type: 'p2wpkh' as const, amount: PRICE }
const coin = ({ key }: Signing, sighash: number) => ({
  ...{ type: 'p2tr' as const, key, amount: PRICE, sighash },
})

function ask({ account }: Signing, sighash: number) {
  return {
    autoFinalized: false,
    toSignInputs: [{ index: 0, address: account.address, sighashTypes: [sighash] }],
  }
}

/** A coin against its own amount; `from` tells coins apart. */
function listing(site: Signing, from: number) {
  const psbt = hexOf({ inputs: [coin(site, 0x83)], outputs: [back(site)], from })
  return [psbt, ask(site, 0x83)] as const
}

/** The same, where somebody else may add a coin and take it for themselves. */
function offer(site: Signing, from: number) {
  const psbt = hexOf({ inputs: [coin(site, 0x81)], outputs: [back(site), theirs], from })
  return [psbt, ask(site, 0x81)] as const
}

async function worstShown(site: Signing, params: readonly unknown[]) {
  const { review, response } = await approveSigning(site, 'signPsbt', ...params)
  resultOf(response)
  return review.items[0]?.worst
}

describe('a coin that can be put beside one that was signed before', () => {
  it('costs all of it, since one output can pay for both', async () => {
    const site = await startSigner()
    expect(await worstShown(site, listing(site, 0))).toBe('0')
    expect(await worstShown(site, offer(site, 10))).toBe('-100000')
  })

  it('is so in whichever order the two are signed, for all accounts, and after a restart', async () => {
    const site = await startSigner()
    expect(await worstShown(site, offer(site, 0))).toBe('0')
    const worker = restart(site)
    const added = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    expect(await worker.wallet.openSignatures.list('regtest')).toHaveLength(1)
    await worker.ui('removeAccount', { accountId: added.id })
    const page = await connectPage(worker, 'https://other.example', 2)
    const again = { ...site, worker, page }
    expect(await worstShown(again, listing(again, 10))).toBe('-100000')
  })

  it('is said of twenty listings at one price to cost nothing', async () => {
    const site = await startSigner()
    for (let from = 0; from < 20; from++)
      expect(await worstShown(site, listing(site, 2 * from))).toBe('0')
  })

  it('costs nothing more when the same is asked for again, or when the first was rejected', async () => {
    const site = await startSigner()
    const rejected = site.page.call('signPsbt', ...listing(site, 0))
    await decideNext(site.worker, 'reject', 'sign-psbt')
    await rejected
    expect(await worstShown(site, offer(site, 10))).toBe('0')
    expect(await worstShown(site, offer(site, 10))).toBe('0')
  })

  it('is not signed when the other was signed while this one was asked about', async () => {
    const site = await startSigner()
    const first = site.page.call('signPsbt', ...listing(site, 0))
    const second = site.page.call('signPsbt', ...offer(site, 10))
    const third = site.page.call('signPsbt', ...listing(site, 20))
    // What is found out of the second after the first was signed is worse, and shown so.
    await expect
      .poll(() => site.worker.wallet.approvals.queue(null), { timeout: 20_000 })
      .toHaveLength(3)
    for (let asked = 0; asked < 3; asked++) await decideNext(site.worker, 'approve', 'sign-psbt')
    const outdated = { error: { code: -32000, data: { reason: 'PLAN_OUTDATED' } } }
    expect(await first).toHaveProperty('result')
    expect(await second).toMatchObject(outdated)
    expect(await third).toHaveProperty('result')
    expect(await worstShown(site, offer(site, 10))).toBe('-100000')
  })

  it('is remembered before its signature leaves, wherever the worker dies', async () => {
    let finished = false
    let seen = 0
    for (let writes = 0; !finished; writes++) {
      expect(writes).toBeLessThan(30)
      const site = await startSigner()
      const doomed = dieAfter(site.world, writes)
      const dying = startWorker(doomed)
      const answer = openPage(dying, SITE).send('x', 'signPsbt', ...listing(site, 0))
      void decideNext(dying, 'approve', 'sign-psbt').catch(() => {})
      const answered = await Promise.race([answer, doomed.died])
      finished = answered !== undefined
      const { requests, openSignatures } = restart(site).wallet
      const stored = (await requests.load()).find(({ id }) => id === 'x')
      if (!finished && !stored?.outcome) continue
      seen++
      expect(await openSignatures.list('regtest')).toHaveLength(1)
    }
    expect(seen).toBeGreaterThan(0)
  })
})

describe('open signatures', () => {
  const one = (n: number): OpenSignature => ({
    outpoints: [`${n}:0`],
    all: false,
    outputs: [`51 ${n}`],
  })
  const always = () => true

  it('are kept by the newest 500 of a network, each once', async () => {
    const local = createMemoryArea()
    const store = createOpenSignatures({ local })
    for (let n = 0; n < 502; n++) await store.add('regtest', 'a', [one(n), one(0)], always)
    await store.add('mainnet', 'a', [one(7)], always)
    const kept = (await createOpenSignatures({ local }).list('regtest')).map(
      ({ outpoints }) => outpoints[0],
    )
    expect(kept).toHaveLength(500)
    expect(kept.filter(outpoint => outpoint === '0:0')).toHaveLength(1)
    expect([kept.includes('2:0'), kept.includes('3:0')]).toEqual([false, true])
    expect(await store.list('mainnet')).toHaveLength(1)
  })

  it('take little room, however much they ask for', async () => {
    const local = createMemoryArea()
    const store = createOpenSignatures({ local })
    for (let n = 0; n < 10; n++) {
      const outputs = Array.from({ length: 3_000 }, (_, at) => `5120${'ab'.repeat(32)} ${at}`)
      await store.add('regtest', 'a', [{ outpoints: [`${n}:0`], all: true, outputs }], always)
    }
    expect(JSON.stringify(local.dump()).length).toBeLessThan(1_100_000)
    expect((await store.list('regtest')).at(-1)?.outpoints).toEqual(['9:0'])
  })

  it('that are refused are not kept', async () => {
    const store = createOpenSignatures({ local: createMemoryArea() })
    expect(await store.add('regtest', 'a', [one(1)], () => false)).toBe(false)
    expect(await store.list('regtest')).toEqual([])
  })

  it('go with their account, and all with the wallet', async () => {
    const site = await startSigner()
    const { worker, account, world } = site
    await worker.wallet.openSignatures.add('regtest', 'other', [one(1)], always)
    await worstShown(site, listing(site, 0))
    await worker.ui('removeAccount', { accountId: account.id })
    expect(await worker.wallet.openSignatures.list('regtest')).toMatchObject([one(1)])
    await worker.ui('resetWallet', { confirmation: 'erase' })
    expect(world.local.dump()).not.toHaveProperty('openSignatures')
  })
})
