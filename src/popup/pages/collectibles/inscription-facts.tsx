import type { InscriptionDetail } from '../../../background/views/asset-views.ts'
import { joinList } from '../../platform/join-words.ts'
import { currentLanguage, words } from '../../platform/words.ts'
import { Fact } from '../../review/transaction-facts.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopiedText, shortenOutpoint } from '../../ui/copied-text.tsx'
import { ExplorerLink } from '../../ui/explorer-link.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { AddressText } from '../../ui/text/address-text.tsx'
import { shortenId } from '../../ui/text/asset-names.ts'
import { formatSats } from '../../ui/text/btc-digits.ts'
import { HiddenAmount, useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { formatMoment } from '../../ui/text/time-text.ts'
import { spellVisible } from '../../ui/text/visible-parts.ts'
import { VisibleText } from '../../ui/text/visible-text.tsx'

/** What it is, where it comes from and where exactly it sits. */
export function InscriptionFacts({ inscription }: { inscription: InscriptionDetail }) {
  const { id, contentType, metaprotocol, delegate, parents, charms } = inscription
  const amounts = useAmounts()
  const { reveal, height, at, outpoint, offset, sats, address, explorerUrl } = inscription
  return (
    <>
      <dl className={factsStyles.facts} aria-label={words('inscriptionWhere')}>
        <Fact name={words('inscriptionPostage')} help="postage">
          {amounts.isHidden ? <HiddenAmount /> : amounts.sats(BigInt(sats))}
        </Fact>
        <Fact name={words('inscriptionSat')} help="sat">
          {words('inscriptionSatOf', { place: formatSats(BigInt(offset)) })}
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
          <CopiedText text={id} label={words('inscriptionCopyId')}>
            {shortenId(id)}
          </CopiedText>
        </Fact>
        {contentType === null ? null : (
          <Fact name={words('inscriptionType')}>
            <span className={classNames(textStyles.mono, textStyles.breakable)}>
              <VisibleText text={contentType} />
            </span>
          </Fact>
        )}
        <Fact name={words('inscriptionRevealed')}>
          {formatMoment(at)}
          <span className={factsStyles.sub}>
            {words('inscriptionBlock', { height: height.toLocaleString(currentLanguage()) })}
          </span>
        </Fact>
        <Fact name={words('inscriptionReveal')}>
          <CopiedText text={reveal} label={words('transactionCopyId')}>
            {`${reveal.slice(0, 8)}…${reveal.slice(-8)}`}
          </CopiedText>
          {explorerUrl === null ? null : <ExplorerLink url={explorerUrl} />}
        </Fact>
        {parents.length === 0 ? null : (
          <Fact name={words('inscriptionParents')}>
            {parents.map(parent => (
              <CopiedText key={parent} text={parent} label={words('inscriptionCopyParent')}>
                {shortenId(parent)}
              </CopiedText>
            ))}
          </Fact>
        )}
        {delegate === null ? null : (
          <Fact name={words('inscriptionDelegate')}>
            <CopiedText text={delegate} label={words('inscriptionCopyDelegate')}>
              {shortenId(delegate)}
            </CopiedText>
          </Fact>
        )}
        {metaprotocol === null ? null : (
          <Fact name={words('inscriptionProtocol')}>
            <span className={classNames(textStyles.mono, textStyles.breakable)}>
              <VisibleText text={metaprotocol} />
            </span>
          </Fact>
        )}
        {charms.length === 0 ? null : (
          <Fact name={words('inscriptionCharms')}>{joinList(charms.map(spellVisible))}</Fact>
        )}
      </dl>
    </>
  )
}
