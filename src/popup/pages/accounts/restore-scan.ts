import type { ScanLine, ScanResult } from '../../../background/views/account-views.ts'
import type { AddressType } from '../../../bitcoin/address.ts'
import { changePathOf, isTemplate, listFurtherPaths } from '../../../bitcoin/wallet-paths.ts'

/** BIP-44: after this many unused addresses in a row, a line is taken to end. */
export const GAP_LIMIT = 20

/** Addresses in one question, which derives the seed anew: one for a line that was never used. */
const STEP = GAP_LIMIT

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

/** A search that goes on along the paths of other wallets; those for change are added where their receiving ones were used. */
export function startFurther({ found, lines }: Scan): Scan {
  const further = listFurtherPaths().map(path => ({ ...path, next: 0, end: GAP_LIMIT }))
  return { found, lines: [...lines, ...further] }
}

/** Whether a search has the paths of other wallets among its lines. */
export function isFurtherScan({ lines }: Scan): boolean {
  return lines.some(({ line }) => isTemplate(line))
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
  const lines = scan.lines.flatMap(other => {
    if (!isSameLine(other, question)) return [other]
    const change = used.length > 0 ? startChange(scan, question) : []
    return [{ ...other, next: from + count, end: Math.max(other.end, needed) }, ...change]
  })
  return { found: lines.flatMap(other => found.filter(one => isSameLine(other, one))), lines }
}

/** The line of change beside one of another wallet's path, where the search has it not. */
function startChange({ lines }: Scan, { addressType, line }: LineName): LineScan[] {
  const path = isTemplate(line) ? changePathOf(line) : null
  if (path === null || lines.some(other => isSameLine(other, { addressType, line: path })))
    return []
  return [{ addressType, line: path, next: 0, end: GAP_LIMIT }]
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
