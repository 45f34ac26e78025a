import type { Common } from '@ethereumjs/common'
import {
  type EOACode7702AuthorizationListBytesItem,
  eoaCode7702RecoverAuthority,
} from '@ethereumjs/util'
import { decodeHex } from '../codec/hex.ts'
import type { Machine } from './machine.ts'
import { EMPTY_CODE_HASH, encodeInteger, equalBytes, NO_BYTES } from './state/state-reader.ts'
import type { Authorization } from './transaction.ts'

/** EIP-7702: the code of an account that lends another's begins with it. */
const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00)
const LAST_NONCE = 2n ** 64n - 1n
/** EIP-2: the higher half of `s` is refused. */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && equalBytes(code.subarray(0, 3), DELEGATION_PREFIX)
}

/** The account whose code one lends; null for other code. */
export function findDelegate(code: Uint8Array): Uint8Array | null {
  return isDelegation(code) ? code.subarray(3) : null
}

/** Sets the code of those accounts that gave leave to it, and gives the gas that is refunded: they were there already. */
export function applyAuthorizations(
  machine: Machine,
  authorizations: readonly Authorization[],
): bigint {
  const { common } = machine
  let refund = 0n
  for (const authorization of authorizations) {
    if (applyAuthorization(machine, authorization)) {
      refund += common.param('perEmptyAccountCost') - common.param('perAuthBaseGas')
    }
  }
  return refund
}

/** Whether the account was there before; false also where the authorization does not hold. */
function applyAuthorization(machine: Machine, authorization: Authorization): boolean {
  const { common, state, evm } = machine
  const { nonce } = authorization
  const authority = recoverAuthority(common, authorization)
  if (authority === null) return false
  evm.journal.addAlwaysWarmAddress(Buffer.from(authority).toString('hex'))
  const account = state.readAccount(authority)
  const code = state.readCode(authority)
  if (code.length > 0 && !isDelegation(code)) return false
  if ((account?.nonce ?? 0n) !== nonce) return false
  const target = decodeHex(authorization.address)
  const isCleared = target.every(byte => byte === 0)
  const delegation = isCleared ? NO_BYTES : Buffer.concat([DELEGATION_PREFIX, target])
  state.writeAccount(authority, nonce + 1n, account?.balance ?? 0n, EMPTY_CODE_HASH)
  state.writeCode(authority, Uint8Array.from(delegation))
  return account !== null
}

function recoverAuthority(common: Common, authorization: Authorization): Uint8Array | null {
  const { chainId, nonce } = authorization
  if (chainId !== 0n && chainId !== common.chainId()) return null
  return nonce >= LAST_NONCE ? null : recoverSigner(authorization)
}

/** Who signed it; null where nobody did. */
export function recoverSigner(authorization: Authorization): Uint8Array | null {
  const { chainId, nonce, yParity, r, s } = authorization
  if (s > HIGHEST_S || yParity > 1n) return null
  const item: EOACode7702AuthorizationListBytesItem = [
    encodeInteger(chainId),
    decodeHex(authorization.address),
    encodeInteger(nonce),
    encodeInteger(yParity),
    encodeInteger(r),
    encodeInteger(s),
  ]
  try {
    return eoaCode7702RecoverAuthority(item).bytes
  } catch {
    return null
  }
}
