import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { payFromPopup, RECIPIENT, SITE, startFunded } from '../testing/funded-wallet.ts'
import { publishPrevious } from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import type { World } from '../testing/test-wallet.ts'
import { createPushLimit } from './push-limit.ts'

const stranger = { type: 'p2wpkh' as const, amount: 10_000n, proof: 'witness' as const }

/** A payment of nobody's coins, which goes without a question once it is signed. */
function buildForeign(world: World) {
  return publishPrevious(
    { world },
    buildFresh({ inputs: [stranger], outputs: [{ ...stranger, amount: 9_000n }] }),
  )
}

describe('transactions that a site pushes', () => {
  it('are refused beyond its limit before anybody is asked, which says when to come again', async () => {
    const { world, worker, page, account } = await startFunded()
    const built = buildForeign(world)
    const signed = signElsewhere(built)
    worker.wallet.pushLimit.take(SITE, 100)
    const { shown } = world.window
    const calls: [string, ...unknown[]][] = [
      ['pushTx', signed.raw],
      ['pushPsbt', signed.psbt],
      ['sendPsbt', [{ itemId: 'a', type: 20, signedTx: signed.psbt }], account.address],
      ['signPsbt', toHex(built.bytes), { broadcast: true }],
      ['unisat.pushTx', { rawtx: signed.raw }],
      ['satsConnect.signPsbt', { psbt: signed.base64, broadcast: true }],
    ]
    for (const [method, ...params] of calls) {
      expect(await page.call(method, ...params)).toMatchObject({
        error: {
          code: -32005,
          message: 'Too many requests. Slow down and try again in 2 s.',
          data: { retryAfter: 2 },
        },
      })
    }
    expect(world.window.shown).toBe(shown)
    expect(world.chain.broadcasts).toEqual([])
    world.clock.now += 2000
    expect(await page.call('pushTx', signed.raw)).toEqual({
      ...{ id: expect.any(String), result: signed.txid },
    })
  })

  it('leave what the person pays alone', async () => {
    const { worker, world } = await startFunded(100_000n)
    worker.wallet.pushLimit.take(SITE, 100)
    const { txid } = await payFromPopup(worker, { recipients: [{ to: RECIPIENT, sats: '1000' }] })
    expect(world.chain.broadcasts).toEqual([txid])
  })
})

describe('the limit', () => {
  const start = () => {
    const clock = { now: 0 }
    return { clock, ...createPushLimit({ now: () => clock.now }) }
  }
  const refusal = expect.objectContaining({ code: -32005 })

  it('is for each site, and for all together', () => {
    const { take } = start()
    take('a', 100)
    expect(() => take('a', 1)).toThrow(refusal)
    take('b', 60)
    take('c', 40)
    expect(() => take('d', 1)).toThrow(refusal)
  })

  it('grows back, one in two seconds', () => {
    const { take, clock } = start()
    take('a', 100)
    clock.now += 10_000
    take('a', 5)
    expect(() => take('a', 1)).toThrow(refusal)
  })

  it('counts each item of a batch', () => {
    const { take } = start()
    take('a', 98)
    expect(() => take('a', 3)).toThrow(refusal)
    take('a', 2)
  })
})
