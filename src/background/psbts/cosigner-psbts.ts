import { toHex } from '../../bitcoin/bytes.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import { deriveKeyExpression } from '../../bitcoin/descriptors/key-expression.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import type { OwnScript } from '../../bitcoin/psbt/owners.ts'
import {
  type InputPlan,
  listSignable,
  PsbtRefusedError,
  planSigningInSteps,
} from '../../bitcoin/psbt/plan.ts'
import { isTaproot, type Prevout } from '../../bitcoin/psbt/prevouts.ts'
import type { Psbt, PsbtInput } from '../../bitcoin/psbt/psbt.ts'
import { statedSighash } from '../../bitcoin/psbt/signature-verifier.ts'
import { checkSignaturesInSteps, isFinal } from '../../bitcoin/psbt/signatures.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import { listOwnScripts, type OwnScriptParts } from '../coins/coins.ts'
import { readMultisig } from '../keys/multisig-source.ts'
import type { Signer } from '../keys/signer.ts'
import { runInTurns } from '../primitives/turns.ts'
import type { MultisigAccountView } from '../views/account-views.ts'
import type { CosignersView } from '../views/cosigning-views.ts'

/** The parts of the wallet that know which of its keys share an account. */
export type CosignerParts = OwnScriptParts & { signer: Pick<Signer, 'findOwnSigners'> }

type CosignerContext = Pick<AccountContext<CosignerParts>, 'wallet' | 'network'>

/** An address of an account that several signers share, and their keys there (33 bytes), in the order of the descriptor. */
type SharedAddress = {
  place: DescriptorPlace
  scriptPubKey: Uint8Array
  keys: readonly { publicKey: Uint8Array; isOwn: boolean }[]
}

/** How an input is signed, by which signer (by its place in the descriptor), and which address it spends. */
type CosignerPlan = { plan: InputPlan; signer: number; place: DescriptorPlace }

/** Of an address of the key alone, which these scripts are not. */
const ADDRESS_TYPE = 'p2wpkh'

const SIGHASH_ALL = 1

/**
 * The addresses of this wallet: those that its keys open, and of the account in use also those that several signers share, where
 * they are among `scripts` and follow from the descriptor, used or within the gap that wallets look through. What a PSBT says of
 * its keys is not believed.
 */
export async function loadOwnScripts(
  { wallet, network, account }: AccountContext<OwnScriptParts>,
  scripts: readonly Uint8Array[],
): Promise<OwnScript[]> {
  const own = await listOwnScripts(wallet, network, account)
  if (account.source !== 'multisig') return own
  const shared = await wallet.addresses.find(network, account, scripts)
  const ofAccount = shared.map(({ scriptPubKey }) => ({
    ...{ accountId: account.id, scriptPubKey, publicKey: null },
  }))
  return [...own, ...ofAccount]
}

/** The same with the keys of this wallet among those of the signers. */
export async function loadOwnScriptsWithKeys(
  context: AccountContext<CosignerParts>,
  scripts: readonly Uint8Array[],
): Promise<OwnScript[]> {
  const { account } = context
  const own = await loadOwnScripts(context, scripts)
  if (account.source !== 'multisig') return own
  const shared = await listSharedAddresses(context, account, scripts)
  const keys = new Map(
    shared.map(({ scriptPubKey, keys }) => [
      toHex(scriptPubKey),
      keys.flatMap(({ isOwn, publicKey }) => (isOwn ? publicKey : [])),
    ]),
  )
  return own.map(one => ({ ...one, cosignerKeys: keys.get(toHex(one.scriptPubKey)) ?? [] }))
}

/**
 * Which inputs of a PSBT this wallet's keys sign for an account that several share: those of its own addresses that have not enough
 * signatures, one key each. Throws PsbtRefusedError for a sighash other than ALL (in taproot DEFAULT), asked for or given by another
 * signer: who has that signature could pair it with one over something else.
 */
export async function planCosigning(
  context: CosignerContext,
  account: MultisigAccountView,
  psbt: Psbt,
  prevouts: readonly (Prevout | null)[],
): Promise<CosignerPlan[]> {
  const scripts = prevouts.flatMap(prevout => prevout?.scriptPubKey ?? [])
  const addresses = await listSharedAddresses(context, account, scripts)
  const complete = finalizePsbt(psbt, prevouts, [...psbt.inputs.keys()])
  const planned = new Map<number, CosignerPlan>()
  for (const { place, scriptPubKey, keys } of addresses) {
    const isHere = (index: number) => {
      const prevout = prevouts[index]
      return prevout ? toHex(prevout.scriptPubKey) === toHex(scriptPubKey) : false
    }
    for (const [signer, { publicKey, isOwn }] of keys.entries()) {
      if (!isOwn) continue
      const key = { publicKey, addressType: ADDRESS_TYPE } as const
      const open = listSignable(psbt, prevouts, key).filter(({ index }) => {
        const input = complete.inputs[index]
        return isHere(index) && !planned.has(index) && input && !isFinal(input)
      })
      if (open.length === 0) continue
      const inputs = open.map(order => ({ ...order, sighashTypes: null }))
      const asked = { psbt, prevouts, key, inputs, expert: false }
      for (const plan of await runInTurns(planSigningInSteps(asked)))
        planned.set(plan.index, { plan, signer, place })
    }
  }
  for (const index of planned.keys()) assertWhole(psbt.inputs[index], prevouts[index], index)
  return [...planned.values()].sort((a, b) => a.plan.index - b.plan.index)
}

