import { Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { draft, RECIPIENT } from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'

/** What the person does with a coin before paying. */
type Act =
  | 'nothing'
  | 'hide'
  | 'release'
  | 'release, hide'
  | 'hide, release'
  | 'release, undo'
  | 'lock'

const ACTS: readonly Act[] = [
  ...(['nothing', 'hide', 'release', 'release, hide', 'hide, release'] as const),
  ...(['release, undo', 'lock'] as const),
]

const coin = fc.record({
  sats: fc.integer({ min: 1_100, max: 60_000 }),
  isInscribed: fc.boolean(),
  act: fc.constantFrom(...ACTS),
})
const payment = fc.record({
  sats: fc.oneof(fc.constant('max' as const), fc.integer({ min: 600, max: 90_000 })),
  feeRate: fc.integer({ min: 1, max: 40 }),
})

/** By the person's last word alone: what payments may take. */
function mayBeSpent({ isInscribed, act }: { isInscribed: boolean; act: Act }): boolean {
  if (act === 'lock') return false
  return !isInscribed || act === 'release' || act === 'hide, release'
}

describe('whatever a wallet holds and whatever is paid', () => {
  it('no coin is spent that is hidden or held, unless it was released', async () => {
    let spentReleased = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(coin, { minLength: 1, maxLength: 6 }),
        fc.array(payment, { minLength: 1, maxLength: 3 }),
        async (coins, payments) => {
          const { worker, outpoints } = await startInscribed(
            coins.map(({ sats, isInscribed }) => ({
              sats: BigInt(sats),
              with: isInscribed ? [{}] : [],
            })),
            [40_000n],
          )
          for (const [at, one] of coins.entries()) await act(worker, outpoints[at] ?? '', one.act)
          const forbidden = new Set(outpoints.filter((_, at) => !mayBeSpent(coins[at] ?? NONE)))
          const released = new Set(
            outpoints.filter(
              (_, at) => coins[at]?.isInscribed && !forbidden.has(outpoints[at] ?? ''),
            ),
          )
          for (const { sats, feeRate } of payments) {
            const order = {
              recipients: [{ to: RECIPIENT, sats: sats === 'max' ? sats : String(sats) }],
            }
            const plan = await worker
              .ui('planPayment', draft({ ...order, feeRate }))
              .catch(() => null)
            if (plan) await worker.ui('confirmPayment', plan)
          }
          for (const raw of await listSent(worker)) {
            for (const outpoint of readInputs(raw)) {
              expect(forbidden).not.toContain(outpoint)
              if (released.has(outpoint)) spentReleased++
            }
          }
        },
      ),
      { numRuns: 25 },
    )
    // Else the property would hold for a wallet that spends nothing.
    expect(spentReleased).toBeGreaterThan(0)
  })
})

const NONE = { isInscribed: true, act: 'nothing' } as const

type Worker = Awaited<ReturnType<typeof startInscribed>>['worker']

async function act(worker: Worker, outpoint: string, acts: Act): Promise<void> {
  for (const one of acts.split(', ')) {
    const shown = (await worker.ui('getCoins', null)).find(other => other.outpoint === outpoint)
    if (!shown) throw new Error(`No coin ${outpoint}`)
    const ids = shown.assets.flatMap(asset => (asset.kind === 'inscription' ? asset.id : []))
    if (one === 'hide' && ids.length > 0)
      await worker.ui('sortInscriptions', { ids, children: false, choice: 'hidden' })
    if (one === 'release') await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown })
    if (one === 'undo') await worker.ui('setCoinChoice', { outpoint, choice: null })
    if (one === 'lock') await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
  }
}

async function listSent({ wallet }: Worker): Promise<string[]> {
  const account = await wallet.accounts.selected('regtest')
  const records = await wallet.activity.listSent('regtest', account?.id ?? '')
  return records.map(({ rawTx }) => rawTx)
}

/** From the transaction's bytes alone, with a library that the wallet's selection does not use. */
function readInputs(rawTx: string): string[] {
  const { ins } = Transaction.fromBuffer(fromHex(rawTx))
  return ins.map(({ hash, index }) => `${Buffer.from(hash).reverse().toString('hex')}:${index}`)
}
