import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { InvalidBrc20Error } from '../../ordinals/brc20/brc20-amount.ts'
import {
  BRC20_CONTENT_TYPE,
  type Brc20Operation,
  encodeBrc20,
  isBrc20Predeploy,
  parseBrc20Operation,
} from '../../ordinals/brc20/brc20-operation.ts'
import { encodeCbor } from '../../ordinals/cbor.ts'
import {
  kindOfContent,
  parseMediaType,
  parseRasterType,
} from '../../ordinals/content/content-kind.ts'
import { sniffImage } from '../../ordinals/content/image-size.ts'
import { type InscriptionId, parseInscriptionId } from '../../ordinals/inscription-id.ts'
import type { EnvelopeContent } from '../../ordinals/inscriptions/envelope-script.ts'
import { invalidParams, ProviderError } from '../../provider/errors.ts'
import { MAX_ITEMS, type MintItem, type MintType } from '../../provider/inscribe-params.ts'
import { parseHex, parseString } from '../../provider/params.ts'
import type { Brc20Effect } from '../views/brc20-views.ts'
import type { InscribeItem } from '../views/inscribe-views.ts'

/** What one reveal carries, and what BRC-20 makes of it; null for what is no BRC-20. */
export type InscribeContent = { content: EnvelopeContent; operation: Brc20Operation | null }

/** What BRC-20 makes of items, in their order, and which inscription becomes their parent; JSON. */
export type ItemValidation = {
  /** Null for what is no BRC-20. */
  effects: (Brc20Effect | null)[]
  parent: InscriptionId | null
}

const TEXT_TYPE = 'text/plain;charset=utf-8'

/** Characters of hex or text: a reveal of 400,000 weight units holds no more. */
const MAX_LENGTH = 800_000

const OPERATIONS: { [type in MintType]?: Brc20Operation['op'] } = {
  60: 'deploy',
  50: 'mint',
  51: 'transfer',
}

/** The items of a site's mint. Throws -32602 that names the field; BRC-20 that no indexer counts is refused with its reason. */
export function parseMintItems(type: MintType, items: readonly MintItem[]): InscribeContent[] {
  const op = OPERATIONS[type]
  return items.map((item, at) => {
    const field = `inscriptions[${at}]`
    if (type === 62) return readImage(field, item)
    if (op === undefined) {
      const read = readText(field, item)
      assertPredeployed(`${field}.body`, read.operation, null)
      return read
    }
    const contentType = readContentType(`${field}.contentType`, item.contentType ?? TEXT_TYPE)
    const operation = readBrc20(`${field}.body`, contentType, item.body)
    assertPredeployed(`${field}.body`, operation, null)
    if (operation.op !== op)
      throw invalidParams(`${field}.body.op`, operation.op, `"${op}" for type ${type}`)
    return contentOf(contentType, toUtf8(item.body), operation)
  })
}

/** The items of our own form, children of `parent` where that is an id. Throws like {@link parseMintItems}. */
export function parseDraftItems(
  items: readonly InscribeItem[],
  parent: string | null = null,
): InscribeContent[] {
  if (!Array.isArray(items) || items.length < 1 || items.length > MAX_ITEMS)
    throw invalidParams('items', items, `a list of 1 to ${MAX_ITEMS}`)
  return items.map((item: InscribeItem, at) => {
    const field = `items[${at}]`
    const read = readDraftItem(field, item)
    assertPredeployed(field, read.operation, parent)
    return read
  })
}

function readDraftItem(field: string, item: InscribeItem): InscribeContent {
  switch (item.kind) {
    case 'text':
      return readText(field, {
        contentType: null,
        body: parseString(field, item.text, MAX_LENGTH),
      })
    case 'file':
      return readFile(field, item)
    case 'brc-20':
      return encodeOperation(field, item.operation)
    case 'delegate':
      if (!parseInscriptionId(parseString(field, item.id, 100)))
        throw invalidParams(`${field}.id`, item.id, 'an inscription id')
      return { content: { delegate: item.id }, operation: null }
    default:
      throw invalidParams(field, item, 'text, a file, BRC-20 or a delegate')
  }
}

/** A ticker of six bytes is deployed as a child of its predeploy: without a parent indexers ignore it. */
function assertPredeployed(
  field: string,
  operation: Brc20Operation | null,
  parent: string | null,
): void {
  if (operation?.op !== 'deploy' || operation.salt === undefined || parent !== null) return
  const text = `${field}: expected a predeploy of ${operation.tick} as the parent; indexers would ignore it`
  throw new ProviderError(-32602, text, { data: { reason: 'needs-predeploy' } })
}

/** Characters of JSON that an inscription may say of itself. */
const MAX_METADATA = 20_000

