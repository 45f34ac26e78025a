import { fromHex } from '../../bitcoin/bytes.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import type { AccountInfo } from '../../provider/envelope.ts'
import { parseList, parseOptions } from '../../provider/params.ts'
import { MAX_INPUTS, MAX_PSBTS, parsePsbtParam } from '../../provider/psbt-params.ts'
import { withParameterName } from '../requests/known-failures.ts'
import type { Translation } from '../requests/translation.ts'
import { listOpen } from '../sats-connect/sign-psbt.ts'

/** Hex in and out; finalized unless `autoFinalized` is false. */
export const signPsbt: Translation = async ({ call, requireAccount }, [psbt, options]) => {
  const order = readOrder({ psbt: 'psbt', options: 'options' }, psbt, options)
  return call('signPsbt', psbt, nameInputs(order, await requireAccount('signPsbt')))
}

/** One question for all of them. */
export const signPsbts: Translation = async ({ call, requireAccount }, [psbts, options]) => {
  const listed = parseList('options', options, MAX_PSBTS)
  const orders = parseList('psbts', psbts, MAX_PSBTS).map((psbt, at) =>
    readOrder({ psbt: `psbts[${at}]`, options: `options[${at}]` }, psbt, listed[at]),
  )
  const account = await requireAccount('signPsbts')
  const named = orders.map(order => nameInputs(order, account))
  return call('signPsbts', psbts, named)
}

type Order = {
  field: string
  hex: string
  options: { [name: string]: unknown }
  isNamed: boolean
}

function readOrder(
  fields: { psbt: string; options: string },
  psbt: unknown,
  options: unknown,
): Order {
  const given = parseOptions(fields.options, options)
  // These would be the operation's, and are no words of UniSat's.
  const { broadcast: _, psbtSighashes: __, ...known } = given
  const inputs = parseList(`${fields.options}.toSignInputs`, given.toSignInputs, MAX_INPUTS)
  return {
    field: fields.psbt,
    hex: parsePsbtParam(fields.psbt, psbt),
    options: { ...known, toSignInputs: inputs.map(readNumbers) },
    isNamed: inputs.length > 0,
  }
}

/** UniSat takes numbers as text too. */
function readNumbers(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const { index, sighashTypes, ...others } = input as { [name: string]: unknown }
  const types = Array.isArray(sighashTypes) ? sighashTypes.map(readNumber) : sighashTypes
  return { ...others, index: readNumber(index), sighashTypes: types }
}

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
}

/** Where the page names no input, all of the account are meant, each with the sighash type that the PSBT has for it. */
function nameInputs({ field, hex, options, isNamed }: Order, account: AccountInfo) {
  if (isNamed) return options
  const psbt = withParameterName(field, () => parsePsbt(fromHex(hex)))
  const toSignInputs = listOpen(field, psbt, account) ?? []
  return { ...options, psbtSighashes: true, toSignInputs }
}
