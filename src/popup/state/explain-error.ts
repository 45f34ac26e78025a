import type { GivenName } from '../../background/views/account-views.ts'
import type { UncheckedReason } from '../../background/views/asset-views.ts'
import type { ServerProblem } from '../../background/views/settings-views.ts'
import type { FailureReason, WireErrorData } from '../../provider/errors.ts'
import { joinList, joinSentences } from '../platform/join-words.ts'
import { MayBeDoneError, RpcError } from '../platform/rpc.ts'
import { currentLanguage, type WordKey, words } from '../platform/words.ts'
import { UNCHECKED_WORDS } from '../ui/text/asset-names.ts'
import { nameSats } from '../ui/text/btc-digits.ts'
import { sayName } from '../ui/text/names.ts'

/** What went wrong, what is safe and what to do, in the person's language; an unknown failure keeps its own words. */
export function explainError(error: unknown): string {
  if (error instanceof RpcError) return explainRpcError(error)
  return error instanceof Error ? error.message : String(error)
}

/** The wallet is locked, or a lock came meanwhile. */
export function isLocked(error: unknown): boolean {
  return error instanceof RpcError && error.code === 4100
}

/** What is stored is from a newer version of Satchel, and this one leaves it alone. */
export function isOfNewerStorage(error: unknown): boolean {
  return error instanceof RpcError && typeof error.data?.storedBy === 'string'
}

/** A server's failure: `title` says what is missing, `text` why, what is safe and what to do. */
export function explainServerProblem(problem: ServerProblem): { title: string; text: string } {
  const [title, text] = SERVER_WORDS[problem.kind]
  return { title: words(title), text: words(text, { host: problem.host }) }
}

const SERVER_WORDS: { [kind in ServerProblem['kind']]: [title: WordKey, text: WordKey] } = {
  unreachable: ['serverUnreachableTitle', 'serverUnreachable'],
  'rate-limited': ['serverRateLimitedTitle', 'serverRateLimited'],
  'wrong-network': ['serverWrongNetworkTitle', 'serverWrongNetwork'],
  'too-many-coins': ['serverTooManyCoinsTitle', 'serverTooManyCoins'],
  nonsense: ['serverNonsenseTitle', 'serverNonsense'],
  disagreement: ['serverDisagreementTitle', 'serverDisagreement'],
}

function explainRpcError(error: RpcError): string {
  const { mostSites } = error.data ?? {}
  if (error.code === -32000) return explainFailure(error)
  if (error.code === -32602 && typeof mostSites === 'number')
    return words('compatFull', { most: mostSites.toLocaleString(currentLanguage()) })
  if (error.code === -32602 && typeof error.data?.fault === 'string')
    return explainEtching(error.data.fault, error)
  if (error.code === -32602 && isProblem(error.data?.problem))
    return words(PROBLEM_WORDS[error.data.problem], { where: namePlace(String(error.data.where)) })
  if (isLocked(error)) return words('errorLocked')
  if (error instanceof MayBeDoneError) return words('errorMayBeDone')
  if (error.code === 4900) return words('errorNoAnswer')
  if (error.code === -32005) return words('errorTooManyRequests')
  if (isOfNewerStorage(error))
    return words('errorNewerStorage', { version: String(error.data?.storedBy) })
  if (error.code === -32603) return words('errorInternal')
  return error.message
}

/** What is wrong with a name, or with what came back from a device, which is not what went out. */
const PROBLEM_WORDS = {
  NAME: 'contactsNameUnseen',
  MALFORMED: 'deviceErrorMalformed',
  OTHER_TRANSACTION: 'deviceErrorOther',
  OTHER_COIN: 'deviceErrorCoin',
  BAD_SIGNATURE: 'deviceErrorSignature',
  OTHER_SIGHASH: 'deviceErrorSighash',
  NOT_SIGNED: 'deviceErrorNotSigned',
  NOTHING_NEW: 'cosignErrorNothingNew',
} as const satisfies { [problem: string]: WordKey }

