import type { Common, StateManagerInterface } from '@ethereumjs/common'
import type { EVM } from '@ethereumjs/evm'
import type { Account, Address } from '@ethereumjs/util'
import { encodeHex, type Hex } from '../../codec/hex.ts'
import type { State } from '../state/state.ts'
import { EMPTY_CODE_HASH, equalBytes, toKey } from '../state/state-reader.ts'

/** What became warm: addresses with their slots. */
export type WarmSlots = ReadonlyMap<Hex, ReadonlySet<Hex>>

/**
 * Which addresses and slots are warm (EIP-2929) and which accounts were touched (EIP-161), for EthereumJS in place of its own:
 * it waits for nothing, names things by their bytes, and takes back what a message did by one list.
 */
export interface Journal
  extends Pick<
    EVM['journal'],
    'isWarmedAddress' | 'addWarmedAddress' | 'isWarmedStorage' | 'addWarmedStorage'
  > {
  putAccount(address: Address, account: Account): void
  /** An account that is empty in the end is taken away. */
  touch(address: Uint8Array): void
  /** Warm whatever is taken back. */
  addAlwaysWarmAddress(address: Uint8Array): void
  addAlwaysWarmSlot(address: Uint8Array, slot: Uint8Array): void
  checkpoint(): void
  commit(): void
  revert(): void
  /** Gives what becomes warm from now on, until it is cleaned, also what is taken back. */
  startReporting(): WarmSlots
  /** Takes touched accounts away that are empty (EIP-161), and forgets everything. */
  cleanup(): void
  /** Forgets everything. */
  cleanJournal(): void
}

/** @param precompiles - addresses that are always warm */
export function createJournal(
  state: State,
  stateManager: StateManagerInterface,
  common: Common,
  precompiles: readonly Uint8Array[],
): Journal {
  const precompiled = new Set(precompiles.map(toKey))
  const clearsEmpty = common.gteHardfork('spuriousDragon')
  let alwaysWarm = new Set<string>()
  let warm = new Set<string>()
  let touched = new Map<string, Uint8Array>()
  /** What was added to `warm` and `touched`, in its order; both have keys of their own. */
  let added: Addition[] = []
  let checkpoints: number[] = []
  let report: Map<Hex, Set<Hex>> | null = null

  function isWarm(key: string): boolean {
    return warm.has(key) || alwaysWarm.has(key)
  }

  function add(key: string, isTouch: boolean): void {
    if (checkpoints.length > 0) added.push({ key, isTouch })
  }

  function touch(address: Uint8Array): void {
    const key = toKey(address)
    if (touched.has(key)) return
    touched.set(key, address)
    add(key, true)
  }

  function noteWarm(address: Uint8Array): Set<Hex> {
    const name = encodeHex(address)
    const slots = report?.get(name) ?? new Set()
    report?.set(name, slots)
    return slots
  }

  function addWarmedAddress(address: Uint8Array): void {
    const key = toKey(address)
    if (report !== null) noteWarm(address)
    if (warm.has(key)) return
    warm.add(key)
    add(key, false)
  }

  function cleanJournal(): void {
    if (alwaysWarm.size > 0) alwaysWarm = new Set()
    if (warm.size > 0) warm = new Set()
    if (touched.size > 0) touched = new Map()
    added = []
    checkpoints = []
    report = null
  }

  return {
    touch,
    addWarmedAddress,
    cleanJournal,
    putAccount(address, account) {
      touch(address.bytes)
      stateManager.putAccount(address, account)
    },
    addAlwaysWarmAddress(address) {
      alwaysWarm.add(toKey(address))
    },
    addAlwaysWarmSlot(address, slot) {
      alwaysWarm.add(toKey(address))
      alwaysWarm.add(toKey(address) + toKey(slot))
    },
    isWarmedAddress(address) {
      const key = toKey(address)
      return isWarm(key) || precompiled.has(key)
    },
    isWarmedStorage: (address, slot) => isWarm(toKey(address) + toKey(slot)),
    addWarmedStorage(address, slot) {
      const key = toKey(address) + toKey(slot)
      if (report !== null) noteWarm(address).add(encodeHex(slot))
      if (warm.has(key)) return
      addWarmedAddress(address)
      warm.add(key)
      add(key, false)
    },
    checkpoint() {
      checkpoints.push(added.length)
      state.checkpoint()
    },
    commit() {
      checkpoints.pop()
      if (checkpoints.length === 0) added = []
      state.commit()
    },
    revert() {
      const start = checkpoints.pop() ?? 0
      for (let i = added.length - 1; i >= start; i--) {
        const { key, isTouch } = added[i] as Addition
        if (!isTouch) warm.delete(key)
        else if (key !== RIPEMD160) touched.delete(key)
      }
      added.length = start
      state.revert()
    },
    startReporting() {
      report = new Map()
      return report
    },
    cleanup() {
      if (clearsEmpty) {
        for (const address of touched.values()) {
          const account = state.readAccount(address)
          if (account === null || account.nonce > 0n || account.balance > 0n) continue
          if (equalBytes(account.codeHash, EMPTY_CODE_HASH)) state.deleteAccount(address)
        }
      }
      cleanJournal()
    },
  }
}

interface Addition {
  readonly key: string
  readonly isTouch: boolean
}

/** It stays touched, as once on mainnet (EIP-161, block 2,675,119). */
const RIPEMD160 = toKey(new Uint8Array(20).fill(3, 19))

/** Gives an EVM the journal. */
export function replaceJournal(evm: EVM, journal: Journal): void {
  Object.assign(evm, { journal })
}

/** Addresses of 20 bytes. */
export function listPrecompiles(evm: EVM): Uint8Array[] {
  return [...evm.precompiles.keys()].map(digits => new Uint8Array(Buffer.from(digits, 'hex')))
}
