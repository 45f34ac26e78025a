import { crypto } from 'bitcoinjs-lib'
import type { AddressType } from '../../../src/bitcoin/address.ts'

/** The life of a wallet for comparing coin selections: its first coins, then its receipts and payments. */
export type WalletLife = {
  addressType: AddressType
  privateKey: Uint8Array
  coins: bigint[]
  rounds: {
    deposits: bigint[]
    payment: { scriptPubKey: Uint8Array; amount: bigint }
    /** sat/vB. */
    feeRate: number
  }[]
}

const ADDRESS_TYPES = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const
const LEAST_SATS = 1_000
const MOST_COINS = 60
/** sat/vB: half of the payments pay less; two thirds are within a factor of 2.5. */
const MEDIAN_FEE_RATE = 8
const FEE_RATE_SPREAD = 0.9
const FEE_RATES = { least: 1, most: 200 }

/** A life that depends on its number alone: small savers and rich ones, with few coins and many, at changing fee rates. */
export function inventLife(number: number, rounds: number): WalletLife {
  const random = createRandom(number)
  const scale = 10 ** (4.3 + 2.2 * random())
  const sats = (median: number, spread: number) =>
    BigInt(Math.max(LEAST_SATS, Math.round(median * Math.exp(spread * randomNormal(random)))))
  const coins = (count: number) => Array.from({ length: count }, () => sats(scale, 1.2))
  return {
    addressType: ADDRESS_TYPES[number % ADDRESS_TYPES.length] ?? 'p2tr',
    privateKey: crypto.sha256(new TextEncoder().encode(`wallet life ${number}`)),
    coins: coins(2 + Math.floor(random() * (MOST_COINS - 1))),
    rounds: Array.from({ length: rounds }, () => ({
      deposits: coins(Math.floor(random() * 3)),
      payment: { scriptPubKey: inventScript(random), amount: sats(1.3 * scale, 1) },
      feeRate: inventFeeRate(random),
    })),
  }
}

function inventFeeRate(random: () => number): number {
  const rate = MEDIAN_FEE_RATE * Math.exp(FEE_RATE_SPREAD * randomNormal(random))
  return Math.round(1000 * Math.min(FEE_RATES.most, Math.max(FEE_RATES.least, rate))) / 1000
}

/** Somebody's P2WPKH or P2TR. */
function inventScript(random: () => number): Uint8Array {
  const [version, size] = random() < 0.5 ? [0, 20] : [0x51, 32]
  return Uint8Array.from([version, size, ...Array(size).fill(7)])
}

/** From 0 to 1 by mulberry32, which is enough for a simulation and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Box–Muller. */
function randomNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
