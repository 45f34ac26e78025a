import type { ScanLine, ScanResult } from '../../../background/views/account-views.ts'
import type { AddressType } from '../../../bitcoin/address.ts'

/** BIP-44: after this many unused addresses in a row, a line is taken to end. */
export const GAP_LIMIT = 20

/** Addresses in one question: few, so that stopping and progress are quick; two questions for a line that was never used. */
const STEP = 10

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

/** What to ask next of a line that no question `underWay` is about; null when all others have ended. */
export function nextQuestion(
  { lines }: Scan,
  underWay: readonly ScanQuestion[] = [],
): ScanQuestion | null {
  const open = lines.find(
    line => line.next < line.end && !underWay.some(question => isSameLine(line, question)),
  )
  if (!open) return null
  const { addressType, line, next, end } = open
  return { addressType, line, from: next, count: Math.min(STEP, end - next) }
}

/** A used address moves the end of its line to `GAP_LIMIT` behind it. What was found stays in the order of the lines. */
export function addAnswer(scan: Scan, question: ScanQuestion, { used }: ScanResult): Scan {
  const { addressType, line, from, count } = question
  const needed = Math.max(0, ...used.map(({ index }) => index + 1 + GAP_LIMIT))
  const found = [...scan.found, ...used.map(address => ({ ...address, addressType, line }))]
  return {
    found: scan.lines.flatMap(other => found.filter(address => isSameLine(other, address))),
    lines: scan.lines.map(other =>
      isSameLine(other, question)
        ? { ...other, next: from + count, end: Math.max(other.end, needed) }
        : other,
    ),
  }
}

/** Keys of one are derived while addresses of the other are asked about. */
const QUESTIONS_AT_ONCE = 2

/**
 * Asks until all lines have ended, and shows what is known with each answer, until `show` says that it is no longer wanted. Throws the
 * first error of `ask`; an answer after it does not count, so that its question is asked again by whoever goes on with what was shown.
 */
export async function askLines(
  from: Scan,
  to: {
    ask: (question: ScanQuestion) => Promise<ScanResult>
    show: (scan: Scan) => boolean
  },
): Promise<void> {
  let scan = from
  let underWay: readonly ScanQuestion[] = []
  let isWanted = true
  const next = () => (isWanted ? nextQuestion(scan, underWay) : null)
  await Promise.all(Array.from({ length: QUESTIONS_AT_ONCE }, askOn))

  async function askOn(): Promise<void> {
    for (let question = next(); question; question = next()) {
      const asked = question
      underWay = [...underWay, asked]
      try {
        const answer = await to.ask(asked)
        if (!isWanted) return
        scan = addAnswer(scan, asked, answer)
      } catch (error) {
        isWanted = false
        throw error
      }
      underWay = underWay.filter(other => other !== asked)
      isWanted = to.show(scan)
    }
  }
}

type LineName = Pick<LineScan, 'addressType' | 'line'>

function isSameLine(one: LineName, other: LineName): boolean {
  return one.addressType === other.addressType && one.line === other.line
}

/** Addresses asked about, and how many it will be as far as is known. */
export function countAsked({ lines }: Scan): { asked: number; planned: number } {
  const first = (line: ScanLine) => (line === 'receive' ? 1 : 0)
  const sum = (count: (line: LineScan) => number) =>
    lines.reduce((total, line) => total + count(line) - first(line.line), 0)
  return { asked: sum(({ next }) => next), planned: sum(({ end }) => end) }
}
