import { Failed } from './outcome.ts'

/** A field of a table of the specification; `sample` is the type of its sample where that differs. */
export type Field = {
  documented: 'string' | 'number' | 'string[]' | 'number[]'
  sample?: 'string' | 'number'
}

export type Shape = { [field: string]: Field }

const TEXT: Field = { documented: 'string' }
const NUMBER: Field = { documented: 'number' }

/** The tables of the specification's results, by their headings. */
export const SHAPES = {
  'Account info': { address: TEXT, publicKey: TEXT, compressedPublicKey: TEXT },
  Balance: { confirmed: NUMBER, unconfirmed: NUMBER, total: NUMBER },
  Inscription: {
    inscriptionId: TEXT,
    inscriptionNumber: { documented: 'string', sample: 'number' },
    address: TEXT,
    outputValue: { documented: 'string', sample: 'number' },
    contentLength: { documented: 'string', sample: 'number' },
    contentType: { documented: 'number', sample: 'string' },
    timestamp: NUMBER,
    offset: NUMBER,
    output: TEXT,
    genesisTransaction: TEXT,
    location: TEXT,
  },
  'UTXO record': { txId: TEXT, vOut: NUMBER, amount: NUMBER, rawTransaction: TEXT },
  'Mint result': {
    commitTx: TEXT,
    revealTxs: { documented: 'string[]' },
    commitTxFee: NUMBER,
    revealTxFees: { documented: 'number[]' },
    commitAddrs: { documented: 'string[]' },
    feeRate: NUMBER,
    size: NUMBER,
  },
} as const satisfies { [heading: string]: Shape }

/** Holds a result to a shape, field by field; gives where it goes by the sample and not by the table. */
export function holdShape(value: unknown, shape: Shape, what: string): string {
  const record = asRecord(value, what)
  const bySample: string[] = []
  for (const [name, field] of Object.entries(shape)) {
    const type = typeOf(record[name])
    const isEmptyList = type === '[]' && field.documented.endsWith('[]')
    if (type === field.documented || isEmptyList) continue
    if (type !== field.sample)
      throw new Failed(`${what}.${name}: expected ${spell(field)}, got ${type}`)
    bySample.push(name)
  }
  if (bySample.length === 0) return 'every field has its documented type'
  return `as the sample and not the table has it: ${bySample.join(', ')}`
}

export function asRecord(value: unknown, what: string): { [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failed(`${what}: expected an object, got ${typeOf(value)}`)
  return value as { [name: string]: unknown }
}

export function asTexts(value: unknown, what: string): string[] {
  if (!Array.isArray(value) || !value.every(part => typeof part === 'string'))
    throw new Failed(`${what}: expected string[], got ${typeOf(value)}`)
  return value
}

export function asText(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '')
    throw new Failed(`${what}: expected a string, got ${typeOf(value)}`)
  return value
}

/** 64 digits of lower-case hex, as explorers and other operations know it. */
export function asTxid(value: unknown, what: string): string {
  const text = asText(value, what)
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Failed(`${what}: expected a txid, got ${text}`)
  return text
}

/** A compressed key, or the 32 bytes that Taproot addresses are made of. */
export function asPublicKey(value: unknown, what: string): string {
  const text = asText(value, what)
  if (!/^(0[23])?[0-9a-f]{64}$/.test(text))
    throw new Failed(`${what}: expected a public key, got ${text}`)
  return text
}

export function asAddress(value: unknown, what: string): string {
  const text = asText(value, what)
  if (!/^((bc|tb|bcrt)1[0-9a-z]{20,90}|[123mn][1-9A-HJ-NP-Za-km-z]{25,34})$/.test(text))
    throw new Failed(`${what}: expected an address, got ${text}`)
  return text
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (!Array.isArray(value)) return typeof value
  const types = [...new Set(value.map(typeOf))]
  return types.length === 0 ? '[]' : types.length === 1 ? `${types[0]}[]` : 'a mixed list'
}

function spell({ documented, sample }: Field): string {
  return sample ? `${documented} (or ${sample}, as in the sample)` : documented
}
