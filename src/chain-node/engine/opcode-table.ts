import type { Common } from '@ethereumjs/common'

/** What EthereumJS does for an opcode. */
export interface OpcodeEntry {
  readonly opcodeInfo: {
    readonly isAsync: boolean
    readonly dynamicGas: boolean
    readonly isInvalid: boolean
    readonly feeBigInt: bigint
    readonly fee: number
    readonly code: number
  }
  readonly opHandler: (runState: never, common: Common) => unknown
  readonly gasHandler: (runState: never, gas: bigint, common: Common) => bigint | Promise<bigint>
}

/** The opcodes of a fork. */
export interface OpcodeTable {
  readonly entries: readonly OpcodeEntry[]
  /** Gas of each, without what depends on its arguments. */
  readonly fees: Float64Array
  /** 1 for those that the fast loop runs by itself. */
  readonly fast: Uint8Array
  readonly common: Common
  /** EIP-2929. */
  readonly hasColdAccess: boolean
  readonly coldSload: number
  readonly warmRead: number
  /** What SSTORE costs from Istanbul on; null before that. */
  readonly store: StorePrices | null
}

/** Gas of EIP-2200, with EIP-2929's and EIP-3529's changes to it. */
export interface StorePrices {
  /** With no more than that left, nothing is stored. */
  readonly sentry: number
  readonly noop: number
  /** Of a slot that was empty, and of one that was not. */
  readonly init: number
  readonly clean: number
  readonly dirty: number
  readonly clearRefund: bigint
  readonly initRefund: bigint
  readonly cleanRefund: bigint
}

/** How many items an opcode takes from the stack and leaves on it (yellow paper, appendix H). */
export const TAKES = new Uint8Array(256)
export const LEAVES = new Uint8Array(256)

for (const [opcodes, takes, leaves] of [
  ['01 02 03 04 05 06 07 0a 0b 10 11 12 13 14 16 17 18 1a 1b 1c 1d 20', 2, 1],
  ['08 09', 3, 1],
  ['15 19 1e 31 35 3b 3f 40 49 51 54 5c', 1, 1],
  ['30 32 33 34 36 38 3a 3d 41 42 43 44 45 46 47 48 4a 58 59 5a 5f', 0, 1],
  ['37 39 3e 5e', 3, 0],
  ['3c', 4, 0],
  ['50 56 ff', 1, 0],
  ['52 53 55 57 5d f3 fd', 2, 0],
  ['f0', 3, 1],
  ['f1 f2', 7, 1],
  ['f4 fa', 6, 1],
  ['f5', 4, 1],
] as const) {
  for (const opcode of opcodes.split(' ')) {
    TAKES[Number.parseInt(opcode, 16)] = takes
    LEAVES[Number.parseInt(opcode, 16)] = leaves
  }
}
for (let i = 1; i <= 32; i++) LEAVES[0x5f + i] = 1
for (let i = 1; i <= 16; i++) {
  TAKES[0x7f + i] = i
  LEAVES[0x7f + i] = i + 1
  TAKES[0x8f + i] = i + 1
  LEAVES[0x8f + i] = i + 1
}
for (let i = 0; i <= 4; i++) TAKES[0xa0 + i] = i + 2

/** STOP, arithmetic, comparison, KECCAK256, what a call brings, stack, memory, storage, jumps, PUSH, DUP, SWAP, LOG and the ends. */
const FAST = [
  0x00, 0x01, 0x02, 0x03, 0x04, 0x06, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a,
  0x1b, 0x1c, 0x20, 0x30, 0x33, 0x34, 0x35, 0x36, 0x50, 0x51, 0x52, 0x54, 0x55, 0x56, 0x57, 0x5a, 0x5b,
  0x5f, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf3, 0xfd,
] // biome-ignore format: a list

const SSTORE = 0x55

export function createOpcodeTable(entries: readonly OpcodeEntry[], common: Common): OpcodeTable {
  const fees = new Float64Array(256)
  const fast = new Uint8Array(256)
  const isFast = (opcode: number) => FAST.includes(opcode) || (opcode >= 0x60 && opcode <= 0x9f)
  for (let opcode = 0; opcode < 256; opcode++) {
    const { opcodeInfo } = entries[opcode] as OpcodeEntry
    fees[opcode] = opcodeInfo.fee
    fast[opcode] = !opcodeInfo.isInvalid && opcodeInfo.code === opcode && isFast(opcode) ? 1 : 0
  }
  const hasColdAccess = common.isActivatedEIP(2929)
  const store = findStorePrices(common)
  if (store === null) fast[SSTORE] = 0
  return {
    entries,
    fees,
    fast,
    common,
    hasColdAccess,
    coldSload: hasColdAccess ? Number(common.param('coldsloadGas')) : 0,
    warmRead: hasColdAccess ? Number(common.param('warmstoragereadGas')) : 0,
    store,
  }
}

function findStorePrices(common: Common): StorePrices | null {
  if (!common.gteHardfork('istanbul')) return null
  const init = common.param('sstoreInitEIP2200Gas')
  const prices = {
    sentry: Number(common.param('sstoreSentryEIP2200Gas')),
    noop: Number(common.param('sstoreNoopEIP2200Gas')),
    init: Number(init),
    clean: Number(common.param('sstoreCleanEIP2200Gas')),
    dirty: Number(common.param('sstoreDirtyEIP2200Gas')),
    clearRefund: common.param('sstoreClearRefundEIP2200Gas'),
    initRefund: common.param('sstoreInitRefundEIP2200Gas'),
    cleanRefund: common.param('sstoreCleanRefundEIP2200Gas'),
  }
  if (!common.isActivatedEIP(2929)) return prices
  const warmRead = common.param('warmstoragereadGas')
  return {
    ...prices,
    noop: Number(warmRead),
    initRefund: init - warmRead,
    cleanRefund: common.param('sstoreResetGas') - common.param('coldsloadGas') - warmRead,
  }
}
