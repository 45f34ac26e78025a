import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import { DustError, type Payment } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund, RECIPIENT_SCRIPTS } from '../../bitcoin/testing/funding.ts'
import { type Asset, LARGE_POSTAGE } from '../asset.ts'
import { walkSat } from '../testing/sat-walk.ts'
import { allTo, idOf, inscription, RUNES } from '../testing/test-assets.ts'
import type { AssetCoin } from './coin-cut.ts'
import { buildSplit, NothingToSplitError } from './split-output.ts'
import { buildTransfer } from './transfer.ts'

const KEY = new Uint8Array(32).fill(7)
const OWN = { publicKey: publicKeyOf(KEY), addressType: 'p2tr' } as const
const [P2WPKH = new Uint8Array(), , , , P2PKH = new Uint8Array()] = RECIPIENT_SCRIPTS
const BTC = 100_000_000n

/** Coins of the fixed key with these sats and assets. */
function coinsWith(...contents: { sats: bigint; assets: Asset[] }[]): AssetCoin[] {
  const { utxos } = fund(
    KEY,
    'p2tr',
    contents.map(({ sats }) => sats),
  )
  return utxos.map((utxo, i) => ({ ...utxo, assets: contents[i]?.assets ?? [] }))
}

function cleanCoins(...amounts: bigint[]) {
  return fund(KEY, 'p2tr', amounts, 1000).utxos
}

const terms = { own: OWN, feeRate: 2, seed: 'seed' }

/** Sats and owner of each output, the change last. */
function outputsOf({ outputs }: Payment): string[] {
  return outputs.map(({ scriptPubKey, amount }) =>
    toHex(scriptPubKey) === toHex(P2WPKH) ? `to ${amount}` : `own ${amount}`,
  )
}

function transferOf(coin: { sats: bigint; assets: Asset[] }, asked: number[], clean: bigint[]) {
  return buildTransfer({
    coins: coinsWith(coin),
    asked: allTo(P2WPKH, asked.map(idOf)),
    utxos: cleanCoins(...clean),
    ...terms,
  })
}

