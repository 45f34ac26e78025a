import { fromHex } from '../../bitcoin/bytes.ts'
import { extractTransaction } from '../../bitcoin/psbt/extract.ts'
import type { Psbt } from '../../bitcoin/psbt/psbt.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { txidOf } from '../../bitcoin/transaction.ts'
import type { AccountInfo } from '../../provider/envelope.ts'
import { invalidParams } from '../../provider/errors.ts'
import { MAX_MESSAGE_LENGTH } from '../../provider/message-params.ts'
import {
  isGiven,
  parseIndex,
  parseOptions,
  parseString,
  parseSwitch,
} from '../../provider/params.ts'
import { MAX_INPUTS, parsePsbtParam } from '../../provider/psbt-params.ts'
import { withParameterName } from '../requests/known-failures.ts'
import { type Translation, withInputNames, withNames } from '../requests/translation.ts'
import { typeOfAddress } from '../sats-connect/addresses.ts'
import { listOpen, listOwn } from '../sats-connect/sign-psbt.ts'
import { onNetwork } from './addresses.ts'

/** Signs a text by BIP-322, and by ECDSA where the page or the kind of the address wants it. */
export const signMessage: Translation = async (context, [params]) => {
  const { message, paymentType, type, network } = parseOptions('params', params)
  const text = parseString('message', message, MAX_MESSAGE_LENGTH)
  if (isGiven(type) && type !== 'legacy' && type !== 'bip322')
    throw invalidParams('type', type, 'legacy or bip322')
  const { call, requireAccount } = onNetwork(context, network)
  const account = await requireAccount('signMessage')
  const { ordinals } = account
  const isForOrdinals = ordinals && paymentType === typeOfAddress(ordinals.address)
  const { address } = isForOrdinals ? ordinals : account
  const kind = typeOfAddress(address)
  if (isGiven(paymentType) && paymentType !== kind)
    throw invalidParams('paymentType', paymentType, `${kind}, the kind of the connected address`)
  const protocol = type === 'legacy' || kind === 'p2pkh' ? 'ecdsa' : 'bip322-simple'
  const signature = await call('signMessage', text, { type: protocol, from: address })
  return { signature, address, message: text }
}

/**
 * Signs inputs of a PSBT, those at the named places or all of the connected address, by the sighash types that the PSBT has;
 * hex in and out. `broadcast` finalizes and sends it too, and resolves its `txid`.
 */
export const signPsbt: Translation = async (context, [params]) => {
  const { hex: text, signAtIndex, broadcast, network } = parseOptions('params', params)
  const hex = parsePsbtParam('hex', text)
  const indexes = readIndexes(signAtIndex)
  const send = parseSwitch('broadcast', broadcast) ?? false
  const { call, requireAccount } = onNetwork(context, network)
  const account = await requireAccount('signPsbt')
  const psbt = withParameterName('hex', () => parsePsbt(fromHex(hex)))
  const options = {
    autoFinalized: false,
    psbtSighashes: true,
    broadcast: send,
    toSignInputs: indexes ? nameInputs(psbt, indexes, account) : listOpen('hex', psbt, account),
  }
  const signed = await withInputNames(
    'signAtIndex',
    at => fieldOfIndex(signAtIndex, at),
    () => call('signPsbt', hex, options),
  )
  if (!send) return { hex: signed }
  return { hex: signed, txid: txidOf(extractTransaction(parsePsbt(fromHex(signed)))) }
}

/** Each with the address that it spends; the first where that is not told. */
function nameInputs(psbt: Psbt, indexes: readonly number[], account: AccountInfo) {
  const own = account.ordinals ? listOwn('hex', psbt, account) : []
  return indexes.map(
    index => own.find(one => one.index === index) ?? { index, address: account.address },
  )
}

/** Pays one or several in one transaction; amounts in sats, as numbers or decimal text. */
export const sendTransfer: Translation = async (context, [params]) => {
  const { recipients, address, amount, network } = parseOptions('params', params)
  const { call } = onNetwork(context, network)
  const pay = (to: unknown) => call('sendTransfer', { recipients: to })
  const { txid } = isGiven(recipients)
    ? await pay(recipients)
    : await withNames(ONLY_RECIPIENT, () => pay([{ address, amount }]))
  return { txid }
}

/** What `sendTransfer` calls the address and the amount of a page that names no list. */
const ONLY_RECIPIENT = {
  'recipients[0].address': 'address',
  'recipients[0].amount': 'amount',
}

/** Null where none is named. */
function readIndexes(value: unknown): number[] | null {
  if (!isGiven(value)) return null
  const listed = Array.isArray(value) ? value : [value]
  if (listed.length === 0 || listed.length > MAX_INPUTS)
    throw invalidParams('signAtIndex', value, `an index, or a list of 1 to ${MAX_INPUTS}`)
  return listed.map((index: unknown, at) => parseIndex(fieldOfIndex(value, at), index, MAX_INPUTS))
}

function fieldOfIndex(value: unknown, at: number): string {
  return Array.isArray(value) ? `signAtIndex[${at}]` : 'signAtIndex'
}
