import { equalBytes, toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { PsbtEntry } from '../../bitcoin/psbt/maps.ts'
import type { InputPlan } from '../../bitcoin/psbt/plan.ts'
import type { Psbt } from '../../bitcoin/psbt/psbt.ts'
import { describeSighash } from '../../bitcoin/signing/sighash.ts'
import type { PsbtView } from '../views/psbt-views.ts'

/** Throws unless a PSBT spends, pays and is about to be signed as the person saw it. */
export function assertAsShown(psbt: Psbt, plan: readonly InputPlan[], shown: PsbtView): void {
  const planned = new Map(plan.map(({ index, sighash }) => [index, describeSighash(sighash)]))
  const inputs = psbt.inputs.map(
    (input, index) => `${formatOutpoint(input)} ${planned.get(index) ?? ''}`,
  )
  const shownInputs = shown.inputs.map(
    ({ outpoint, state, sighash }) => `${outpoint} ${state === 'to-sign' ? sighash : ''}`,
  )
  const outputs = psbt.outputs.map(({ scriptPubKey, amount }) => `${toHex(scriptPubKey)} ${amount}`)
  const shownOutputs = shown.outputs.map(({ script, sats }) => `${script} ${sats}`)
  if (inputs.join() !== shownInputs.join() || outputs.join() !== shownOutputs.join()) {
    throw new Error('The PSBT is not the one that was shown.')
  }
}

/** BIP-370's PSBT_GLOBAL_TX_MODIFIABLE, which a signature may narrow. */
const TX_MODIFIABLE = 0x06

/** BIP-174 and BIP-371: PSBT_IN_PARTIAL_SIG, PSBT_IN_TAP_KEY_SIG, PSBT_IN_TAP_SCRIPT_SIG. */
const PARTIAL_SIG = 0x02
const SIGHASH_TYPE = 0x03
const SIGNATURES: readonly (number | undefined)[] = [PARTIAL_SIG, 0x13, 0x14]

/**
 * Throws unless signing added one signature, of the sighash that was planned, to each planned input, with that sighash in its
 * field where a taproot input had none, and nothing else anywhere.
 */
export function assertOnlySigned(before: Psbt, after: Psbt, plan: readonly InputPlan[]): void {
  const planned = new Map(plan.map(({ index, sighash }) => [index, sighash]))
  const withoutModifiable = (map: readonly PsbtEntry[]) =>
    before.version === 2 ? map.filter(({ key }) => key[0] !== TX_MODIFIABLE) : map
  const isSame = (one: readonly PsbtEntry[], other: readonly PsbtEntry[] | undefined) =>
    listAdded(one, other ?? [])?.length === 0
  const right =
    isSame(withoutModifiable(before.maps.global), withoutModifiable(after.maps.global)) &&
    before.maps.outputs.length === after.maps.outputs.length &&
    before.maps.outputs.every((map, index) => isSame(map, after.maps.outputs[index])) &&
    before.maps.inputs.length === after.maps.inputs.length &&
    before.maps.inputs.every((map, index) => {
      const added = listAdded(map, after.maps.inputs[index] ?? [])
      const sighash = planned.get(index)
      if (sighash === undefined) return added?.length === 0
      const signatures = added?.filter(({ key }) => key[0] !== SIGHASH_TYPE)
      return signatures?.length === 1 && added?.every(entry => readSighash(entry) === sighash)
    })
  if (!right) throw new Error('Signing did something else than what was planned.')
}

/** The entries that one map has and the other has not; null when it lacks or changes any. */
function listAdded(before: readonly PsbtEntry[], after: readonly PsbtEntry[]): PsbtEntry[] | null {
  const values = new Map(after.map(({ key, value }) => [toHex(key), value]))
  for (const { key, value } of before) {
    const name = toHex(key)
    const present = values.get(name)
    if (!present || !equalBytes(present, value)) return null
    values.delete(name)
  }
  return after.filter(({ key }) => values.has(toHex(key)))
}

/** Of a signature, or of the field that tells it; null for anything else. A taproot signature of 64 bytes is SIGHASH_DEFAULT (BIP-341). */
function readSighash({ key, value }: PsbtEntry): number | null {
  if (key[0] === SIGHASH_TYPE)
    return value.subarray(1).some(byte => byte > 0) ? null : (value[0] ?? null)
  if (!SIGNATURES.includes(key[0])) return null
  if (key[0] !== PARTIAL_SIG && value.length === 64) return 0
  return value.at(-1) ?? null
}
