import { fromBase64, fromHex } from '../bytes.ts'
import { txidOf } from '../transaction.ts'
import bip174 from './vectors/bip174.json' with { type: 'json' }
import bip370 from './vectors/bip370.json' with { type: 'json' }
import bip371 from './vectors/bip371.json' with { type: 'json' }
import bitcoinjs from './vectors/bitcoinjs-psbt.json' with { type: 'json' }

/**
 * What a BIP says of a PSBT: it is none, it is one, it is one that no signer may sign, or which locktime its transaction
 * has (null: none suits it).
 */
export type PsbtVerdict = 'invalid' | 'valid' | 'unsignable' | { locktime: number | null }

/** `psbt` is base64. */
export type PsbtVector = { name: string; verdict: PsbtVerdict; psbt: string }

/** The steps of the example that BIP-174 carries through all roles, up to the transaction. */
const ROLES = [
  'created',
  'updated',
  'typed',
  'signedByOne',
  'signedByOther',
  'combined',
  'finalized',
] as const

export type Bip174Roles = Record<(typeof ROLES)[number] | 'extracted', Uint8Array>

/** Every PSBT of BIP-174, BIP-370 and BIP-371. */
export const PSBT_VECTORS = {
  174: bip174.psbts as PsbtVector[],
  370: bip370.psbts as PsbtVector[],
  371: bip371.psbts as PsbtVector[],
} as const

/** The PSBTs of bitcoinjs-lib's own tests, which add taproot, multisig and finalizing to those of BIP-174. */
export function readFurtherPsbts(): { invalid: string[]; valid: string[] } {
  const invalid = bitcoinjs.bip174.invalid.map(({ psbt }) => psbt)
  const texts = new Set<string>()
  const collect = (value: unknown) => {
    if (typeof value === 'string' && value.startsWith('cHNidP')) texts.add(value)
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect)
  }
  collect({ ...bitcoinjs, bip174: { ...bitcoinjs.bip174, invalid: [] } })
  return { invalid, valid: [...texts] }
}

export function readBip174Roles(): Bip174Roles {
  const steps = ROLES.map(role => [role, fromBase64(psbtOfRole(role))])
  return { ...Object.fromEntries(steps), extracted: fromHex(bip174.extracted) }
}

/** The previous transactions that BIP-174 gives for its PSBTs, by txid. */
export function bip174Previous(): Map<string, Uint8Array> {
  const transactions = bip174.previousTransactions.map(fromHex)
  return new Map(transactions.map(transaction => [txidOf(transaction), transaction]))
}

function psbtOfRole(role: string): string {
  const vector = bip174.psbts.find(({ name }) => name === role)
  if (!vector) throw new Error(`BIP-174 has no PSBT that is ${role}`)
  return vector.psbt
}
