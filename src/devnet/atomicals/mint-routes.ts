import {
  type Fields,
  parseAddressField,
  parseBoolean,
  parseFields,
  parseHex,
  parseInteger,
  parseText,
  refuseOthers,
} from '../admin/admin-fields.ts'
import { HttpError, json, type Route } from '../server/http.ts'
import { MINT_KINDS, type MintedAtomical, type Minter, type MintKind } from './minter.ts'

/** A file in a payload: `{ [name]: { "$ct": type, "$b": bytes } }`, or the bytes alone where it has no type. */
export interface MintFile {
  name: string
  contentType?: string
  /** One of these. */
  base64?: string
  hex?: string
  text?: string
}

/** `POST /devnet/atomicals/mint`. */
export interface MintRequest {
  /** One of nft, ft, dft and dmt. */
  kind: MintKind
  /** Devnet's own unless given. */
  address?: string
  /** Of the output, and units of a token: 546 unless given, or what a mint of a token must have. */
  sats?: number
  /** Of `ft`, `dft` and `dmt`. */
  ticker?: string
  realm?: string
  container?: string
  /** Of a `dft`: units of each mint, how many there can be, and from which block on (0 unless given). */
  mintAmount?: number
  maxMints?: number
  mintHeight?: number
  /** Further arguments, as JSON. */
  args?: Record<string, unknown>
  /** Further fields of the payload, as JSON. */
  fields?: Record<string, unknown>
  files?: MintFile[]
  /** Mines it, with three blocks more where it has a name, so that the name is its own; true unless given. */
  confirm?: boolean
}

export type MintAnswer = MintedAtomical

const MINT_FIELDS = [
  'kind',
  'address',
  'sats',
  'ticker',
  'realm',
  'container',
  'mintAmount',
  'maxMints',
  'mintHeight',
  'args',
  'fields',
  'files',
  'confirm',
]
const FILE_FIELDS = ['name', 'contentType', 'base64', 'hex', 'text']
const MOST_SATS = 5_000_000_000

/** The admin call that puts Atomicals on the chain. */
export function mintRoutes(minter: Minter): Route[] {
  return [
    {
      method: 'POST',
      path: '/devnet/atomicals/mint',
      async handle(call) {
        const fields = parseFields(call)
        refuseOthers(fields, MINT_FIELDS)
        const kind = readKind(fields)
        const sats = fields.sats === undefined ? null : parseInteger(fields, 'sats', 1, MOST_SATS)
        const minted = await minter.mint({
          kind,
          script: fields.address === undefined ? null : parseAddressField(fields, 'address'),
          sats: sats === null ? null : BigInt(sats),
          args: { ...readObject(fields, 'args'), ...readArgs(fields, kind) },
          fields: { ...readObject(fields, 'fields'), ...readFiles(fields) },
          confirm: parseBoolean(fields, 'confirm', true),
        })
        return json(minted)
      },
    },
  ]
}

function readKind({ kind }: Fields): MintKind {
  const known = MINT_KINDS.find(name => name === kind)
  if (!known) throw new HttpError(400, `kind: must be one of ${MINT_KINDS.join(', ')}`)
  return known
}

/** Under the protocol's names. */
function readArgs(fields: Fields, kind: MintKind): Record<string, unknown> {
  const named: [string, unknown][] = [
    [kind === 'dmt' ? 'mint_ticker' : 'request_ticker', parseText(fields, 'ticker')],
    ['request_realm', parseText(fields, 'realm')],
    ['request_container', parseText(fields, 'container')],
  ]
  if (kind === 'dft') {
    named.push(
      ['mint_amount', parseInteger(fields, 'mintAmount', 1, MOST_SATS)],
      ['max_mints', parseInteger(fields, 'maxMints', 1, MOST_SATS)],
      ['mint_height', parseInteger(fields, 'mintHeight', 0, MOST_SATS, 0)],
    )
  }
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}

function readFiles({ files = [] }: Fields): Record<string, unknown> {
  if (!Array.isArray(files)) throw new HttpError(400, 'files: must be a list')
  return Object.fromEntries(
    files.map((file: Fields) => {
      refuseOthers(file, FILE_FIELDS)
      const name = parseText(file, 'name')
      if (!name) throw new HttpError(400, 'files: each must have a name')
      const bytes = readContent(file)
      const contentType = parseText(file, 'contentType')
      return [name, contentType === undefined ? bytes : { $ct: contentType, $b: bytes }]
    }),
  )
}

function readContent(file: Fields): Uint8Array {
  const base64 = parseText(file, 'base64')
  if (base64 !== undefined) return new Uint8Array(Buffer.from(base64, 'base64'))
  return parseHex(file, 'hex') ?? new TextEncoder().encode(parseText(file, 'text') ?? '')
}

function readObject(fields: Fields, name: string): Fields {
  const value = fields[name] ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new HttpError(400, `${name}: must be an object`)
  }
  return value as Fields
}
