import { parseOutpoint } from './outpoint.ts'

export type LabelType = 'tx' | 'addr' | 'pubkey' | 'input' | 'output' | 'xpub'

/** A record of BIP-329; null for what it says nothing of. `spendable` is of outputs alone. */
export type WalletLabel = {
  type: LabelType
  ref: string
  label: string | null
  origin: string | null
  spendable: boolean | null
}

/** What a text of labels holds; `unknown` counts records of types that the BIP does not have, `malformed` lines that are no record. */
export type ParsedLabels = { labels: WalletLabel[]; unknown: number; malformed: number }

/** Characters of a text, and of one line; more is no export of a wallet. */
export const MAX_LABELS_LENGTH = 16 * 1024 * 1024
const MAX_LINE_LENGTH = 16 * 1024

/** How a reference of each type looks; whether an address or key is right is for whoever knows the network. */
const REFERENCES: { [type in LabelType]: (ref: string) => boolean } = {
  tx: ref => /^[0-9a-f]{64}$/.test(ref),
  addr: ref => /^[0-9a-zA-Z]{14,100}$/.test(ref),
  pubkey: ref => /^([0-9a-f]{64}|[0-9a-f]{66}|[0-9a-f]{130})$/.test(ref),
  input: isOutpoint,
  output: isOutpoint,
  xpub: ref => /^[1-9A-HJ-NP-Za-km-z]{107,112}$/.test(ref),
}

/** Hexadecimal digits of these are put into lower case. */
const HEX_TYPES: ReadonlySet<LabelType> = new Set(['tx', 'pubkey', 'input', 'output'])

/** JSON Lines as BIP-329 has them, one record a line. */
export function formatLabels(labels: readonly WalletLabel[]): string {
  return labels
    .map(({ type, ref, label, origin, spendable }) => {
      const record = {
        ...{ type, ref },
        ...(label !== null && { label }),
        ...(origin !== null && { origin }),
        ...(spendable !== null && type === 'output' && { spendable }),
      }
      return `${JSON.stringify(record)}\n`
    })
    .join('')
}

/** Reads JSON Lines of BIP-329 with all that is in them of use; members that it does not know are left alone. Throws RangeError for a text that is too long. */
export function parseLabels(text: string): ParsedLabels {
  if (text.length > MAX_LABELS_LENGTH) throw new RangeError('labels: the text is too long')
  const parsed: ParsedLabels = { labels: [], unknown: 0, malformed: 0 }
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (line.trim() === '') continue
    const record = parseLine(line)
    if (record === 'unknown' || record === 'malformed') parsed[record]++
    else parsed.labels.push(record)
  }
  return parsed
}

function parseLine(line: string): WalletLabel | 'unknown' | 'malformed' {
  if (line.length > MAX_LINE_LENGTH) return 'malformed'
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'malformed'
  }
  const { type, ref: told, label = null, origin = null, spendable = null } = Object(value)
  if (typeof type !== 'string' || typeof told !== 'string') return 'malformed'
  if (!isLabelType(type)) return 'unknown'
  const ref = HEX_TYPES.has(type) ? told.toLowerCase() : told
  const isSound =
    REFERENCES[type](ref) &&
    (label === null || typeof label === 'string') &&
    (origin === null || typeof origin === 'string') &&
    // The text "false" is not the value (the BIP's comment on types).
    (spendable === null || typeof spendable === 'boolean')
  if (!isSound) return 'malformed'
  return { type, ref, label, origin, spendable: type === 'output' ? spendable : null }
}

function isLabelType(type: string): type is LabelType {
  return Object.hasOwn(REFERENCES, type)
}

function isOutpoint(ref: string): boolean {
  try {
    parseOutpoint(ref)
    return true
  } catch {
    return false
  }
}
