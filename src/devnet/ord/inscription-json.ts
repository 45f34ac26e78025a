import { parseInscription } from '../../ordinals/inscriptions/inscription.ts'
import { formatAddress } from '../chain/script.ts'
import type { OrdInscription } from './inscriptions/inscription-ledger.ts'
import { formatSatPoint } from './inscriptions/satpoint.ts'
import type { OrdIndex } from './ord-index.ts'
import { formatSpacedName } from './runes/rune-name.ts'

/** How many children and parents `/inscription` shows. */
const MOST_RELATIVES = 4

/** ord's `/inscription`. */
export function describeInscription(index: OrdIndex, inscription: OrdInscription) {
  const { id, sequence, fields, children } = inscription
  const { contentType, contentLength, metaprotocol } = parseInscription(fields)
  const delegate = inscription.delegate && index.inscription(inscription.delegate)
  const etched = index.etchedBy(id.slice(0, 64))
  return {
    ...describePlace(index, inscription),
    charms: inscription.charms,
    child_count: children.length,
    children: children.slice(0, MOST_RELATIVES),
    content_length: contentLength,
    content_type: contentType,
    effective_content_type: delegate ? parseInscription(delegate.fields).contentType : contentType,
    fee: inscription.fee,
    height: inscription.height,
    id,
    metaprotocol,
    next: index.idAt(sequence + 1) ?? null,
    number: inscription.number,
    parents: inscription.parents.slice(0, MOST_RELATIVES),
    previous: index.idAt(sequence - 1) ?? null,
    properties: {},
    rune: etched && id.endsWith('i0') ? formatSpacedName(etched.rune, etched.spacers) : null,
    sat: null,
    timestamp: inscription.timestamp,
  }
}

/** ord's `/r/inscription`. */
export function describeRecursively(index: OrdIndex, inscription: OrdInscription) {
  const { contentType, contentLength } = parseInscription(inscription.fields)
  return {
    ...describePlace(index, inscription),
    ...describeRelative(inscription),
    content_type: contentType,
    content_length: contentLength,
    delegate: inscription.delegate,
  }
}

/** As an element of `/r/children/…/inscriptions` and `/r/parents/…/inscriptions`. */
export function describeRelative({
  charms,
  fee,
  height,
  id,
  number,
  satpoint,
  timestamp,
}: OrdInscription) {
  return {
    charms,
    fee,
    height,
    id,
    number,
    output: satpoint.outpoint,
    sat: null,
    satpoint: formatSatPoint(satpoint),
    timestamp,
  }
}

/** The address and the value are null for what is lost or unbound. */
function describePlace(index: OrdIndex, { satpoint }: OrdInscription) {
  const output = index.output(satpoint.outpoint)
  return {
    address: (output && formatAddress(output.scriptPubKey)) ?? null,
    satpoint: formatSatPoint(satpoint),
    value: output?.value ?? null,
  }
}
