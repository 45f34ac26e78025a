import { typeOfScript } from '../address.ts'
import { concatBytes, toHex } from '../bytes.ts'
import type { SpendingTemplate } from '../signing/spending-template.ts'
import type { TransactionOutput } from '../transaction.ts'
import type { InputPlan } from './plan.ts'

/**
 * `own`: an address of an account, by its script: only a key of this wallet opens it, or the signers who share the account.
 * `shared`: any other script with a key of ours among its keys; never counted as ours. `foreign`: a known script that is neither. `unknown`: nothing is known of what is spent.
 */
export type Owner = 'own' | 'shared' | 'foreign' | 'unknown'

/** The address of an account, and the key (33 bytes) that opens it alone; null where several signers share it. */
export type OwnScript = {
  accountId: string
  scriptPubKey: Uint8Array
  publicKey: Uint8Array | null
  /** The keys of this wallet among those of the signers; none where one key opens it. */
  cosignerKeys?: readonly Uint8Array[]
}

export type Owned<O> = { owner: O; accountId: string | null }

const OP_RETURN = 0x6a

/** Tells what is whose, by scripts alone; no field of a PSBT that names a key is believed. */
export function createOwners(own: readonly OwnScript[]) {
  const accounts = new Map(
    own.map(({ scriptPubKey, accountId }) => [toHex(scriptPubKey), accountId]),
  )
  const openedUntweaked = new Map(
    own.flatMap(({ publicKey, accountId }) =>
      publicKey ? [[toHex(untweakedScript(publicKey)), accountId] as const] : [],
    ),
  )
  const keys = new Set(
    own.flatMap(({ publicKey, cosignerKeys = [] }) =>
      [...(publicKey ? [publicKey] : []), ...cosignerKeys].map(key => toHex(key.subarray(1))),
    ),
  )
  const ofSeveral = new Set(
    own.flatMap(({ publicKey, scriptPubKey }) => (publicKey ? [] : toHex(scriptPubKey))),
  )

  /** Whether a key of a script (33 bytes, or 32 in taproot) is one of ours. */
  function isOwnKey(publicKey: Uint8Array): boolean {
    return publicKey.length <= 33 && keys.has(toHex(publicKey.slice(-32)))
  }

  return {
    isOwnKey,

    /** Whether it is an address that several signers share. */
    isOfSeveral: (scriptPubKey: Uint8Array): boolean => ofSeveral.has(toHex(scriptPubKey)),

    /** `templates` are the ways to spend it that are known. */
    ownerOfInput(
      prevout: TransactionOutput | null,
      templates: readonly SpendingTemplate[],
      plan: InputPlan | undefined,
    ): Owned<Owner> {
      if (!prevout) return { owner: 'unknown', accountId: null }
      const script = toHex(prevout.scriptPubKey)
      const accountId = accounts.get(script) ?? openedUntweaked.get(script)
      if (accountId !== undefined) return { owner: 'own', accountId }
      const isShared = plan || templates.some(({ keys }) => keys.some(isOwnKey))
      return { owner: isShared ? 'shared' : 'foreign', accountId: null }
    },

    /** `data` is an OP_RETURN, `unknown` has a script without an address. */
    ownerOfOutput({ scriptPubKey }: TransactionOutput): Owned<OutputOwner> {
      const accountId = accounts.get(toHex(scriptPubKey))
      if (accountId !== undefined) return { owner: 'own', accountId }
      if (scriptPubKey[0] === OP_RETURN) return { owner: 'data', accountId: null }
      return { owner: typeOfScript(scriptPubKey) ? 'foreign' : 'unknown', accountId: null }
    },
  }
}

export type OutputOwner = 'own' | 'foreign' | 'data' | 'unknown'

/** A taproot output whose key is this one as it is: the wallet pays to none, but others may have. */
function untweakedScript(publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x51, 32), publicKey.subarray(1))
}
