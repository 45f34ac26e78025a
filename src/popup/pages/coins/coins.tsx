/**
 * The coins (UTXOs) of the account by what holds them back from payments, and locking and unlocking them. Holding back is
 * the background's decision; this page shows the reason and stores what the person chooses.
 */

import { CircleDashed } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { HelpButton, WithHelp } from '../../help/help-button.tsx'
import { joinFacts } from '../../platform/join-facts.ts'
import { goBack } from '../../platform/route.ts'
import { useWide } from '../../platform/wide.ts'
import { countWords, words } from '../../platform/words.ts'
import { NotCheckedNotice } from '../../state/atomicals-server.tsx'
import type { PageProps } from '../../state/page-props.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Segments } from '../../ui/fields/segments.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { Link } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Sentinel } from '../../ui/sentinel.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import figureStyles from '../../ui/styles/figure.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { Amount } from '../../ui/text/amount.tsx'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { type CoinGroup, groupCoins } from './coin-groups.ts'
import { CoinRow } from './coin-row.tsx'
import { CoinTable } from './coin-table.tsx'
import { explainReason, nameReason } from './coin-words.ts'
import styles from './coins.module.css'
import { ForgetSeenDialog } from './forget-seen-dialog.tsx'
import { ReasonHelp } from './reason-help.tsx'
import { useCoinChoice } from './use-coin-choice.tsx'
import { useCoins } from './use-coins.ts'

/** How many coins are drawn at first, and how many more each time the end comes near. */
const STEP = 100

type Filter = 'all' | 'free' | 'held'

/** The coins of the account: which ones payments may spend, which ones they leave alone, and why. */
export function Coins({ state }: PageProps) {
  const { answer, problem, busy, retry } = useCoins(state)
  const { press, failure, dialog } = useCoinChoice(retry)
  const isWide = useWide()
  const [filter, setFilter] = useState<Filter>('all')
  const [room, setRoom] = useState(STEP)
  const [forgetting, setForgetting] = useState(false)
  const groups = useMemo(() => groupCoins(answer ?? []), [answer])
  const shown = useMemo(
    () => groups.filter(({ held }) => filter === 'all' || (held === null) === (filter === 'free')),
    [groups, filter],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a coin that moved to another group took its button along
  useEffect(() => {
    if (document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true })
  }, [answer])
  return (
    <>
      <Screen room="table" head={<BackButton onBack={goBack} />}>
        <WithHelp term="coin">
          <Title>{words('coinsTitle')}</Title>
        </WithHelp>
        {answer === null && problem === null ? (
          <>
            <Skeleton size="balance" />
            <SkeletonRows count={4} />
          </>
        ) : null}
        {problem ? (
          <RetryNotice
            tone="caution"
            title={words('coinsUnknown')}
            problem={problem}
            busy={busy}
            onRetry={retry}
          />
        ) : failure ? (
          <Notice tone="danger" live>
            {failure}
          </Notice>
        ) : null}
        {answer === null ? null : answer.length === 0 ? (
          <Empty icon={<CircleDashed size={20} aria-hidden />} title={words('coinsEmptyTitle')}>
            {words('coinsEmpty')}
          </Empty>
        ) : (
          <>
            <Sums groups={groups} />
            <NotCheckedNotice state={state} />
            {groups.length > 1 ? (
              <Segments
                label={words('coinsFilter')}
                value={filter}
                options={[
                  { value: 'all', name: words('coinsAll') },
                  { value: 'free', name: words('coinsFree') },
                  { value: 'held', name: words('coinsHeld') },
                ]}
                onChoose={chosen => {
                  setFilter(chosen)
                  setRoom(STEP)
                }}
              />
            ) : null}
            {answer.filter(({ mergeable }) => mergeable).length > 1 ? (
              <Link to="/coins/merge">{words('mergeTitle')}</Link>
            ) : null}
            {isWide ? (
              <CoinTable groups={shown} room={room} />
            ) : (
              <Groups groups={shown} room={room} onPress={press} />
            )}
            <Sentinel turn={room} onNear={() => setRoom(growTo(room, answer.length))} />
            {answer.some(({ unchecked }) => unchecked === 'contradicted') ? (
              <Button variant="quiet" onClick={() => setForgetting(true)}>
                {words('coinsForgetOpen')}
              </Button>
            ) : null}
          </>
        )}
      </Screen>
      {forgetting ? (
        <ForgetSeenDialog
          onClose={() => setForgetting(false)}
          onDone={() => {
            setForgetting(false)
            retry()
          }}
        />
      ) : null}
      {dialog}
    </>
  )
}

function growTo(room: number, all: number): number {
  return room >= all ? room : room + STEP
}

/** What payments can spend, and what is held back, of the whole account. */
function Sums({ groups }: { groups: CoinGroup[] }) {
  const amounts = useAmounts()
  const sumOf = (free: boolean) =>
    groups
      .filter(({ held }) => (held === null) === free)
      .reduce((sum, group) => sum + group.sats, 0n)
  const held = sumOf(false)
  return (
    <div className={figureStyles.box}>
      <p className={textStyles.note}>{words('coinsSpendable')}</p>
      <p className={figureStyles.figure}>
        <Amount sats={sumOf(true)} />
      </p>
      {held > 0n && !amounts.isHidden ? (
        <p className={textStyles.muted}>
          {words('coinsHeldBack', { amount: amounts.coin(held) })} <HelpButton term="held-coins" />
        </p>
      ) : null}
    </div>
  )
}

type GroupsProps = { groups: CoinGroup[]; room: number; onPress: (coin: CoinView) => void }

/** As many coins as there is room for, group after group. */
function Groups({ groups, room, onPress }: GroupsProps) {
  const amounts = useAmounts()
  let left = room
  return groups.map(group => {
    const { held, coins, sats, unchecked: same } = group
    const shown = coins.slice(0, Math.max(left, 0))
    left -= coins.length
    if (shown.length === 0) return null
    const why = explainReason(group)
    return (
      <section key={held ?? 'free'} className={styles.group}>
        <div className={layoutStyles.sectionHead}>
          <h2>{nameReason(held)}</h2>
          <span className={textStyles.note}>
            {joinFacts([
              countWords('coinsCount', coins.length),
              amounts.isHidden ? null : amounts.coin(sats),
            ])}
          </span>
        </div>
        {why ? (
          <p className={textStyles.note}>
            {why} <ReasonHelp held={held} />
          </p>
        ) : null}
        <ul className={rowStyles.rows}>
          {shown.map(coin => (
            <CoinRow key={coin.outpoint} coin={coin} explained={same !== null} onPress={onPress} />
          ))}
        </ul>
      </section>
    )
  })
}
