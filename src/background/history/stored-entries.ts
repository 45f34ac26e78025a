import { isNetwork } from '../../bitcoin/network.ts'
import type { ApprovalAnswer, AskedEntry, AskedQuestion } from '../views/approval-history-views.ts'

const ANSWERS: readonly ApprovalAnswer[] = [
  ...(['approved', 'rejected', 'closed', 'expired', 'ended', 'failed'] as const),
]

type Check = (value: unknown) => boolean
type Shape<Q> = { [field in Exclude<keyof Q, 'kind'>]: Check }

const isText: Check = value => typeof value === 'string'
const isCount: Check = value => Number.isSafeInteger(value)
const isSats: Check = value => typeof value === 'string' && /^-?\d{1,16}$/.test(value)
const isTexts: Check = value => Array.isArray(value) && value.every(isText)
const isRecipients: Check = value =>
  Array.isArray(value) &&
  value.every(one => isText(Object(one).address) && isSats(Object(one).sats))
const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value)

const QUESTIONS: {
  [K in AskedQuestion['kind']]: Shape<Extract<AskedQuestion, { kind: K }>>
} = {
  connect: { term: isText },
  unlock: {},
  'switch-network': { network: isNetwork },
  'sign-messages': { texts: isTexts, count: isCount },
  'derive-context-hash': { appName: isText },
  payment: {
    ...{ recipients: isRecipients, count: isCount, sats: isSats, fee: isSats, assets: isCount },
  },
  'sign-psbts': {
    ...{ count: isCount, net: isSats, fee: orNull(isSats) },
    broadcast: value => typeof value === 'boolean',
  },
  push: { count: isCount, net: isSats, fee: orNull(isSats) },
  inscribe: { count: isCount, cost: isSats, fee: isSats, texts: isTexts },
  'rune-mint': { rune: isText, count: isCount, fee: isSats },
  'brc20-amount': { tick: isText },
}

const ENTRY: { [field in keyof AskedEntry]: Check } = {
  ...{ id: isText, origin: isText, at: isCount, endedAt: isCount, accountId: orNull(isText) },
  ...{ network: orNull(isNetwork), method: isText, question: isQuestion },
  answer: value => ANSWERS.some(answer => answer === value),
  ...{ reason: orNull(isText), txids: isTexts },
}

/** Entries as they are stored, without what is none: other programs can write there. */
export function parseEntries(stored: unknown): AskedEntry[] {
  return Array.isArray(stored) ? stored.filter(value => hasShape(value, ENTRY)) : []
}

function isQuestion(value: unknown): boolean {
  const { kind } = Object(value)
  return Object.hasOwn(QUESTIONS, kind) && hasShape(value, QUESTIONS[kind as AskedQuestion['kind']])
}

function hasShape(value: unknown, shape: { [field: string]: Check }): boolean {
  const fields = Object(value)
  return Object.entries(shape).every(([field, check]) => check(fields[field]))
}
