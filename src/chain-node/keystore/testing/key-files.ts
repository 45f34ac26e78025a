import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encryptKeystoreJsonSync, Wallet } from 'ethers'
import type { Hex } from '../../codec/hex.ts'
import { createTemporaryFolder } from '../../testing/temporary-folder.ts'

/** An account whose file ethers made, so cheap to open that a test notices nothing. */
export interface TestAccount {
  readonly address: Hex
  readonly privateKey: Hex
  readonly passphrase: string
  /** The text of its key file. */
  readonly file: string
}

/** @param digit - one hexadecimal digit, of which the key is made */
export function makeAccount(digit: string, passphrase = `passphrase ${digit}`): TestAccount {
  const { address, privateKey } = new Wallet(`0x${digit.repeat(64)}`)
  const file = encryptKeystoreJsonSync({ address, privateKey }, passphrase, {
    scrypt: { N: 2, r: 8, p: 1 },
  })
  return { address: address.toLowerCase() as Hex, privateKey: privateKey as Hex, passphrase, file }
}

/** A folder that is there until the test ends, with a file named after each account's place. */
export function makeKeyFolder(accounts: readonly TestAccount[] = []): string {
  const folder = createTemporaryFolder()
  for (const [place, { file }] of accounts.entries()) {
    writeFileSync(join(folder, `key-${place}`), file)
  }
  return folder
}
