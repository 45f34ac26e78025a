import type { AddressType } from './address.ts'
import type { DerivationLine } from './derivation.ts'
import type { PathTemplate } from './key-origin.ts'

type WalletPaths = {
  wallet: string
  /** Where it is written that the wallet has its addresses there. */
  origin: string
  paths: readonly (readonly [AddressType, DerivationLine])[]
}

const ALL: readonly AddressType[] = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh']

function along(lines: readonly DerivationLine[], types: readonly AddressType[]) {
  return types.flatMap(type => lines.map(line => [type, line] as const))
}

const MANY = ['receive', 'change'] as const

const ELECTRUM_FORMATS =
  'https://github.com/spesmilo/electrum/blob/923578010e56243ee85b3965604d6ad6974d8f33/electrum/bip39_wallet_formats.json'
const RECOVERY =
  'https://github.com/nvk/walletsrecovery.org/blob/f76bb63c36d759a4255522bb86b3b468e9bce0a5/README.md'

/** Where wallets put the addresses of a recovery phrase, in the order in which their names are shown. */
export const WALLET_PATHS: readonly WalletPaths[] = [
  {
    wallet: 'UniSat',
    origin:
      'https://github.com/unisat-wallet/wallet/blob/8913cb2e3c628d302d71dc8719165c5fef353dea/packages/wallet-shared/src/constants/common.ts',
    paths: [...along(['receive'], ALL), ['p2wpkh', "m/44'/c'/0'/0/i"], ['p2tr', "m/44'/c'/0'/0/i"]],
  },
  {
    wallet: 'Xverse',
    origin:
      'https://github.com/secretkeylabs/xverse-core/blob/b0d0cdc4c76771e10db20e08ab0846205f0bf9a9/constant.ts',
    paths: along(['accounts'], ['p2tr', 'p2wpkh', 'p2sh-p2wpkh']),
  },
  {
    wallet: 'OKX',
    origin:
      'https://github.com/okx/js-wallet-sdk/blob/83b4323607cc7df230d5b0c1f5c3bbe6cea5be9a/packages/coin-bitcoin/src/wallet/BtcWallet.ts',
    paths: [...along(['receive'], ALL), ['p2sh-p2wpkh', "m/84'/c'/0'/0/i"]],
  },
  {
    wallet: 'Leather',
    origin:
      'https://github.com/leather-io/mono/blob/4ac9e6313ff21c70f5ea3e6d093e351ab8f5bf44/packages/bitcoin/src/payments/p2wpkh-address-gen.ts',
    paths: along(['accounts'], ['p2tr', 'p2wpkh']),
  },
  {
    wallet: 'Phantom',
    origin: 'https://help.phantom.com/hc/en-us/articles/12988493966227',
    paths: along(['receive'], ['p2tr', 'p2wpkh']),
  },
  {
    wallet: 'Magic Eden',
    origin:
      'https://github.com/unisat-wallet/wallet/blob/8913cb2e3c628d302d71dc8719165c5fef353dea/packages/keyring-service/src/keyrings/hd-keyring.ts',
    paths: along(['accounts'], ['p2tr', 'p2wpkh']),
  },
  {
    wallet: 'Sparrow',
    origin: RECOVERY,
    paths: [
      ...along(MANY, ALL),
      // Whirlpool's bad bank, pre mix and post mix.
      ['p2wpkh', "m/84'/c'/2147483644'/0/i"],
      ['p2wpkh', "m/84'/c'/2147483645'/0/i"],
      ['p2wpkh', "m/84'/c'/2147483646'/0/i"],
    ],
  },
  {
    wallet: 'Electrum',
    origin: ELECTRUM_FORMATS,
    paths: [
      ...along(MANY, ['p2wpkh', 'p2sh-p2wpkh', 'p2pkh']),
      // Where another kind of address was chosen than the path is for.
      ...along(["m/0'/0/i"], ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh']),
      ...along(["m/84'/c'/0'/0/i"], ['p2pkh', 'p2sh-p2wpkh']),
      ...along(["m/49'/c'/0'/0/i"], ['p2pkh', 'p2wpkh']),
    ],
  },
  {
    wallet: 'Bitcoin Core',
    origin: 'https://github.com/bitcoin/bitcoin/blob/v28.0/doc/descriptors.md',
    paths: [
      ...along(MANY, ALL),
      // Before descriptors.
      ...along(["m/0'/0'/i'"], ['p2wpkh', 'p2sh-p2wpkh', 'p2pkh']),
    ],
  },
  { wallet: 'Wasabi', origin: RECOVERY, paths: along(MANY, ['p2tr', 'p2wpkh']) },
  {
    wallet: 'Samourai',
    origin: ELECTRUM_FORMATS,
    paths: [
      ...along(MANY, ['p2wpkh', 'p2sh-p2wpkh', 'p2pkh']),
      ['p2wpkh', "m/84'/c'/2147483644'/0/i"],
      ['p2wpkh', "m/84'/c'/2147483645'/0/i"],
      ['p2wpkh', "m/84'/c'/2147483646'/0/i"],
    ],
  },
  { wallet: 'BRD', origin: RECOVERY, paths: along(["m/0'/0/i"], ['p2pkh', 'p2wpkh']) },
  { wallet: 'MultiBit HD', origin: RECOVERY, paths: [['p2pkh', "m/0'/0/i"]] },
  { wallet: 'BitPay (Copay)', origin: ELECTRUM_FORMATS, paths: [['p2wpkh', "m/44'/c'/0'/0/i"]] },
  { wallet: 'CoolWallet S', origin: ELECTRUM_FORMATS, paths: [['p2sh-p2wpkh', "m/44'/c'/0'/0/i"]] },
  {
    wallet: 'Ordinals Wallet',
    origin:
      'https://github.com/unisat-wallet/wallet/blob/8913cb2e3c628d302d71dc8719165c5fef353dea/packages/wallet-shared/src/constants/common.ts',
    paths: [['p2tr', "m/86'/c'/0'/i"]],
  },
]

type PathOfType = { addressType: AddressType; line: DerivationLine }

/** The paths beside those of BIP-44, 49, 84 and 86 that a wallet has used for receiving, each once. */
export function listFurtherPaths(): { addressType: AddressType; line: PathTemplate }[] {
  const found = new Map<string, { addressType: AddressType; line: PathTemplate }>()
  for (const [addressType, line] of WALLET_PATHS.flatMap(({ paths }) => paths)) {
    if (isTemplate(line)) found.set(`${addressType} ${line}`, { addressType, line })
  }
  return [...found.values()]
}

/** The path of change beside one for receiving, as wallets have it; null where there is none. */
export function changePathOf(line: PathTemplate): PathTemplate | null {
  const [, account, step] = /^(m\/.*)\/0(\/i|'\/i')$/.exec(line) ?? []
  return account === undefined ? null : `${account as PathTemplate}/1${step}`
}

/**
 * The wallets that have put addresses along a line; of the first address of an account, which begins both, those of accounts and
 * those of receiving addresses.
 */
export function nameWallets({ addressType, line }: PathOfType, index: number): string[] {
  const lines: DerivationLine[] = line === 'accounts' && index === 0 ? [line, 'receive'] : [line]
  return WALLET_PATHS.filter(({ paths }) =>
    paths.some(
      ([type, used]) =>
        type === addressType &&
        lines.some(one => one === used || (isTemplate(used) && one === changePathOf(used))),
    ),
  ).map(({ wallet }) => wallet)
}

/** Of the lines, only paths of their own begin so. */
export function isTemplate(line: DerivationLine): line is PathTemplate {
  return line.startsWith('m/')
}
