import type { TxOutput } from 'bitcoinjs-lib'
import { toDisplayHash } from '../chain/hex.ts'
import type { Journal } from '../chain/journal.ts'
import { hashScript } from '../chain/script.ts'
import { isUnspendable } from './colouring.ts'

/** An output of the chain, spent ones too. */
export interface AtomicalsCoin {
  txid: string
  vout: number
  /** Sats. */
  value: bigint
  script: Uint8Array
  height: number
  /** Place of its transaction among all of the chain. */
  txNum: number
  isSpent: boolean
}

/** Every output of a chain by its outpoint, and the unspent ones by Electrum's hash of their script. */
export function createCoinSet() {
  const coins = new Map<string, AtomicalsCoin>()
  const unspent = new Map<string, Set<string>>()

  function unspentOf(scripthash: string): Set<string> {
    const known = unspent.get(scripthash)
    if (known) return known
    const made = new Set<string>()
    unspent.set(scripthash, made)
    return made
  }

  return {
    /** By `txid:vout`. */
    get: (outpoint: string): AtomicalsCoin | undefined => coins.get(outpoint),
    /** Oldest first. */
    list: (scripthash: string): AtomicalsCoin[] =>
      [...(unspent.get(scripthash) ?? [])]
        .flatMap(outpoint => coins.get(outpoint) ?? [])
        .sort((a, b) => a.txNum - b.txNum || a.vout - b.vout),
    add(
      place: Pick<AtomicalsCoin, 'txid' | 'vout' | 'height' | 'txNum'>,
      { value, script }: TxOutput,
      journal: Journal,
    ): void {
      const outpoint = `${place.txid}:${place.vout}`
      journal.set(coins, outpoint, { ...place, value, script, isSpent: false })
      if (isUnspendable({ script })) return
      const own = unspentOf(electrumHash(script))
      own.add(outpoint)
      journal.onRevert(() => own.delete(outpoint))
    },
    /** Throws where there is nothing to spend. */
    spend(outpoint: string, journal: Journal): AtomicalsCoin {
      const coin = coins.get(outpoint)
      if (!coin || coin.isSpent) throw new Error(`atomicals: ${outpoint} is not there to spend`)
      journal.set(coins, outpoint, { ...coin, isSpent: true })
      const own = unspentOf(electrumHash(coin.script))
      own.delete(outpoint)
      journal.onRevert(() => own.add(outpoint))
      return coin
    },
  }
}

/** SHA-256 of a script in Electrum's order. */
export function electrumHash(script: Uint8Array): string {
  return toDisplayHash(Uint8Array.from(Buffer.from(hashScript(script), 'hex')))
}
