import { Address } from '@ethereumjs/util'
import { sha256 } from '@noble/hashes/sha2.js'
import { encodeHex, type Hex } from '../../codec/hex.ts'
import type { Withdrawal } from '../block.ts'
import { type BlockEnvironment, toBytes } from '../block-environment.ts'
import type { Machine } from '../machine.ts'
import type { Rules } from '../rules.ts'
import { addBalance, type TransactionOutcome } from '../transaction-runner.ts'
import { encodeInteger } from './state-reader.ts'

/** What blocks do to the state besides their transactions. */

/** EIP-4788. */
const BEACON_ROOTS = toBytes('0x000f3df6d732807ef1319fb7b8bb8522d0beac02')
const GWEI = 1_000_000_000n
/** EIP-6110. */
const DEPOSIT_TOPIC = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'
const DEPOSIT_REQUEST = 0
/** EIP-7002. */
const WITHDRAWAL_REQUEST = 1
/** EIP-7251. */
const CONSOLIDATION_REQUEST = 2
const SYSTEM_CALL_GAS = 30_000_000n

/** Before the transactions: the roots that contracts can ask for. */
export function beginBlock(
  machine: Machine,
  header: {
    readonly number: bigint
    readonly timestamp: bigint
    readonly parentHash: Hex
    readonly parentBeaconBlockRoot?: Hex
  },
): void {
  const { common } = machine
  if (common.isActivatedEIP(4788) && header.parentBeaconBlockRoot !== undefined) {
    const length = common.param('historicalRootsLength')
    const index = header.timestamp % length
    writeSystemSlot(machine, BEACON_ROOTS, index, encodeInteger(header.timestamp))
    writeSystemSlot(machine, BEACON_ROOTS, index + length, toBytes(header.parentBeaconBlockRoot))
  }
  if (common.isActivatedEIP(2935)) {
    const history = toAddressBytes(common.param('historyStorageAddress'))
    const index = (header.number - 1n) % common.param('historyServeWindow')
    writeSystemSlot(machine, history, index, toBytes(header.parentHash))
  }
}

/** EIP-4895. */
export function payWithdrawals(machine: Machine, withdrawals: readonly Withdrawal[]): void {
  for (const { address, amount } of withdrawals) {
    addBalance(machine, toBytes(address), amount * GWEI)
  }
}

/** Yellow paper, section 11.3. Only for blocks that are mined: those without difficulty have no reward (EIP-3675). */
export function payRewards(
  machine: Machine,
  header: { readonly number: bigint; readonly miner: Hex; readonly difficulty: bigint },
  uncles: readonly { readonly number: bigint; readonly miner: Hex }[],
): void {
  const { common } = machine
  if (header.difficulty === 0n || common.gteHardfork('paris')) return
  const reward = common.param('minerReward')
  for (const uncle of uncles) {
    const share = ((uncle.number + 8n - header.number) * reward) / 8n
    addBalance(machine, toBytes(uncle.miner), share)
  }
  const own = reward + (reward / 32n) * BigInt(uncles.length)
  addBalance(machine, toBytes(header.miner), own)
}

/**
 * EIP-7685: the hash of what the block asks of the consensus layer; null before Prague. Throws where a system contract fails or is
 * not there (EIP-7002, EIP-7251), unless the chain began with the rules of Prague and without it, as one that has no consensus layer.
 */
