import { createHash, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto'

/** A second `deriveContextHash`, written from its specification with Node's own cryptography. All bytes are hex. */

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HARDENED = 0x8000_0000
const INDEX = 73_681_862

/** The private key at m/73681862' of a phrase without a passphrase. */
export function keyMaterialOf(mnemonic: string): string {
  const seed = pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512')
  const master = createHmac('sha512', 'Bitcoin seed').update(seed).digest()
  const key = master.subarray(0, 32)
  const index = Buffer.alloc(4)
  index.writeUInt32BE(HARDENED + INDEX)
  const child = createHmac('sha512', master.subarray(32))
    .update(Buffer.concat([Buffer.alloc(1), key, index]))
    .digest()
  const sum = numberOf(child.subarray(0, 32)) + numberOf(key)
  return (sum % ORDER).toString(16).padStart(64, '0')
}

/** Revision 1: nothing but the name and the context. */
export function firstContextHash(keyMaterial: string, appName: string, context: string): string {
  const info = Buffer.from(sha256(appName) + context, 'hex')
  const key = Buffer.from(keyMaterial, 'hex')
  return Buffer.from(hkdfSync('sha256', key, 'derive-context-hash', info, 32)).toString('hex')
}

/** Revision 2, which is the first one of a longer context. */
export function referenceContextHash(params: {
  keyMaterial: string
  appName: string
  networkName: string
  publicKey: string
  context: string
}): string {
  const { keyMaterial, appName, networkName, publicKey, context } = params
  return firstContextHash(keyMaterial, appName, sha256(networkName) + publicKey + context)
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`)
}
