import { ShieldCheck } from 'lucide-react'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { useQuery } from '../state/use-query.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import fieldStyles from '../ui/fields/field.module.css'
import textStyles from '../ui/styles/text.module.css'
import { shortenAddress } from '../ui/text/address-text.tsx'
import formStyles from './form.module.css'
import { nameInWords } from './name-words.ts'

type NameNoteProps = { id: string; name: string; contact: string | null }

/** What a name leads to, in the place of the line under its field; it is asked for as soon as this is shown. */
export function NameNote({ id, name, contact }: NameNoteProps) {
  const { answer, problem, busy, retry } = useQuery(
    () => nameInWords(call('lookUpName', { name })),
    name,
    ['servers'],
  )
  const isFailed = problem !== null && !busy
  return (
    <>
      <div
        id={id}
        className={classNames(fieldStyles.note, isFailed && fieldStyles.bad)}
        aria-live="polite"
      >
        {contact === null ? null : `${contact} · `}
        {busy ? (
          words('nameAsking')
        ) : isFailed ? (
          problem
        ) : answer === null ? null : (
          <span className={formStyles.provenName}>
            <ShieldCheck size={14} aria-hidden />
            <span className={textStyles.mono}>{shortenAddress(answer.address)}</span>
            <span className={textStyles.note}>{words('nameProven')}</span>
          </span>
        )}
      </div>
      {isFailed ? (
        <Button variant="quiet" start onClick={retry}>
          {words('commonTryAgain')}
        </Button>
      ) : null}
    </>
  )
}
