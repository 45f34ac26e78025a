import { fromBase64, fromHex } from '../bytes.ts'
import { readJsonVectors, readVectors } from './vector-files.ts'

/**
 * What a BIP says of a PSBT: it is none, it is one, it is one that no signer may sign, or which locktime its transaction
 * has (null: none suits it).
 */
export type PsbtVerdict = 'invalid' | 'valid' | 'unsignable' | { locktime: number | null }

/** `text` is base64. */
export type PsbtVector = { name: string; verdict: PsbtVerdict; text: string; hex: string | null }

/** The steps of the example that BIP-174 carries through all roles: PSBTs, and at last the transaction. */
const ROLES = [
  'created',
  'updated',
  'typed',
  'signedByOne',
  'signedByOther',
  'combined',
  'finalized',
  'extracted',
] as const

export type Bip174Roles = Record<(typeof ROLES)[number], Uint8Array>

/** Every PSBT of BIP-174, BIP-370 or BIP-371. */
export function readPsbtVectors(bip: 174 | 370 | 371): PsbtVector[] {
  const vectors: PsbtVector[] = []
  let verdict: PsbtVerdict = 'valid'
  let name = ''
  let hex: string | null = null
  for (const line of testLines(bip)) {
    const [, bytes] = /Bytes in Hex: <pre><?(\w+)/.exec(line) ?? []
    const [, text] = /Base64 String: <pre>(\S+)<\/pre>/.exec(line) ?? []
    if (bytes) hex = bytes
    else if (text) {
      vectors.push({ name, verdict, text, hex })
      hex = null
    } else if (line.startsWith('* Case: ')) name = line.slice('* Case: '.length)
    else if (/^[A-Z]/.test(line)) {
      verdict = verdictOf(line) ?? verdict
      name = line
    }
  }
  return vectors
}

/** The PSBTs of bitcoinjs-lib's own tests, which add taproot, multisig and finalizing to those of BIP-174. */
export function readFurtherPsbts(): { invalid: string[]; valid: string[] } {
  const all = readJsonVectors('psbt-bip174.json') as { bip174: { invalid: { psbt: string }[] } }
  const invalid = all.bip174.invalid.map(({ psbt }) => psbt)
  const texts = new Set<string>()
  const collect = (value: unknown) => {
    if (typeof value === 'string' && value.startsWith('cHNidP')) texts.add(value)
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect)
  }
  collect({ ...all, bip174: { ...all.bip174, invalid: [] } })
  return { invalid, valid: [...texts] }
}

export function readBip174Roles(): Bip174Roles {
  const lines = testLines(174)
  const example = lines.slice(lines.findIndex(line => line.startsWith('A creator')))
  const steps = [...example.join('\n').matchAll(/Bytes in Hex: <pre>(\w+)/g)]
  return Object.fromEntries(
    ROLES.map((role, i) => [role, fromHex(steps[i]?.[1] ?? '')]),
  ) as Bip174Roles
}

/** The bytes of a vector; both of its forms must agree. */
export function bytesOf({ text, hex }: PsbtVector): Uint8Array {
  const bytes = fromBase64(text)
  if (hex !== null && !fromHex(hex).every((byte, i) => byte === bytes[i]))
    throw new Error('The hex and the base64 of a vector differ')
  return bytes
}

function testLines(bip: number): string[] {
  const [, tests = ''] = readVectors(`bip${bip}.mediawiki`).split(/==Test [vV]ectors==/)
  return tests.split('\n')
}

function verdictOf(line: string): PsbtVerdict | null {
  if (/are invalid PSBTs/.test(line)) return 'invalid'
  if (/are valid PSBTs/.test(line)) return 'valid'
  if (/^Fails Signer checks/.test(line)) return 'unsignable'
  if (/cannot be computed/.test(line)) return { locktime: null }
  const [, locktime] = /timelock .* should be computed to be (\d+)/.exec(line) ?? []
  if (locktime) return { locktime: Number(locktime) }
  return /^The private keys in the tests below/.test(line) ? 'valid' : null
}
