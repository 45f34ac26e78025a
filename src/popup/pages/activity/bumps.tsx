import { Ban, Rocket, Zap } from 'lucide-react'
import type {
  BumpKind,
  BumpObstacle,
  BumpOptions,
} from '../../../background/views/payment-views.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { NEWS } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { ActionRow, Rows } from '../../ui/row.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const BUMPS: readonly { kind: BumpKind; title: WordKey; note: WordKey; icon: typeof Zap }[] = [
  {
    kind: 'speed-up',
    title: 'transactionBumpSpeedUp',
    note: 'transactionBumpSpeedUpNote',
    icon: Zap,
  },
  { kind: 'child', title: 'transactionBumpChild', note: 'transactionBumpChildNote', icon: Rocket },
  { kind: 'cancel', title: 'transactionBumpCancel', note: 'transactionBumpCancelNote', icon: Ban },
]

const OBSTACLES: { [why in BumpObstacle]: WordKey } = {
  CONFIRMED: 'transactionBumpConfirmed',
  HAS_CHILDREN: 'transactionBumpHasChildren',
  NOT_OURS: 'transactionBumpNotOurs',
  NO_OWN_OUTPUT: 'transactionBumpNoOwnOutput',
  COINS_HELD: 'transactionBumpCoinsHeld',
  INSUFFICIENT_FUNDS: 'transactionBumpInsufficientFunds',
  ENDED: 'transactionBumpEnded',
}

/** What can be done about a transaction that waits; what cannot be done says why. */
export function Bumps({ txid }: { txid: string }) {
  const { answer, problem, busy, retry } = useQuery(
    () => call('getBumpOptions', { txid }),
    txid,
    NEWS,
  )
  if (answer === null)
    return problem === null ? (
      <Skeleton size="row" />
    ) : (
      <RetryNotice tone="caution" problem={problem} busy={busy} onRetry={retry} />
    )
  return (
    <Rows label={words('transactionBumpTitle')}>
      {BUMPS.map(({ kind, title, note, icon: Icon }) => {
        const { why } = answer[kind]
        return (
          <ActionRow
            key={kind}
            icon={<Icon size={18} aria-hidden />}
            title={words(title)}
            note={words(why === null ? note : OBSTACLES[why])}
            disabled={why !== null}
            onPress={() => navigate(`/bump/${txid}/${kind satisfies keyof BumpOptions}`)}
          />
        )
      })}
    </Rows>
  )
}