/** JSON as it is inscribed, in CBOR; null for none. Throws -32602. */
export function parseMetadata(text: unknown): Uint8Array | null {
  if (text === null || text === undefined) return null
  const json = parseString('metadata', text, MAX_METADATA)
  try {
    return encodeCbor(JSON.parse(json))
  } catch (cause) {
    throw Object.assign(invalidParams('metadata', json, 'JSON, or nothing'), { cause })
  }
}

/** The inscription of an operation as wallets write it. Throws -32602 for what indexers do not count. */
export function encodeOperation(field: string, operation: Brc20Operation): InscribeContent {
  const text = encodeBrc20(operation)
  return contentOf(BRC20_CONTENT_TYPE, toUtf8(text), readBrc20(field, BRC20_CONTENT_TYPE, text))
}

function readText(field: string, { contentType, body }: MintItem): InscribeContent {
  const type = readContentType(`${field}.contentType`, contentType ?? TEXT_TYPE)
  if (!['text', 'html', 'svg'].includes(kindOfContent(type, body.length)))
    throw invalidParams(`${field}.contentType`, contentType, 'a type of text')
  if (type.replace(UTF8_PARAMETER, '').match(/charset/i))
    throw invalidParams(`${field}.contentType`, contentType, 'UTF-8, in which the text is written')
  if (!body.isWellFormed())
    throw invalidParams(`${field}.body`, body, 'text without lone surrogates')
  return readAny(field, type, toUtf8(body))
}

/** Text is inscribed as UTF-8. Another charset in the type would show other characters than those that were approved. */
const UTF8_PARAMETER = /; *charset=("?)utf-8\1 *(?=;|$)/i

function readFile(
  field: string,
  { contentType, encoding, hex }: InscribeItem & { kind: 'file' },
): InscribeContent {
  const type = readContentType(`${field}.contentType`, contentType)
  const bytes = hex === '' ? new Uint8Array() : fromHex(parseHex(`${field}.hex`, hex, MAX_LENGTH))
  if (encoding === null) return readAny(field, type, bytes)
  if (encoding !== 'gzip') throw invalidParams(`${field}.encoding`, encoding, '"gzip", or null')
  const content = { contentType: type, contentEncoding: encoding, body: bytes }
  return { content, operation: null }
}

/** Content that claims to be BRC-20 must be a valid operation, whether it came as text or as a file. */
function readAny(field: string, contentType: string, bytes: Uint8Array): InscribeContent {
  const isOperation = claimsBrc20(contentType, bytes) && !isBrc20Predeploy(contentType, bytes)
  const operation = isOperation ? readBrc20(`${field}.body`, contentType, bytes) : null
  return contentOf(contentType, bytes, operation)
}

/** The bytes must begin as the type says; what cannot be told apart by its beginning is taken as named. */
function readImage(field: string, { contentType, body }: MintItem): InscribeContent {
  const typeField = `${field}.contentType`
  if (!parseMediaType(contentType)?.startsWith('image/'))
    throw invalidParams(typeField, contentType, 'a type of image, such as image/png')
  const type = readContentType(typeField, contentType)
  const bytes = fromHex(parseHex(`${field}.body`, body, MAX_LENGTH))
  const isFit =
    parseMediaType(type) === 'image/svg+xml'
      ? /<svg[\s>]/i.test(decodeText(bytes) ?? '')
      : sniffImage(bytes) === parseRasterType(type)
  if (!isFit)
    throw invalidParams(`${field}.body`, body, `the bytes of an ${parseMediaType(type)} in hex`)
  return contentOf(type, bytes, null)
}

function readContentType(field: string, value: unknown): string {
  const isPlain = typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value)
  if (!isPlain || parseMediaType(value) === null)
    throw invalidParams(field, value, 'a content type, such as text/plain;charset=utf-8')
  return value
}

function claimsBrc20(contentType: string, bytes: Uint8Array): boolean {
  const type = parseMediaType(contentType)
  if (type !== 'text/plain' && type !== 'application/json') return false
  try {
    return Object(JSON.parse(decodeText(bytes) ?? '')).p === 'brc-20'
  } catch {
    return false
  }
}

function readBrc20(field: string, contentType: string, body: string | Uint8Array): Brc20Operation {
  try {
    return parseBrc20Operation(contentType, body)
  } catch (cause) {
    if (!(cause instanceof InvalidBrc20Error)) throw cause
    const text = `${field}: ${cause.message}; indexers would ignore it`
    throw new ProviderError(-32602, text, { cause, data: { reason: cause.reason } })
  }
}

function contentOf(
  contentType: string,
  body: Uint8Array,
  operation: Brc20Operation | null,
): InscribeContent {
  return { content: { contentType, body }, operation }
}

function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
