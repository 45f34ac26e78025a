import { ShieldCheck } from 'lucide-react'
import { addSpace } from '../platform/join-words.ts'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { useQuery } from '../state/use-query.ts'
import { Button } from '../ui/button.tsx'
import fieldStyles from '../ui/fields/field.module.css'
import textStyles from '../ui/styles/text.module.css'
import { shortenAddress } from '../ui/text/address-text.tsx'
import formStyles from './form.module.css'
import { nameInWords } from './name-words.ts'

/** What a name leads to, which is asked for as soon as this is shown. */
export function NameNote({ name }: { name: string }) {
  const { answer, problem, busy, retry } = useQuery(
    () => nameInWords(call('lookUpName', { name })),
    name,
    ['servers'],
  )
  if (busy) return <span>{words('nameAsking')}</span>
  if (problem !== null)
    return (
      <span role="alert" className={fieldStyles.bad}>
        {addSpace(problem)}
        <Button variant="quiet" onClick={retry}>
          {words('commonTryAgain')}
        </Button>
      </span>
    )
  return answer === null ? null : (
    <span className={formStyles.provenName}>
      <ShieldCheck size={14} aria-hidden />
      <span className={textStyles.mono}>{shortenAddress(answer.address)}</span>
      <span className={textStyles.note}>{words('nameProven')}</span>
    </span>
  )
}
