import type { Difference } from './differential-comparison.ts'
import type { Ruleset } from './differential-contracts.ts'
import type { Answer } from './differential-nodes.ts'

/** Where anvil is right to answer otherwise, or we are and it is not. */
export interface Explanation {
  readonly name: string
  readonly why: string
  readonly matches: (difference: Difference) => boolean
  /** Once in a thousand scenarios or so. */
  readonly isRare?: true
  /** Where it holds for one alone. */
  readonly ruleset?: Ruleset
}

/** The same failure in other words: ours are those of geth, as the design wants them, and so are the codes. */
function words(ours: RegExp, theirs: RegExp, isRare?: true): Explanation {
  return {
    name: `${ours.source} | ${theirs.source}`,
    why: "the text and the code are geth's",
    ...(isRare && { isRare }),
    matches: ({ exchange, path }) =>
      path === 'error' &&
      exchange.ours.error?.code !== 3 &&
      ours.test(exchange.ours.error?.message ?? '') &&
      theirs.test(exchange.theirs.error?.message ?? ''),
  }
}

/** We refuse, and anvil has an answer. */
function refusal(method: string, ours: RegExp, why: string): Explanation {
  return {
    name: `${method} refuses: ${ours.source}`,
    why,
    matches: ({ exchange, path }) =>
      path === 'answer' &&
      exchange.request.method === method &&
      ours.test(exchange.ours.error?.message ?? '') &&
      exchange.theirs.error === undefined,
  }
}

const readData = ({ error }: Answer) => JSON.stringify([error?.code, error?.data])
const readSize = ({ result }: Answer) => Number((result as { size?: string } | undefined)?.size)
/** Of a block, or of a receipt's transaction and those before it. */
const readGasUsed = ({ result }: Answer) => {
  const { gasUsed, cumulativeGasUsed } = result as { gasUsed: string; cumulativeGasUsed?: string }
  return BigInt(cumulativeGasUsed ?? gasUsed)
}
type Log = {
  readonly topics: readonly string[]
  readonly blockNumber: string
  readonly logIndex: string
}
const listPlaces = (logs: readonly Log[]) =>
  JSON.stringify(logs.map(({ blockNumber, logIndex }) => [blockNumber, logIndex]))
const isBlock = ({ exchange }: Difference) => /^eth_getBlockBy/.test(exchange.request.method)

