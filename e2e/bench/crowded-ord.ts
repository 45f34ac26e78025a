import { deflateSync } from 'node:zlib'
import { formatRuneName } from '../../src/ordinals/runes/rune-name.ts'

/** Of a name with fourteen letters. */
const FIRST_RUNE = 26n ** 13n * 2n

const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

export type CrowdedCoin = {
  outpoint: string
  sats: number
  height: number
  address: string
  /** Place among the coins. */
  at: number
}

/**
 * The answers of an ord server about coins of which those `isInscribed` names carry one inscription each, with a picture
 * of its own; undefined for what it does not serve.
 */
export function describeOrd(params: {
  path: string
  body: string
  tip: number
  isInscribed: (at: number) => boolean
  /** Runes on each coin, none of them on another. */
  runesEach?: number
  findCoin: (outpoint: string) => CrowdedCoin | undefined
}): { type: string; body: string | Buffer } | undefined {
  const { path, body, tip, isInscribed, runesEach = 0, findCoin } = params
  if (path === '/status') return json(describeStatus(tip))
  if (path === '/outputs') return json(readList(body).map(describeOutput))
  if (path === '/inscriptions') return json(readList(body).map(describeInscription))
  const [, kind, key = ''] = path.split('/')
  if (kind === 'output') return json(describeOutput(key))
  if (kind === 'inscription') return json(describeInscription(key))
  if (kind === 'content') return { type: 'image/png', body: drawPicture(coinOf(key)?.at ?? 0) }
  return undefined

  function describeOutput(outpoint: string) {
    const coin = findCoin(outpoint)
    const inscriptions = coin && isInscribed(coin.at) ? [idOf(coin)] : []
    return {
      address: coin?.address ?? null,
      confirmations: coin ? tip - coin.height + 1 : 0,
      indexed: coin !== undefined,
      inscriptions,
      outpoint,
      runes: coin ? describeRunes(coin.at) : {},
      sat_ranges: null,
      script_pubkey: '',
      spent: false,
      transaction: outpoint.split(':')[0],
      value: coin?.sats ?? 0,
    }
  }

  function describeRunes(at: number) {
    return Object.fromEntries(
      Array.from({ length: runesEach }, (_, one) => {
        const rune = FIRST_RUNE + BigInt(at * runesEach + one)
        const pile = { amount: 1_000_000 + at, divisibility: 2, symbol: '¤' }
        return [formatRuneName({ rune, spacers: 0b100 }), pile]
      }),
    )
  }

  function describeInscription(id: string) {
    const coin = coinOf(id)
    return {
      address: coin?.address ?? null,
      charms: [],
      child_count: 0,
      children: [],
      content_length: drawPicture(coin?.at ?? 0).length,
      content_type: 'image/png',
      effective_content_type: 'image/png',
      fee: 300,
      height: coin?.height ?? 0,
      id,
      metaprotocol: null,
      next: null,
      number: 70_000_000 + (coin?.at ?? 0),
      parents: [],
      previous: null,
      properties: {},
      rune: null,
      sat: null,
      satpoint: `${coin?.outpoint ?? ''}:0`,
      timestamp: 1_700_000_000 + (coin?.height ?? 0) * 600,
      value: coin?.sats ?? null,
    }
  }

  function coinOf(id: string): CrowdedCoin | undefined {
    return findCoin(`${id.slice(0, 64)}:0`)
  }
}

function idOf({ outpoint }: CrowdedCoin): string {
  return `${outpoint.slice(0, 64)}i0`
}

function describeStatus(height: number) {
  return {
    address_index: true,
    blessed_inscriptions: 80_000_000,
    chain: 'regtest',
    cursed_inscriptions: 0,
    height,
    initial_sync_time: { secs: 0, nanos: 0 },
    inscription_index: true,
    inscriptions: 80_000_000,
    json_api: true,
    lost_sats: 0,
    minimum_rune_for_next_block: 'A',
    rune_index: true,
    runes: 0,
    sat_index: false,
    started: '2026-01-01T00:00:00Z',
    transaction_index: true,
    unrecoverably_reorged: false,
    uptime: { secs: 1, nanos: 0 },
  }
}

function json(value: unknown) {
  return { type: 'application/json', body: JSON.stringify(value) }
}

function readList(body: string): string[] {
  const list: unknown = JSON.parse(body)
  return Array.isArray(list) ? list.map(String) : []
}

/** A PNG of 32 by 32 pixels in two colours that its number chooses. */
function drawPicture(at: number): Buffer {
  const size = 32
  const colours = [at * 97, at * 193].map(seed => [
    seed & 255,
    (seed >> 3) & 255,
    (seed >> 5) & 255,
  ])
  const rows = Array.from({ length: size }, (_, y) => [
    0,
    ...Array.from({ length: size }, (_, x) => colours[((x >> 2) + (y >> 2)) & 1] ?? []).flat(),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(8 + named.length)
  chunk.writeUInt32BE(data.length, 0)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(named), 4 + named.length)
  return chunk
}

/** As PNG wants it (polynomial 0xedb88320). */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
