import { formatRuneAmount } from '../../ordinals/runes/rune-amount.ts'
import type { AccountInfo } from '../../provider/envelope.ts'
import { invalidParams } from '../../provider/errors.ts'
import { MAX_DIVISIBILITY } from '../../provider/etch-rune-params.ts'
import { isGiven, parseIndex, parseOptions, parseSwitch } from '../../provider/params.ts'
import { parseUnits, type RuneEstimate } from '../../provider/rune-params.ts'
import { withNames } from '../requests/translation.ts'
import type { SatsConnectRequest } from './request.ts'

// The money goes from the account itself, so that there is no order of a server's: its id is the first transaction's, and
// what it is paid to the address that this pays to.

/** What mints would cost. */
export const estimateMint: SatsConnectRequest = async (context, params) => {
  const given = parseOptions('params', params)
  refuseServiceFee(given)
  const order = readMint(given)
  const estimate = await withNames(MINT_NAMES, () => context.call('estimateMintRune', order))
  return describeCost(estimate)
}

/** What an etching would cost. */
export const estimateEtch: SatsConnectRequest = async (context, params) => {
  const given = parseOptions('params', params)
  refuseServiceFee(given)
  const etching = readEtching(given)
  const estimate = await withNames(ETCHING_NAMES, () => context.call('estimateEtchRune', etching))
  return describeCost(estimate)
}

function describeCost({ fee, postage, total, vsize }: RuneEstimate) {
  return {
    totalSize: vsize,
    totalCost: total,
    costBreakdown: { postage, networkFee: fee, serviceFee: 0, appServiceFee: 0 },
  }
}

/** Mints a rune, one transaction each. */
export const mintRunes: SatsConnectRequest = async (context, params) => {
  const given = parseOptions('params', params)
  refuseServiceFee(given)
  const account = await context.requireAccount('mintRune')
  assertOwn(given, account)
  const { txids } = await withNames(MINT_NAMES, () => context.call('mintRune', readMint(given)))
  const [first = ''] = txids
  return { orderId: first, fundTransactionId: first, fundingAddress: account.address }
}

/** Etches a rune; amounts are of the smallest units. */
export const etchRunes: SatsConnectRequest = async (context, params) => {
  const given = parseOptions('params', params)
  refuseServiceFee(given)
  const etching = readEtching(given)
  assertOwn(given, await context.requireAccount('etchRune'))
  const { commitTx, commitAddr } = await withNames(ETCHING_NAMES, () =>
    context.call('etchRune', etching),
  )
  return { orderId: commitTx, fundTransactionId: commitTx, fundingAddress: commitAddr }
}

/** What is called otherwise by us. */
const MINT_NAMES = { rune: 'runeName', count: 'repeats' }

const ETCHING_NAMES = {
  name: 'runeName',
  'terms.height.start': 'terms.heightStart',
  'terms.height.end': 'terms.heightEnd',
  'terms.offset.start': 'terms.offsetStart',
  'terms.offset.end': 'terms.offsetEnd',
  inscription: 'inscriptionDetails',
  'inscription.contentType': 'inscriptionDetails.contentType',
  'inscription.base64': 'inscriptionDetails.contentBase64',
}

type Given = { [name: string]: unknown }

function readMint({ runeName: rune, repeats: count, feeRate }: Given) {
  return { rune, count, feeRate }
}

function readEtching(given: Given) {
  if (isGiven(given.delegateInscriptionId))
    throw invalidParams(
      'delegateInscriptionId',
      given.delegateInscriptionId,
      'nothing: it is not supported',
    )
  const { runeName, symbol, premine, isMintable, terms, inscriptionDetails, feeRate } = given
  const divisibility = parseIndex('divisibility', given.divisibility ?? 0, MAX_DIVISIBILITY)
  const isOpen = parseSwitch('isMintable', isMintable) ?? isGiven(terms)
  if (isOpen !== isGiven(terms))
    throw invalidParams(
      'terms',
      terms,
      isOpen ? 'the terms of mints' : 'nothing, as nobody may mint',
    )
  return {
    name: runeName,
    symbol,
    divisibility,
    premine: readUnits('premine', premine, divisibility),
    terms: isOpen ? readTerms(parseOptions('terms', terms), divisibility) : null,
    inscription: isGiven(inscriptionDetails) ? readInscription(inscriptionDetails) : null,
    feeRate,
  }
}

function readTerms(terms: Given, divisibility: number) {
  const { amount, cap, heightStart, heightEnd, offsetStart, offsetEnd } = terms
  const block = (name: string, value: unknown) =>
    isGiven(value) ? Number(parseBlock(`terms.${name}`, value)) : null
  return {
    amount: readUnits('terms.amount', amount, divisibility),
    cap,
    height: { start: block('heightStart', heightStart), end: block('heightEnd', heightEnd) },
    offset: { start: block('offsetStart', offsetStart), end: block('offsetEnd', offsetEnd) },
  }
}

/** Heights are decimal text. */
function parseBlock(field: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return text
  throw invalidParams(field, value, 'a number of blocks, as decimal text')
}

function readInscription(details: unknown) {
  const { contentType, contentBase64 } = parseOptions('inscriptionDetails', details)
  return { contentType, base64: contentBase64 }
}

/** Whole runes, as our own operation takes them. */
function readUnits(field: string, value: unknown, divisibility: number): string {
  if (!isGiven(value) || value === '0') return ''
  return formatRuneAmount(parseUnits(field, value), divisibility)
}

/** Nobody gets anything of the account beside what is asked for. */
function refuseServiceFee({ appServiceFee }: Given): void {
  if (isGiven(appServiceFee) && appServiceFee !== 0)
    throw invalidParams('appServiceFee', appServiceFee, 'no fee of the app: the wallet adds none')
}

/** What is made goes to the account, and so does what comes back. */
function assertOwn({ destinationAddress, refundAddress }: Given, account: AccountInfo): void {
  const { address, ordinals } = account
  const fields = [
    { field: 'destinationAddress', value: destinationAddress, own: ordinals?.address ?? address },
    { field: 'refundAddress', value: refundAddress, own: address },
  ]
  for (const { field, value, own } of fields)
    if (isGiven(value) && value !== own)
      throw invalidParams(field, value, `the connected address, ${own}`)
}