describe('a transfer keeps to what ord’s own wallet keeps to', () => {
  it('keeps the value of a small coin, and its sat where it is within it', () => {
    const payment = transferOf({ sats: 600n, assets: [inscription(1, 333n)] }, [1], [20_000n])
    expect(outputsOf(payment)[0]).toBe('to 600')
    expect(walkSat(payment, 0, 333n)).toEqual({ output: 0, offset: 333n })
    expect(payment.leading).toEqual({ inputs: 1, outputs: 1 })
  })

  it('aligns a sat that lies deep in a large coin with its output (sat_is_aligned)', () => {
    const payment = transferOf({ sats: BTC, assets: [inscription(1, 60_000_000n)] }, [1], [])
    expect(outputsOf(payment).slice(0, 2)).toEqual(['own 60000000', 'to 546'])
    expect(walkSat(payment, 0, 60_000_000n)).toEqual({ output: 1, offset: 0n })
  })

  it('strips excess postage, and returns it (excess_postage_is_stripped)', () => {
    const payment = transferOf({ sats: BTC, assets: [inscription(1, 0n)] }, [1], [])
    expect(outputsOf(payment)).toEqual(['to 546', `own ${BTC - 546n - payment.fee}`])
  })

  it('strips nothing up to 10,000 sats', () => {
    const payment = transferOf({ sats: LARGE_POSTAGE, assets: [inscription(1, 0n)] }, [1], [5000n])
    expect(outputsOf(payment)[0]).toBe('to 10000')
  })

  it('makes no dust of what it strips (do_not_strip_excess_value_if_it_would_create_dust)', () => {
    const sats = LARGE_POSTAGE + 1n
    const rate = { feeRate: 52.8 }
    const payment = buildTransfer({
      coins: coinsWith({ sats, assets: [inscription(1, 0n)] }),
      asked: allTo(P2WPKH, [idOf(1)]),
      utxos: [],
      ...terms,
      ...rate,
    })
    for (const { scriptPubKey, amount } of payment.outputs)
      expect(amount).toBeGreaterThanOrEqual(dustLimit(scriptPubKey))
  })

  it('puts a clean coin in front where what stays would be dust (alignment_output_under_dust_limit_is_padded)', () => {
    const assets = [inscription(1, 0n), inscription(2, 100n)]
    // A clean coin that is not worth an output of its own is none to put in front.
    const payment = transferOf({ sats: BTC, assets }, [2], [700n, 3_000n, 40_000n])
    expect(payment.inputs[0]?.amount).toBe(3_000n)
    expect(payment.leading.inputs).toBe(2)
    expect(outputsOf(payment).slice(0, 3)).toEqual(['own 2554', 'own 546', 'to 546'])
    expect(walkSat(payment, 1, 0n)).toEqual({ output: 1, offset: 446n })
    expect(walkSat(payment, 1, 100n)).toEqual({ output: 2, offset: 0n })
  })

  it('lets what cannot be parted go along when there is no clean coin to put in front', () => {
    const assets = [inscription(1, 0n), inscription(2, 100n)]
    const payment = transferOf({ sats: BTC, assets }, [2], [])
    expect(outputsOf(payment)[0]).toBe('to 546')
    expect(walkSat(payment, 0, 0n)?.output).toBe(0)
  })

  it('keeps inscriptions of the same coin that were not asked for (do_not_send_two_inscriptions_at_once)', () => {
    const assets = [inscription(1, 0n), inscription(2, 5_000n), inscription(3, 90_000_000n)]
    const payment = transferOf({ sats: BTC, assets }, [2], [])
    expect(outputsOf(payment).slice(0, 5)).toEqual([
      'own 546',
      'own 4454',
      'to 546',
      'own 89994454',
      'own 546',
    ])
  })

  it('takes along what is too near to what goes, and nothing further away', () => {
    const assets = [0n, 546n, 547n, 2_220n].map((offset, i) => inscription(i + 1, offset))
    const payment = transferOf({ sats: 60_000n, assets }, [2], [])
    expect(outputsOf(payment).slice(0, 4)).toEqual(['own 546', 'to 546', 'own 1128', 'own 546'])
    expect(walkSat(payment, 0, 2_220n)).toEqual({ output: 3, offset: 0n })
  })

  it('keeps what lies between two that go, unless it is too little for a coin', () => {
    const far = [inscription(1, 0n), inscription(2, 90_000_000n)]
    expect(outputsOf(transferOf({ sats: BTC, assets: far }, [1, 2], [])).slice(0, 3)).toEqual([
      'to 546',
      'own 89999454',
      'to 546',
    ])
    const near = [inscription(1, 0n), inscription(2, 900n)]
    const payment = transferOf({ sats: BTC, assets: near }, [1, 2], [])
    expect(outputsOf(payment)).toEqual(['to 901', `own ${BTC - 901n - payment.fee}`])
  })

  it('does not part two inscriptions of one sat', () => {
    const payment = transferOf(
      { sats: BTC, assets: [inscription(1, 9n), inscription(2, 9n)] },
      [1],
      [50_000n],
    )
    expect(walkSat(payment, 0, 9n)?.output).toBe(0)
    expect(outputsOf(payment)[0]).toBe('to 546')
  })

  it('spends no coin but those of what is asked, and clean ones (do_not_select_already_inscribed_sats)', () => {
    const coins = coinsWith({ sats: 546n, assets: [inscription(1, 0n)] })
    const utxos = cleanCoins(9_000n)
    const { inputs } = buildTransfer({ coins, asked: allTo(P2WPKH, [idOf(1)]), utxos, ...terms })
    expect(inputs.map(formatOutpoint)).toEqual([...coins, ...utxos].map(formatOutpoint))
    expect(() =>
      buildTransfer({ coins, asked: allTo(P2WPKH, [idOf(1)]), utxos: [], ...terms }),
    ).toThrow(InsufficientFundsError)
  })

  it('keeps runes of a large coin in an own first output, and lets those of a small one go along', () => {
    const assets = [inscription(1, 0n), RUNES]
    const kept = transferOf({ sats: BTC, assets }, [1], [8_000n])
    expect(outputsOf(kept).slice(0, 2)).toEqual(['own 8000', 'to 546'])
    const gone = transferOf({ sats: 546n, assets }, [1], [8_000n])
    expect(outputsOf(gone)[0]).toBe('to 546')
  })

  it('moves a large coin whole when nobody has told all its sats', () => {
    const assets = [inscription(1, 0n), inscription(2, null)]
    const payment = transferOf({ sats: 50_000n, assets }, [1], [8_000n])
    expect(outputsOf(payment)[0]).toBe('to 50000')
  })

  it('raises a single output to what its address takes, and refuses that in a batch', () => {
    const coins = coinsWith(
      { sats: 330n, assets: [inscription(1, 329n)] },
      { sats: 330n, assets: [inscription(2, 0n)] },
    )
    const order = { ...terms, asked: allTo(P2PKH, [idOf(1), idOf(2)]) }
    const utxos = cleanCoins(20_000n)
    const alone = { coins: coins.slice(0, 1), asked: allTo(P2PKH, [idOf(1)]) }
    const single = buildTransfer({ ...order, ...alone, utxos })
    expect(single.outputs[0]?.amount).toBe(546n)
    expect(walkSat(single, 0, 329n)).toEqual({ output: 0, offset: 329n })
    expect(() => buildTransfer({ ...order, coins, utxos })).toThrow(DustError)
  })

  it('keeps the order that was asked for in a batch', () => {
    const contents = Array.from({ length: 20 }, (_, n) => ({
      sats: 546n + BigInt((n * 7919) % 4000),
      assets: [inscription(n, 0n)],
    }))
    const coins = coinsWith(...contents)
    const asked = allTo(
      P2WPKH,
      coins.map((_, n) => idOf(n)),
    )
    const payment = buildTransfer({ coins, asked, utxos: cleanCoins(90_000n), ...terms })
    expect(payment.inputs.slice(0, 20)).toEqual(coins)
    expect(payment.outputs.slice(0, 20).map(({ amount }) => amount)).toEqual(
      contents.map(({ sats }) => sats),
    )
  })
})

