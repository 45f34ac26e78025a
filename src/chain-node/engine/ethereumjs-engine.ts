import { encodeHex } from '../codec/hex.ts'
import { nextBaseFee } from './base-fee.ts'
import { toBytes } from './block-environment.ts'
import { type CallLimits, createCaller, DEFAULT_CALL_LIMITS } from './calls.ts'
import { keccak256 } from './crypto.ts'
import { decodeBlock, restoreBlock } from './encoding/block-codec.ts'
import { keyRecovery } from './encoding/key-recovery.ts'
import {
  decodeTransaction,
  decodeTransactionAside,
  impersonate,
  intrinsicGas,
  signTransaction,
} from './encoding/transaction-codec.ts'
import type { Engine, StateSource } from './engine.ts'
import { describeNextBlock, executeBlock, produceBlock } from './executor.ts'
import { createGenesisBlock } from './genesis/genesis-block.ts'
import { type ConsoleListener, createMachineParts, type FindBlockHash } from './machine.ts'
import { createMachinePool } from './machine-pool.ts'
import type { Rules } from './rules.ts'
import { createSimulator } from './simulation/simulate.ts'
import { changeState } from './state/overrides.ts'
import { createStateReader, type StateReader } from './state/state-reader.ts'
import { isStored } from './state/stored-state.ts'
import { createTracing } from './tracing/tracing.ts'

/**
 * An engine on EthereumJS's machine, with a state, a loop over opcodes and a runner of transactions of our own.
 *
 * @param findBlockHash - for BLOCKHASH: the hash of a block that is stored, by its height
 * @param onConsole - told of what contracts write to the console, in calls and in blocks that are made
 * @param overlay - where the states lie over another one, which the source does not have: reads of both
 */
export async function createEngine(
  rules: Rules,
  source: StateSource,
  findBlockHash: FindBlockHash,
  limits: Partial<CallLimits> = {},
  onConsole: ConsoleListener | null = null,
  overlay: ((local: StateReader) => StateReader) | null = null,
): Promise<Engine> {
  const local = createStateReader(source, keccak256)
  const reader = overlay === null ? local : overlay(local)
  let written = 0
  const tell =
    onConsole &&
    ((input: Uint8Array) => {
      written += 1
      onConsole(input)
    })
  const parts = await createMachineParts(rules, reader, findBlockHash, tell)
  const machines = createMachinePool(parts)
  const callLimits = { ...DEFAULT_CALL_LIMITS, ...limits }
  const caller = createCaller(rules, machines, callLimits, () => written)
  const tracing = createTracing(rules, machines, callLimits)
  const simulator = createSimulator(rules, machines, callLimits, findBlockHash)

  return {
    chainId: rules.chainId,
    decodeTransaction: (raw, from) => decodeTransaction(rules, raw, from),
    decodeTransactionAside: raw => decodeTransactionAside(rules, raw, keyRecovery),
    untilDecoded: keyRecovery.settle,
    signTransaction: (unsigned, privateKey) => signTransaction(rules, unsigned, privateKey),
    impersonate: (unsigned, from) => impersonate(rules, unsigned, from),
    intrinsicGas: (parent, transaction) => intrinsicGas(rules, parent, transaction),
    nextBaseFee: parent => nextBaseFee(rules, parent),
    decodeBlock: rlp => decodeBlock(rules, rlp),
    restoreBlock: (rlp, senders) => restoreBlock(rules, rlp, senders),
    createGenesis: async () => createGenesisBlock(rules, reader),
    produceBlock: (parent, template, candidates) =>
      produceBlock(rules, machines, parent, template, candidates),
    executeBlock: (parent, block, findAncestor, findBlockHash) =>
      executeBlock(rules, machines, parent, block, findAncestor, findBlockHash),
    describeNext: (parent, template) => describeNextBlock(rules, parent, template),
    call: caller.call,
    estimateGas: caller.estimateGas,
    createAccessList: caller.createAccessList,
    traceBlock: tracing.traceBlock,
    traceCall: tracing.traceCall,
    simulate: simulator.simulate,
    readAccount(stateRoot, address) {
      const account = reader.readAccount(toBytes(stateRoot), toBytes(address))
      return account === null
        ? null
        : {
            balance: account.balance,
            nonce: account.nonce,
            codeHash: encodeHex(account.codeHash),
            storageRoot: encodeHex(account.storageRoot),
          }
    },
    readCode(stateRoot, address) {
      const account = reader.readAccount(toBytes(stateRoot), toBytes(address))
      return account === null ? new Uint8Array(0) : reader.readCode(account.codeHash)
    },
    readStorage(stateRoot, address, slot) {
      const padded = new Uint8Array(32)
      const account = reader.readAccount(toBytes(stateRoot), toBytes(address))
      if (account === null) return padded
      const value = reader.readStorage(account.storageRoot, slot)
      padded.set(value, 32 - value.length)
      return padded
    },
    proveAccount: (stateRoot, address) => reader.prove(toBytes(stateRoot), toBytes(address)),
    proveStorage(stateRoot, address, slot) {
      const account = reader.readAccount(toBytes(stateRoot), toBytes(address))
      return account === null ? [] : reader.prove(account.storageRoot, slot)
    },
    hasState: stateRoot => isStored(source, toBytes(stateRoot)),
    changeState: (stateRoot, overrides) => changeState(reader, stateRoot, overrides),
  }
}
