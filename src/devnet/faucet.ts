import * as ecc from '@bitcoinerlab/secp256k1'
import { script as bitcoinScript, crypto, Transaction, type TxOutput } from 'bitcoinjs-lib'
import type { LocalNetwork } from './local-network.ts'
import { dustThreshold } from './policy.ts'
import { withAncestors } from './pool.ts'
import { formatAddress, hashScript } from './script.ts'

const COINBASE_MATURITY = 100
const FEE_RATE = 2n
const MAX_ANCESTORS = 24
const SEQUENCE_RBF = 0xfffffffd
// Sizes in vB: transaction overhead and change, one P2WPKH input.
const BASE_VSIZE = 11 + 31
const INPUT_VSIZE = 68

/** Known to everyone, like every coin of a regtest; the same in each run so that a kept data folder stays spendable. */
const PRIVATE_KEY = crypto.sha256(new TextEncoder().encode('satchel devnet faucet'))

interface FaucetCoin {
  txid: string
  vout: number
  value: bigint
  isConfirmed: boolean
}

/** Owns the block rewards of devnet and pays them out. */
export interface Faucet {
  /** Where mined blocks pay to. */
  address: string
  /** Pays a script from confirmed coins where there are any; resolves the txid of the unconfirmed transaction. */
  pay(script: Uint8Array, sats: bigint): Promise<string>
}

export function createFaucet(network: LocalNetwork): Faucet {
  const publicKey = readPublicKey()
  const keyHash = crypto.hash160(publicKey)
  const script = Uint8Array.of(0, keyHash.length, ...keyHash)
  const address = formatAddress(script)
  if (!address) throw new Error('the faucet script has no address')
  const key = hashScript(script)
  let last: Promise<unknown> = Promise.resolve()

  function listCoins(): FaucetCoin[] {
    const { chain } = network
    const pool = network.pool()
    const confirmed = chain
      .coins(key)
      .filter(
        coin =>
          !pool.spender(`${coin.txid}:${coin.vout}`) &&
          (!coin.isCoinbase || chain.height() + 1 - coin.height >= COINBASE_MATURITY),
      )
      .map(({ txid, vout, output }) => ({ txid, vout, value: output.value, isConfirmed: true }))
    const unconfirmed = pool
      .coins(key)
      .filter(({ txid }) => withAncestors(pool, [txid]).length < MAX_ANCESTORS)
      .map(coin => ({ ...coin, isConfirmed: false }))
    return [...confirmed, ...unconfirmed]
  }

  function build(target: TxOutput): Transaction {
    const coins = chooseCoins(listCoins(), target)
    const tx = new Transaction()
    tx.version = 2
    for (const coin of coins) {
      tx.addInput(Buffer.from(coin.txid, 'hex').reverse(), coin.vout, SEQUENCE_RBF)
    }
    tx.addOutput(target.script, target.value)
    const total = coins.reduce((sum, coin) => sum + coin.value, 0n)
    const change = total - target.value - feeFor(coins.length, target.script)
    if (change >= dustThreshold(script)) tx.addOutput(script, change)
    const scriptCode = Uint8Array.of(0x76, 0xa9, 20, ...keyHash, 0x88, 0xac)
    for (const [vin, coin] of coins.entries()) {
      const hash = tx.hashForWitnessV0(vin, scriptCode, coin.value, Transaction.SIGHASH_ALL)
      const signature = bitcoinScript.signature.encode(
        ecc.sign(hash, PRIVATE_KEY),
        Transaction.SIGHASH_ALL,
      )
      tx.setWitness(vin, [signature, publicKey])
    }
    return tx
  }

  return {
    address,
    pay(targetScript, sats) {
      // One after another: two payments must not choose the same coin.
      const result = last.then(async () => {
        const tx = build({ script: targetScript, value: sats })
        const { txid } = await network.submit(tx.toHex())
        return txid
      })
      last = result.catch(() => undefined)
      return result
    },
  }
}

function readPublicKey(): Uint8Array {
  const publicKey = ecc.pointFromScalar(PRIVATE_KEY, true)
  if (!publicKey) throw new Error('the faucet key is not a valid private key')
  return publicKey
}

/** The smallest single coin that suffices, confirmed ones first; else as many of the largest as it takes. */
function chooseCoins(coins: readonly FaucetCoin[], target: TxOutput): FaucetCoin[] {
  const needed = target.value + feeFor(1, target.script)
  const ascending = coins.toSorted((a, b) => (a.value < b.value ? -1 : 1))
  const single =
    ascending.find(coin => coin.isConfirmed && coin.value >= needed) ??
    ascending.find(coin => coin.value >= needed)
  if (single) return [single]
  const chosen: FaucetCoin[] = []
  let total = 0n
  for (const coin of ascending.toReversed()) {
    chosen.push(coin)
    total += coin.value
    if (total >= target.value + feeFor(chosen.length, target.script)) return chosen
  }
  throw new RangeError(`the faucet holds ${total} sats that can be spent now; mine more blocks`)
}

function feeFor(inputs: number, targetScript: Uint8Array): bigint {
  return FEE_RATE * BigInt(BASE_VSIZE + inputs * INPUT_VSIZE + 9 + targetScript.length)
}
