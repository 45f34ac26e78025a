import type { Owner } from './psbt/coins.ts'

/** As the list of accounts names the two that a new wallet has. */
export const FIRST_ACCOUNT = 'Account 1 Taproot'
export const SECOND_ACCOUNT = 'Account 2 Native'

/** The words' accounts at m/86'/1'/0'/0/0 and m/84'/1'/0'/0/0 by ethers' keys and the addresses of @scure/btc-signer. */
export const FIRST: Owner = {
  address: 'bcrt1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqjeprhg',
  publicKey: '0255355ca83c973f1d97ce0e3843c85d78905af16b4dc531bc488e57212d230116',
}
export const SECOND: Owner = {
  address: 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk',
  publicKey: '02e7ab2537b5d49e970309aae06e9e49f36ce1c9febbd44ec8e0d1cca0b4f9c319',
}
