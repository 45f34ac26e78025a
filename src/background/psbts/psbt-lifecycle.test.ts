import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { type BuiltInput, buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { canSign } from '../accounts/accounts.ts'
import { unsignedTxidOf } from '../sending/shown-transactions.ts'
import { dieAfter, SITE } from '../testing/funded-wallet.ts'
import {
  approveSigning,
  hexOf,
  isSignedElsewhere,
  privateKeyOf,
  publishPrevious,
  readPsbtElsewhere,
  restart,
  resultOf,
  type Signing,
  startSigner,
} from '../testing/psbt-site.ts'
import {
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  type Worker,
} from '../testing/test-wallet.ts'

const OUTPUTS = [{ type: 'p2wpkh' as const, amount: 9_000n }]
const SIGNATURES_STAY = { autoFinalized: false }

function spend(key: Uint8Array, change: Partial<BuiltInput> = {}, from = 0) {
  const input = { type: 'p2tr' as const, key, amount: 10_000n, ...change }
  return buildPsbt({ inputs: [input], outputs: OUTPUTS, from })
}
const hexSpend = (...params: Parameters<typeof spend>) => toHex(spend(...params).bytes)

describe('an approval to sign', () => {
  it('with another digest than the one that was shown signs nothing', async () => {
    const { page, worker, key } = await startSigner()
    const answer = page.call('signPsbt', hexSpend(key))
    const { key: request, digest } = await nextApproval(worker, 'sign-psbt')
    const wrong = digest.replace(/^./, first => (first === '0' ? '1' : '0'))
    await expect(
      worker.ui('decide', { key: request, digest: wrong, decision: 'approve' }),
    ).rejects.toThrow()
    await decideNext(worker, 'reject')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
  })

  it('has another digest for every other PSBT and every other option', async () => {
    const site = await startSigner()
    const { address } = site.account
    const [a, b] = [hexSpend(site.key), hexSpend(site.key, {}, 1)]
    const digests = new Set<string>()
    for (const params of [
      [a],
      [b],
      [a, SIGNATURES_STAY],
      [a, { toSignInputs: [{ index: 0, address }] }],
    ]) {
      const answer = site.page.call('signPsbt', ...params)
      digests.add((await decideNext(site.worker, 'reject', 'sign-psbt')).digest)
      await answer
    }
    expect(digests.size).toBe(4)
  })

  it('is for what was found out then, whatever the server says after it', async () => {
    const site = await startSigner('p2wpkh')
    const { page, worker, key, world } = site
    const built = publishPrevious(site, spend(key, { type: 'p2wpkh' }))
    const answer = page.call('signPsbt', toHex(built.bytes), SIGNATURES_STAY)
    await nextApproval(worker, 'sign-psbt')
    for (const txid of built.previous.keys()) world.chain.evict(txid)
    world.chain.faults.unreachable = true
    await decideNext(worker, 'approve', 'sign-psbt')
    expect(isSignedElsewhere(resultOf(await answer), 0)).toBe(true)
  })

  it('ends with 4100 when the account or the network is switched, or the site disconnects', async () => {
    const ends: ((site: Signing) => Promise<unknown>)[] = [
      async ({ worker, account }) => {
        const { accounts } = await worker.ui('getState', null)
        const other = accounts.find(({ id }) => id !== account.id)
        await worker.ui('selectAccount', { accountId: other?.id ?? '' })
      },
      ({ worker }) => worker.ui('selectNetwork', { network: 'signet' }),
      ({ page }) => page.call('disconnect'),
    ]
    for (const end of ends) {
      const site = await startSigner()
      const answer = site.page.call('signPsbt', hexSpend(site.key))
      await nextApproval(site.worker, 'sign-psbt')
      await end(site)
      expect(await answer).toMatchObject({ error: { code: 4100 } })
      expect(await site.worker.ui('getApproval', null)).toBeNull()
    }
  })

  it('asks for the password first where the wallet was locked meanwhile, and goes on after it', async () => {
    const { page, worker, key } = await startSigner()
    const answer = page.call('signPsbt', hexSpend(key), SIGNATURES_STAY)
    const { key: request, digest } = await nextApproval(worker, 'sign-psbt')
    await worker.ui('lock', null)
    await expect(
      worker.ui('decide', { key: request, digest, decision: 'approve' }),
    ).rejects.toMatchObject({ code: 4100 })
    expect((await nextApproval(worker)).review).toEqual({ kind: 'unlock', method: 'signPsbt' })
    await worker.ui('unlock', { password: PASSWORD })
    expect((await decideNext(worker, 'approve', 'sign-psbt')).digest).toBe(digest)
    expect(isSignedElsewhere(resultOf(await answer), 0)).toBe(true)
  })

  it('comes after the unlock for a request that finds the wallet locked', async () => {
    const { page, worker, key } = await startSigner()
    await worker.ui('lock', null)
    const answer = page.call('signPsbt', hexSpend(key), SIGNATURES_STAY)
    expect((await nextApproval(worker)).review).toEqual({ kind: 'unlock', method: 'signPsbt' })
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', 'sign-psbt')
    expect(isSignedElsewhere(resultOf(await answer), 0)).toBe(true)
  })

  it('is refused to a page that is not connected', async () => {
    const { worker, key, world } = await startSigner()
    const shown = world.window.shown
    const stranger = openPage(worker, 'https://other.example', 2)
    for (const params of [hexSpend(key), [hexSpend(key)]]) {
      const method = Array.isArray(params) ? 'signPsbts' : 'signPsbt'
      expect(await stranger.call(method, params)).toMatchObject({ error: { code: 4100 } })
    }
    expect(world.window.shown).toBe(shown)
  })
})

describe('a worker that dies at any write of a request', () => {
  it('leaves the page one right answer', async () => {
    let finished = false
    for (let writes = 0; !finished; writes++) {
      expect(writes).toBeLessThan(30)
      const site = await startSigner('p2wpkh', createWorld())
      const built = publishPrevious(site, spend(site.key, { type: 'p2wpkh' }))
      const params = [toHex(built.bytes), SIGNATURES_STAY] as const
      const dying = restart({ world: dieAfter(site.world, writes) })
      const first = openPage(dying, SITE).send('ask-1', 'signPsbt', ...params)
      const stop = approveAlways(dying)
      const early = await Promise.race([first, new Promise(resolve => setTimeout(resolve, 250))])
      stop()
      finished = early !== undefined
      // The server is gone with the first worker where it was asked already.
      const second = restart(site)
      const stored = await second.wallet.requests.load()
      const asked = stored.some(
        ({ method, journal, outcome }) => method === 'signPsbt' && (journal.review || outcome),
      )
      if (asked) site.world.chain.faults.unreachable = true
      const answer = openPage(second, SITE).send('ask-1', 'signPsbt', ...params)
      const stopAgain = approveAlways(second)
      const response = await answer
      stopAgain()
      expect(isSignedElsewhere(resultOf(response), 0)).toBe(true)
      if (early) expect(early).toEqual(response)
    }
  })
})

/** Approves whatever comes. */
function approveAlways(worker: Worker): () => void {
  const timer = setInterval(async () => {
    const approval = await worker.ui('getApproval', null)
    if (!approval) return
    const { key, digest } = approval
    await worker.ui('decide', { key, digest, decision: 'approve' }).catch(() => {})
  }, 5)
  return () => clearInterval(timer)
}

describe('a batch with one bad PSBT', () => {
  const bad: [string, (key: Uint8Array) => string, string][] = [
    ['a broken one', () => '70736274ff00', '-32602'],
    [
      'one that has nothing of ours',
      () => hexOf({ inputs: [{ type: 'p2tr', amount: 10_000n }], outputs: OUTPUTS }),
      'NOTHING_TO_SIGN',
    ],
    ['one that wants a blank signature', key => hexSpend(key, { sighash: 2 }), 'SIGHASH_REFUSED'],
    ['one that gives all to miners', key => hexSpend(key, { amount: 100_000_000n }), 'ABSURD_FEE'],
    ['one that makes money', key => hexSpend(key, { amount: 8_999n }), 'BAD_AMOUNTS'],
  ]
  it.each(bad)(
    '%s is refused as a whole: nothing is shown and nothing signed',
    async (_, build, reason) => {
      const { page, key, world, worker } = await startSigner()
      const good = hexSpend(key, {}, 5)
      const shown = world.window.shown
      const response = await page.call('signPsbts', [good, build(key), good])
      expect(JSON.stringify(response)).toContain(reason)
      expect(JSON.stringify(response)).toContain('psbts[1]: ')
      expect(world.window.shown).toBe(shown)
      expect(await worker.ui('getApproval', null)).toBeNull()
    },
  )

  it('gives nothing when the signer fails at the last', async () => {
    const { page, key, worker } = await startSigner()
    const { signer } = worker.wallet
    const original = signer.signPsbts
    signer.signPsbts = async params => {
      const [first] = await original(params)
      return first ? [first] : []
    }
    const answer = page.call('signPsbts', [hexSpend(key), hexSpend(key, {}, 1)])
    await decideNext(worker, 'approve', 'sign-psbt')
    expect(await answer).toMatchObject({ error: { code: -32603 } })
  })
})

describe('what the signer hands back', () => {
  it('is not passed on when it is not what was shown', async () => {
    const { page, key, worker } = await startSigner()
    const { signer } = worker.wallet
    const original = signer.signPsbts
    const other = spend(key, {}, 7)
    const tampered: (typeof original)[] = [
      // Nothing is signed.
      async ({ items }) => items.map(({ psbt }) => psbt),
      // Another sighash than planned.
      params =>
        original({
          ...params,
          items: params.items.map(item => ({
            ...item,
            plans: item.plans.map(({ place, plan }) => ({
              place,
              plan: plan.map(each => ({ ...each, sighash: 1 as const })),
            })),
          })),
        }),
      // Another transaction.
      async params => {
        const [item] = params.items
        const { parsePsbt } = await import('../../bitcoin/psbt/psbt.ts')
        return item
          ? original({ ...params, items: [{ ...item, psbt: parsePsbt(other.bytes) }] })
          : []
      },
    ]
    for (const sign of tampered) {
      signer.signPsbts = sign
      const answer = page.call('signPsbt', hexSpend(key))
      await decideNext(worker, 'approve', 'sign-psbt')
      expect(await answer).toMatchObject({ error: { code: -32603, message: 'Internal error' } })
    }
  })
})

describe('inputs of other accounts', () => {
  it('of the same wallet are shown as own and never signed', async () => {
    const site = await startSigner()
    const second = await site.worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Savings' })
    if (!canSign(second)) throw new Error('Not ours')
    const built = buildPsbt({
      inputs: [
        { type: 'p2tr', key: site.key, amount: 10_000n },
        { type: 'p2wpkh', key: await privateKeyOf(second), amount: 50_000n, proof: 'previous' },
      ],
      outputs: [{ type: 'p2wpkh', amount: 59_000n }],
    })
    const { review, response } = await approveSigning(site, 'signPsbt', toHex(built.bytes))
    const [item] = review.items
    expect(item?.inputs[1]).toMatchObject({
      own: true,
      owner: 'own',
      accountName: 'Savings',
      state: 'open',
      sighash: null,
    })
    expect(item?.nets).toEqual([
      { accountId: site.account.id, accountName: site.account.name, sats: '-10000' },
      { accountId: second.id, accountName: 'Savings', sats: '-50000' },
    ])
    expect(item).toMatchObject({ net: { sats: '-60000' }, after: 'needs-others' })
    const [, theirs] = readPsbtElsewhere(resultOf(response)).data.inputs
    expect([theirs?.partialSig, theirs?.finalScriptWitness]).toEqual([undefined, undefined])
    // Nor when the site names them.
    const toSignInputs = [{ index: 1, address: site.account.address }]
    expect(await site.page.call('signPsbt', toHex(built.bytes), { toSignInputs })).toMatchObject({
      error: { data: { reason: 'NOT_OURS' } },
    })
    expect(
      await site.page.call('signPsbt', toHex(built.bytes), {
        toSignInputs: [{ index: 1, address: second.address }],
      }),
    ).toMatchObject({ error: { code: 4100 } })
  })

  it('that are only watched are somebody else’s', async () => {
    const site = await startSigner()
    const watched = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    await site.worker.ui('watchAddress', { address: watched, name: 'Cold' })
    const one = new Uint8Array(32)
    one[31] = 1
    const psbt = hexOf({
      inputs: [
        { type: 'p2tr', key: site.key, amount: 10_000n },
        { type: 'p2wpkh', key: one, amount: 50_000n, proof: 'previous' },
      ],
      outputs: [{ type: 'p2wpkh', key: one, amount: 59_000n }],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]).toMatchObject({
      net: { sats: '-10000' },
      inputs: [{}, { owner: 'foreign', address: watched }],
      outputs: [{ kind: 'foreign', address: watched, name: 'Cold' }],
    })
  })
})

describe('what was shown in full', () => {
  it('is remembered for pushing it, and what others may change is not', async () => {
    const site = await startSigner()
    const { shownTransactions } = site.worker.wallet
    const shown = { network: 'regtest' as const, accountId: site.account.id, moves: [] }
    for (const [sighash, remembered] of [
      [1, true],
      [0x83, false],
    ] as const) {
      const psbt = hexSpend(site.key, { sighash }, sighash)
      const toSignInputs = [{ index: 0, address: site.account.address, sighashTypes: [sighash] }]
      const { response } = await approveSigning(site, 'signPsbt', psbt, { toSignInputs })
      const transaction = readPsbtElsewhere(resultOf(response)).extractTransaction()
      const unsignedTxid = unsignedTxidOf(transaction.toBuffer())
      expect(await shownTransactions.has({ ...shown, unsignedTxid, fee: '1000' })).toBe(remembered)
      expect(await shownTransactions.has({ ...shown, unsignedTxid, fee: '999' })).toBe(false)
      expect(
        await shownTransactions.has({ ...shown, unsignedTxid, fee: '1000', network: 'signet' }),
      ).toBe(false)
    }
  })

  it('is not remembered when the person says no', async () => {
    const site = await startSigner()
    const answer = site.page.call('signPsbt', hexSpend(site.key))
    await decideNext(site.worker, 'reject', 'sign-psbt')
    await answer
    expect(site.world.session.dump()).not.toHaveProperty('shown')
  })
})
