import { fromHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { InputOrder } from '../../bitcoin/psbt/plan.ts'
import { type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { invalidParams, unauthorized } from '../../provider/errors.ts'
import type { NamedInput, SignOptions } from '../../provider/psbt-params.ts'
import { withParameterName } from '../requests/known-failures.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import { assertCheckable, assertReviewable } from './psbt-limits.ts'

/** A PSBT (hex) as a site hands it over; `fields` are the names of its parameters. */
export type PsbtOrder = {
  psbt: string
  options: SignOptions
  fields: { psbt: string; options: string }
}

/** An input to sign, and the address of the account whose key is asked to. */
type AddressedOrder = InputOrder & { address: string }

/** The same, read; `inputs` are those that the page names, or all that the account's key can sign. */
export type PsbtTask = {
  field: string
  psbt: Psbt
  inputs: readonly AddressedOrder[] | 'signable' | null
  /** Outpoints whose sighash type only the PSBT names. */
  unasked: ReadonlySet<string>
  autoFinalized: boolean
  broadcast: boolean
}

/** Throws -32602 that names the parameter, 4100 for inputs named as another account's, and TOO_LARGE. */
export function parseTasks(account: SigningAccountView, orders: readonly PsbtOrder[]): PsbtTask[] {
  const tasks = orders.map(({ psbt: hex, options, fields }): PsbtTask => {
    const psbt = withParameterName(fields.psbt, () => parsePsbt(fromHex(hex)))
    const inputs = options.toSignInputs?.map((named, at) =>
      readNamed(account, psbt, named, `${fields.options}.toSignInputs[${at}]`),
    )
    const { autoFinalized, psbtSighashes, broadcast } = options
    const asked = psbtSighashes ? inputs?.map(order => takeSighash(psbt, order)) : inputs
    const unasked = new Set(psbtSighashes ? psbt.inputs.map(formatOutpoint) : [])
    return { field: fields.psbt, psbt, inputs: asked ?? null, unasked, autoFinalized, broadcast }
  })
  assertLimits(tasks)
  return tasks
}

/**
 * The task of a PSBT (hex) that the person brings: all that the account's key can sign, of which there may be nothing, and
 * no finalizing. Throws -32602 that names the place, and TOO_LARGE.
 */
export function parseTask(field: string, hex: string): PsbtTask {
  const psbt = withParameterName(field, () => parsePsbt(fromHex(hex)))
  const unasked = new Set(psbt.inputs.map(formatOutpoint))
  const rest = { unasked, autoFinalized: false, broadcast: false }
  const task: PsbtTask = { field, psbt, inputs: 'signable', ...rest }
  assertLimits([task])
  return task
}

function assertLimits(tasks: readonly PsbtTask[]): void {
  const psbts = tasks.map(({ psbt }) => psbt)
  assertReviewable(psbts)
  assertCheckable(psbts)
}

function readNamed(
  account: SigningAccountView,
  psbt: Psbt,
  named: NamedInput,
  field: string,
): AddressedOrder {
  const { index, sighashTypes, disableTweakSigner } = named
  if (index >= psbt.inputs.length) {
    throw invalidParams(
      `${field}.index`,
      index,
      `the index of one of the ${psbt.inputs.length} inputs`,
    )
  }
  const { ordinals } = account
  const own = [account, ...(ordinals ? [ordinals] : [])].find(({ address, publicKey }) =>
    named.address === null
      ? named.publicKey === address || isSpellingOf(named.publicKey ?? '', publicKey)
      : named.address === address,
  )
  if (!own) {
    const part = named.address === null ? 'publicKey' : 'address'
    throw unauthorized(`${field}.${part}: is not of the connected account.`)
  }
  return { index, sighashTypes, disableTweakSigner, address: own.address }
}

/** The same, asking for what the PSBT asks for. */
function takeSighash(psbt: Psbt, order: AddressedOrder): AddressedOrder {
  const field = psbt.inputs[order.index]?.sighashType ?? null
  return field === null ? order : { ...order, sighashTypes: [field] }
}

/** Whether a text is the compressed (33 bytes), x-only or uncompressed hex of a public key in its compressed hex. */
function isSpellingOf(text: string, publicKey: string): boolean {
  const hex = text.toLowerCase()
  const x = publicKey.slice(2)
  if (hex === publicKey || hex === x) return true
  if (!/^04[0-9a-f]{128}$/.test(hex) || hex.slice(2, 66) !== x) return false
  return publicKey.startsWith(Number.parseInt(hex.slice(-1), 16) % 2 === 0 ? '02' : '03')
}
