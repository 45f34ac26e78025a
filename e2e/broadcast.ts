import { Transaction } from '@scure/btc-signer'
import type { Devnet } from '../src/devnet/start-devnet.ts'

/** A transaction as bitcoind has it in the newest block; sats. */
export type Mined = { fee: bigint; outputs: { address: string; sats: bigint }[] }

/** Finalizes a signed PSBT (hex or base64) as a dapp does; the raw transaction in hex. */
export function finishPsbt(psbt: string): string {
  const bytes = Buffer.from(psbt, /^[0-9a-f]+$/.test(psbt) ? 'hex' : 'base64')
  const transaction = Transaction.fromPSBT(bytes, { allowUnknown: true })
  if (!transaction.isFinal) transaction.finalize()
  return Buffer.from(transaction.extract()).toString('hex')
}

/** Hands a raw transaction to devnet's Esplora server; resolves its txid. */
export async function broadcast({ esploraUrl }: Devnet, raw: string): Promise<string> {
  const answer = await fetch(`${esploraUrl}/tx`, { method: 'POST', body: raw })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The transaction is refused: ${text}`)
  return text
}

/** Mines what waits, in a block that bitcoind checks every signature of; throws when the transaction is not in the block. */
export async function mineTransaction(devnet: Devnet, txid: string): Promise<Mined> {
  await devnet.mine()
  const { confirmations, fee, vout } = await devnet.rpc<{
    confirmations: number
    fee: number
    vout: { value: number; scriptPubKey: { address: string } }[]
  }>('getrawtransaction', [txid, 2])
  if (confirmations !== 1) throw new Error(`${txid} is not in the newest block`)
  const outputs = vout.map(({ value, scriptPubKey: { address } }) => ({
    address,
    sats: toSats(value),
  }))
  return { fee: toSats(fee), outputs }
}

function toSats(btc: number): bigint {
  return BigInt(Math.round(btc * 100_000_000))
}