export async function hashRequests(
  rules: Rules,
  machine: Machine,
  environment: BlockEnvironment,
  outcomes: readonly TransactionOutcome[],
): Promise<Hex | null> {
  const { common } = machine
  if (!common.isActivatedEIP(7685)) return null
  const depositContract = rules.genesis.depositContractAddress
  const deposits = depositContract === null ? [] : readDeposits(outcomes, depositContract)
  const requests: readonly (readonly [number, Uint8Array])[] = [
    [DEPOSIT_REQUEST, Buffer.concat(deposits)],
    [
      WITHDRAWAL_REQUEST,
      await callSystemContract(rules, machine, environment, 'withdrawalRequestPredeployAddress'),
    ],
    [
      CONSOLIDATION_REQUEST,
      await callSystemContract(rules, machine, environment, 'consolidationRequestPredeployAddress'),
    ],
  ]
  const hashes = requests
    .filter(([, data]) => data.length > 0)
    .map(([type, data]) => sha256(Buffer.concat([Uint8Array.of(type), data])))
  return encodeHex(sha256(Buffer.concat(hashes)))
}

function writeSystemSlot(
  machine: Machine,
  address: Uint8Array,
  index: bigint,
  value: Uint8Array,
): void {
  const { state } = machine
  if (state.readCode(address).length === 0) return
  let start = 0
  while (value[start] === 0) start++
  state.writeSlot(address, toSlot(index), value.subarray(start))
}

async function callSystemContract(
  rules: Rules,
  machine: Machine,
  environment: BlockEnvironment,
  name: string,
): Promise<Uint8Array> {
  const { common, evm, state } = machine
  const to = new Address(toAddressBytes(common.param(name)))
  if (state.readCode(to.bytes).length === 0) {
    if (beganWithout(rules, encodeHex(to.bytes))) return new Uint8Array(0)
    throw new Error(`the system contract ${encodeHex(to.bytes)} has no code`)
  }
  const { execResult } = await evm.runCall({
    block: environment.evmBlock,
    caller: new Address(toAddressBytes(common.param('systemAddress'))),
    to,
    gasLimit: SYSTEM_CALL_GAS,
    skipNonceIncrement: true,
  })
  machine.journal.cleanup()
  state.clearOriginals()
  if (execResult.exceptionError !== undefined) {
    const reason = execResult.exceptionError.error
    throw new Error(`the system contract ${encodeHex(to.bytes)} fails: ${reason}`)
  }
  return execResult.returnValue
}

/** Whether the first block has the rules of Prague and no code at an address. */
function beganWithout({ genesis, commonAt }: Rules, address: Hex): boolean {
  const first = commonAt(0n, BigInt(genesis.header.timestamp))
  return first.isActivatedEIP(7685) && genesis.alloc[address]?.code === undefined
}

function readDeposits(outcomes: readonly TransactionOutcome[], depositContract: Hex): Uint8Array[] {
  return outcomes
    .flatMap(outcome => outcome.logs)
    .filter(
      ([address, [topic]]) =>
        encodeHex(address) === depositContract &&
        topic !== undefined &&
        encodeHex(topic) === DEPOSIT_TOPIC,
    )
    .map(([, , data]) => readDeposit(data))
}

/** Five byte strings in the ABI's encoding, without their lengths and padding. */
function readDeposit(data: Uint8Array): Uint8Array {
  const isLaidOut =
    data.length === 576 &&
    DEPOSIT_FIELDS.every(
      ({ offset, length }, i) =>
        readNumber(data, 32 * i) === offset && readNumber(data, offset) === length,
    )
  if (!isLaidOut) throw new Error('invalid deposit log: unsupported data layout')
  return Buffer.concat(
    DEPOSIT_FIELDS.map(({ offset, length }) => data.subarray(offset + 32, offset + 32 + length)),
  )
}

/** Public key, withdrawal credentials, amount, signature, index. */
const DEPOSIT_FIELDS = [
  { offset: 160, length: 48 },
  { offset: 256, length: 32 },
  { offset: 320, length: 8 },
  { offset: 384, length: 96 },
  { offset: 512, length: 8 },
]

function readNumber(data: Uint8Array, offset: number): number {
  return Number(BigInt(encodeHex(data.subarray(offset, offset + 32))))
}

function toSlot(index: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(index.toString(16).padStart(64, '0'), 'hex'))
}

function toAddressBytes(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(40, '0'), 'hex'))
}
