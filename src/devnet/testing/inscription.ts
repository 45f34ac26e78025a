import * as ecc from '@bitcoinerlab/secp256k1'
import {
  script as bitcoinScript,
  crypto,
  initEccLib,
  networks,
  payments,
  Transaction,
} from 'bitcoinjs-lib'
import type { TestOutput, TestWallet } from './test-wallet.ts'

initEccLib(ecc)

const LEAF_VERSION = 0xc0
const MAX_PUSH = 520

/** An ord envelope behind a signature check: `<key> OP_CHECKSIG OP_FALSE OP_IF "ord" <01> <type> OP_0 <body>… OP_ENDIF`. */
export function inscriptionScript(
  xOnlyKey: Uint8Array,
  contentType: string,
  body: Uint8Array,
): Uint8Array {
  const text = new TextEncoder()
  const head = bitcoinScript.compile([xOnlyKey, 0xac, 0x00, 0x63, text.encode('ord')])
  // The tag must be the push `01 01`: bitcoinjs would shorten it to OP_1, which ord counts as a curse.
  const tag = Uint8Array.of(0x01, 0x01)
  const chunks: (number | Uint8Array)[] = [text.encode(contentType), 0x00]
  for (let at = 0; at < body.length; at += MAX_PUSH) chunks.push(body.subarray(at, at + MAX_PUSH))
  return Uint8Array.from([...head, ...tag, ...bitcoinScript.compile([...chunks, 0x68])])
}

/** The output to commit to an inscription, and the reveal that spends it. */
export function buildInscription(wallet: TestWallet, contentType: string, body: Uint8Array) {
  const internalPubkey = wallet.publicKey.subarray(1)
  const leaf = inscriptionScript(internalPubkey, contentType, body)
  const { output, witness } = payments.p2tr({
    internalPubkey,
    scriptTree: { output: leaf },
    redeem: { output: leaf, redeemVersion: LEAF_VERSION },
    network: networks.regtest,
  })
  const commitScript = output
  const controlBlock = witness?.at(-1)
  if (!commitScript || !controlBlock) throw new Error('no taproot output')
  const leafHash = crypto.taggedHash(
    'TapLeaf',
    Uint8Array.from([LEAF_VERSION, ...compactSize(leaf.length), ...leaf]),
  )
  return {
    leaf,
    commitScript,
    reveal(commit: Transaction, vout: number, outputs: readonly TestOutput[]): Transaction {
      const coin = commit.outs[vout]
      if (!coin) throw new RangeError(`no output ${vout}`)
      const tx = new Transaction()
      tx.version = 2
      tx.addInput(commit.getHash(), vout, 0xfffffffd)
      for (const { script, value } of outputs) tx.addOutput(script, value)
      const hash = tx.hashForWitnessV1(
        0,
        [commitScript],
        [coin.value],
        Transaction.SIGHASH_DEFAULT,
        leafHash,
      )
      tx.setWitness(0, [ecc.signSchnorr(hash, wallet.privateKey), leaf, controlBlock])
      return tx
    },
  }
}

function compactSize(length: number): number[] {
  if (length < 0xfd) return [length]
  if (length <= 0xffff) return [0xfd, length & 0xff, length >> 8]
  return [0xfe, length & 0xff, (length >> 8) & 0xff, (length >> 16) & 0xff, length >>> 24]
}
