import type {
  MessageProofDraft,
  MessageVerdictView,
} from '../../../background/views/message-views.ts'
import {
  type InconclusiveReason,
  type InvalidReason,
  type MessageFormat,
  type MessageLock,
  readLockAge,
  readLockTime,
} from '../../../bitcoin/messages/message-verdict.ts'
import { joinSentences } from '../../platform/join-words.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { Notice } from '../../ui/notice.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import { formatMoment } from '../../ui/text/time-text.ts'
import { ProvenCoins } from './proven-coins.tsx'

type VerdictProps = { proof: MessageProofDraft; verdict: MessageVerdictView }

/** BIP-322's answer, with its reason or what it holds for. */
export function Verdict({ proof, verdict }: VerdictProps) {
  if (verdict.state === 'invalid')
    return (
      <Notice tone="danger" title={words('messagesInvalid')} live>
        {explainInvalid(verdict.reason)}
      </Notice>
    )
  if (verdict.state === 'inconclusive')
    return (
      <Notice tone="caution" title={words('messagesInconclusive')} live>
        {explainInconclusive(verdict.reason)}
      </Notice>
    )
  const { format, lock, coins } = verdict
  const locks = describeLocks(lock)
  return (
    <div className={layoutStyles.stack}>
      <Notice
        tone={locks.length > 0 ? 'caution' : 'positive'}
        title={words(locks.length > 0 ? 'messagesValidLock' : 'messagesValid')}
        live
      >
        {words(locks.length > 0 ? 'messagesValidLockNote' : 'messagesValidNote')}
      </Notice>
      <dl className={factsStyles.facts}>
        <div>
          <dt>{words('messagesForm')}</dt>
          <dd>{words(FORMATS[format])}</dd>
        </div>
        {locks.map(([name, value]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {coins.length > 0 ? <ProvenCoins proof={proof} coins={coins} /> : null}
    </div>
  )
}

const FORMATS: { [format in MessageFormat]: WordKey } = {
  legacy: 'messagesFormLegacy',
  simple: 'messagesFormSimple',
  full: 'messagesFormFull',
  'proof-of-funds': 'messagesFormFunds',
}

function describeLocks(lock: MessageLock): [WordKey, string][] {
  const time = readLockTime(lock)
  const age = readLockAge(lock)
  const from =
    time === null
      ? null
      : 'height' in time
        ? words('messagesFromBlock', { height: time.height })
        : formatMoment(time.unix * 1000)
  const old =
    age === null
      ? null
      : 'blocks' in age
        ? countWords('messagesAgeBlocks', age.blocks)
        : countWords('messagesAgeHours', Math.ceil(age.seconds / 3600))
  return [
    ...(from === null ? [] : [['messagesFrom', from] as [WordKey, string]]),
    ...(old === null ? [] : [['messagesAge', old] as [WordKey, string]]),
  ]
}

const INVALID: { [kind in Exclude<InvalidReason['kind'], 'script'>]: WordKey } = {
  address: 'messagesWhyAddress',
  encoding: 'messagesWhyEncoding',
  form: 'messagesWhyForm',
  transaction: 'messagesWhyTransaction',
  coins: 'messagesWhyCoins',
  signature: 'messagesWhySignature',
}

/** What is wrong when the script works as it should and the signature is another's. */
const WRONG_SIGNATURE: ReadonlySet<string> = new Set([
  ...['NULLFAIL', 'SCHNORR_SIG', 'EVAL_FALSE', 'EQUALVERIFY', 'CHECKSIGVERIFY'],
  ...['CHECKMULTISIGVERIFY', 'WITNESS_PROGRAM_MISMATCH', 'WITNESS_PROGRAM_WITNESS_EMPTY'],
])

function explainInvalid(reason: InvalidReason): string {
  if (reason.kind !== 'script') return words(INVALID[reason.kind])
  const { error, input } = reason
  const why = WRONG_SIGNATURE.has(error)
    ? words('messagesWhySignature')
    : error === 'UNSATISFIED_LOCKTIME'
      ? words('messagesWhyLock')
      : words('messagesWhyRule', { error })
  return input === 0 ? why : joinSentences([why, words('messagesWhyCoin', { number: input })])
}

function explainInconclusive(reason: InconclusiveReason): string {
  switch (reason.kind) {
    case 'address-version':
      return words('messagesWhyVersion')
    case 'transaction-version':
      return words('messagesWhyTransactionVersion', { version: reason.version })
    case 'upgradable':
      return words('messagesWhyUpgradable', { what: reason.what })
    case 'work':
      return words('messagesWhyWork')
  }
}
