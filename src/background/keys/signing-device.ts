import { type AddressType, addressOfScript, scriptPubKeyOf } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { type KeyOrigin, parseKeyPath } from '../../bitcoin/key-origin.ts'
import type { Network } from '../../bitcoin/network.ts'
import { type InputPlan, planSigning, splitPlan } from '../../bitcoin/psbt/plan.ts'
import { type Prevout, readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { encodePsbt, type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { ReturnedPsbtError, takeSignatures } from '../../bitcoin/psbt/returned.ts'
import { type OriginatedKey, updatePsbt } from '../../bitcoin/psbt/update.ts'
import { failure, invalidParams, ProviderError } from '../../provider/errors.ts'
import type { AccountView, DeviceAccountView } from '../views/account-views.ts'
import type { DeviceTask, SignOnDeviceReview } from '../views/device-views.ts'

/**
 * A key that the wallet does not have: PSBTs go to it and come back with signatures, one for each, in the same order. Nothing of what comes
 * back is believed: callers take the signatures out of it (`bitcoin/psbt/returned`). How they travel is the device's own affair.
 */
export type SigningDevice = { sign(review: SignOnDeviceReview): Promise<Uint8Array[]> }

/** The most bytes of what comes back for one PSBT. */
const MAX_RETURNED = 4_000_000

/** Where a device finds the key at a path from its master key. */
export function originOf(
  { fingerprint }: Pick<DeviceAccountView, 'fingerprint'>,
  derivationPath: string,
): KeyOrigin {
  const path = parseKeyPath(derivationPath)
  if (!path) throw new Error(`account: malformed path ${derivationPath}`)
  return { fingerprint, path }
}

/** The keys of addresses of a device's account, with where the device finds them. */
export function originatedKeysOf(
  own: readonly {
    address: string
    addressType: AddressType | null
    publicKey: Uint8Array | null
    origin: KeyOrigin | null
  }[],
): OriginatedKey[] {
  return own.map(({ address, addressType, publicKey, origin }) => {
    if (!addressType || !publicKey || !origin)
      throw new Error(`device: nothing is known of the key of ${address}`)
    return { publicKey, addressType, origin }
  })
}

/** The key that is to sign an input of a plan, among those of the account. Throws where it is none of them. */
export function keysByInput(
  plan: readonly InputPlan[],
  prevouts: readonly (Prevout | null)[],
  keys: readonly OriginatedKey[],
): (index: number) => OriginatedKey {
  const parts = splitPlan(plan, prevouts, keys)
  const found = new Map(
    keys.flatMap((key, at) => (parts[at] ?? []).map(({ index }) => [index, key] as const)),
  )
  return index => {
    const key = found.get(index)
    if (!key) throw new Error(`psbt: no key is known for input ${index}`)
    return key
  }
}

/** What a device is handed to sign PSBTs in one round. `previous` are raw transactions by txid. */
export function describeTasks(
  account: DeviceAccountView,
  network: Network,
  items: readonly {
    psbt: Psbt
    prevouts: readonly (Prevout | null)[]
    plan: readonly InputPlan[]
    previous: ReadonlyMap<string, Uint8Array>
  }[],
  keys: readonly OriginatedKey[],
): SignOnDeviceReview {
  const own = new Set(keys.map(key => toHex(scriptPubKeyOf(key.publicKey, key.addressType))))
  const { fingerprint } = account
  const tasks = items.map(({ psbt, prevouts, plan, previous }): DeviceTask => {
    const spent = prevouts.reduce<bigint | null>(
      (sum, prevout) => (sum === null || !prevout ? null : sum + prevout.amount),
      0n,
    )
    const keyOf = keysByInput(plan, prevouts, keys)
    const paid = psbt.outputs.reduce((sum, { amount }) => sum + amount, 0n)
    return {
      psbt: toHex(encodePsbt(updatePsbt(psbt, { prevouts, previous, keys }))),
      inputs: plan.map(({ index, sighash }) => {
        const { publicKey, addressType } = keyOf(index)
        return { index, sighash, publicKey: toHex(publicKey), addressType }
      }),
      pays: psbt.outputs
        .filter(({ scriptPubKey }) => !own.has(toHex(scriptPubKey)))
        .map(({ scriptPubKey, amount }) => ({
          address: addressOfScript(scriptPubKey, network),
          script: toHex(scriptPubKey),
          sats: String(amount),
        })),
      fee: spent === null ? null : String(spent - paid),
    }
  })
  return { kind: 'sign-on-device', fingerprint, tasks }
}

/**
 * Reads what came back from a device (a JSON array of hex, one entry a task) and gives it in its canonical form: the PSBTs that were sent with
 * the signatures added. Throws -32602 that says what differs.
 */
export function parseReturned({ tasks }: SignOnDeviceReview, input: unknown): string {
  const returned = readHexArray(input, tasks.length)
  const signed = tasks.map(({ psbt, inputs }, item) => {
    const sent = parsePsbt(fromHex(psbt))
    const prevouts = readPrevouts(sent, new Map())
    const keys = new Map(
      inputs.map(one => {
        const { index, addressType, publicKey } = one
        return [index, { addressType, publicKey: fromHex(publicKey) }] as const
      }),
    )
    const keyOf = (index: number) => {
      const key = keys.get(index)
      if (!key) throw new Error(`psbt: no key is known for input ${index}`)
      return key
    }
    const plan = inputs.flatMap(({ index, sighash }) => {
      const orders = [{ index, sighashTypes: [sighash], disableTweakSigner: false }]
      return planSigning({ psbt: sent, prevouts, key: keyOf(index), inputs: orders, expert: true })
    })
    try {
      const bytes = returned[item] ?? new Uint8Array()
      return toHex(encodePsbt(takeSignatures({ sent, returned: bytes, prevouts, plan, keyOf })))
    } catch (cause) {
      if (!(cause instanceof ReturnedPsbtError)) throw cause
      throw refuseReturned(cause, item)
    }
  })
  return JSON.stringify(signed)
}

/** What comes back is another transaction, or not rightly signed: -32602 with `data` to tell cases apart by. */
export function refuseReturned(cause: ReturnedPsbtError, item: number): ProviderError {
  const { problem, where, message } = cause
  return new ProviderError(-32602, `input[${item}]: ${message}`, {
    cause,
    data: { problem, where, item },
  })
}

/** The PSBTs of {@link parseReturned}. */
export function decodeReturned(returned: string): Uint8Array[] {
  return (JSON.parse(returned) as string[]).map(fromHex)
}

function readHexArray(input: unknown, length: number): Uint8Array[] {
  const expected = `a JSON array of ${length} signed PSBTs or transactions in hex`
  if (typeof input !== 'string' || input.length > 2 * MAX_RETURNED * length + 10 * length)
    throw invalidParams('input', input, expected)
  let values: unknown
  try {
    values = JSON.parse(input)
  } catch {
    throw invalidParams('input', input, expected)
  }
  const isHex = (value: unknown): value is string =>
    typeof value === 'string' && /^(?:[0-9a-f]{2})+$/i.test(value)
  if (!Array.isArray(values) || values.length !== length || !values.every(isHex))
    throw invalidParams('input', input, expected)
  return values.map(value => fromHex(value.toLowerCase()))
}

/** Throws DEVICE_CANNOT for an account whose key is on a device, for what no PSBT can ask of it. */
export function assertKeyHere(account: AccountView, what: string): void {
  if (account.source !== 'device') return
  throw failure(
    'DEVICE_CANNOT',
    `The key of this account is on a device, which signs transactions alone: ${what} needs an account whose key is in the wallet.`,
  )
}
