import { Signature } from 'lucide-react'
import type { CosigningEntry } from '../../../background/views/cosigning-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'

const COSIGNING_NEWS = [...NEWS, 'cosignedPlans']

/** Payments on their way round the signers; nothing when there are none. */
export function HomeCosignings({ state }: { state: WalletState }) {
  const amounts = useAmounts()
  const { answer } = useQuery(() => call('listCosignings', null), subjectOf(state), COSIGNING_NEWS)
  if (!answer || answer.length === 0) return null
  return (
    <Rows label={words('cosignHomeLabel')}>
      {answer.map(entry => (
        <LinkRow
          key={entry.planId}
          to={`/cosign/${entry.planId}.${entry.digest}`}
          icon={<Signature size={20} aria-hidden />}
          title={nameEntry(entry)}
          note={entry.label || amounts.sats(BigInt(entry.sats))}
          end={words('cosignHomeCount', { signed: entry.signed, required: entry.required })}
        />
      ))}
    </Rows>
  )
}

function nameEntry({ signed, required }: CosigningEntry): string {
  return words(signed < required ? 'cosignHome' : 'cosignHomeReady')
}
