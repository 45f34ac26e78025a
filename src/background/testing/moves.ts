import { p2tr, TaprootControlBlock } from '@scure/btc-signer'
import { Transaction } from 'bitcoinjs-lib'
import { parseAddress } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import {
  buildInscriptionLeaf,
  type EnvelopeContent,
} from '../../ordinals/inscriptions/envelope-script.ts'
import { REGTEST } from './funded-wallet.ts'
import { fund, type World } from './test-wallet.ts'

/**
 * A reveal in the last input, behind these outpoints, and the commit that it spends, in new blocks; resolves the reveal's txid.
 * Control block and commit are an independent implementation's.
 */
export function reveal(
  world: World,
  before: readonly string[],
  content: EnvelopeContent,
  outputs: readonly (readonly [address: string, sats: bigint])[],
): string {
  const script = buildInscriptionLeaf(NOBODY, [content])
  const commit = p2tr(NOBODY, { script }, REGTEST, true)
  const [[controlBlock] = []] = commit.tapLeafScript ?? []
  if (!commit.address || !controlBlock) throw new Error('No commit')
  const committed = fund(world, commit.address, 10_000n)
  const txid = move(world, [...before, `${committed}:0`], outputs)
  const transaction = decodeTransaction(world.chain.get(txid) ?? new Uint8Array())
  const witness = [new Uint8Array(64), script, TaprootControlBlock.encode(controlBlock)]
  transaction.setWitness(before.length, witness)
  world.chain.rewrite(Uint8Array.from(transaction.toBuffer()))
  return txid
}

/** x coordinate of the key 3. */
const NOBODY = fromHex('f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9')

/** A transaction of these outpoints to these addresses and sats, in a new block of the world's chain; resolves its txid. */
export function move(
  { chain }: World,
  spends: readonly string[],
  outputs: readonly (readonly [address: string, sats: bigint])[],
): string {
  const transaction = new Transaction()
  for (const { txid, vout } of spends.map(parseOutpoint)) {
    transaction.addInput(fromHex(txid).reverse(), vout)
    transaction.setWitness(transaction.ins.length - 1, [fromHex('00')])
  }
  for (const [address, sats] of outputs)
    transaction.addOutput(parseAddress(address, 'regtest').scriptPubKey, sats)
  chain.mine()
  return chain.add(Uint8Array.from(transaction.toBuffer()))
}
