import type { Common } from '@ethereumjs/common'
import {
  type EOACode7702AuthorizationListBytesItem,
  eoaCode7702RecoverAuthority,
} from '@ethereumjs/util'
import { decodeHex } from '../codec/hex.ts'
import { DELEGATION_PREFIX, isDelegation } from './delegation.ts'
import type { Machine } from './machine.ts'
import { EMPTY_CODE_HASH, encodeInteger, NO_BYTES } from './state/state-reader.ts'
import type { Authorization } from './transaction.ts'

const LAST_NONCE = 2n ** 64n - 1n
/** EIP-2: the higher half of `s` is refused. */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

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
  const { common, state, journal } = machine
  const { nonce } = authorization
  const authority = recoverAuthority(common, authorization)
  if (authority === null) return false
  journal.addAlwaysWarmAddress(authority)
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