/** Signs a PSBT with this wallet's keys as {@link planCosigning} plans it. */
export async function signAsCosigner(
  context: CosignerContext & { wallet: { signer: Pick<Signer, 'cosign'> } },
  account: MultisigAccountView,
  psbt: Psbt,
  prevouts: readonly (Prevout | null)[],
): Promise<Psbt> {
  const { wallet, network } = context
  const plans = await planCosigning(context, account, psbt, prevouts)
  let signed = psbt
  for (const signer of new Set(plans.map(plan => plan.signer))) {
    const own = plans.filter(plan => plan.signer === signer)
    const places = psbt.inputs.map((_, at) => own.find(({ plan }) => plan.index === at)?.place)
    signed = await wallet.signer.cosign({
      ...{ accountId: account.id, network, psbt: signed, prevouts, signers: [signer] },
      places: places.map(place => place ?? null),
    })
  }
  return signed
}

/**
 * How far a PSBT is on its way round the signers of an account: of the account's inputs that are not final, with signatures that
 * were verified alone. Null where none of them waits.
 */
export async function viewCosigners(
  context: CosignerContext,
  account: MultisigAccountView,
  psbt: Psbt,
  prevouts: readonly (Prevout | null)[],
): Promise<CosignersView | null> {
  const { parsed, signers } = readMultisig(account.descriptor, context.network)
  const scripts = prevouts.flatMap(prevout => prevout?.scriptPubKey ?? [])
  const addresses = await listSharedAddresses(context, account, scripts)
  const byScript = new Map(addresses.map(one => [toHex(one.scriptPubKey), one]))
  const checks = await runInTurns(checkSignaturesInSteps(psbt, prevouts))
  const waiting = psbt.inputs.flatMap((input, at) => {
    const prevout = prevouts[at]
    const address = prevout ? byScript.get(toHex(prevout.scriptPubKey)) : undefined
    if (!address || isFinal(input)) return []
    const right = checks[at]?.signatures.filter(one => one.right === true) ?? []
    const names = new Set(right.map(({ publicKey }) => xOnlyOf(publicKey)))
    return [address.keys.map(({ publicKey }) => names.has(xOnlyOf(publicKey)))]
  })
  const [first] = addresses
  if (!first || waiting.length === 0) return null
  const counts = waiting.map(signed => signed.filter(Boolean).length)
  return {
    required: parsed.threshold,
    signed: Math.min(parsed.threshold, ...counts),
    signers: signers.map((signer, at) => ({
      ...signer,
      isOwn: first.keys[at]?.isOwn === true,
      hasSigned: waiting.every(signed => signed[at] === true),
    })),
  }
}

async function listSharedAddresses(
  { wallet, network }: CosignerContext,
  account: MultisigAccountView,
  scripts: readonly Uint8Array[],
): Promise<SharedAddress[]> {
  const { parsed } = readMultisig(account.descriptor, network)
  const own = await wallet.signer.findOwnSigners({ accountId: account.id, network })
  const found = await wallet.addresses.find(network, account, scripts)
  return found.map(({ branch, index, scriptPubKey }) => {
    const place = { branch, index }
    const keys = parsed.keys.map((key, at) => ({
      publicKey: deriveKeyExpression(key, place).publicKey,
      isOwn: own.includes(at),
    }))
    return { place, scriptPubKey, keys }
  })
}

/** Throws where a signature of another signer leaves something of the transaction to others. */
function assertWhole(
  input: PsbtInput | undefined,
  prevout: Prevout | null | undefined,
  index: number,
): void {
  if (!input || !prevout) return
  const whole = isTaproot(prevout) ? [0, SIGHASH_ALL] : [SIGHASH_ALL]
  const given = [...input.partialSigs, ...input.tapScriptSigs]
  if (given.every(({ signature }) => whole.includes(statedSighash(signature)))) return
  throw new PsbtRefusedError(
    'SIGHASH_REFUSED',
    index,
    'a signature of another signer does not cover the whole transaction, so that others could use it for another one',
  )
}

function xOnlyOf(publicKey: Uint8Array): string {
  return toHex(publicKey.slice(-32))
}
