import { readFileSync } from 'node:fs'
import solc from 'solc'
import {
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  toHex,
} from 'viem'

/** The contracts of `child-factory.sol`. */
export interface ChildFactory {
  readonly initCode: Hex
  readonly childInitCode: Hex
}

const ABI = parseAbi([
  'struct Step { address to; uint256 value; bytes data; }',
  'function run(Step[] list) payable',
  'function runAndRevert(Step[] list) payable',
  'function make(bytes32 salt) payable returns (address)',
  'function look(address who, uint256 number)',
  'function set(uint256 slot, uint256 value)',
  'function get(uint256 slot) view returns (uint256)',
  'function end(address to)',
])

/** One call of the factory. */
export interface Step {
  readonly to: Hex
  readonly value: bigint
  readonly data: Hex
}

export function compileChildFactory(): ChildFactory {
  const content = readFileSync(new URL('child-factory.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'child-factory.sol': { content } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  }
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)))
  const fault = errors.find(({ severity }: { severity: string }) => severity === 'error')
  if (fault) throw new Error(fault.formattedMessage)
  const { Child, ChildFactory } = contracts['child-factory.sol']
  return {
    initCode: `0x${ChildFactory.evm.bytecode.object}`,
    childInitCode: `0x${Child.evm.bytecode.object}`,
  }
}

/** Where the factory's child of a salt is. */
export function findChild(factory: Hex, { childInitCode }: ChildFactory, salt: number): Hex {
  const bytecodeHash = keccak256(childInitCode)
  const options = { opcode: 'CREATE2', from: factory, salt: nameSalt(salt), bytecodeHash } as const
  return getContractAddress(options).toLowerCase() as Hex
}

const nameSalt = (salt: number) => pad(toHex(salt))

/**
 * Calldata of a transaction to the factory that does some things at random with children, accounts and the factory itself.
 *
 * @param random - numbers from 0 to below its argument
 * @param lastBlock - of which the hash may be asked for
 */
export function drawRun(
  random: (below: number) => number,
  factory: Hex,
  children: readonly Hex[],
  accounts: readonly Hex[],
  lastBlock: number,
): Hex {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const slot = () => BigInt(random(4))
  const value = () => pick([0n, 0n, 1n, 7n, 2n ** 255n])
  const amount = () => pick([0n, 0n, 1n, 1_000n])
  const inner = (to: Hex, data: Hex, sent = 0n): Step => ({ to, value: sent, data })

  function drawStep(): Step {
    const salt = random(children.length)
    const child = children[salt] as Hex
    switch (random(9)) {
      case 0:
      case 1: {
        const data = { abi: ABI, functionName: 'make', args: [nameSalt(salt)] } as const
        return inner(factory, encodeFunctionData(data), amount())
      }
      case 2:
        return inner(
          child,
          encodeFunctionData({ abi: ABI, functionName: 'end', args: [pick([...accounts, child])] }),
        )
      case 3: {
        const who = pick([...children, ...accounts])
        const number = BigInt(Math.max(0, lastBlock - random(5)))
        const data = { abi: ABI, functionName: 'look', args: [who, number] } as const
        return inner(factory, encodeFunctionData(data))
      }
      case 4:
        return inner(pick([...children, ...accounts]), '0x', amount())
      case 5:
        return inner(child, encodeFunctionData({ abi: ABI, functionName: 'get', args: [slot()] }))
      default:
        return inner(
          child,
          encodeFunctionData({ abi: ABI, functionName: 'set', args: [slot(), value()] }),
        )
    }
  }

  const steps = Array.from({ length: 1 + random(6) }, drawStep)
  const functionName = random(8) === 0 ? 'runAndRevert' : 'run'
  return encodeFunctionData({ abi: ABI, functionName, args: [steps] })
}
