import { createHmac, pbkdf2Sync } from 'node:crypto'
import { p2tr, p2wpkh } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The private key at a path like `84'/1'/0'/0/0` of a phrase, by BIP-39 and BIP-32 as they are written, on Node's own HMAC. */
export function deriveElsewhere(mnemonic: string, passphrase: string, path: string): Uint8Array {
  const seed = pbkdf2Sync(mnemonic, `mnemonic${passphrase}`, 2048, 64, 'sha512')
  let node = createHmac('sha512', 'Bitcoin seed').update(seed).digest()
  for (const step of path.split('/')) {
    const [key, chainCode] = [node.subarray(0, 32), node.subarray(32)]
    const isHardened = step.endsWith("'")
    const index = Buffer.alloc(4)
    index.writeUInt32BE(Number.parseInt(step, 10) + (isHardened ? 2 ** 31 : 0))
    const head = isHardened ? Buffer.concat([Buffer.alloc(1), key]) : Buffer.from(pubECDSA(key))
    const made = createHmac('sha512', chainCode).update(head).update(index).digest()
    const sum = (toNumber(made.subarray(0, 32)) + toNumber(key)) % ORDER
    node = Buffer.concat([
      Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'),
      made.subarray(32),
    ])
  }
  return Uint8Array.from(node.subarray(0, 32))
}

/** The address of that key, as scure-btc-signer writes it. */
export function addressElsewhere(
  privateKey: Uint8Array,
  type: 'p2tr' | 'p2wpkh',
  network: { bech32: string; pubKeyHash: number; scriptHash: number; wif: number },
): string {
  const publicKey = pubECDSA(privateKey)
  const output =
    type === 'p2tr' ? p2tr(publicKey.slice(1), undefined, network) : p2wpkh(publicKey, network)
  return output.address ?? ''
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}
