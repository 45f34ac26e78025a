import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { approveSigning, startSigner } from '../testing/psbt-site.ts'
import { signElsewhere, stranger } from '../testing/signed-transactions.ts'
import { decideNext, fund } from '../testing/test-wallet.ts'

const SATS = 50_000n
const GONE = { kind: 'unreachable', host: 'devnet', detail: '', retryInMs: 0 } as const

type Site = Awaited<ReturnType<typeof startSigner>>

/** A payment to somebody else that spends coins of the account, each of 50,000 sats. */
function spend({ key }: Site, ...txids: string[]) {
  return buildPsbt({
    inputs: txids.map(txid => ({
      ...{
        type: 'p2wpkh' as const,
        key,
        amount: SATS,
        outpoint: { txid, vout: 0 },
        proof: 'witness' as const,
      },
    })),
    outputs: [stranger(BigInt(txids.length) * SATS - 1_000n)],
  })
}

describe('a PSBT of a site', () => {
  it('that spends coins which are in no block says which', async () => {
    const site = await startSigner('p2wpkh')
    const { world, account } = site
    const txids = [
      fund(world, account.address, SATS),
      fund(world, account.address, SATS, { confirmed: false }),
    ]
    const psbt = toHex(spend(site, ...txids).bytes)
    const { review } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]?.warnings).toContainEqual({ kind: 'spends-unconfirmed', inputs: [1] })
  })

  it('that spends what is in a block says nothing of it, nor where no server tells', async () => {
    const site = await startSigner('p2wpkh')
    const { world, account } = site
    const { chain } = world.chain
    const warningsOf = async (confirmed: boolean) => {
      const txid = fund(world, account.address, SATS, { confirmed })
      const psbt = toHex(spend(site, txid).bytes)
      const { review } = await approveSigning(site, 'signPsbt', psbt)
      return review.items[0]?.warnings.map(({ kind }) => kind)
    }
    expect(await warningsOf(true)).not.toContain('spends-unconfirmed')
    chain.fetchTransactionHeight = async () => {
      throw new BackendUnavailableError(GONE)
    }
    expect(await warningsOf(false)).not.toContain('spends-unconfirmed')
  })

  it('does not say it of what another of the same request makes', async () => {
    const site = await startSigner('p2wpkh')
    const { world, account, key } = site
    const txid = fund(world, account.address, SATS)
    const first = buildPsbt({
      inputs: [
        { type: 'p2wpkh', key, amount: SATS, outpoint: { txid, vout: 0 }, proof: 'witness' },
      ],
      outputs: [{ type: 'p2wpkh', key, amount: 49_000n }],
    })
    const made = { txid: signElsewhere(first, key).txid, vout: 0 }
    const second = buildPsbt({
      inputs: [{ type: 'p2wpkh', key, amount: 49_000n, outpoint: made, proof: 'witness' }],
      outputs: [stranger(48_000n)],
    })
    const psbts = [first, second].map(({ bytes }) => toHex(bytes))
    const { review } = await approveSigning(site, 'signPsbts', psbts)
    const kinds = review.items.flatMap(({ warnings }) => warnings.map(({ kind }) => kind))
    expect(kinds).not.toContain('spends-unconfirmed')
  })
})

describe('a signed transaction of a site', () => {
  it('that spends coins which are in no block says which', async () => {
    const site = await startSigner('p2wpkh')
    const { world, account, page, worker, key } = site
    const txids = [
      fund(world, account.address, SATS),
      fund(world, account.address, SATS, { confirmed: false }),
    ]
    const answer = page.call('pushTx', signElsewhere(spend(site, ...txids), key).raw)
    const { review } = await decideNext(worker, 'approve', 'push-tx')
    expect(review).toMatchObject({
      warnings: expect.arrayContaining([{ kind: 'spends-unconfirmed', inputs: [1] }]),
    })
    await answer
  })
})
