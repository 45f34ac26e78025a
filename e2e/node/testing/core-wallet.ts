import * as ecc from '@bitcoinerlab/secp256k1'
import { networks, Transaction, type TxOutput } from 'bitcoinjs-lib'
import { ECPairFactory } from 'ecpair'
import type { AddressType } from '../../../src/bitcoin/address.ts'
import type { Bitcoind } from '../../../src/devnet/bitcoind/bitcoind.ts'
import { type Rpc, RpcError } from '../../../src/devnet/bitcoind/rpc.ts'

const RPC_WALLET_ERROR = -4
const SATS = 100_000_000

/** A descriptor wallet of the node with one key, whose change comes back to its one address. */
export type CoreWallet = {
  address: string
  /** Has the node choose coins; null when it finds none that suffice. */
  choose(outputs: readonly TxOutput[], feeRate: number): Promise<CoreChoice | null>
  /** Signs and sends what it chose; resolves the raw transaction. */
  send(choice: CoreChoice): Promise<string>
  listCoins(): Promise<bigint[]>
  unload(): Promise<void>
}

export type CoreChoice = { hex: string; fee: bigint }

const DESCRIPTORS: { [type in AddressType]: (key: string) => string } = {
  p2tr: key => `tr(${key})`,
  p2wpkh: key => `wpkh(${key})`,
  'p2sh-p2wpkh': key => `sh(wpkh(${key}))`,
  p2pkh: key => `pkh(${key})`,
}

export async function createCoreWallet(
  node: Bitcoind,
  name: string,
  key: { privateKey: Uint8Array; addressType: AddressType },
): Promise<CoreWallet> {
  const wif = ECPairFactory(ecc)
    .fromPrivateKey(key.privateKey, { network: networks.regtest })
    .toWIF()
  const plain = DESCRIPTORS[key.addressType](wif)
  const { checksum, descriptor } = await node.rpc<{ checksum: string; descriptor: string }>(
    'getdescriptorinfo',
    [plain],
  )
  const [address = ''] = await node.rpc<string[]>('deriveaddresses', [descriptor])
  const isBlank = true
  await node.rpc('createwallet', [name, false, isBlank])
  const { rpc, close } = await node.openWallet(name)
  const desc = `${plain}#${checksum}`
  const [imported] = await rpc<{ success: boolean }[]>('importdescriptors', [
    [{ desc, timestamp: 'now' }],
  ])
  if (!imported?.success) throw new Error(`${name}: the descriptor was not imported`)
  return {
    address,
    choose: (outputs, feeRate) => fund(rpc, outputs, { fee_rate: feeRate, changeAddress: address }),
    send: choice => signAndSend(rpc, choice.hex),
    async listCoins() {
      const coins = await rpc<{ amount: number }[]>('listunspent', [0])
      return coins.map(({ amount }) => toSats(amount))
    },
    async unload() {
      await rpc('unloadwallet')
      close()
    },
  }
}

/** The node's first wallet, which owns block rewards and pays them out. */
export async function createBank(node: Bitcoind, blocks: number) {
  await node.rpc('createwallet', ['bank'])
  const { rpc, close } = await node.openWallet('bank')
  const address = await rpc<string>('getnewaddress')
  await rpc('generatetoaddress', [blocks, address])
  return {
    /** Pays these outputs in one transaction, in this order; resolves its txid. */
    async pay(outputs: readonly TxOutput[]): Promise<string> {
      const choice = await fund(rpc, outputs, { fee_rate: 1, changePosition: outputs.length })
      if (!choice) throw new Error('the bank has no coins left')
      return Transaction.fromHex(await signAndSend(rpc, choice.hex)).getId()
    },
    close,
  }
}

async function fund(
  rpc: Rpc,
  outputs: readonly TxOutput[],
  options: object,
): Promise<CoreChoice | null> {
  const transaction = new Transaction()
  transaction.version = 2
  for (const { script, value } of outputs) transaction.addOutput(script, value)
  const hasWitness = false
  try {
    const { hex, fee } = await rpc<{ hex: string; fee: number }>('fundrawtransaction', [
      transaction.toHex(),
      options,
      hasWitness,
    ])
    return { hex, fee: toSats(fee) }
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== RPC_WALLET_ERROR) throw error
    if (!/insufficient|fee needs/i.test(error.message)) throw error
    return null
  }
}

async function signAndSend(rpc: Rpc, hex: string): Promise<string> {
  const signed = await rpc<{ hex: string; complete: boolean }>('signrawtransactionwithwallet', [
    hex,
  ])
  if (!signed.complete) throw new Error('the node did not sign its own transaction')
  const anyFeeRate = 0
  await rpc('sendrawtransaction', [signed.hex, anyFeeRate])
  return signed.hex
}

function toSats(bitcoin: number): bigint {
  return BigInt(Math.round(bitcoin * SATS))
}
