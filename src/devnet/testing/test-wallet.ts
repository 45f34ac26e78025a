import * as ecc from '@bitcoinerlab/secp256k1'
import { script as bitcoinScript, crypto, Transaction } from 'bitcoinjs-lib'
import { formatAddress } from '../chain/script.ts'

export interface TestCoin {
  txid: string
  vout: number
  value: bigint
}

export interface TestOutput {
  script: Uint8Array
  value: bigint
}

export interface SpendOptions {
  version?: number
  locktime?: number
  sequence?: number
}

/** A P2WPKH key of its own for each name. */
export function createTestWallet(name: string) {
  const privateKey = crypto.sha256(new TextEncoder().encode(name))
  const publicKey = ecc.pointFromScalar(privateKey, true)
  if (!publicKey) throw new Error(`no key for ${name}`)
  const keyHash = crypto.hash160(publicKey)
  const script = Uint8Array.of(0, 20, ...keyHash)
  const address = formatAddress(script)
  if (!address) throw new Error(`no address for ${name}`)
  const scriptCode = Uint8Array.of(0x76, 0xa9, 20, ...keyHash, 0x88, 0xac)

  function sign(tx: Transaction, coins: readonly TestCoin[]): Transaction {
    for (const [vin, { value }] of coins.entries()) {
      const hash = tx.hashForWitnessV0(vin, scriptCode, value, Transaction.SIGHASH_ALL)
      const signature = ecc.sign(hash, privateKey)
      tx.setWitness(vin, [
        bitcoinScript.signature.encode(signature, Transaction.SIGHASH_ALL),
        Uint8Array.from(publicKey as Uint8Array),
      ])
    }
    return tx
  }

  return {
    privateKey,
    publicKey: Uint8Array.from(publicKey),
    script,
    address,
    /** Spends coins of this key to outputs; what is left is the fee. */
    spend(
      coins: readonly TestCoin[],
      outputs: readonly TestOutput[],
      options: SpendOptions = {},
    ): Transaction {
      const tx = new Transaction()
      tx.version = options.version ?? 2
      tx.locktime = options.locktime ?? 0
      for (const { txid, vout } of coins) {
        const hash = Buffer.from(txid, 'hex').reverse()
        tx.addInput(hash, vout, options.sequence ?? 0xfffffffd)
      }
      for (const output of outputs) tx.addOutput(output.script, output.value)
      return sign(tx, coins)
    },
  }
}

export type TestWallet = ReturnType<typeof createTestWallet>

/** The output of a transaction as a coin to spend. */
export function coinOf(tx: Transaction, vout: number): TestCoin {
  const output = tx.outs[vout]
  if (!output) throw new RangeError(`no output ${vout}`)
  return { txid: tx.getId(), vout, value: output.value }
}
