import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { Asset } from '../asset.ts'
import { idOf, inscription, RUNES } from '../testing/test-assets.ts'
import { buildBurn, NotAloneError } from './burn.ts'
import type { AssetCoin } from './coin-cut.ts'

const publicKey = publicKeyOf(new Uint8Array(32).fill(7))
const OWN = { publicKey, addressType: 'p2wpkh' } as const
const SCRIPT = scriptPubKeyOf(publicKey, 'p2wpkh')
/** By `src/subcommand/wallet/burn.rs` of ord: OP_RETURN, no metadata, and zeros up to five bytes. */
const ORD_SCRIPT = '6a00020000'
/** Bitcoin Core's for P2WPKH. */
const DUST = 294n

const coinAt = (vout: number, amount: bigint): Utxo => ({
  ...{ txid: 'aa'.repeat(32), vout, height: 1, scriptPubKey: SCRIPT, amount },
})
const coinOf = (amount: bigint, ...assets: Asset[]): AssetCoin => ({ ...coinAt(0, amount), assets })

const burn = (coin: AssetCoin, ...clean: bigint[]) =>
  buildBurn({
    ...{ id: idOf(1), coin, own: OWN, feeRate: 2, seed: 'burn' },
    utxos: clean.map((amount, at) => coinAt(at + 1, amount)),
  })

describe('burning an inscription', () => {
  it('puts its sat alone on an output as ord makes it, and everything else back', () => {
    const { inputs, outputs, fee } = burn(coinOf(546n, inscription(1, 0n)), 20_000n)
    const [burnt, change] = outputs
    expect(toHex(burnt?.scriptPubKey ?? new Uint8Array())).toBe(ORD_SCRIPT)
    expect(outputs.map(({ amount }) => amount)).toEqual([1n, 545n - fee])
    expect(change?.scriptPubKey).toEqual(SCRIPT)
    expect(inputs.map(({ amount }) => amount)).toEqual([546n])
  })

  it('wherever it is: its sat is the last of the burnt ones, which are fewer than a dust output holds', () => {
    fc.assert(
      fc.property(
        fc
          .bigInt(330n, 200_000n)
          .chain(amount => fc.tuple(fc.constant(amount), fc.bigInt(0n, amount - 1n))),
        ([amount, offset]) => {
          const { inputs, outputs, fee } = burn(coinOf(amount, inscription(1, offset)), 60_000n)
          expect(inputs[0]?.amount).toBe(amount)
          const at = outputs.findIndex(({ scriptPubKey }) => toHex(scriptPubKey) === ORD_SCRIPT)
          const before = outputs.slice(0, at).reduce((sum, one) => sum + one.amount, 0n)
          const burnt = outputs[at]?.amount ?? 0n
          expect(before + burnt - 1n).toBe(offset)
          expect(burnt).toBeLessThanOrEqual(offset < DUST ? DUST : 1n)
          const rest = outputs.filter((_, index) => index !== at)
          for (const { scriptPubKey, amount: sats } of rest) {
            expect(scriptPubKey).toEqual(SCRIPT)
            expect(sats).toBeGreaterThanOrEqual(DUST)
          }
          const paid = inputs.reduce((sum, one) => sum + one.amount, 0n)
          expect(outputs.reduce((sum, one) => sum + one.amount, fee)).toBe(paid)
        },
      ),
    )
  })

  it.each([
    ['another inscription', [inscription(1, 0n), inscription(2, 400n)]],
    ['another one on the same sat', [inscription(1, 0n), inscription(2, 0n)]],
    ['runes', [inscription(1, 0n), RUNES]],
    ['an unknown place', [{ ...inscription(1, 0n), offset: null }]],
    ['another one instead', [inscription(2, 0n)]],
    ['nothing', []],
  ] as [string, Asset[]][])('is refused for a coin with %s', (_, assets) => {
    expect(() => burn(coinOf(546n, ...assets), 20_000n)).toThrow(NotAloneError)
  })

  it('makes a transaction that is long enough to be relayed even where nothing comes back', () => {
    // Bitcoin Core relays none of fewer than 65 bytes without their witness.
    const { outputs } = burn(coinOf(546n, inscription(1, 0n)), 20_000n)
    const [{ scriptPubKey } = { scriptPubKey: fromHex('') }] = outputs
    expect(4 + 1 + 41 + 1 + 8 + 1 + scriptPubKey.length + 4).toBeGreaterThanOrEqual(65)
  })
})
