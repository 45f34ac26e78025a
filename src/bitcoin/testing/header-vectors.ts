import { fromBase64, fromHex } from '../bytes.ts'
import { HEADER_SIZE } from '../headers/block-header.ts'
import mainnet from './vectors/mainnet-headers.json' with { type: 'json' }
import testnet4 from './vectors/testnet4-headers.json' with { type: 'json' }

/** Real headers that follow each other, raw, and the height of the first. */
export type HeaderRun = { height: number; raws: readonly Uint8Array[] }

/** A header at the beginning or the end of a difficulty period of mainnet; `chainwork` is of all blocks up to it. */
export type AdjustmentHeader = { height: number; raw: Uint8Array; chainwork: bigint }

/** Mainnet: a whole difficulty period, and the first 17 headers of the next. */
export const MAINNET_RUN: HeaderRun = { height: mainnet.height, raws: cut(mainnet.headers) }

/** A block that miners found beside that of the run at the same height, and that was given up. */
export const STALE_HEADER = { height: mainnet.stale.height, raw: fromHex(mainnet.stale.header) }

/** The first and the last header of each difficulty period of mainnet up to block 832,608, in order. */
export const ADJUSTMENTS: readonly AdjustmentHeader[] = cut(mainnet.adjustments.headers).map(
  (raw, index) => ({
    raw,
    height: mainnet.adjustments.heights[index] ?? 0,
    chainwork: BigInt(`0x${mainnet.adjustments.chainwork[index]}`),
  }),
)

/** Proofs of Bitcoin Core that transactions are in blocks of mainnet. */
export const TXOUT_PROOFS = mainnet.proofs

/** Testnet4: a whole difficulty period, most of it blocks of minimum difficulty, and the first header of the next. */
export const TESTNET4_RUN: HeaderRun = { height: testnet4.height, raws: cut(testnet4.headers) }

/** Blocks 28,224, 30,239 and 30,240 of Testnet4: the first and the last of a period, and the first of the next. */
export const TESTNET4_PERIOD = {
  first: fromHex(testnet4.period28224.first),
  last: fromHex(testnet4.period28224.last),
  next: fromHex(testnet4.period28224.next),
}

function cut(base64: string): Uint8Array[] {
  const bytes = fromBase64(base64)
  return Array.from({ length: bytes.length / HEADER_SIZE }, (_, index) =>
    bytes.slice(index * HEADER_SIZE, (index + 1) * HEADER_SIZE),
  )
}
