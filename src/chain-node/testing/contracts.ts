import { readFileSync } from 'node:fs'
import { Interface, type InterfaceAbi } from 'ethers'
import solc from 'solc'
import type { Hex } from '../codec/hex.ts'

export interface CompiledContract {
  readonly abi: Interface
  readonly initCode: Hex
}

interface Artifact {
  readonly abi: InterfaceAbi
  readonly evm: { readonly bytecode: { readonly object: string } }
}

/** Compiles `contracts.sol`, for a fork that has PUSH0, MCOPY and transient storage. */
export function compileContracts(): { readonly [name: string]: CompiledContract } {
  const source = readFileSync(new URL('contracts.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'contracts.sol': { content: source } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output: {
    errors?: { severity: string; formattedMessage: string }[]
    contracts: { 'contracts.sol': { [name: string]: Artifact } }
  } = JSON.parse(solc.compile(JSON.stringify(input)))
  const faults = output.errors?.filter(({ severity }) => severity === 'error') ?? []
  if (faults.length > 0) throw new Error(faults.map(fault => fault.formattedMessage).join('\n'))
  return Object.fromEntries(
    Object.entries(output.contracts['contracts.sol']).map(([name, { abi, evm }]) => [
      name,
      { abi: new Interface(abi), initCode: `0x${evm.bytecode.object}` },
    ]),
  )
}