function isProblem(value: unknown): value is keyof typeof PROBLEM_WORDS {
  return typeof value === 'string' && Object.hasOwn(PROBLEM_WORDS, value)
}

/** `input 0` of a transaction as people count: input 1. */
function namePlace(where: string): string {
  const [, kind, at] = /^(input|output) (\d+)$/.exec(where) ?? []
  if (kind === undefined) return where
  return words(kind === 'input' ? 'deviceInput' : 'deviceOutput', { at: Number(at) + 1 })
}

/** What only the background can tell of an etching, as it knows the height of the chain. */
function explainEtching(fault: string, { message, data }: RpcError): string {
  if (fault === 'locked')
    return words('etchErrorLocked', {
      height: Number(data?.unlocked).toLocaleString(currentLanguage()),
    })
  if (fault === 'too-early') return words('etchErrorEarly')
  return fault === 'too-long' ? words('etchErrorLong') : message
}

function explainFailure({ message, data }: RpcError): string {
  const reason = data?.reason
  if (data === undefined || !isReason(reason)) return message
  switch (reason) {
    case 'INSUFFICIENT_FUNDS':
      return hasSats(data.needed) && hasSats(data.available)
        ? words('errorInsufficientFunds', {
            needed: nameSats(BigInt(data.needed)),
            available: nameSats(BigInt(data.available)),
          })
        : words('errorInsufficient')
    case 'COINS_HELD':
      return explainHeld(data)
    case 'PROTECTED_ASSET':
      if (isUncheckedReason(data.why))
        return words('errorUncheckedCoin', { why: words(UNCHECKED_WORDS[data.why]) })
      return words(
        data.inscription === undefined ? 'errorProtectedAsset' : 'errorContradictedInscription',
      )
    case 'BACKEND_UNAVAILABLE':
      // With a txid the payment may have arrived: that is more than why the server failed.
      return data.txid === undefined && isProblemKind(data.kind)
        ? words(SERVER_WORDS[data.kind][1], { host: String(data.host) })
        : words('errorBackendUnavailable')
    case 'BROADCAST_REJECTED':
      // Bitcoin Core's bound for sats that nobody can spend any more, which servers may leave at none.
      if (String(data.node).includes('maxburnamount')) return words('errorBurnRefused')
      return words('errorBroadcastRejected', { answer: String(data.node ?? message) })
    case 'TOO_LARGE':
      return explainSize(data)
    case 'NAME_TAKEN':
      return words(data.etching === undefined ? 'errorNameBegun' : 'errorNameTaken', {
        name: String(data.name),
      })
    case 'TOO_MANY_PAYMENTS':
      return hasSats(data.sats)
        ? words('errorTooManyPayments', {
            most: String(data.most),
            amount: nameSats(BigInt(data.sats)),
            account: sayName(data.account as GivenName),
          })
        : message
    case 'ACCOUNT_EXISTS':
      return words('errorAccountExists', { name: sayName(data.name as GivenName) })
    case 'PHRASE_EXISTS':
      return words('errorPhraseExists', { name: sayName(data.name as GivenName) })
    case 'JOBS_UNDER_WAY':
      return words('errorJobsUnderWay', {
        names: Array.isArray(data.names) ? joinList((data.names as GivenName[]).map(sayName)) : '',
      })
    default:
      return words(FAILURE_WORDS[reason])
  }
}

/** Inscriptions have limits of their own: how many, how large one, how large all. */
function explainSize({ limit, got, allowed }: WireErrorData): string {
  if (limit === 'reveals')
    return words('errorTooManyInscriptions', { got: String(got), allowed: String(allowed) })
  if (limit === 'weight') return words('errorInscriptionTooLarge')
  return words(limit === 'size' ? 'errorInscriptionsTooLarge' : 'errorTooLarge')
}

