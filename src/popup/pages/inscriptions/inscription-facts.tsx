import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { InscriptionDetail } from '../../../background/ui-methods/asset-views.ts'
import { Fact } from '../../approvals/transaction-facts.tsx'
import { AddressText } from '../../ui/address-text.tsx'
import { shortenId } from '../../ui/asset-names.ts'
import { formatSats, nameSats } from '../../ui/btc-digits.ts'
import { CopyIconButton } from '../../ui/copy-button.tsx'
import { formatMoment } from '../../ui/time-text.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { currentLanguage, words } from '../../words.ts'

/** What it is, where it comes from and where exactly it sits. */
export function InscriptionFacts({ inscription }: { inscription: InscriptionDetail }) {
  const { id, contentType, metaprotocol, delegate, parents, charms } = inscription
  const { reveal, height, at, outpoint, offset, sats, address, explorerUrl } = inscription
  return (
    <>
      <dl className="facts" aria-label={words('inscriptionWhere')}>
        <Fact name={words('inscriptionPostage')}>{nameSats(BigInt(sats))}</Fact>
        <Fact name={words('inscriptionSat')}>
          {words('inscriptionSatOf', { place: formatSats(BigInt(offset)) })}
        </Fact>
        <Fact name={words('inscriptionCoin')}>
          <Copied text={outpoint} label={words('inscriptionCopyCoin')}>
            {shortenOutpoint(outpoint)}
          </Copied>
        </Fact>
        <Fact name={words('inscriptionAddress')}>
          <AddressText address={address} />
        </Fact>
      </dl>
      <dl className="facts" aria-label={words('inscriptionOrigin')}>
        <Fact name={words('inscriptionId')}>
          <Copied text={id} label={words('inscriptionCopyId')}>
            {shortenId(id)}
          </Copied>
        </Fact>
        {contentType === null ? null : (
          <Fact name={words('inscriptionType')}>
            <span className="mono breakable">
              <VisibleText text={contentType} />
            </span>
          </Fact>
        )}
        <Fact name={words('inscriptionRevealed')}>
          {formatMoment(at)}
          <span className="sub">
            {words('inscriptionBlock', { height: height.toLocaleString(currentLanguage()) })}
          </span>
        </Fact>
        <Fact name={words('inscriptionReveal')}>
          <Copied text={reveal} label={words('transactionCopyId')}>
            {`${reveal.slice(0, 8)}…${reveal.slice(-8)}`}
          </Copied>
          {explorerUrl === null ? null : (
            <a className="link" href={explorerUrl} target="_blank" rel="noreferrer">
              {new URL(explorerUrl).host} <ExternalLink size={14} aria-hidden />
            </a>
          )}
        </Fact>
        {parents.length === 0 ? null : (
          <Fact name={words('inscriptionParents')}>
            {parents.map(parent => (
              <Copied key={parent} text={parent} label={words('inscriptionCopyParent')}>
                {shortenId(parent)}
              </Copied>
            ))}
          </Fact>
        )}
        {delegate === null ? null : (
          <Fact name={words('inscriptionDelegate')}>
            <Copied text={delegate} label={words('inscriptionCopyDelegate')}>
              {shortenId(delegate)}
            </Copied>
          </Fact>
        )}
        {metaprotocol === null ? null : (
          <Fact name={words('inscriptionProtocol')}>
            <span className="mono breakable">
              <VisibleText text={metaprotocol} />
            </span>
          </Fact>
        )}
        {charms.length === 0 ? null : (
          <Fact name={words('inscriptionCharms')}>
            <VisibleText text={charms.join(', ')} />
          </Fact>
        )}
      </dl>
    </>
  )
}

function Copied(props: { text: string; label: string; children: ReactNode }) {
  return (
    <span className="with-copy">
      <span className="mono" title={props.text}>
        {props.children}
      </span>
      <CopyIconButton text={props.text} label={props.label} />
    </span>
  )
}

function shortenOutpoint(outpoint: string): string {
  const [txid = '', vout = ''] = outpoint.split(':')
  return `${txid.slice(0, 8)}…${txid.slice(-4)}:${vout}`
}
