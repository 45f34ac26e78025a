import { Address } from '@ethereumjs/util'
import { encodeHex, type Hex } from '../../codec/hex.ts'
import type { Machine } from '../machine.ts'
import { type AccountRecord, EMPTY_CODE_HASH, equalBytes } from '../state/state-reader.ts'

/**
 * Which accounts without anything geth has in its state until a transaction ends (EIP-161), as EthereumJS has others: a call of an account
 * that is not there, without value, makes one there, and fees of nothing make none here.
 */
export interface Existence {
  /** Before a call with so much value. */
  call(address: Uint8Array, value: bigint): void
  /** What makes an account of one that is not there. */
  touch(address: Uint8Array): void
  /** @param account - as it is in the state at the end */
  exists(address: Hex, account: AccountRecord | null): boolean
}

export function createExistence({ common, state, evm }: Machine): Existence {
  const called = new Set<Hex>()
  const touched = new Set<Hex>()
  const clearsEmpty = common.gteHardfork('spuriousDragon')

  return {
    call(address, value) {
      if (value > 0n || !clearsEmpty || state.readAccount(address) !== null) return
      if (evm.getPrecompile(new Address(address)) === undefined) called.add(encodeHex(address))
    },
    touch(address) {
      touched.add(encodeHex(address))
    },
    exists(address, account) {
      if (touched.has(address)) return true
      return account !== null && !(called.has(address) && isEmpty(account))
    },
  }
}

function isEmpty({ nonce, balance, codeHash }: AccountRecord): boolean {
  return nonce === 0n && balance === 0n && equalBytes(codeHash, EMPTY_CODE_HASH)
}