const HELD_WORDS = {
  heldByPayments: 'errorHeldByPayments',
  heldUnconfirmed: 'errorHeldUnconfirmed',
  heldInscribed: 'errorHeldInscribed',
  heldAtomical: 'errorHeldAtomical',
  heldRunic: 'errorHeldRunic',
  heldOrdinals: 'errorHeldOrdinals',
  heldSmall: 'errorHeldSmall',
  heldDust: 'errorHeldDust',
  heldRare: 'errorHeldRare',
  heldUnknown: 'errorHeldUnknown',
  heldLocked: 'errorHeldLocked',
} as const satisfies { [field: string]: WordKey }

/** How much is held back for which reason, and why nobody knows what sits on the rest. */
function explainHeld(data: WireErrorData): string {
  const parts = Object.entries(HELD_WORDS).flatMap(([field, key]) => {
    const sats = data[field]
    return hasSats(sats) && sats !== '0' ? [words(key, { amount: nameSats(BigInt(sats)) })] : []
  })
  if (parts.length === 0) return words('errorCoinsHeld')
  const told = words('errorCoinsHeldParts', { parts: joinList(parts) })
  const why = data.unknownWhy
  return isUncheckedReason(why) && data.heldUnknown !== '0'
    ? joinSentences([told, words(UNCHECKED_WORDS[why])])
    : told
}

function isUncheckedReason(value: unknown): value is UncheckedReason {
  return typeof value === 'string' && Object.hasOwn(UNCHECKED_WORDS, value)
}

/** Failures that are said in the same words each time; the others are told with their facts. */
const FAILURE_WORDS: { [reason in FailureReason]: WordKey } = {
  INSUFFICIENT_FUNDS: 'errorInsufficient',
  COINS_HELD: 'errorCoinsHeld',
  PROTECTED_ASSET: 'errorProtectedAsset',
  TOO_LARGE: 'errorTooLarge',
  PLAN_OUTDATED: 'errorPlanOutdated',
  BUMP_IMPOSSIBLE: 'errorBumpImpossible',
  WATCHED_ONLY: 'errorWatchedOnly',
  DEVICE_CANNOT: 'errorDeviceCannot',
  SEVERAL_SIGNERS: 'errorSeveralSigners',
  TOO_MANY_PAYMENTS: 'errorTooManyPayments',
  SILENT_PAYMENT_IMPOSSIBLE: 'errorSilentPayment',
  BROADCAST_REJECTED: 'errorBroadcastRejected',
  BACKEND_UNAVAILABLE: 'errorBackendUnavailable',
  UNVERIFIED_INPUT: 'errorUnverifiedInput',
  SIGHASH_REFUSED: 'errorSighashRefused',
  NOT_OURS: 'errorNotOurs',
  NOTHING_TO_SIGN: 'errorNothingToSign',
  MESSAGE_IN_PSBT: 'errorMessageInPsbt',
  BAD_AMOUNTS: 'errorBadAmounts',
  BAD_SIGNATURE: 'errorBadSignature',
  ABSURD_FEE: 'errorAbsurdFee',
  ACCOUNT_EXISTS: 'errorAccountExists',
  LAST_ACCOUNT: 'errorLastAccount',
  NO_ORDINALS_ADDRESS: 'errorNoOrdinalsAddress',
  ONE_ADDRESS_ONLY: 'errorOneAddressOnly',
  NO_PHRASE: 'errorNoPhrase',
  PHRASE_EXISTS: 'errorPhraseExists',
  JOBS_UNDER_WAY: 'errorJobsUnderWay',
  TOO_MANY_PHRASES: 'errorTooManyPhrases',
  ELECTRUM_PHRASE: 'errorElectrumPhrase',
  NAME_TAKEN: 'errorNameTaken',
}

function isReason(value: unknown): value is FailureReason {
  return typeof value === 'string' && Object.hasOwn(FAILURE_WORDS, value)
}

function isProblemKind(value: unknown): value is ServerProblem['kind'] {
  return typeof value === 'string' && Object.hasOwn(SERVER_WORDS, value)
}

function hasSats(value: unknown): value is string {
  return typeof value === 'string' && /^\d+$/.test(value)
}
