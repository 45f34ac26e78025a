import { generateAddress, generateAddress2 } from '@ethereumjs/util'
import { encodeHex, formatQuantity, type Hex } from '../../codec/hex.ts'
import { toBytes } from '../block-environment.ts'
import { findDelegate } from '../delegation.ts'
import type { Machine } from '../machine.ts'
import { recoverSigner } from '../set-code.ts'
import { EMPTY_CODE_HASH, encodeInteger, equalBytes } from '../state/state-reader.ts'
import { createExistence } from './account-existence.ts'
import { CALL, STATICCALL } from './observed-messages.ts'
import type { PrestateTracerOptions } from './trace-options.ts'
import { createTraceSize, type TraceSize } from './trace-size.ts'
import type { Step, Tracer } from './tracer.ts'

/** An account as it was when it was first looked at. */
interface PrestateAccount {
  readonly address: Uint8Array
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
  readonly codeHash: Hex | null
  readonly isEmpty: boolean
  /** Words by their slots. */
  readonly storage: Map<Hex, Hex>
}

interface AccountJson {
  balance?: Hex
  code?: Hex
  codeHash?: Hex
  nonce?: number
  storage?: { [slot: Hex]: Hex }
}

type StateJson = { [address: Hex]: AccountJson }

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`
const NO_CODE = encodeHex(EMPTY_CODE_HASH)
const MASK_160 = 2n ** 160n - 1n
/** More than any memory holds. */
const MOST_MEMORY = 2n ** 32n
/** Bytes behind the end of the memory that the code of a contract to come may have. */
const MOST_PADDING = 1024 * 1024

/** All that `observeStep` has a case for. */
const WATCHED = [
  0x31, 0x3b, 0x3c, 0x3f, 0x54, 0x55, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa, 0xff,
] // biome-ignore format: a list

/** Characters of JSON of an account or a slot, about. */
const ACCOUNT_SIZE = 300
const SLOT_SIZE = 140

/** geth's `prestateTracer`: the accounts and slots that a transaction needs, as they were before, or what it changed of them. */
export function createPrestateTracer(
  machine: Machine,
  options: PrestateTracerOptions,
  size: TraceSize = createTraceSize(),
): Tracer {
  const { state, common } = machine
  const { diffMode, disableCode, disableStorage, includeEmpty } = options
  const accounts = new Map<Hex, PrestateAccount>()
  const created = new Set<Hex>()
  const deleted = new Set<Hex>()
  const existence = createExistence(machine)
  const post: StateJson = {}
  const changedSlots = new Map<Hex, ReadonlySet<Hex>>()
  const hasDelegation = common.isActivatedEIP(7702)

  function lookUp(address: Uint8Array): void {
    const hex = encodeHex(address)
    if (accounts.has(hex)) return
    const account = state.readAccount(address)
    const code = state.readCode(address)
    size.add(ACCOUNT_SIZE + 2 * code.length)
    const { balance, nonce } = account ?? { balance: 0n, nonce: 0n }
    accounts.set(hex, {
      address: Uint8Array.from(address),
      balance,
      nonce,
      code,
      codeHash: code.length === 0 || account === null ? null : encodeHex(account.codeHash),
      isEmpty: balance === 0n && nonce === 0n && code.length === 0,
      storage: new Map(),
    })
  }

  function lookUpDelegate(address: Uint8Array): void {
    const target = hasDelegation ? findDelegate(state.readCode(address)) : null
    if (target !== null) lookUp(target)
  }

  function lookUpSlot(address: Uint8Array, slot: bigint): void {
    if (disableStorage) return
    lookUp(address)
    const { storage } = accounts.get(encodeHex(address)) as PrestateAccount
    const key = toWord(slot)
    if (storage.has(key)) return
    size.add(SLOT_SIZE)
    storage.set(key, readWord(address, key))
  }

  function lookUpCreated(address: Uint8Array): void {
    lookUp(address)
    created.add(encodeHex(address))
  }

  function readWord(address: Uint8Array, slot: Hex): Hex {
    return toWord(toInteger(state.readSlot(address, toBytes(slot))))
  }

  function compare(hex: Hex, account: PrestateAccount): boolean {
    const { address } = account
    const now = state.readAccount(address)
    const after: AccountJson = {}
    if ((now?.balance ?? 0n) !== account.balance) after.balance = formatQuantity(now?.balance ?? 0n)
    const nonce = now?.nonce ?? 0n
    if (nonce !== account.nonce && nonce > 0n) after.nonce = Number(nonce)
    // As in geth, what is not there has not even the hash of no code.
    const isThere = existence.exists(hex, now)
    const codeHash = isThere ? encodeHex(now?.codeHash ?? EMPTY_CODE_HASH) : ZERO_WORD
    if (codeHash !== (account.codeHash ?? NO_CODE)) after.codeHash = codeHash
    const code = state.readCode(address)
    if (!disableCode && !equalBytes(code, account.code)) after.code = encodeHex(code)
    const slots = new Set<Hex>()
    const storage: { [slot: Hex]: Hex } = {}
    for (const [slot, before] of account.storage) {
      const word = readWord(address, slot)
      if (word === before) continue
      slots.add(slot)
      if (word !== ZERO_WORD) storage[slot] = word
    }
    changedSlots.set(hex, slots)
    if (Object.keys(storage).length > 0) after.storage = storage
    const isChanged = Object.keys(after).length > 0 || slots.size > 0 || nonce !== account.nonce
    if (isChanged) post[hex] = after
    return isChanged
  }

  function listPre(): StateJson {
    const pre: StateJson = {}
    for (const [hex, account] of accounts) {
      if (account.isEmpty && !includeEmpty) continue
      const { balance, nonce, code, codeHash } = account
      const slots = [...account.storage].filter(
        ([slot, word]) =>
          !diffMode ||
          deleted.has(hex) ||
          (word !== ZERO_WORD && (changedSlots.get(hex)?.has(slot) ?? false)),
      )
      pre[hex] = {
        balance: formatQuantity(balance),
        ...(!disableCode && code.length > 0 && { code: encodeHex(code) }),
        ...(codeHash !== null && { codeHash }),
        ...(nonce > 0n && { nonce: Number(nonce) }),
        ...(slots.length > 0 && { storage: Object.fromEntries(slots) }),
      }
    }
    return pre
  }

  return {
    begin(transaction, { miner }) {
      const sender = toBytes(transaction.from)
      const nonce = state.readAccount(sender)?.nonce ?? 0n
      const to =
        transaction.to === null
          ? generateAddress(sender, encodeInteger(nonce))
          : toBytes(transaction.to)
      if (transaction.to === null) created.add(encodeHex(to))
      else {
        lookUpDelegate(to)
        existence.call(to, transaction.value)
      }
      if (transaction.gasPrice > 0n) existence.touch(miner.bytes)
      lookUp(sender)
      lookUp(to)
      lookUp(miner.bytes)
      for (const authorization of transaction.authorizationList ?? []) {
        const signer = recoverSigner(authorization)
        if (signer !== null) lookUp(signer)
      }
    },
    watched: WATCHED,
    step(step) {
      if (step.error === null) observeStep(step)
    },
    end() {
      if (!diffMode) return
      for (const [hex, account] of accounts) {
        if (!deleted.has(hex) && !compare(hex, account)) accounts.delete(hex)
      }
    },
    result: () => JSON.stringify(diffMode ? { post, pre: listPre() } : listPre()),
  }

  function observeStep({ opcode, frame }: Step): void {
    const self = frame.env.address.bytes
    switch (opcode) {
      case 0x54: // SLOAD
      case 0x55: // SSTORE
        lookUpSlot(self, peek(frame, 0))
        return
      case 0x31: // BALANCE
      case 0x3b: // EXTCODESIZE
      case 0x3c: // EXTCODECOPY
      case 0x3f: // EXTCODEHASH
        lookUp(toAddressBytes(peek(frame, 0)))
        return
      case 0xff: {
        // SELFDESTRUCT: from Cancun on it takes away only what the same transaction made (EIP-6780).
        lookUp(toAddressBytes(peek(frame, 0)))
        existence.touch(toAddressBytes(peek(frame, 0)))
        const hex = encodeHex(self)
        if (!common.isActivatedEIP(6780) || created.has(hex)) deleted.add(hex)
        return
      }
      case 0xf1: // CALL
      case 0xf2: // CALLCODE
      case 0xf4: // DELEGATECALL
      case 0xfa: {
        // STATICCALL
        const address = toAddressBytes(peek(frame, 1))
        lookUp(address)
        lookUpDelegate(address)
        if (opcode === CALL) existence.call(address, peek(frame, 2))
        if (opcode === STATICCALL) existence.touch(address)
        return
      }
      case 0xf0: // CREATE
        lookUpCreated(generateAddress(self, encodeInteger(state.readAccount(self)?.nonce ?? 0n)))
        return
      case 0xf5: {
        // CREATE2
        const code = readMemory(frame, peek(frame, 1), peek(frame, 2))
        if (code !== null)
          lookUpCreated(generateAddress2(self, toBytes(toWord(peek(frame, 3))), code))
      }
    }
  }
}

/** An item of the stack, the top one first. */
function peek({ stack }: Step['frame'], index: number): bigint {
  const { _store: items, _len: height } = stack as unknown as { _store: bigint[]; _len: number }
  return items[height - 1 - index] as bigint
}

/** Null for more than geth copies. */
function readMemory({ memory }: Step['frame'], offset: bigint, length: bigint): Uint8Array | null {
  if (length === 0n) return new Uint8Array(0)
  const { _store: store } = memory
  if (offset + length > MOST_MEMORY) return null
  const end = Number(offset + length)
  if (end - store.length > MOST_PADDING) return null
  const bytes = new Uint8Array(Number(length))
  bytes.set(store.subarray(Number(offset), end))
  return bytes
}

function toAddressBytes(item: bigint): Uint8Array {
  return toBytes(`0x${(item & MASK_160).toString(16).padStart(40, '0')}`)
}

function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

function toInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(encodeHex(bytes))
}
