import { toBase64 } from '../bitcoin/bytes.ts'
import type { Network } from '../bitcoin/network.ts'
import type { InscriptionContent } from '../chain/asset-source.ts'
import { BackendUnavailableError } from '../chain/chain-source.ts'
import { parseBrc20 } from '../ordinals/brc20-text.ts'
import { kindOfContent, readRasterType } from '../ordinals/content-kind.ts'
import { measureImage, type RasterType } from '../ordinals/image-size.ts'
import type { InscriptionId } from '../ordinals/inscription-id.ts'
import { fetchRevealedContent } from './inscription-reveal.ts'
import { createTransactionLookup, TooFarError } from './transaction-lookup.ts'
import type { ContentView } from './ui-methods/asset-views.ts'
import type { Wallet } from './wallet.ts'

/** Bytes of content that are looked at; a block has no room for more. */
export const MAX_CONTENT = 4_000_000

/** 64 MiB once it is decoded. */
const MAX_PIXELS = 2 ** 24

/** Characters of text that are shown. */
const MAX_TEXT = 20_000
const MAX_PREVIEW = 600

/**
 * What can be shown of an inscription, a placeholder if need be. In full it is what the reveal itself carries, where the
 * chain server has it and the wallet can read its encoding; else what the index serves.
 */
export async function fetchContentView(
  wallet: Wallet,
  network: Network,
  id: InscriptionId,
  { preview }: { preview: boolean },
): Promise<ContentView> {
  try {
    const content =
      (preview ? null : await fetchProven(wallet, network, id)) ??
      (await (await wallet.assets(network)).fetchContent(id, MAX_CONTENT))
    return content ? describeContent(content, preview) : await explainAbsence(wallet, network, id)
  } catch (error) {
    if (error instanceof BackendUnavailableError) return placeholder('unanswered')
    throw error
  }
}

/** Null where the chain server does not answer, or has nothing that can be proven and read. */
async function fetchProven(
  wallet: Wallet,
  network: Network,
  id: InscriptionId,
): Promise<InscriptionContent | null> {
  try {
    const lookup = createTransactionLookup(await wallet.chain(network), wallet.now)
    return await fetchRevealedContent(lookup, id, MAX_CONTENT)
  } catch (error) {
    if (error instanceof BackendUnavailableError || error instanceof TooFarError) return null
    throw error
  }
}

async function explainAbsence(
  wallet: Wallet,
  network: Network,
  id: InscriptionId,
): Promise<ContentView> {
  const facts = (await (await wallet.assets(network)).fetchInscriptions([id])).get(id)
  return placeholder(facts?.contentLength ? 'too-large' : 'empty')
}

/**
 * Content as our own pages may show it: an image of a type that cannot act, whose structure is whole and whose size was read
 * without decoding it; text; or a placeholder. Control and bidirectional characters are left in the text: whoever shows it
 * makes them visible.
 */
export function describeContent(
  { contentType, bytes }: InscriptionContent,
  preview: boolean,
): ContentView {
  if (bytes.length === 0) return placeholder('empty')
  if (bytes.length > MAX_CONTENT) return placeholder('too-large')
  const raster = readRasterType(contentType)
  if (raster) return describeImage(raster, bytes)
  if (kindOfContent(contentType, bytes.length) !== 'text') return placeholder('not-drawn')
  return describeText(contentType, bytes, preview ? MAX_PREVIEW : MAX_TEXT)
}

/** What follows the image's own end never leaves. */
function describeImage(type: RasterType, bytes: Uint8Array): ContentView {
  const surface = measureImage(type, bytes)
  if (!surface) return placeholder('damaged')
  const { width, height, pixels, end } = surface
  if (pixels > MAX_PIXELS) return placeholder('too-many-pixels')
  return { kind: 'image', type, base64: toBase64(bytes.subarray(0, end)), width, height }
}

function describeText(contentType: string | null, bytes: Uint8Array, limit: number): ContentView {
  const whole = decodeStart(bytes)
  if (whole === null) return placeholder('damaged')
  const text = whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  const cut = text.length < whole.length || bytes.length > MAX_TEXT_BYTES
  const brc20 = cut ? null : parseBrc20(contentType, text)
  return brc20 ? { kind: 'brc-20', ...brc20, text } : { kind: 'text', text, cut }
}

/** No character takes more than four. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT

/** The first characters of strict UTF-8; null for anything else. */
function decodeStart(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, MAX_TEXT_BYTES), {
      stream: bytes.length > MAX_TEXT_BYTES,
    })
  } catch {
    return null
  }
}

function placeholder(why: (ContentView & { kind: 'placeholder' })['why']): ContentView {
  return { kind: 'placeholder', why }
}
