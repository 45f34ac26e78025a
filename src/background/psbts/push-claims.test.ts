import { SigHash, Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { type buildPsbt, FOREIGN_KEY } from '../../bitcoin/testing/psbt-building.ts'
import { type ChainCoin, startAssetSite, toThem } from '../testing/asset-site.ts'
import { SITE } from '../testing/funded-wallet.ts'
import { buildFresh } from '../testing/signed-transactions.ts'
import { gatherFacts, type PushContext, preparePush } from './push.ts'

/** How far it holds where assets of pushed transactions go: as far as the signatures bind that our coins carry. */

const { ALL, ALL_ANYONECANPAY: ALL_ANYONE, SINGLE_ANYONECANPAY: SINGLE_ANYONE } = SigHash

async function start(type: 'p2wpkh' | 'p2pkh' | 'p2sh-p2wpkh' = 'p2wpkh') {
  const site = await startAssetSite(type)
  const context: PushContext = {
    ...{ wallet: site.worker.wallet, account: site.account, network: 'regtest', origin: SITE },
  }
  /** By another library; `sighashes` are of the inputs, all of them unless given. */
  const sign = (params: Parameters<typeof buildPsbt>[0], sighashes: number[] = []) => {
    const inputs = params.inputs.map((input, at) => ({ ...input, sighash: sighashes[at] ?? ALL }))
    const transaction = Transaction.fromPSBT(buildFresh({ ...params, inputs }).bytes, {
      allowUnknownInputs: true,
      allowLegacyWitnessUtxo: true,
      disableScriptCheck: true,
    })
    for (const [at, { key = FOREIGN_KEY, sighash }] of inputs.entries())
      transaction.signIdx(key, at, [sighash])
    transaction.finalize()
    return { rawTx: toHex(transaction.extract()), txid: transaction.id, previous: new Map() }
  }
  type Signed = ReturnType<typeof sign>
  const prepare = async (signed: Signed, all: Signed[] = [signed]) =>
    preparePush(context, signed, await gatherFacts(context, all), null)
  const claimsOf = async (...asked: Parameters<typeof prepare>) => {
    const { review } = await prepare(...asked)
    return review.assets.map(({ input, to, certainty }) => [input, to, certainty])
  }
  const inscribed = (coin: ChainCoin) => {
    site.world.assets.inscribe(coin.at)
    return coin
  }
  return { ...site, sign, prepare, claimsOf, inscribed }
}

describe('where an inscription of ours goes', () => {
  it.each(['p2wpkh', 'p2pkh', 'p2sh-p2wpkh'] as const)(
    'is certain where our signature names everything, and open where it leaves something (%s)',
    async type => {
      const { sign, claimsOf, inscribed, mine } = await start(type)
      const given = { inputs: [inscribed(mine(10_000n))], outputs: [toThem(9_000n)] }
      expect(await claimsOf(sign(given))).toEqual([[0, 'foreign', 'certain']])
      for (const sighash of [ALL_ANYONE, SINGLE_ANYONE])
        expect(await claimsOf(sign(given, [sighash]))).toEqual([[0, 'foreign', 'open']])
    },
  )

  it('is told by the signature of its own coin, whatever the others carry', async () => {
    const { sign, claimsOf, inscribed, mine, toMe } = await start()
    const inputs = [inscribed(mine(10_000n)), mine(10_000n)]
    const outputs = [toThem(10_000n), toMe(9_000n)]
    expect(await claimsOf(sign({ inputs, outputs }, [ALL, ALL_ANYONE]))).toEqual([
      [0, 'foreign', 'certain'],
    ])
    expect(await claimsOf(sign({ inputs, outputs }, [ALL_ANYONE, ALL]))).toEqual([
      [0, 'foreign', 'open'],
    ])
  })

  it('is unknown behind a coin of which nobody knows what it holds', async () => {
    const { sign, claimsOf, inscribed, mine } = await start()
    const unknown = { type: 'p2wpkh' as const, amount: 5_000n }
    const inputs = [unknown, inscribed(mine(10_000n))]
    expect(await claimsOf(sign({ inputs, outputs: [toThem(9_000n)] }))).toEqual([
      [1, 'unknown', 'unknown'],
    ])
  })
})

describe('where an inscription of others goes', () => {
  it('is certain where all our signatures name everything, and open where one does not', async () => {
    const { sign, claimsOf, inscribed, mine, theirs, toMe } = await start()
    const inputs = [inscribed(theirs(10_000n)), mine(10_000n), mine(10_000n)]
    const outputs = [toMe(10_000n), toThem(19_000n)]
    expect(await claimsOf(sign({ inputs, outputs }))).toEqual([[0, 'own', 'certain']])
    expect(await claimsOf(sign({ inputs, outputs }, [ALL, ALL, ALL_ANYONE]))).toEqual([
      [0, 'own', 'open'],
    ])
    // What others sign binds nothing of ours.
    expect(await claimsOf(sign({ inputs, outputs }, [ALL_ANYONE]))).toEqual([[0, 'own', 'certain']])
  })
})

describe('transactions that are pushed together', () => {
  it('each have their own coins, and the index is not asked for what they make for others', async () => {
    const { sign, prepare, mine, theirs, world } = await start()
    const [first, second] = [mine(10_000n), mine(20_000n)]
    const parent = sign({ inputs: [first], outputs: [toThem(9_000n)] })
    const made = { ...theirs(9_000n), outpoint: { txid: parent.txid, vout: 0 } }
    const child = sign({ inputs: [made, second], outputs: [toThem(28_000n)] })
    world.assets.asked.length = 0
    const pushes = [await prepare(parent, [parent, child]), await prepare(child, [parent, child])]
    expect(pushes.map(({ own }) => own.map(({ outpoint }) => outpoint))).toEqual([
      [first.at],
      [second.at],
    ])
    const asked = world.assets.asked.join(' ')
    expect([asked.includes(first.at), asked.includes(`${parent.txid}:0`)]).toEqual([true, false])
    expect(pushes[1]?.review.fee).toBe('1000')
  })

  it('have a coin of ours asked about also where another of them makes it', async () => {
    const { sign, prepare, mine, toMe } = await start()
    const parent = sign({ inputs: [mine(10_000n)], outputs: [toMe(9_000n)] })
    const made = { ...mine(9_000n), outpoint: { txid: parent.txid, vout: 0 } }
    const child = sign({ inputs: [made], outputs: [toThem(8_000n)] })
    const { own } = await prepare(child, [parent, child])
    expect(own.map(({ outpoint }) => outpoint)).toEqual([`${parent.txid}:0`])
  })
})
