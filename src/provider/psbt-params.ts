import { toHex } from '../bitcoin/bytes.ts'
import { parsePsbtText } from '../bitcoin/psbt/psbt.ts'
import { invalidParams, ProviderError } from './errors.ts'
import { parseIndex, parseList, parseOptions, parseString, parseSwitch } from './params.ts'

/** An input that the page names, and as whose. One of address and public key (or what stands in its place) is there. */
export type NamedInput = {
  index: number
  address: string | null
  publicKey: string | null
  sighashTypes: number[] | null
  disableTweakSigner: boolean
}

/**
 * `toSignInputs` is null when the page names none: every input of the account. With `psbtSighashes` the PSBT's own sighash
 * types stand for those that the page would have named. With `broadcast` the wallet finalizes it and sends it itself.
 */
export type SignOptions = {
  autoFinalized: boolean
  psbtSighashes: boolean
  broadcast: boolean
  toSignInputs: NamedInput[] | null
}

/** Of a page that gives none. */
export const DEFAULT_SIGN_OPTIONS: SignOptions = {
  autoFinalized: true,
  psbtSighashes: false,
  broadcast: false,
  toSignInputs: null,
}

/** 4 MB of hex, in all PSBTs of a request together. */
export const MAX_PSBT_LENGTH = 4_000_000
export const MAX_PSBTS = 50
export const MAX_INPUTS = 50_000
export const MAX_SIGHASH_TYPES = 16

/** Hex or base64 of a PSBT, and what to do with it. The PSBT is handed on as lower-case hex, unparsed. */
export function parseSignPsbt([psbt, options]: readonly unknown[]) {
  return { psbt: parsePsbtParam('psbt', psbt), options: readSignOptions('options', options) }
}

/** Options are none, one object for all PSBTs, or a list of at most as many, with holes. */
export function parseSignPsbts([psbts, options]: readonly unknown[]) {
  const read = parseList('psbts', psbts, MAX_PSBTS).map((psbt, at) =>
    parsePsbtParam(`psbts[${at}]`, psbt),
  )
  if (read.length === 0) throw invalidParams('psbts', psbts, 'at least one PSBT')
  if (read.reduce((sum, { length }) => sum + length, 0) > MAX_PSBT_LENGTH) {
    throw invalidParams('psbts', psbts, `at most ${MAX_PSBT_LENGTH / 2} bytes in all`)
  }
  const listed = Array.isArray(options) ? parseList('options', options, read.length) : null
  const optionsAt = (at: number) =>
    listed ? readSignOptions(`options[${at}]`, listed[at]) : readSignOptions('options', options)
  const all = read.map((_, at) => optionsAt(at))
  // All are signed or none, and so all are sent or none.
  const broadcast = all.some(each => each.broadcast)
  return { psbts: read, options: all.map(each => ({ ...each, broadcast })) }
}

/** Lower-case hex of a PSBT in hex or base64. */
export function parsePsbtParam(field: string, value: unknown): string {
  const bytes = parsePsbtText(parseString(field, value, MAX_PSBT_LENGTH))
  if (!bytes) throw invalidParams(field, value, 'a PSBT in hex or base64')
  const hex = toHex(bytes)
  if (hex.length > MAX_PSBT_LENGTH) {
    throw invalidParams(field, value, `at most ${MAX_PSBT_LENGTH / 2} bytes`)
  }
  return hex
}

/** An empty list of inputs names none. */
function readSignOptions(field: string, value: unknown): SignOptions {
  const { autoFinalized, psbtSighashes, broadcast, toSignInputs } = parseOptions(field, value)
  const named = parseList(`${field}.toSignInputs`, toSignInputs, MAX_INPUTS).map((entry, at) =>
    readNamedInput(`${field}.toSignInputs[${at}]`, entry),
  )
  const indexes = new Set<number>()
  for (const { index } of named) {
    if (indexes.has(index)) {
      throw new ProviderError(-32602, `${field}.toSignInputs: names input ${index} more than once`)
    }
    indexes.add(index)
  }
  const isFinalized = parseSwitch(`${field}.autoFinalized`, autoFinalized) ?? true
  const isBroadcast = parseSwitch(`${field}.broadcast`, broadcast) ?? false
  return {
    autoFinalized: isFinalized || isBroadcast,
    psbtSighashes: parseSwitch(`${field}.psbtSighashes`, psbtSighashes) ?? false,
    broadcast: isBroadcast,
    toSignInputs: named.length === 0 ? null : named,
  }
}

/** `useTweakedSigner` is the newer word and wins. */
function readNamedInput(field: string, value: unknown): NamedInput {
  if (value === null) throw invalidParams(field, value, 'an object')
  const members = parseOptions(field, value)
  const readText = (name: string) => {
    const member = members[name] ?? null
    return member === null ? null : parseString(`${field}.${name}`, member, 200)
  }
  const [address, publicKey] = [readText('address'), readText('publicKey')]
  if (address === null && publicKey === null) {
    throw new ProviderError(-32602, `${field}: address or publicKey is required`)
  }
  const tweaked = parseSwitch(`${field}.useTweakedSigner`, members.useTweakedSigner)
  const untweaked = parseSwitch(`${field}.disableTweakSigner`, members.disableTweakSigner)
  return {
    index: parseIndex(`${field}.index`, members.index, 0xffff_ffff),
    address,
    publicKey,
    sighashTypes: readSighashTypes(`${field}.sighashTypes`, members.sighashTypes),
    disableTweakSigner: tweaked === null ? (untweaked ?? false) : !tweaked,
  }
}

/** An empty list allows what no list does: the default. */
function readSighashTypes(field: string, value: unknown): number[] | null {
  const types = parseList(field, value, MAX_SIGHASH_TYPES).map((type, at) =>
    parseIndex(`${field}[${at}]`, type, 0xff),
  )
  return types.length === 0 ? null : types
}
