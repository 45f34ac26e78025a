import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import type { AtomicalsBlueprint } from '../../chain/atomicals-source.ts'
import type { Asset } from '../../ordinals/asset.ts'
import { atomicalIdOf, nftOf, tokenOf } from '../../ordinals/testing/atomical-assets.ts'
import { inscription, RUNES } from '../../ordinals/testing/test-assets.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import type { Sources } from '../settings/servers.ts'
import { assertServerAgrees } from './atomicals-check.ts'

const SCRIPT = fromHex(`0014${'ab'.repeat(20)}`)
const NOTE = fromHex('6a0161')

/** A payment of coins and outputs of so many sats. */
function payment(coins: readonly bigint[], outputs: readonly (bigint | Uint8Array)[]): Payment {
  return {
    inputs: coins.map((amount, vout) => ({
      ...{ txid: 'ab'.repeat(32), vout, amount, height: 1, scriptPubKey: SCRIPT },
    })),
    outputs: outputs.map(one =>
      typeof one === 'bigint'
        ? { scriptPubKey: SCRIPT, amount: one }
        : { scriptPubKey: one, amount: 0n },
    ),
    ...{ addressType: 'p2wpkh', fee: 0n, vsize: 100, feeRate: 1, changeIndex: null },
    leading: { inputs: 0, outputs: 0 },
  }
}

type Told = AtomicalsBlueprint['outputs'][number]

const nft = (n: number, output: number): Told => ({
  ...{ output, id: atomicalIdOf(n), type: 'nft', amount: 1n },
})
const token = (n: number, output: number, amount: bigint): Told => ({
  ...{ output, id: atomicalIdOf(n), type: 'ft', amount },
})

/** What the index sees of the payment; null where none is set. */
function check(
  paid: Payment,
  carried: readonly (readonly Asset[])[],
  told: Partial<AtomicalsBlueprint> | null,
) {
  const asked: Uint8Array[] = []
  const foresee = async (raw: Uint8Array) => {
    asked.push(raw)
    return { outputs: [], burned: [], ...told }
  }
  const context = {
    network: 'regtest',
    wallet: { atomicals: async () => (told ? { foresee } : null) },
  } as unknown as PaymentContext<Pick<Sources, 'atomicals'>>
  return { asked, answer: assertServerAgrees(context, paid, carried) }
}

const refusal = (message: string) => ({
  ...{
    code: -32000,
    data: { reason: 'PROTECTED_ASSET' },
    message: expect.stringContaining(message),
  },
})
const ELSEWHERE = refusal('elsewhere')
const BURNED = refusal('burn')

describe('a payment that moves Atomicals', () => {
  it('goes on where the index sees the same, and the index is shown the whole transaction', async () => {
    const paid = payment([1_000n, 5_000n], [1_000n, 4_000n])
    const { asked, answer } = check(paid, [[nftOf(1)], [nftOf(2)]], {
      outputs: [nft(2, 1), nft(1, 0)],
    })
    await expect(answer).resolves.toBeUndefined()
    const [raw = new Uint8Array()] = asked
    const { ins, outs } = Transaction.fromBuffer(raw)
    expect([ins.length, outs.map(({ value }) => value)]).toEqual([2, [1_000n, 4_000n]])
  })

  it('goes on with tokens of several coins, whichever units the index puts where', async () => {
    const paid = payment([600n, 900n], [1_500n])
    const { answer } = check(paid, [[tokenOf(1, 600n)], [tokenOf(1, 900n)]], {
      outputs: [token(1, 0, 1_000n), token(1, 0, 500n)],
    })
    await expect(answer).resolves.toBeUndefined()
  })

  it.each<[string, Partial<AtomicalsBlueprint>]>([
    ['in another output', { outputs: [nft(1, 1)] }],
    ['as another one', { outputs: [nft(2, 0)] }],
    ['not at all', { outputs: [] }],
    ['with one more', { outputs: [nft(1, 0), nft(2, 1)] }],
  ])('is refused where the index sees it %s', async (_, told) => {
    const { answer } = check(payment([1_000n], [600n, 400n]), [[nftOf(1)]], told)
    await expect(answer).rejects.toMatchObject(ELSEWHERE)
  })

  it('is refused where the index counts other units of a token', async () => {
    const { answer } = check(payment([900n], [900n]), [[tokenOf(1, 900n)]], {
      outputs: [token(1, 0, 899n)],
    })
    await expect(answer).rejects.toMatchObject(ELSEWHERE)
  })

  it('counts an NFT once, however many sats the index says of it', async () => {
    const { answer } = check(payment([900n], [900n]), [[nftOf(1)]], {
      outputs: [{ ...nft(1, 0), amount: 900n }],
    })
    await expect(answer).resolves.toBeUndefined()
  })

  it('is refused where the index says that something burns', async () => {
    const { answer } = check(payment([1_000n], [1_000n]), [[nftOf(1)]], {
      outputs: [nft(1, 0)],
      burned: [{ id: atomicalIdOf(2), amount: 1n }],
    })
    await expect(answer).rejects.toMatchObject(BURNED)
  })

  it('is refused where it would burn something, also where there is no index', async () => {
    const lossy = payment([1_000n], [NOTE])
    await expect(check(lossy, [[tokenOf(1, 1_000n)]], null).answer).rejects.toMatchObject(BURNED)
    const kept = payment([1_000n], [1_000n])
    await expect(check(kept, [[nftOf(1)]], null).answer).resolves.toBeUndefined()
  })
})

describe('a payment without Atomicals', () => {
  it('asks no index, whatever else it carries', async () => {
    const { asked, answer } = check(
      payment([1_000n, 5_000n], [6_000n]),
      [[inscription(1, 0n), RUNES], []],
      { outputs: [nft(1, 0)] },
    )
    await expect(answer).resolves.toBeUndefined()
    expect(asked).toEqual([])
  })

  it('of several inputs asks where one of them carries any', async () => {
    const { asked, answer } = check(
      payment([1_000n, 1_000n], [2_000n]),
      [[inscription(1, 0n)], [nftOf(1)]],
      { outputs: [nft(1, 0)] },
    )
    await expect(answer).resolves.toBeUndefined()
    expect(asked).toHaveLength(1)
  })
})
