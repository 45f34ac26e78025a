import { pbkdf2Sync } from 'node:crypto'
import { createRequire } from 'node:module'

/**
 * Every wallet of a test turns its phrase into a seed, which takes 40 ms in JavaScript and 1 ms in Node's own code: a third of
 * what such tests took. BIP-39's vectors are tested with the shipped code, after {@link restoreShippedPbkdf2}.
 */
const require = createRequire(import.meta.url)
const hashes = createRequire(require.resolve('bip39'))('@noble/hashes/pbkdf2') as {
  pbkdf2(
    hash: { create(): { constructor: { name: string } } },
    password: Uint8Array,
    salt: Uint8Array,
    options: { c: number; dkLen: number },
  ): Uint8Array
  shipped?: typeof hashes.pbkdf2
}
const shipped = hashes.shipped ?? hashes.pbkdf2
hashes.shipped = shipped
hashes.pbkdf2 = (hash, password, salt, { c, dkLen }) => {
  const { name } = hash.create().constructor
  if (name !== 'SHA512') throw new Error(`PBKDF2 with ${name} is not what BIP-39 uses`)
  return pbkdf2Sync(password, salt, c, dkLen, 'sha512')
}

/** For the rest of a test file: the code that the extension ships. */
export function restoreShippedPbkdf2(): void {
  hashes.pbkdf2 = shipped
}
