import { invalidParams } from './errors.ts'
import { parseFeeRateParam, parseIndex, parseOptions, parseString } from './params.ts'

/**
 * An inscription of the connected account as pages get it; numbers are numbers, as the specification's sample has them. Of an
 * NFT of Atomicals the id has `-Atomicals` behind it, and the transaction is the one that minted it.
 */
export type SiteInscription = {
  inscriptionId: string
  /** Negative for cursed ones. */
  inscriptionNumber: number
  address: string
  /** Sats of the output. */
  outputValue: number
  contentLength: number
  /** MIME type; empty where the inscription names none. */
  contentType: string
  /** Seconds since 1970 of the block that revealed it. */
  timestamp: number
  /** Sats before it within the output. */
  offset: number
  /** `txid:vout`. */
  output: string
  /** Txid of the transaction that revealed it. */
  genesisTransaction: string
  /** `txid:vout:offset`. */
  location: string
}

export const DEFAULT_PAGE = 20
export const MAX_PAGE = 100

/** Inscriptions of one transfer. */
export const MAX_IDS = 100

const MAX_ID_LENGTH = 100

/** 20 inscriptions unless told, at most 100. */
export function parseGetInscriptions([cursor, size]: readonly unknown[]) {
  return {
    cursor: parseIndex('cursor', cursor ?? 0, Number.MAX_SAFE_INTEGER),
    size: parseIndex('size', size ?? DEFAULT_PAGE, MAX_PAGE),
  }
}

export function parseSendInscription([address, inscriptionId, options]: readonly unknown[]) {
  const { feeRate } = parseOptions('options', options)
  return {
    address: parseString('address', address, 100),
    inscriptionId: readAssetId('inscriptionId', inscriptionId),
    feeRate: parseFeeRateParam('options.feeRate', feeRate),
  }
}

/** What goes to whom; `field` is the receiver's name for errors. */
export type NftMove = { id: string; to: string; field: string }

/** One id or a list of them, to one receiver or to one each; other members, as some clients send, are ignored. */
export function parseTransferNft([transfer]: readonly unknown[]) {
  const { from, to, data, feeRate } = parseOptions('transfer', transfer)
  const sender = parseString('from', from, 100)
  const ids = Array.isArray(data) ? parseIds('data', data) : [readAssetId('data', data)]
  return {
    from: sender,
    moves: Array.isArray(to) ? readMoves(ids, to) : moveAll(ids, parseString('to', to, 100)),
    feeRate: parseFeeRateParam('feeRate', feeRate),
  }
}

function moveAll(ids: readonly string[], to: string): NftMove[] {
  return ids.map(id => ({ id, to, field: 'to' }))
}

/** The receivers in the order of the ids. */
function readMoves(ids: readonly string[], receivers: readonly unknown[]): NftMove[] {
  if (receivers.length !== ids.length) {
    const expected = `an address, or one for each of the ${ids.length} in data`
    throw invalidParams('to', receivers, expected)
  }
  return ids.map((id, at) => {
    const field = `to[${at}]`
    return { id, to: parseString(field, receivers[at], 100), field }
  })
}

/** Ids of inscriptions and Atomicals, as {@link readAssetId} gives them, each once and in their order. Throws -32602. */
export function parseIds(field: string, value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_IDS)
    throw invalidParams(field, value, `1 to ${MAX_IDS} inscription ids`)
  const ids = value.map((id, at) => readAssetId(`${field}[${at}]`, id))
  const again = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (again >= 0) throw invalidParams(`${field}[${again}]`, ids[again], 'each inscription once')
  return ids
}

/** The canonical form of both protocols, which name different things with it. */
const ASSET_ID = /^[0-9a-f]{64}i(?:0|[1-9]\d{0,9})$/

/**
 * `<txid>i<index>`, with the protocol behind it where the page names one: of an inscription the id alone, of an Atomical with
 * `-Atomicals`. Throws -32602.
 */
function readAssetId(field: string, value: unknown): string {
  const text = parseString(field, value, MAX_ID_LENGTH)
  const [, id = text, protocol = 'Ordinals'] = /^([^-]*)-(.*)$/s.exec(text) ?? []
  const isNamed = protocol === 'Ordinals' || protocol === 'Atomicals'
  if (!isNamed || !ASSET_ID.test(id))
    throw invalidParams(
      field,
      value,
      'an id (<txid>i<index>), with nothing, -Ordinals or -Atomicals behind it',
    )
  return protocol === 'Atomicals' ? text : id
}