describe('a split', () => {
  it('takes an inscription out of a large coin', () => {
    const [coin] = coinsWith({ sats: BTC, assets: [inscription(1, 700n)] })
    if (!coin) throw new Error('No coin')
    const payment = buildSplit({ coin, postage: 546n, utxos: [], ...terms })
    expect(payment.outputs[0]?.amount).toBe(701n)
    expect(walkSat(payment, 0, 700n)?.output).toBe(0)
  })

  it('parts two inscriptions of a small coin with clean sats at both ends', () => {
    const [coin] = coinsWith({ sats: 546n, assets: [inscription(1, 0n), inscription(2, 1n)] })
    if (!coin) throw new Error('No coin')
    const payment = buildSplit({ coin, postage: 546n, utxos: cleanCoins(9_000n, 9_000n), ...terms })
    const [one, two] = [walkSat(payment, 1, 0n)?.output, walkSat(payment, 1, 1n)?.output]
    expect(one).not.toBe(two)
    expect(payment.leading.inputs).toBe(2)
  })

  it('is refused where it changes nothing', () => {
    const same = [inscription(1, 5n), inscription(2, 5n)]
    for (const assets of [[inscription(1, 0n)], same, [RUNES], []]) {
      const [coin] = coinsWith({ sats: 900n, assets })
      if (!coin) throw new Error('No coin')
      const utxos = cleanCoins(9_000n)
      expect(() => buildSplit({ coin, postage: 546n, utxos, ...terms })).toThrow(
        NothingToSplitError,
      )
    }
  })
})
