import { generateAddress } from '@ethereumjs/util'
import { encodeHex, type Hex } from '../codec/hex.ts'
import { type BlockEnvironment, toBytes } from './block-environment.ts'
import { type CallPrices, runCall } from './call-runner.ts'
import type { AccessListResult, CallError, CallMessage } from './engine.ts'
import type { Machine } from './machine.ts'
import { encodeInteger } from './state/state-reader.ts'
import type { AccessListEntry } from './transaction.ts'

type Touched = Map<Hex, Set<Hex>>

/**
 * What a call reads and writes, found as geth finds it: it is run with what it touched until it touches nothing else. Sender,
 * receiver and precompiled contracts are there only where one of their slots is. Throws `CallError` where it cannot begin.
 */
export async function findAccessList(
  machine: Machine,
  environment: BlockEnvironment,
  message: CallMessage,
  gas: bigint,
  prices: CallPrices,
): Promise<AccessListResult> {
  const created = message.to === null ? nameCreated(machine, message.from) : null
  const touched: Touched = new Map()
  for (const { address, storageKeys } of message.accessList ?? []) {
    touch(touched, address, storageKeys)
  }
  for (;;) {
    const accessList = list(touched)
    machine.state.checkpoint()
    const found = machine.journal.startReporting()
    const outcome = await runCall(machine, environment, { ...message, accessList }, gas, prices)
    machine.state.revert()
    let isNew = false
    for (const [address, slots] of found) {
      if (slots.size === 0 && address === created) continue
      if (touch(touched, address, [...slots])) isNew = true
    }
    if (isNew) continue
    return { accessList, gasUsed: outcome.gasUsed, failure: nameFailure(outcome.failure) }
  }
}

/** geth says nothing of the reason of a revert here. */
function nameFailure(failure: CallError | null): string | null {
  return failure !== null && failure.reverted !== null
    ? 'execution reverted'
    : (failure?.message ?? null)
}

/** @returns whether any of it is new */
function touch(touched: Touched, address: Hex, keys: readonly Hex[]): boolean {
  const known = touched.get(address)
  const slots = known ?? new Set()
  const before = slots.size
  for (const key of keys) slots.add(key)
  touched.set(address, slots)
  return known === undefined || slots.size > before
}

/** In the order of their bytes. */
function list(touched: Touched): AccessListEntry[] {
  return [...touched.keys()].sort().map(address => ({
    address,
    storageKeys: [...(touched.get(address) ?? [])].sort(),
  }))
}

function nameCreated(machine: Machine, from: Hex): Hex {
  const sender = toBytes(from)
  const nonce = machine.state.readAccount(sender)?.nonce ?? 0n
  return encodeHex(generateAddress(sender, encodeInteger(nonce)))
}
