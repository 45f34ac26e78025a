import { readFileSync } from 'node:fs'
import { Interface, type InterfaceAbi } from 'ethers'
import solc from 'solc'
import type { CompiledContract } from '../contracts.ts'

/** Which rules both nodes follow: our own profile beside anvil's Berlin, or all forks up to Prague on both. */
export type Ruleset = 'berlin' | 'prague'

export const CONTRACT_NAMES = ['Token', 'Ledger', 'Failure', 'Caller', 'Factory'] as const
export type ContractName = (typeof CONTRACT_NAMES)[number]
export type CompiledContracts = { readonly [name in ContractName]: CompiledContract }

interface Artifact {
  readonly abi: InterfaceAbi
  readonly evm: { readonly bytecode: { readonly object: string } }
}

/** Compiles `differential.sol` for a fork. */
export function compileDifferential(ruleset: Ruleset): CompiledContracts {
  const content = readFileSync(new URL('differential.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'differential.sol': { content } },
    settings: {
      evmVersion: ruleset,
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output: {
    errors?: { severity: string; formattedMessage: string }[]
    contracts: { 'differential.sol': { [name: string]: Artifact } }
  } = JSON.parse(solc.compile(JSON.stringify(input)))
  const faults = output.errors?.filter(({ severity }) => severity === 'error') ?? []
  if (faults.length > 0) throw new Error(faults.map(fault => fault.formattedMessage).join('\n'))
  const contracts = Object.entries(output.contracts['differential.sol'])
  return Object.fromEntries(
    contracts.map(([name, { abi, evm }]) => [
      name,
      { abi: new Interface(abi), initCode: `0x${evm.bytecode.object}` },
    ]),
  ) as unknown as CompiledContracts
}
