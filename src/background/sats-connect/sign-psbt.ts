import { equalBytes, fromHex, toBase64 } from '../../bitcoin/bytes.ts'
import { extractTransaction } from '../../bitcoin/psbt/extract.ts'
import { readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { txidOf } from '../../bitcoin/transaction.ts'
import type { AccountInfo } from '../../provider/envelope.ts'
import { invalidParams, ProviderError } from '../../provider/errors.ts'
import {
  isGiven,
  parseIndex,
  parseOptions,
  parseString,
  parseSwitch,
} from '../../provider/params.ts'
import { parsePsbtParam } from '../../provider/psbt-params.ts'
import { withParameterName } from '../requests/known-failures.ts'
import { withInputNames } from '../requests/translation.ts'
import { parseAnyAddress } from './addresses.ts'
import type { SatsConnectRequest } from './request.ts'

type Named = { index: number; address: string }

/** One that the page has named, and as which parameter. */
type NamedByPage = Named & { field: string }

/** Sighash types that nobody has to ask for. */
const PLAIN_SIGHASHES = [0, 1]

/**
 * Signs inputs of a PSBT, those named as the connected address's or all of its own; base64 in and out. `broadcast`
 * finalizes and sends it too, and resolves its `txid`.
 */
export const signPsbt: SatsConnectRequest = async ({ call, requireAccount }, params) => {
  const { psbt: text, signInputs, broadcast } = parseOptions('params', params)
  const hex = parsePsbtParam('psbt', text)
  const send = parseSwitch('broadcast', broadcast) ?? false
  // Parsing is work that strangers get none of.
  const account = await requireAccount('signPsbt')
  const psbt = withParameterName('psbt', () => parsePsbt(fromHex(hex)))
  const named = readSignInputs(psbt, signInputs)
  const toSignInputs =
    named?.map(({ index, address }) => ({ index, address })) ?? listOpen('psbt', psbt, account)
  // sats-connect has no other word for a sighash than the PSBT's own.
  const options = {
    autoFinalized: false,
    psbtSighashes: true,
    broadcast: send,
    ...(toSignInputs && { toSignInputs }),
  }
  const signed = await withInputNames(
    'signInputs',
    at => named?.[at]?.field,
    () => call('signPsbt', text, options),
  )
  const result = { psbt: toBase64(fromHex(signed)) }
  return send ? { ...result, txid: txidOf(extractTransaction(parsePsbt(fromHex(signed)))) } : result
}

/** Indexes by address; null where none is named. */
function readSignInputs(psbt: Psbt, value: unknown): NamedByPage[] | null {
  if (!isGiven(value)) return null
  const named = Object.entries(parseOptions('signInputs', value)).flatMap(([address, indexes]) => {
    const field = `signInputs[${JSON.stringify(address.slice(0, 100))}]`
    parseString('signInputs', address, 100)
    // None named must not come to mean all.
    if (!Array.isArray(indexes) || indexes.length === 0)
      throw invalidParams(field, indexes, 'a list of at least one input index')
    return Array.from(indexes, (index: unknown, at) => ({
      index: parseIndex(`${field}[${at}]`, index, psbt.inputs.length - 1),
      address,
      field: `${field}[${at}]`,
    }))
  })
  const indexes = new Set<number>()
  for (const { index } of named) {
    if (indexes.has(index))
      throw new ProviderError(-32602, `signInputs: names input ${index} more than once`)
    indexes.add(index)
  }
  return named.length > 0 ? named : null
}

/**
 * Every own input, where one of them is to be signed for less than the whole transaction: that is signed only where it is
 * asked for. Null where none is.
 */
export function listOpen(field: string, psbt: Psbt, account: AccountInfo): Named[] | null {
  const isOpen = (index: number) => !PLAIN_SIGHASHES.includes(psbt.inputs[index]?.sighashType ?? 0)
  if (![...psbt.inputs.keys()].some(isOpen)) return null
  const own = listOwn(field, psbt, account)
  return own.some(({ index }) => isOpen(index)) ? own : null
}

/** The inputs that spend one of the account's addresses, as far as the PSBT tells what it spends. */
export function listOwn(field: string, psbt: Psbt, { address, ordinals }: AccountInfo): Named[] {
  const addresses = ordinals ? [address, ordinals.address] : [address]
  const scripts = addresses.map(one => ({
    address: one,
    script: parseAnyAddress(one)?.scriptPubKey,
  }))
  const prevouts = withParameterName(field, () => readPrevouts(psbt, new Map()))
  return prevouts.flatMap((prevout, index) => {
    const own = scripts.find(
      ({ script }) => prevout && script && equalBytes(prevout.scriptPubKey, script),
    )
    return own ? { index, address: own.address } : []
  })
}
