import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HDNodeWallet, Interface, keccak256, Mnemonic, parseUnits, Transaction } from 'ethers'
import solc from 'solc'
import { askOnce, bodyFor, type Load, sendLists } from './http-load.ts'

const SOURCE = join(import.meta.dirname, '../../../src/chain-node/examples/Token.sol')
const PHRASE = 'test test test test test test test test test test test junk'
const CHAIN_ID = 66
const SUPPLY = 10n ** 24n
/** Above the base fee of the nodes that have one. */
const GAS_PRICE = parseUnits('50', 'gwei')

export const SENDERS = Array.from({ length: 16 }, (_, index) =>
  HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(PHRASE), `m/44'/60'/0'/0/${index}`),
)

const compiled = compileToken()
export const TOKEN = new Interface(compiled.abi)

/** Some nodes answer before they have made the block. */
async function waitForReceipt(load: Load, hash: string): Promise<{ contractAddress: string }> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    const receipt = await askOnce<{ contractAddress: string } | null>(
      load,
      'eth_getTransactionReceipt',
      [hash],
    )
    if (receipt !== null) return receipt
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`${hash} is in no block`)
}

/** Gives the senders that the chain does not fund what the first of them has too much of; then a token that all of them hold. */
export async function deployToken(load: Load, mine: () => Promise<void>): Promise<string> {
  const sign = await openSigner(load, 0)
  const poor = SENDERS.slice(10).map(({ address }) =>
    sign({ to: address, value: parseUnits('100', 'ether'), gas: 21_000n }),
  )
  const deployment = sign({
    data: compiled.bytecode + TOKEN.encodeDeploy([SUPPLY]).slice(2),
    gas: 2_000_000n,
  })
  await sendLists(load, [[...poor, deployment].map(rawBody)])
  await mine()
  const address = (await waitForReceipt(load, keccak256(deployment))).contractAddress
  const shares = SENDERS.slice(1).map(sender =>
    sign(transferOf(address, sender.address, 1_000_000n)),
  )
  await sendLists(load, [shares.map(rawBody)])
  await mine()
  return address
}

export function transferOf(token: string, to: string, amount: bigint) {
  return { to: token, data: TOKEN.encodeFunctionData('transfer', [to, amount]), gas: 100_000n }
}

export type Order = { to?: string; value?: bigint; data?: string; gas: bigint }

/** Signs transactions of one sender, each with the nonce after the one before. */
export async function openSigner(load: Load, index: number) {
  const wallet = SENDERS[index]
  if (!wallet) throw new RangeError(`There is no sender ${index}`)
  const count = await askOnce<string>(load, 'eth_getTransactionCount', [wallet.address, 'pending'])
  let nonce = Number(count)
  return ({ gas, ...order }: Order): string => {
    const transaction = Transaction.from({
      ...order,
      type: 0,
      chainId: CHAIN_ID,
      nonce: nonce++,
      gasLimit: gas,
      gasPrice: GAS_PRICE,
    })
    transaction.signature = wallet.signingKey.sign(transaction.unsignedHash)
    return transaction.serialized
  }
}

export function rawBody(signed: string): string {
  return bodyFor('eth_sendRawTransaction', [signed])
}

function compileToken() {
  const input = {
    language: 'Solidity',
    sources: { 'token.sol': { content: readFileSync(SOURCE, 'utf8') } },
    settings: {
      // What every one of the nodes can run.
      evmVersion: 'berlin',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input)))
  const [contract] = Object.values(contracts['token.sol']) as {
    abi: string[]
    evm: { bytecode: { object: string } }
  }[]
  if (!contract) throw new Error(`${SOURCE} has no contract`)
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
}
