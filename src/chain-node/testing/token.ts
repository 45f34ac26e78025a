import { readFileSync } from 'node:fs'
import solc from 'solc'
import { type Hex, parseAbi } from 'viem'

/** Of `examples/Token.sol`. */
export const TOKEN_ABI = parseAbi([
  'constructor(uint256 supply)',
  'function name() view returns (string)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'error InsufficientBalance(uint256 available, uint256 required)',
  'error InsufficientAllowance(uint256 available, uint256 required)',
])

/** Of the contract of that name in `contracts.sol`, in part. */
export const PROBE_ABI = parseAbi([
  'function failWithReason() pure',
  'function failSilently() pure',
  'function failAssertion(uint256 value) pure',
  'function divide(uint256 a, uint256 b) pure returns (uint256)',
  'function stored() view returns (uint256)',
  'function store(uint256 value) payable',
  'function copy(bytes value) returns (bytes)',
])

export interface CompiledToken {
  readonly token: Hex
  readonly probe: Hex
  /** Names of the opcodes of both. */
  readonly opcodes: ReadonlySet<string>
}

/** Compiles an ERC-20 token, and a contract that fails in many ways, for the fork that the compiler takes by itself. */
export function compileToken(): CompiledToken {
  const read = (path: string) => ({ content: readFileSync(new URL(path, import.meta.url), 'utf8') })
  const input = {
    language: 'Solidity',
    sources: {
      'Token.sol': read('../examples/Token.sol'),
      'contracts.sol': read('contracts.sol'),
    },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.bytecode.opcodes'] } },
    },
  }
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)))
  const fault = errors.find(({ severity }: { severity: string }) => severity === 'error')
  if (fault) throw new Error(fault.formattedMessage)
  const token = contracts['Token.sol'].Token.evm.bytecode
  const probe = contracts['contracts.sol'].Probe.evm.bytecode
  return {
    token: `0x${token.object}`,
    probe: `0x${probe.object}`,
    opcodes: new Set(`${token.opcodes} ${probe.opcodes}`.split(' ')),
  }
}
