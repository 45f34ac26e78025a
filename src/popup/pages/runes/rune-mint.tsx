import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleSlash,
  Clock,
  type LucideIcon,
  Radio,
  RotateCw,
} from 'lucide-react'
import type { RuneMintView } from '../../../background/views/mint-views.ts'
import { navigate, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import { Fact } from '../../review/transaction-facts.tsx'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { ActionRow, LinkRow, PlainRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { Sign, StatusBanner, type Tone } from '../../ui/status-banner.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { formatFeeRate } from '../../ui/text/btc-digits.ts'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { formatMoment } from '../../ui/text/time-text.ts'
import {
  explainMintState,
  isMintOpen,
  isSent,
  nameItemState,
  nameMintState,
  PROBLEMS,
} from './mint-words.ts'
import { useMint } from './use-mints.ts'

/** Mints of one approval: how far they are, what stands in their way, and what came of them. The path names them. */
export function RuneMint({ state }: PageProps) {
  const [, , mintId = ''] = useRoute()
  const { answer, problem, busy, retry } = useMint(state, mintId)
  return (
    <Screen
      // The screen before may be a review that is over.
      head={<BackButton onBack={() => navigate('/runes', { replace: true })} />}
      foot={
        answer ? (
          <Button
            variant={answer.state === 'stuck' ? 'secondary' : 'primary'}
            onClick={() => navigate('/runes', { replace: true })}
          >
            {words(answer.state === 'stuck' ? 'commonClose' : 'commonDone')}
          </Button>
        ) : null
      }
    >
      {answer ? (
        <>
          <Standing mint={answer} />
          <Ways mint={answer} onChanged={retry} />
          <Items mint={answer} />
          <Facts mint={answer} />
        </>
      ) : (
        <>
          <Title hidden>{words('runeMintsTitle')}</Title>
          {problem ? null : (
            <>
              <Skeleton size="block" />
              <SkeletonRows count={3} />
            </>
          )}
        </>
      )}
      {problem ? (
        <RetryNotice
          tone="caution"
          title={words(answer ? 'jobsUnknown' : 'runeMintMissing')}
          problem={problem}
          busy={busy}
          onRetry={retry}
        />
      ) : null}
    </Screen>
  )
}

const SIGNS: { [state in RuneMintView['state']]: { Icon: LucideIcon; tone: Tone } } = {
  minting: { Icon: Radio, tone: 'open' },
  waiting: { Icon: Clock, tone: 'open' },
  stuck: { Icon: CircleAlert, tone: 'danger' },
  done: { Icon: CircleCheck, tone: 'plus' },
  stopped: { Icon: CircleSlash, tone: 'plain' },
}

function Standing({ mint }: { mint: RuneMintView }) {
  const { state, rune, problem } = mint
  const amounts = useAmounts()
  const { Icon, tone } = SIGNS[state]
  return (
    <>
      <div data-testid="mint-state" data-state={state}>
        <p className={classNames(textStyles.muted, textStyles.breakable)}>{rune.name}</p>
        <Title>{nameMintState(mint)}</Title>
      </div>
      {problem ? (
        <div role="status">
          <Notice
            tone={state === 'stuck' ? 'danger' : 'caution'}
            title={words(PROBLEMS[problem.kind].title)}
          >
            <p>{words(PROBLEMS[problem.kind].note)}</p>
            <details>
              <summary>{words('serverAnswer')}</summary>
              <p className={classNames(textStyles.mono, textStyles.small, textStyles.breakable)}>
                {problem.detail}
              </p>
            </details>
          </Notice>
        </div>
      ) : (
        <StatusBanner sign={<Sign Icon={Icon} tone={tone} />}>
          <p className={textStyles.breakable}>
            {explainMintState({ ...mint, minted: amounts.digits(mint.minted) })}
          </p>
        </StatusBanner>
      )}
      <Late mint={mint} />
    </>
  )
}

/** What waits in the mempool although no mints were left when the rest was stopped; after a reorganisation it may give something again. Cancelling it would cost more than it. */
function Late({ mint: { stopped, mints } }: { mint: RuneMintView }) {
  const count = mints.filter(({ state }) => state === 'pending').length
  if (count === 0 || (stopped !== 'cap' && stopped !== 'end')) return null
  return <Notice tone="caution">{countWords('runeMintLate', count)}</Notice>
}

function Ways({ mint, onChanged }: { mint: RuneMintView; onChanged: () => void }) {
  const { id, can } = mint
  const task = useTask()
  if (!can.resume && !can.stop) return null
  const run = async (method: 'resumeRuneMint' | 'stopRuneMint') => {
    await task.run(() => call(method, { mintId: id }))
    onChanged()
  }
  return (
    <>
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      <Rows label={words('jobWays')}>
        {can.resume ? (
          <ActionRow
            icon={<RotateCw size={18} aria-hidden />}
            title={words(task.busy ? 'commonAsking' : 'jobResume')}
            note={words('runeMintResumeNote')}
            busy={task.busy}
            onPress={() => void run('resumeRuneMint')}
          />
        ) : null}
        {can.stop ? (
          <ActionRow
            icon={<Ban size={18} aria-hidden />}
            title={words('runeMintStop')}
            note={words('runeMintStopNote')}
            busy={task.busy}
            onPress={() => void run('stopRuneMint')}
          />
        ) : null}
      </Rows>
    </>
  )
}

function Items({ mint: { mints, each } }: { mint: RuneMintView }) {
  return (
    <section className={layoutStyles.stack}>
      <h2 className={textStyles.muted}>{words('runeMintsTitle')}</h2>
      <Rows label={words('runeMintsTitle')}>
        {mints.map((item, at) => (
          <Item key={item.txid} item={item} place={at + 1} each={each} />
        ))}
      </Rows>
    </section>
  )
}

type ItemProps = { item: RuneMintView['mints'][number]; place: number; each: string }

function Item({ item: { txid, state, fee }, place, each }: ItemProps) {
  const amounts = useAmounts()
  const title = (
    <span
      className={textStyles.breakable}
    >{`${place}. ${nameItemState(state, amounts.digits(each))}`}</span>
  )
  if (!isSent(state)) return <PlainRow title={title} />
  const note = words('jobItemFee', { fee: amounts.sats(BigInt(fee)) })
  return <LinkRow to={`/activity/${txid}`} title={title} note={note} />
}

function Facts({ mint }: { mint: RuneMintView }) {
  const { rune, minted, fee, feeRate, at } = mint
  const amounts = useAmounts()
  return (
    <dl className={factsStyles.facts}>
      <Fact name={words('runeMintGot')}>
        <span className={textStyles.breakable}>{amounts.tokens(minted)}</span>
        {isMintOpen(mint) ? (
          <span className={factsStyles.sub}>{words('runeMintSoFar')}</span>
        ) : null}
      </Fact>
      <Fact name={words('runeMintFees')}>
        {amounts.sats(BigInt(fee))}
        <span className={factsStyles.sub}>{`${formatFeeRate(feeRate)} sat/vB`}</span>
      </Fact>
      <Fact name={words('runeId')}>{rune.id}</Fact>
      <Fact name={words('jobDate')}>{formatMoment(at)}</Fact>
    </dl>
  )
}