export const EXPLANATIONS: readonly Explanation[] = [
  {
    name: 'state root of a block',
    why: "anvil's roots have accounts that are empty, against EIP-161, and slots that are zero; the roots that follow from its accounts are compared instead",
    matches: difference => isBlock(difference) && difference.path === 'result.stateRoot',
  },
  {
    name: 'mixHash of a block',
    why: "not a field of the specification; anvil's is random",
    matches: difference => isBlock(difference) && difference.path === 'result.mixHash',
  },
  {
    name: 'size of a block with withdrawals',
    why: "the list of withdrawals (EIP-4895) is part of a block's RLP, as in the blocks of execution-apis; anvil leaves its byte out",
    matches: difference =>
      isBlock(difference) &&
      difference.path === 'result.size' &&
      BigInt(String(difference.ours)) - BigInt(String(difference.theirs)) === 1n,
  },
  {
    name: 'totalDifficulty after the merge',
    why: 'geth has it no more, and execution-apis neither; the specification says that it may be null',
    matches: difference =>
      isBlock(difference) &&
      difference.path === 'result.totalDifficulty' &&
      difference.ours === undefined &&
      difference.theirs === '0x0',
  },
  {
    name: 'text of a revert',
    why: "code and data are equal; the text is geth's, which decodes Error(string) and Panic(uint256) and nothing else",
    matches: ({ exchange, path }) =>
      path === 'error' &&
      exchange.ours.error?.code === 3 &&
      readData(exchange.ours) === readData(exchange.theirs) &&
      /^execution reverted/.test(exchange.theirs.error?.message ?? ''),
  },
  {
    name: 'estimate that is not the least',
    why: "what the call used when it had all the gas is where geth's search begins; a call inside that fails takes all that it gets, and less would have been enough. Both nodes run it with a unit less",
    matches: ({ path, ours, theirs, exchange }) =>
      path === 'is not the least' &&
      JSON.stringify(ours) === JSON.stringify(theirs) &&
      BigInt(String(exchange.theirs.result)) < BigInt(String(exchange.ours.result)),
  },
  {
    name: 'transactions root and size of a block with blobs',
    why: 'the blobs and their proofs are not in the block (EIP-4844)',
    matches: difference =>
      isBlock(difference) &&
      /^result\.(size|transactionsRoot)$/.test(difference.path) &&
      readSize(difference.exchange.theirs) > 131_072 &&
      readSize(difference.exchange.ours) < 131_072,
  },
  {
    name: 'gas that Berlin refunds',
    why: '15,000 for a slot that is cleared and 24,000 for a contract that destroys itself, up to half of the gas (EIP-2200, yellow paper); anvil refunds as from London on (EIP-3529), 4,800 and nothing',
    matches: ({ path, exchange: { request, ours, theirs } }) => {
      if (!/^eth_get(BlockBy|TransactionReceipt)/.test(request.method)) return false
      if (!/^result\.(gasUsed|cumulativeGasUsed|receiptsRoot)$/.test(path)) return false
      const [less = 0n, more = 0n] = [ours, theirs].map(readGasUsed)
      return less < more && less * 2n >= more
    },
    ruleset: 'berlin',
  },
  {
    name: 'call that pays less than the base fee',
    why: 'geth refuses it, unless it pays nothing (EIP-1559); anvil does not look',
    matches: ({ path, exchange: { ours, request } }) =>
      (path === 'error' || path === 'answer') &&
      /^max fee per gas less than block base fee/.test(ours.error?.message ?? '') &&
      (request.params[0] as { gasPrice?: string }).gasPrice === '0x1',
  },
  {
    name: 'logs with fewer topics than positions',
    why: 'geth gives none of them, also where the position is null; the others are the same',
    matches: ({ path, ours, theirs, exchange: { request } }) => {
      if (path !== 'result' || request.method !== 'eth_getLogs') return false
      const { topics } = request.params[0] as { topics?: readonly unknown[] }
      const logs = (theirs as Log[]).filter(log => log.topics.length >= (topics?.length ?? 0))
      return listPlaces(logs) === listPlaces(ours as Log[])
    },
  },
  {
    name: 'estimate of a transfer that fails',
    isRare: true,
    why: 'the sender cannot pay for gas, or a precompiled contract refuses its input; anvil gives 21,000 for a call without data and runs nothing',
    matches: ({ path, exchange: { request, ours, theirs } }) =>
      path === 'answer' &&
      request.method === 'eth_estimateGas' &&
      theirs.result === '0x5208' &&
      /^(insufficient funds for |gas required exceeds allowance|value out of range$|invalid input length$)/.test(
        ours.error?.message ?? '',
      ),
  },
  {
    name: 'estimate of a sender who cannot pay for as much gas as is asked for',
    isRare: true,
    why: 'geth estimates with as much as the sender can pay for',
    matches: ({ path, exchange: { request, ours, theirs } }) =>
      path === 'answer' &&
      request.method === 'eth_estimateGas' &&
      ours.error === undefined &&
      'gasPrice' in (request.params[0] as object) &&
      theirs.error?.message === 'Insufficient funds for gas * price + value',
  },
  refusal(
    'eth_getLogs',
    /^invalid block range params$/,
    'execution-apis refuses a range that ends before it begins',
  ),
  refusal(
    'eth_getLogs',
    /^block range extends beyond current head block$/,
    'execution-apis refuses a range beyond the head',
  ),
  refusal(
    'eth_sendRawTransaction',
    /^invalid sender$/,
    'geth refuses a legacy transaction of another chain; anvil drops it later',
  ),
  words(
    /^(out of gas(: (out of gas|gas uint64 overflow|not enough gas for reentrancy sentry))?|gas uint64 overflow)$/,
    /^EVM error (OutOfGas|(Memory|MemoryLimit|InvalidOperand|Precompile|ReentrancySentry)OOG)$/,
  ),
  words(
    /^(gas required exceeds allowance|gas uint64 overflow$)/,
    /^Out of gas: gas required exceeds allowance/,
  ),
  words(/^insufficient funds for transfer$/, /^Out of gas: gas required exceeds allowance/),
  words(/^gas required exceeds allowance/, /^Insufficient funds for gas \* price \+ value$/),
  words(/^insufficient funds for gas/, /^Insufficient funds for gas \* price \+ value$/),
  words(/^intrinsic gas too low: /, /^intrinsic gas too high -- CallGasCostMoreThanGasLimit$/),
  words(/^stack underflow \(/, /^EVM error StackUnderflow$/),
  // What DUP and SWAP do not find is an overflow to revm.
  words(/^stack underflow \(/, /^EVM error StackOverflow$/),
  // Bytes of memory that are run as init code; our default profile has transient storage, PUSH0 and MCOPY.
  words(/^stack underflow \(/, /^EVM error NotActivated$/, true),
  // geth counts init code that is too long (EIP-3860) as one of those that run out of gas.
  words(
    /^(out of gas(: max initcode size exceeded: |$)|gas required exceeds allowance)/,
    /^EVM error CreateInitCodeSizeLimit$/,
    true,
  ),
  // Return data that is not there, to memory that nobody can pay for.
  words(/^return data out of bounds$/, /^EVM error (InvalidOperand|Memory)OOG$/, true),
  words(/^stack limit reached 1024/, /^EVM error StackOverflow$/, true),
  words(/^invalid jump destination$/, /^EVM error InvalidJump$/),
  words(/^invalid opcode: INVALID$/, /^EVM error InvalidFEOpcode$/),
  words(/^invalid opcode: opcode 0x/, /^EVM error (OpcodeNotFound|NotActivated)$/),
  words(/^return data out of bounds$/, /^EVM error OutOfOffset$/),
  words(/^header not found$/, /^(BlockOutOfRangeError|Resource not found)/),
  words(/^invalid argument 0: json: cannot unmarshal hex string of odd length/, /hex string$/),
  words(/^missing value for required argument 0$/, /^invalid length 0/),
  words(/^invalid argument 0: cannot specify both/, /^cannot specify both/),
  words(/^both "data" and "input" are set and not equal/, /^execution reverted$/),
  words(/^already known$/, /^transaction already imported$/),
  words(/^nonce too low$/, /^nonce too low$/),
  words(/^invalid sender$/, /^invalid chain id for signer$/),
  words(/^insufficient funds for gas/, /^intrinsic gas too high -- /),
  words(/^insufficient funds for transfer$/, /^Insufficient funds for gas/),
  words(/^gas required exceeds allowance/, /^EVM error PrecompileError$/),
  words(
    /^invalid argument 0: json: cannot unmarshal hex string without 0x prefix/,
    /^(execution reverted|Insufficient funds for gas \* price \+ value)$/,
  ),
  words(/^storage key too long/, /expected a 32 byte hex string$/),
  words(/^invalid argument 0: field to: hex string has length 4/, /^invalid string length$/),
  words(/^transaction type not supported$/, /^Failed to decode transaction$/),
  words(/^insufficient gas for floor data gas cost/, /GasFloorMoreThanGasLimit$/),
  // Of modular exponentiation (EIP-2565) geth says that it is out of gas where the length of a number is too large.
  words(
    /^(invalid input length|value out of range|out of gas|bn256: malformed point)$/,
    /^EVM error PrecompileError$/,
  ),
  words(/^exceeds block gas limit$/, /^intrinsic gas too high/),
]
