/**
 * The coins (UTXOs) of the account by what holds them back from payments, and locking and unlocking them. Holding back is
 * the background's decision; this page shows the reason and stores what the person chooses.
 */

import { CircleDashed } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { HeldReason } from '../../../background/views/asset-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { NotCheckedNotice } from '../../state/atomicals-server.tsx'
import { explainError } from '../../state/explain-error.ts'
import type { PageProps } from '../../state/page-props.ts'
import { pauseForCoins } from '../../state/pause-for-index.ts'
import { COIN_NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Segments } from '../../ui/fields/segments.tsx'
import noticeStyles from '../../ui/notice.module.css'
import { Notice } from '../../ui/notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Sentinel } from '../../ui/sentinel.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import figureStyles from '../../ui/styles/figure.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { Amount } from '../../ui/text/amount.tsx'
import { UNCHECKED_WORDS } from '../../ui/text/asset-names.ts'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { showToast } from '../../ui/toast.tsx'
import { actionOf, type CoinGroup, groupCoins } from './coin-groups.ts'
import { CoinRow } from './coin-row.tsx'
import styles from './coins.module.css'
import { ForgetSeenDialog } from './forget-seen-dialog.tsx'
import { UnlockCoinDialog } from './unlock-coin-dialog.tsx'

/** How many coins are drawn at first, and how many more each time the end comes near. */
const STEP = 100

const CHOICE_WORDS = {
  locked: 'coinsNowLocked',
  unlocked: 'coinsNowAllowed',
  none: 'coinsNowByRule',
} as const

type Filter = 'all' | 'free' | 'held'

/** The coins of the account: which ones payments may spend, which ones they leave alone, and why. */
export function Coins({ state }: PageProps) {
  const { answer, problem, busy, retry } = useQuery(
    () => call('getCoins', null),
    subjectOf(state),
    COIN_NEWS,
    pauseForCoins,
  )
  const [filter, setFilter] = useState<Filter>('all')
  const [room, setRoom] = useState(STEP)
  const [unlocking, setUnlocking] = useState<CoinView | null>(null)
  const [forgetting, setForgetting] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const groups = useMemo(() => groupCoins(answer ?? []), [answer])
  const shown = groups.filter(
    ({ held }) => filter === 'all' || (held === null) === (filter === 'free'),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a coin that moved to another group took its button along
  useEffect(() => {
    if (document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true })
  }, [answer])
  const choose = async (coin: CoinView, choice: CoinView['choice']) => {
    setFailure(null)
    try {
      await call('setCoinChoice', { outpoint: coin.outpoint, choice, shown: coin })
      showToast(words(CHOICE_WORDS[choice ?? 'none']))
      retry()
    } catch (error) {
      setFailure(explainError(error))
    }
  }
  const press = (coin: CoinView) => {
    const action = actionOf(coin)
    if (action === 'allow') setUnlocking(coin)
    else void choose(coin, action === 'lock' ? 'locked' : null)
  }
  return (
    <>
      <Screen head={<BackButton onBack={goBack} />}>
        <Title>{words('coinsTitle')}</Title>
        {answer === null && problem === null ? (
          <>
            <Skeleton size="balance" />
            <SkeletonRows count={4} />
          </>
        ) : null}
        {problem || failure ? (
          <Notice
            tone={problem ? 'caution' : 'danger'}
            title={problem ? words('coinsUnknown') : ''}
            live
          >
            <p>{problem ?? failure}</p>
            {problem ? (
              <div className={noticeStyles.actions}>
                <Button variant="quiet" busy={busy} onClick={retry}>
                  {words('commonTryAgain')}
                </Button>
              </div>
            ) : null}
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
            <Groups groups={shown} room={room} onPress={press} />
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
      {unlocking ? (
        <UnlockCoinDialog
          coin={unlocking}
          onClose={() => setUnlocking(null)}
          onUnlock={() => {
            setUnlocking(null)
            void choose(unlocking, 'unlocked')
          }}
        />
      ) : null}
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
        <p className={textStyles.muted}>{words('coinsHeldBack', { amount: amounts.coin(held) })}</p>
      ) : null}
    </div>
  )
}

const REASON_WORDS: { [reason in HeldReason]: [title: WordKey, why: WordKey] } = {
  reserved: ['coinsReserved', 'coinsReservedWhy'],
  unconfirmed: ['coinsUnconfirmed', 'coinsUnconfirmedWhy'],
  inscribed: ['coinsInscribed', 'coinsInscribedWhy'],
  atomical: ['coinsAtomical', 'coinsAtomicalWhy'],
  runic: ['coinsRunic', 'coinsRunicWhy'],
  ordinals: ['coinsOrdinals', 'coinsOrdinalsWhy'],
  small: ['coinsSmall', 'coinsSmallWhy'],
  unknown: ['coinsUnchecked', 'coinsUncheckedWhy'],
  locked: ['coinsLocked', 'coinsLockedWhy'],
}

type GroupsProps = { groups: CoinGroup[]; room: number; onPress: (coin: CoinView) => void }

/** As many coins as there is room for, group after group. */
function Groups({ groups, room, onPress }: GroupsProps) {
  const amounts = useAmounts()
  let left = room
  return groups.map(({ held, coins, sats, unchecked: same }) => {
    const shown = coins.slice(0, Math.max(left, 0))
    left -= coins.length
    if (shown.length === 0) return null
    // An unconfirmed coin needs no second reason.
    const unchecked = held === 'unconfirmed' ? null : same
    const [title, why] = held === null ? (['coinsFree', null] as const) : REASON_WORDS[held]
    return (
      <section key={held ?? 'free'} className={styles.group}>
        <div className={layoutStyles.sectionHead}>
          <h2>{words(title)}</h2>
          <span className={textStyles.note}>
            {countWords('coinsCount', coins.length)}
            {amounts.isHidden ? '' : ` · ${amounts.coin(sats)}`}
          </span>
        </div>
        {why ? (
          <p className={textStyles.note}>
            {unchecked === null ? '' : `${words(UNCHECKED_WORDS[unchecked])} `}
            {words(why)}
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
