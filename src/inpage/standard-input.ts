import type { IdentifierString } from '@wallet-standard/base'
import { decodeText, encodeHex, encodeText, isBytes } from './bytes.ts'
import { append, apply, exec, keys } from './primordials.ts'
import { invalidArgument } from './provider-error.ts'
import { type Table, withoutPrototype } from './tables.ts'

/**
 * What a page hands to a feature of the Wallet Standard. Nothing here is checked but what would change its meaning on
 * the way: members that are missing or strange are refused where the operation itself is.
 */
export type MessageInput = { account?: { address: string }; message: unknown }
export type TransactionInput = {
  psbt: unknown
  chain?: unknown
  inputsToSign?: ArrayLike<{
    account?: { address: string }
    signingIndexes: ArrayLike<unknown>
    sigHash?: PropertyKey
  }>
}

const TAPROOT = /^(bc|tb|bcrt)1p/

/** By network. The standard's Bitcoin part has no word for signet; testnet is testnet4. */
export const CHAIN_NAMES: Table<IdentifierString> = withoutPrototype({
  livenet: 'bitcoin:mainnet',
  testnet4: 'bitcoin:testnet',
  signet: 'bitcoin:signet',
  regtest: 'bitcoin:regtest',
})

/** An earlier draft had numbers, and those are passed on as they are. */
const SIGHASHES: Table<unknown> = withoutPrototype({
  ALL: 1,
  NONE: 2,
  SINGLE: 3,
  'ALL|ANYONECANPAY': 0x81,
  'NONE|ANYONECANPAY': 0x82,
  'SINGLE|ANYONECANPAY': 0x83,
})

/** The purposes in their order, as they are now; the wallet has no accounts for others. */
export function parsePurposes(given: ArrayLike<unknown>): readonly string[] {
  const purposes: string[] = withoutPrototype([])
  for (let i = 0; i < given.length; i++) {
    const purpose = given[i]
    if (purpose === 'payment' || purpose === 'ordinals') purposes[purposes.length] = purpose
  }
  return purposes
}

/**
 * What `signMessages` takes, which signs text: bytes that are none are refused with -32602. MetaMask takes a text itself as
 * well, and where that has no UTF-8 it is refused.
 */
export function parseMessage({ account, message }: MessageInput) {
  const from = addressOf(account)
  const type = apply(exec, TAPROOT, [from]) ? 'bip322-simple' : 'ecdsa'
  try {
    const text = typeof message === 'string' ? message : decodeText(message)
    encodeText(text)
    return { text, type, from }
  } catch {
    return refuse('message', 'UTF-8 text in a Uint8Array', message)
  }
}

/**
 * A PSBT in hex and its options, as `signPsbts` takes them, and the network that it is for; with `isSent` the wallet
 * finalizes and sends it. `wanted` is the network in use or, for a page that has no account now, of an earlier input.
 */
export function parseTransaction(
  { psbt, chain, inputsToSign = [] }: TransactionInput,
  wanted: string | null | undefined,
  isSent: boolean,
) {
  const network = chain ? readNetwork(chain, wanted) : wanted
  const toSignInputs: unknown[] = []
  for (let i = 0; i < inputsToSign.length; i++) {
    const { account, signingIndexes, sigHash } = inputsToSign[i] as (typeof inputsToSign)[number]
    const sighashTypes = sigHash === undefined ? sigHash : [SIGHASHES[sigHash] ?? sigHash]
    let k = 0
    // An empty list gives an entry too, which is refused: no entry at all would mean every input.
    do {
      append(toSignInputs, { index: signingIndexes[k], address: addressOf(account), sighashTypes })
    } while (++k < signingIndexes.length)
  }
  return {
    network,
    psbt: isBytes(psbt) ? encodeHex(psbt) : refuse('psbt', 'a Uint8Array', psbt),
    options: { autoFinalized: isSent, broadcast: isSent, toSignInputs },
  }
}

function addressOf(account: MessageInput['account']): string {
  return account ? account.address : refuse('account', 'an account of the wallet', account)
}

function refuse(field: string, expected: string, got: unknown): never {
  const kind = got === null ? 'null' : isBytes(got) ? 'other bytes' : typeof got
  throw invalidArgument(`${field}: expected ${expected}, got ${kind}`)
}

function readNetwork(chain: unknown, wanted: string | null | undefined): string {
  const networks = keys(CHAIN_NAMES)
  let expected = ''
  for (let i = 0; i < networks.length; i++) {
    const network = networks[i] as string
    if (!wanted || network === wanted) {
      const name = CHAIN_NAMES[network]
      if (chain === name) return network
      expected += `${expected && ', '}${name}`
    }
  }
  throw invalidArgument(`chain: expected ${expected}`)
}
