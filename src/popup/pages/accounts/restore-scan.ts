import type { ScanLine, ScanResult } from '../../../background/views/account-views.ts'
import type { AddressType } from '../../../bitcoin/address.ts'

/** BIP-44: after this many unused addresses in a row, a line is taken to end. */
export const GAP_LIMIT = 20

/** Addresses in one question: few, so that stopping and progress are quick; two rounds of what is asked at the same time. */
const STEP = 8

const TYPES: readonly AddressType[] = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh']

export type ScanQuestion = {
  addressType: AddressType
  line: ScanLine
  from: number
  count: number
}

export type FoundAddress = ScanResult['used'][number] & {
  addressType: AddressType
  line: ScanLine
}

/** One line of addresses; `next` is the first that was not asked about, `end` the first that need not be. */
type LineScan = { addressType: AddressType; line: ScanLine; next: number; end: number }

/** What a search for used addresses knows; plain data, so that it can stop anywhere and go on. */
export type Scan = { lines: readonly LineScan[]; found: readonly FoundAddress[] }

/** A search that has asked nothing yet: three lines for each type of address. */
export function startScan(): Scan {
  return {
    found: [],
    lines: TYPES.flatMap(addressType => [
      { addressType, line: 'accounts', next: 0, end: GAP_LIMIT },
      // The first receiving address is the first account's.
      { addressType, line: 'receive', next: 1, end: 1 + GAP_LIMIT },
      { addressType, line: 'change', next: 0, end: GAP_LIMIT },
    ]),
  }
}

/** What to ask next; null when all lines have ended. */
export function nextQuestion({ lines }: Scan): ScanQuestion | null {
  const open = lines.find(({ next, end }) => next < end)
  if (!open) return null
  const { addressType, line, next, end } = open
  return { addressType, line, from: next, count: Math.min(STEP, end - next) }
}

/** A used address moves the end of its line to `GAP_LIMIT` behind it. */
export function addAnswer(scan: Scan, question: ScanQuestion, { used }: ScanResult): Scan {
  const { addressType, line, from, count } = question
  const needed = Math.max(0, ...used.map(({ index }) => index + 1 + GAP_LIMIT))
  return {
    found: [...scan.found, ...used.map(address => ({ ...address, addressType, line }))],
    lines: scan.lines.map(other =>
      other.addressType === addressType && other.line === line
        ? { ...other, next: from + count, end: Math.max(other.end, needed) }
        : other,
    ),
  }
}

/** Addresses asked about, and how many it will be as far as is known. */
export function countAsked({ lines }: Scan): { asked: number; planned: number } {
  const first = (line: ScanLine) => (line === 'receive' ? 1 : 0)
  const sum = (count: (line: LineScan) => number) =>
    lines.reduce((total, line) => total + count(line) - first(line.line), 0)
  return { asked: sum(({ next }) => next), planned: sum(({ end }) => end) }
}
