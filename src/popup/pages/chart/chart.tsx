/**
 * What the account in use was worth over a day, a week, a month or a year, and what a bitcoin cost. The background puts the
 * figures together; this page draws them. With amounts hidden the line of the balance has no figures, in no place of the page.
 */

import { ChartLine } from 'lucide-react'
import { useState } from 'react'
import type { PriceChart, PriceRange } from '../../../background/views/price-chart-views.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { currentLanguage, type WordKey, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { ServerNotice } from '../../state/server-notice.tsx'
import { NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { Segments } from '../../ui/fields/segments.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import figureStyles from '../../ui/styles/figure.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { HiddenAmount, useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { NETWORK_NAMES } from '../../ui/text/names.ts'
import { formatDay, formatMoment } from '../../ui/text/time-text.ts'
import styles from './chart.module.css'
import { listWorth, measureChange, type Subject, type WorthPoint } from './chart-figures.ts'
import { Line } from './line.tsx'
import { PointTable } from './point-table.tsx'

const RANGE_WORDS = {
  day: ['chartDay', 'chartInDay'],
  week: ['chartWeek', 'chartInWeek'],
  month: ['chartMonth', 'chartInMonth'],
  year: ['chartYear', 'chartInYear'],
} as const satisfies { [range in PriceRange]: [WordKey, WordKey] }

const RANGES = Object.keys(RANGE_WORDS) as PriceRange[]

const DAY_MS = 24 * 3_600_000
const DAYS: { [range in PriceRange]: number } = { day: 1, week: 7, month: 30, year: 365 }

/** Price and chart. */
export function Chart({ state }: PageProps) {
  const { answer, problem, busy, retry } = useQuery(
    again => call('getPriceChart', { retry: again }),
    subjectOf(state),
    NEWS,
  )
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('chartTitle')}</Title>
      {problem ? (
        <RetryNotice
          tone="caution"
          title={words('chartNoPrices')}
          problem={problem}
          busy={busy}
          onRetry={retry}
        />
      ) : answer === null ? (
        <>
          <span className={textStyles.visuallyHidden} role="status">
            {words('commonLoading')}
          </span>
          <Skeleton size="balance" />
          <Skeleton size="block" />
        </>
      ) : answer.is === 'lines' ? (
        <Lines chart={answer} busy={busy} onRetry={retry} />
      ) : (
        <NoLines chart={answer} network={NETWORK_NAMES[state.network]} />
      )}
    </Screen>
  )
}

type Without = Extract<PriceChart, { is: 'no-history' }> | { is: 'off' | 'no-value' }

function NoLines({ chart, network }: { chart: Without; network: string }) {
  const icon = <ChartLine size={20} aria-hidden />
  if (chart.is === 'off') {
    return (
      <Empty icon={icon} title={words('chartOff')}>
        <p>{words('chartOffNote')}</p>
        <Button variant="quiet" onClick={() => navigate('/settings/display')}>
          {words('chartChooseCurrency')}
        </Button>
      </Empty>
    )
  }
  if (chart.is !== 'no-history') {
    return (
      <Empty icon={icon} title={words('chartNoValue')}>
        {words('chartNoValueNote', { network })}
      </Empty>
    )
  }
  return (
    <Empty icon={icon} title={words('chartNoHistory')}>
      <p>{words('chartNoHistoryNote', { host: chart.host })}</p>
      <Button variant="quiet" onClick={() => navigate('/settings/servers')}>
        {words('serverChange')}
      </Button>
    </Empty>
  )
}

type LinesProps = {
  chart: Extract<PriceChart, { is: 'lines' }>
  busy: boolean
  onRetry: () => void
}

