import type {
  ApprovalAnswer,
  AskedEntryView,
  AskedQuestion,
} from '../../../background/views/approval-history-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import type { AmountWriter } from '../../ui/text/hidden-amounts.tsx'
import { NETWORK_NAMES, sayName } from '../../ui/text/names.ts'

const ANSWER_NAMES: { [answer in ApprovalAnswer]: WordKey } = {
  approved: 'askedApproved',
  rejected: 'askedRejected',
  closed: 'askedClosed',
  expired: 'askedExpired',
  ended: 'askedEnded',
  failed: 'askedFailed',
}

export function nameAnswer(answer: ApprovalAnswer): string {
  return words(ANSWER_NAMES[answer])
}

/** What was asked, in a few words. */
export function nameQuestion(question: AskedQuestion): string {
  switch (question.kind) {
    case 'connect':
      return words('askedConnect')
    case 'unlock':
      return words('askedUnlock')
    case 'switch-network':
      return words('askedSwitch', { network: NETWORK_NAMES[question.network] })
    case 'sign-messages':
      return countWords('askedMessages', question.count)
    case 'derive-context-hash':
      return words('askedSecret')
    case 'payment':
      return words(question.assets > 0 ? 'askedTransfer' : 'askedPayment')
    case 'sign-psbts':
      return countWords(question.broadcast ? 'askedPsbtsSent' : 'askedPsbts', question.count)
    case 'push':
      return countWords('askedPush', question.count)
    case 'inscribe':
      return question.count === 0 ? words('askedEtch') : countWords('askedInscribe', question.count)
    case 'rune-mint':
      return countWords('askedMint', question.count)
    case 'brc20-amount':
      return words('askedBrc20')
  }
}

/** Amounts of it in a sentence; null where there are none. */
export function describeAmounts(question: AskedQuestion, amounts: AmountWriter): string | null {
  const write = (sats: string) => amounts.coin(BigInt(sats))
  switch (question.kind) {
    case 'payment':
      return words('askedPays', { amount: write(question.sats), fee: write(question.fee) })
    case 'sign-psbts':
    case 'push':
      return question.net.startsWith('-')
        ? words('askedCosts', { amount: write(question.net.slice(1)) })
        : words('askedGains', { amount: write(question.net) })
    case 'inscribe':
      return words('askedCosts', { amount: write(question.cost) })
    case 'rune-mint':
      return words('askedFee', { fee: write(question.fee) })
    default:
      return null
  }
}

/** Texts of it: what was to be signed, the rune, the operations. */
export function listTexts(question: AskedQuestion, amounts: AmountWriter): string[] {
  switch (question.kind) {
    case 'sign-messages':
      return question.texts
    case 'derive-context-hash':
      return [question.appName]
    case 'inscribe':
      // They name amounts of tokens.
      return amounts.isHidden ? [] : question.texts
    case 'rune-mint':
      return [question.rune]
    case 'brc20-amount':
      return [question.tick]
    default:
      return []
  }
}

/** The account and the network that were asked for; empty where the wallet was locked. */
export function describePlace({ accountId, accountName, network }: AskedEntryView): string {
  if (!network) return ''
  const name = accountId === null ? '' : sayName(accountName) || words('sitesUnknownAccount')
  return joinFacts([name, NETWORK_NAMES[network]])
}
