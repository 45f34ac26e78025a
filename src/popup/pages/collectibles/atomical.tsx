import { ArrowUpRight, CircleCheck, CircleHelp, OctagonAlert } from 'lucide-react'
import type { AtomicalDetail } from '../../../background/views/asset-views.ts'
import { keyOfAtomical } from '../../../ordinals/asset-key.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { currentLanguage, words } from '../../platform/words.ts'
import { Fact } from '../../review/transaction-facts.tsx'
import { isKeyless } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopiedText, shortenOutpoint } from '../../ui/copied-text.tsx'
import { ExplorerLink } from '../../ui/explorer-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { InscriptionPicture, PictureSkeleton } from '../../ui/pictures/inscription-picture.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { AddressText } from '../../ui/text/address-text.tsx'
import { shortenId } from '../../ui/text/asset-names.ts'
import { HiddenAmount, useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { explainMint, nameAtomical, nameSubtype, nameTitle } from './atomical-words.ts'
import { obstacleOf } from './chosen.ts'
import { CoinParts, LockButton } from './coin-parts.tsx'
import styles from './collectibles.module.css'
import { ATOMICAL_NEWS } from './use-atomicals.ts'

/** One Atomicals NFT: what it looks like, where it is, how far the wallet checked it, and what can be done with it. */
export function Atomical({ state }: PageProps) {
  const [, id = ''] = useRoute()
  const { answer, problem, busy, retry } = useQuery(
    () => call('getAtomical', { id }),
    `${subjectOf(state)} ${id}`,
    ATOMICAL_NEWS,
  )
  const account = state.accounts.find(account => account.id === state.accountId)
  const canSign = !isKeyless(account)
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        answer && canSign ? (
          <Button
            variant="primary"
            disabled={obstacleOf(answer) !== null}
            onClick={() => navigate(`/inscriptions/send/${keyOfAtomical(id)}`)}
          >
            <ArrowUpRight size={18} aria-hidden />
            {words('homeSend')}
          </Button>
        ) : null
      }
    >
      {answer ? (
        <>
          <InscriptionPicture
            id={keyOfAtomical(id)}
            size="large"
            label={nameAtomical(answer)}
            name={answer.name}
          />
          <div>
            <Title>
              <span className={textStyles.breakable}>{nameTitle(answer)}</span>
            </Title>
            <p className={textStyles.muted}>{describe(answer)}</p>
          </div>
          {answer.pending ? <Notice tone="info">{words('inscriptionPending')}</Notice> : null}
          <Mint atomical={answer} />
          <CoinParts coin={answer} canSplit={false} onChanged={retry} />
          <Facts atomical={answer} />
          {canSign && answer.held === null ? (
            <LockButton outpoint={answer.outpoint} onChanged={retry} />
          ) : null}
        </>
      ) : (
        <>
          <Title hidden>{words('atomicalTitle')}</Title>
          {problem ? null : (
            <>
              <PictureSkeleton size="large" />
              <Skeleton size="line" />
              <SkeletonRows count={2} />
            </>
          )}
        </>
      )}
      {problem ? (
        <RetryNotice
          tone="caution"
          title={words('inscriptionUnknown')}
          problem={problem}
          busy={busy}
          onRetry={retry}
        />
      ) : null}
    </Screen>
  )
}

function describe({ subtype, name, number }: AtomicalDetail): string {
  const isNumberNew = name !== null && number !== null
  return joinFacts([nameSubtype(subtype), ...(isNumberNew ? [`#${number}`] : [])])
}

const SIGNS = { revealed: CircleCheck, contradicted: OctagonAlert, server: CircleHelp }

/** How much of what is shown the wallet knows by itself, and how much is a server's word. */
function Mint({ atomical }: { atomical: AtomicalDetail }) {
  const { status, title, note } = explainMint(atomical)
  const Sign = SIGNS[status]
  return (
    <div className={classNames(styles.proof, styles[status])} role="status">
      <Sign size={20} aria-hidden />
      <div>
        <strong>{title}</strong>
        <p className={rowStyles.note}>{note}</p>
      </div>
    </div>
  )
}

function Facts({ atomical }: { atomical: AtomicalDetail }) {
  const { id, outpoint, sats, address, mint } = atomical
  const amounts = useAmounts()
  return (
    <>
      <dl className={factsStyles.facts} aria-label={words('inscriptionWhere')}>
        <Fact name={words('inscriptionPostage')}>
          {amounts.isHidden ? <HiddenAmount /> : amounts.sats(BigInt(sats))}
        </Fact>
        <Fact name={words('inscriptionCoin')}>
          <CopiedText text={outpoint} label={words('inscriptionCopyCoin')}>
            {shortenOutpoint(outpoint)}
          </CopiedText>
        </Fact>
        <Fact name={words('inscriptionAddress')}>
          <AddressText address={address} />
        </Fact>
      </dl>
      <dl className={factsStyles.facts} aria-label={words('inscriptionOrigin')}>
        <Fact name={words('inscriptionId')}>
          <CopiedText text={id} label={words('atomicalCopyId')}>
            {shortenId(id)}
          </CopiedText>
        </Fact>
        {mint === null ? null : (
          <Fact name={words('atomicalMint')}>
            <CopiedText text={mint.txid} label={words('transactionCopyId')}>
              {`${mint.txid.slice(0, 8)}…${mint.txid.slice(-8)}`}
            </CopiedText>
            {mint.height > 0 ? (
              <span className={factsStyles.sub}>
                {words('inscriptionBlock', {
                  height: mint.height.toLocaleString(currentLanguage()),
                })}
              </span>
            ) : null}
            {mint.explorerUrl === null ? null : <ExplorerLink url={mint.explorerUrl} />}
          </Fact>
        )}
      </dl>
    </>
  )
}