function Lines({ chart, busy, onRetry }: LinesProps) {
  const [range, setRange] = useState<PriceRange>('month')
  const [subject, setSubject] = useState<Subject>('balance')
  const all = chart.lines[range]
  const points = listWorth(all, subject)
  const { isHidden } = useAmounts()
  const isUnknown = subject === 'balance' && chart.problem !== null
  return (
    <>
      <div className={styles.choices}>
        <Segments<Subject>
          label={words('chartOf')}
          value={subject}
          options={[
            { value: 'balance', name: words('homeBalance') },
            { value: 'bitcoin', name: words('chartBitcoin') },
          ]}
          onChoose={setSubject}
        />
        <Segments<PriceRange>
          label={words('chartRange')}
          value={range}
          options={RANGES.map(value => ({ value, name: words(RANGE_WORDS[value][0]) }))}
          onChoose={setRange}
        />
      </div>
      {isUnknown && chart.problem ? (
        <ServerNotice problem={chart.problem} busy={busy} onRetry={onRetry} />
      ) : points.length < 2 ? (
        <Empty icon={<ChartLine size={20} aria-hidden />} title={words('chartTooLittle')}>
          {words('chartTooLittleNote')}
        </Empty>
      ) : !isHidden && points.every(({ worth }) => worth === 0) ? (
        <Empty icon={<ChartLine size={20} aria-hidden />} title={words('chartNothing')}>
          {words('chartNothingNote')}
        </Empty>
      ) : (
        <>
          <Drawing
            // What was read of one line is not there in another.
            key={`${subject} ${range}`}
            points={points}
            subject={subject}
            range={range}
            currency={chart.currency}
          />
          {points.length < all.length && points[0] ? (
            <p className={textStyles.note}>
              {words('chartKnownFrom', { date: formatMoment(points[0].at) })}
            </p>
          ) : null}
        </>
      )}
      <p className={textStyles.note}>
        {words(subject === 'balance' ? 'chartBalanceNote' : 'chartBitcoinNote')}
      </p>
    </>
  )
}

type DrawingProps = {
  points: readonly WorthPoint[]
  subject: Subject
  range: PriceRange
  currency: string
}

function Drawing({ points, subject, range, currency }: DrawingProps) {
  const [read, setRead] = useState<WorthPoint | null>(null)
  const isHidden = useAmounts().isHidden && subject === 'balance'
  const label = words(subject === 'balance' ? 'chartLineBalance' : 'chartLineBitcoin', {
    range: words(RANGE_WORDS[range][1]),
  })
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const dates = (
    <div className={classNames(styles.scale, styles.time)}>
      <bdi>{formatDay(first.at)}</bdi>
      <bdi>{words('chartNow')}</bdi>
    </div>
  )
  if (isHidden) {
    return (
      <section className={styles.chart} aria-label={label}>
        <div className={figureStyles.box}>
          <p className={figureStyles.figure}>
            <HiddenAmount />
          </p>
          <p className={textStyles.muted}>{words('homeAmountsHidden')}</p>
        </div>
        <Line
          label={words('chartShape', { line: label })}
          points={points}
          describe={null}
          onRead={setRead}
        />
        {dates}
      </section>
    )
  }
  const money = (worth: number) =>
    worth.toLocaleString(currentLanguage(), { style: 'currency', currency })
  const worths = points.map(({ worth }) => worth)
  const shown = read ?? last
  return (
    <section className={styles.chart} aria-label={label}>
      <div className={figureStyles.box}>
        <p className={figureStyles.figure}>{money(shown.worth)}</p>
        <p className={textStyles.muted}>
          {read ? formatMoment(read.at) : describeChange(points, range, money)}
        </p>
      </div>
      <div className={styles.scale}>
        <span>{words('chartMost', { amount: money(Math.max(...worths)) })}</span>
      </div>
      <Line
        label={label}
        points={points}
        describe={({ at, worth }) =>
          words('chartPoint', { date: formatMoment(at), amount: money(worth) })
        }
        onRead={setRead}
      />
      <div className={styles.scale}>
        <span>{words('chartLeast', { amount: money(Math.min(...worths)) })}</span>
      </div>
      {dates}
      <PointTable points={points} money={money} />
    </section>
  )
}

/** "€120.00 (4.2%) more than a week ago", or than on the day on which the line begins. */
function describeChange(
  points: readonly WorthPoint[],
  range: PriceRange,
  money: (worth: number) => string,
): string {
  const { by, percent } = measureChange(points)
  const amount = money(Math.abs(by))
  const size = percent === null ? amount : `${amount} (${formatPercent(Math.abs(percent))})`
  const way = amount === money(0) ? 'same' : by > 0 ? 'more' : 'less'
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  const isWhole = to - from === DAYS[range] * DAY_MS
  return isWhole
    ? words(CHANGE_WORDS[way][0], { amount: size, range: words(RANGE_WORDS[range][1]) })
    : words(CHANGE_WORDS[way][1], { amount: size, date: formatMoment(from) })
}

const CHANGE_WORDS = {
  more: ['chartMore', 'chartMoreSince'],
  less: ['chartLess', 'chartLessSince'],
  same: ['chartSame', 'chartSameSince'],
} as const satisfies { [way: string]: [WordKey, WordKey] }

function formatPercent(percent: number): string {
  const options = { style: 'percent', maximumFractionDigits: 1 } as const
  return (percent / 100).toLocaleString(currentLanguage(), options)
}
