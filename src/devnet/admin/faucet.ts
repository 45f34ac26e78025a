import { Transaction, type TxOutput } from 'bitcoinjs-lib'
import { hashScript } from '../chain/script.ts'
import { sumValues } from '../chain/transaction-record.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { dustThreshold } from '../mempool/policy.ts'
import { withAncestors } from '../mempool/pool.ts'
import { createDevnetKey, type DevnetKey } from './devnet-key.ts'

const COINBASE_MATURITY = 100
const FEE_RATE = 2n
const MAX_ANCESTORS = 24
const SEQUENCE_RBF = 0xfffffffd
// Sizes in vB: transaction overhead and change, one P2WPKH input.
const BASE_VSIZE = 11 + 31
const INPUT_VSIZE = 68

interface FaucetCoin {
  txid: string
  vout: number
  value: bigint
  isConfirmed: boolean
}

/** A coin of another of devnet's keys. */
export interface KeyCoin {
  txid: string
  vout: number
  value: bigint
  key: DevnetKey
}

/** Owns the block rewards of devnet and pays them out. */
export interface Faucet {
  /** Where mined blocks pay to. */
  address: string
  /** Pays a script from confirmed coins where there are any; resolves the txid of the unconfirmed transaction. */
  pay(script: Uint8Array, sats: bigint): Promise<string>
  /** Pays several outputs in their order, with `first` before its own inputs and change behind; resolves what it broadcast. */
  send(outputs: readonly TxOutput[], first?: readonly KeyCoin[]): Promise<Transaction>
}

/** The key follows from a fixed text: every devnet has the same faucet. */
export function createFaucet(network: LocalNetwork): Faucet {
  const key = createDevnetKey('satchel devnet faucet')
  const { script, address } = key
  const scriptHash = hashScript(script)
  let last: Promise<unknown> = Promise.resolve()

  function listCoins(): FaucetCoin[] {
    const { chain } = network
    const pool = network.pool()
    const confirmed = chain
      .coins(scriptHash)
      .filter(
        coin =>
          !pool.spender(`${coin.txid}:${coin.vout}`) &&
          (!coin.isCoinbase || chain.height() + 1 - coin.height >= COINBASE_MATURITY),
      )
      .map(({ txid, vout, output }) => ({ txid, vout, value: output.value, isConfirmed: true }))
    const unconfirmed = pool
      .coins(scriptHash)
      .filter(({ txid }) => withAncestors(pool, [txid]).length < MAX_ANCESTORS)
      .map(coin => ({ ...coin, isConfirmed: false }))
    return [...confirmed, ...unconfirmed]
  }

  function build(outputs: readonly TxOutput[], first: readonly KeyCoin[]): Transaction {
    const own = chooseCoins(listCoins(), outputs, first)
    const coins = [...first, ...own.map(coin => ({ ...coin, key }))]
    const tx = new Transaction()
    tx.version = 2
    for (const coin of coins) {
      tx.addInput(Buffer.from(coin.txid, 'hex').reverse(), coin.vout, SEQUENCE_RBF)
    }
    for (const output of outputs) tx.addOutput(output.script, output.value)
    const change = sumValues(coins) - sumValues(outputs) - feeFor(coins.length, outputs)
    if (change >= dustThreshold(script)) tx.addOutput(script, change)
    for (const [vin, coin] of coins.entries()) coin.key.sign(tx, vin, coin.value)
    return tx
  }

  function send(
    outputs: readonly TxOutput[],
    first: readonly KeyCoin[] = [],
  ): Promise<Transaction> {
    // One after another: two payments must not choose the same coin.
    const result = last.then(async () => {
      const tx = build(outputs, first)
      await network.submit(tx.toHex())
      return tx
    })
    last = result.catch(() => undefined)
    return result
  }

  return {
    address,
    send,
    async pay(targetScript, sats) {
      const tx = await send([{ script: targetScript, value: sats }])
      return tx.getId()
    },
  }
}

/** The smallest single coin that suffices, confirmed ones first; else as many of the largest as it takes. */
function chooseCoins(
  coins: readonly FaucetCoin[],
  outputs: readonly TxOutput[],
  first: readonly KeyCoin[],
): FaucetCoin[] {
  const missing = (count: number) =>
    sumValues(outputs) + feeFor(first.length + count, outputs) - sumValues(first)
  const ascending = coins.toSorted((a, b) => (a.value < b.value ? -1 : 1))
  const single =
    ascending.find(coin => coin.isConfirmed && coin.value >= missing(1)) ??
    ascending.find(coin => coin.value >= missing(1))
  if (single) return [single]
  const chosen: FaucetCoin[] = []
  let total = 0n
  for (const coin of ascending.toReversed()) {
    chosen.push(coin)
    total += coin.value
    if (total >= missing(chosen.length)) return chosen
  }
  throw new RangeError(`the faucet holds ${total} sats that can be spent now; mine more blocks`)
}

function feeFor(inputs: number, outputs: readonly TxOutput[]): bigint {
  const paid = outputs.reduce((sum, { script }) => sum + 9 + script.length, 0)
  return FEE_RATE * BigInt(BASE_VSIZE + inputs * INPUT_VSIZE + paid)
}
