import { ArrowDownUp, CircleDashed } from 'lucide-react'
import type { ActivityDetails } from '../../../background/views/activity-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, currentLanguage, words } from '../../platform/words.ts'
import { RareSats } from '../../review/coins/rare-sats.tsx'
import { ProofLine, useProof } from '../../review/proof-line.tsx'
import { Fact } from '../../review/transaction-facts.tsx'
import type { PageProps } from '../../state/page-props.ts'
import { NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { CopiedText, shortenOutpoint } from '../../ui/copied-text.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ExplorerLink } from '../../ui/explorer-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { StatusBanner } from '../../ui/status-banner.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import figureStyles from '../../ui/styles/figure.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { AddressText } from '../../ui/text/address-text.tsx'
import { Amount } from '../../ui/text/amount.tsx'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { formatMoment } from '../../ui/text/time-text.ts'
import { actionOf } from './coin-groups.ts'
import { CoinAssets } from './coin-row.tsx'
import { CoinSign } from './coin-sign.tsx'
import { describeState, nameAction, ownAddressOf } from './coin-words.ts'
import { ReasonHelp } from './reason-help.tsx'
import { useCoinChoice } from './use-coin-choice.tsx'
import { useCoinsBeside } from './use-coins.ts'

/** One coin: whether payments may spend it and why not, what sits on it, what can be decided, where it came from. */
export function Coin({ state }: PageProps) {
  const [, outpoint = ''] = useRoute()
  const { answer, problem, busy, retry } = useCoinsBeside(state)
  const { press, failure, dialog } = useCoinChoice(retry)
  const coin = answer?.find(one => one.outpoint === outpoint)
  return (
    <>
      <Screen head={<BackButton onBack={goBack} />}>
        {coin ? (
          <Details coin={coin} state={state} failure={failure} onPress={() => press(coin)} />
        ) : (
          <Title hidden>{words('inscriptionCoin')}</Title>
        )}
        {answer && !coin ? (
          <Empty icon={<CircleDashed size={20} aria-hidden />} title={words('splitGone')} />
        ) : null}
        {!answer && !problem ? (
          <>
            <Skeleton size="balance" />
            <SkeletonRows count={4} />
          </>
        ) : null}
        {problem && !answer ? (
          <RetryNotice
            tone="caution"
            title={words('coinsUnknown')}
            problem={problem}
            busy={busy}
            onRetry={retry}
          />
        ) : null}
      </Screen>
      {dialog}
    </>
  )
}

type DetailsProps = {
  coin: CoinView
  state: WalletState
  failure: string | null
  onPress: () => void
}

function Details({ coin, state, failure, onPress }: DetailsProps) {
  const { outpoint, height, assets, rareSats } = coin
  const amounts = useAmounts()
  const [txid = ''] = outpoint.split(':')
  const proof = useProof({ txid, status: height === null ? 'pending' : 'confirmed' }, state)
  const action = actionOf(coin)
  const name = action && nameAction(action, coin, amounts)
  const { title, why } = describeState(coin)
  return (
    <>
      <div className={figureStyles.box}>
        <Title>{coin.label || words('inscriptionCoin')}</Title>
        <p className={figureStyles.figure}>
          <Amount sats={BigInt(coin.sats)} />
        </p>
        <p className={textStyles.muted}>
          {amounts.isHidden ? words('homeAmountsHidden') : amounts.sats(BigInt(coin.sats))}
        </p>
      </div>
      <StatusBanner
        sign={<CoinSign coin={coin} />}
        title={title}
        aside={why ? <ReasonHelp held={coin.held} /> : null}
      >
        {why ? <p className={rowStyles.note}>{why}</p> : null}
      </StatusBanner>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
      {name === null ? null : (
        <Button variant="secondary" aria-label={name.label} onClick={onPress}>
          {name.text}
        </Button>
      )}
      {assets.length > 0 || rareSats.length > 0 ? (
        <section className={layoutStyles.stack}>
          <h2>{words('coinsCarries')}</h2>
          {rareSats.length > 0 ? <RareSats sats={rareSats} /> : null}
          {assets.length > 0 ? <CoinAssets coin={coin} /> : null}
        </section>
      ) : null}
      {height === null ? null : <ProofLine proof={proof} />}
      <Facts coin={coin} state={state} txid={txid} />
      <Rows label={words('transactionTitle')}>
        <LinkRow
          to={`/activity/${txid}`}
          icon={<ArrowDownUp size={18} aria-hidden />}
          title={words('transactionTitle')}
        />
      </Rows>
    </>
  )
}

/** What is known of the coin itself, and of the transaction that made it once the server has told. */
function Facts({ coin, state, txid }: { coin: CoinView; state: WalletState; txid: string }) {
  const { outpoint, height } = coin
  const { answer, problem, busy, retry } = useQuery(
    () => call('getActivityDetails', { txid }),
    `${subjectOf(state)} ${txid}`,
    NEWS,
  )
  if (!answer && !problem) return <SkeletonRows count={3} />
  return (
    <>
      {problem && !answer ? (
        <RetryNotice
          tone="caution"
          title={words('transactionMissing')}
          problem={problem}
          busy={busy}
          onRetry={retry}
        />
      ) : null}
      <dl className={factsStyles.facts}>
        {answer ? <Origin details={answer} outpoint={outpoint} /> : null}
        {height === null ? null : (
          <Fact name={words('transactionBlock')}>
            {height.toLocaleString(currentLanguage())}
            {answer && answer.confirmations > 0 ? (
              <span className={factsStyles.sub}>
                {countWords('transactionConfirmations', answer.confirmations)}
              </span>
            ) : null}
          </Fact>
        )}
        <Fact name={words('inscriptionCoin')} help="coin">
          <CopiedText text={outpoint} label={words('inscriptionCopyCoin')}>
            {shortenOutpoint(outpoint)}
          </CopiedText>
        </Fact>
        {answer?.explorerUrl ? (
          <Fact name={words('transactionExplorer')}>
            <ExplorerLink url={answer.explorerUrl} />
          </Fact>
        ) : null}
      </dl>
    </>
  )
}

function Origin({ details, outpoint }: { details: ActivityDetails; outpoint: string }) {
  const { entry, outputs } = details
  const address = ownAddressOf(outputs, outpoint)
  return (
    <>
      {address === null ? null : (
        <Fact name={words('inscriptionAddress')}>
          <AddressText address={address} />
        </Fact>
      )}
      <Fact name={words(entry.height === null ? 'transactionSince' : 'transactionAt')}>
        {formatMoment(entry.at)}
      </Fact>
    </>
  )
}
