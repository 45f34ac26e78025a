/**
 * Deploys a token on a running chain node, moves some of it, and shows what the node tells of that. First
 * `npm run chain-node -- --dev`, then in a second terminal `npx tsx src/chain-node/examples/erc20.ts [URL]`.
 */
import { readFileSync } from 'node:fs'
import solc from 'solc'
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  formatEther,
  getAbiItem,
  type Hex,
  hexToBigInt,
  http,
  parseAbi,
  parseEther,
  webSocket,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

const url = process.argv[2] ?? 'http://127.0.0.1:8545'
/** Everybody knows it: `--dev` gives each of its first ten accounts 10,000 coins. */
const phrase = 'test test test test test test test test test test test junk'

const abi = parseAbi([
  'constructor(uint256 supply)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'error InsufficientBalance(uint256 available, uint256 required)',
])

await run().catch((error: unknown) => {
  const text = error instanceof BaseError ? error.shortMessage : String(error)
  console.error(`This did not work with ${url}: ${text}`)
  process.exitCode = 1
})

async function run(): Promise<void> {
  const chain = await describeChain()
  const alice = mnemonicToAccount(phrase)
  const bob = mnemonicToAccount(phrase, { addressIndex: 1 })
  const node = createPublicClient({ chain, transport: http(), pollingInterval: 200 })
  const wallet = createWalletClient({ account: alice, chain, transport: http() })

  console.log(
    `The node at ${url} has chain id ${chain.id}; its last block is ${await node.getBlockNumber()}.`,
  )
  const coins = await node.getBalance({ address: alice.address })
  console.log(`Alice is ${alice.address} and has ${formatEther(coins)} coins.`)
  const heads = await watchHeads()

  const bytecode = compile('Token.sol', 'Token')
  console.log(`The compiled token has ${bytecode.length / 2 - 1} bytes.`)
  const creation = await wallet.deployContract({ abi, bytecode, args: [parseEther('1000')] })
  const created = await node.waitForTransactionReceipt({ hash: creation })
  const address = created.contractAddress
  if (!address) throw new Error(`transaction ${creation} created no contract`)
  console.log(
    `Alice deployed it at ${address} in block ${created.blockNumber}, for ${created.gasUsed} gas.`,
  )

  for (const amount of ['25', '17.5']) {
    const hash = await wallet.writeContract({
      address,
      abi,
      functionName: 'transfer',
      args: [bob.address, parseEther(amount)],
    })
    const { status, blockNumber, gasUsed } = await node.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`transaction ${hash} was reverted`)
    console.log(`Alice sent Bob ${amount} tokens in block ${blockNumber}, for ${gasUsed} gas.`)
  }
  for (const [name, owner] of [
    ['Alice', alice],
    ['Bob', bob],
  ] as const) {
    const args = [owner.address] as const
    const balance = await node.readContract({ address, abi, functionName: 'balanceOf', args })
    console.log(`${name} has ${formatEther(balance)} tokens.`)
  }

  const args = [alice.address, parseEther('100')] as const
  const refusal = await node
    .simulateContract({ account: bob, address, abi, functionName: 'transfer', args })
    .then(() => null, findRevert)
  if (!refusal) throw new Error('Bob could have sent more than he has')
  console.log(`Bob cannot send 100 tokens: the contract reverts with ${refusal}.`)

  const event = getAbiItem({ abi, name: 'Transfer' })
  const logs = await node.getLogs({ address, event, fromBlock: created.blockNumber, strict: true })
  console.log(`eth_getLogs finds ${logs.length} transfers:`)
  for (const { blockNumber, args } of logs) {
    console.log(
      `  in block ${blockNumber}, ${formatEther(args.value)} from ${args.from} to ${args.to}`,
    )
  }

  const last = await node.getBlockNumber()
  await heads.waitFor(last)
  heads.close()
  console.log(`The WebSocket told of the blocks up to ${last}. Done.`)
}

/** What viem wants to know of a chain. */
async function describeChain() {
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  return defineChain({
    id: await client.getChainId(),
    name: 'Local',
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
}

/** Subscribes to `newHeads`, and prints each. */
async function watchHeads() {
  const { transport } = createPublicClient({ transport: webSocket(url.replace(/^http/, 'ws')) })
  let highest = -1n
  let notice = () => {}
  let isClosed = false
  await transport.subscribe({
    params: ['newHeads'],
    onData(data) {
      const { number, hash } = data.result as { number: Hex; hash: Hex }
      highest = hexToBigInt(number)
      console.log(`  (WebSocket: block ${highest} is ${hash})`)
      notice()
    },
    onError(error: unknown) {
      if (!isClosed) console.error(`  (WebSocket: ${String(error)})`)
    },
  })
  const socket = await transport.getRpcClient()
  return {
    close() {
      isClosed = true
      socket.close()
    },
    waitFor: (number: bigint) =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          reject,
          10_000,
          new Error(`the WebSocket never told of block ${number}`),
        )
        notice = () => {
          if (highest < number) return
          clearTimeout(timer)
          resolve()
        }
        notice()
      }),
  }
}

function compile(file: string, name: string): Hex {
  const content = readFileSync(new URL(file, import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { [file]: { content } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  }
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)))
  if (errors) throw new Error(errors[0].formattedMessage)
  return `0x${contracts[file][name].evm.bytecode.object}`
}

/** The contract's own error in what viem throws. */
function findRevert(error: unknown): string {
  const revert =
    error instanceof BaseError &&
    error.walk(cause => cause instanceof ContractFunctionRevertedError)
  if (!(revert instanceof ContractFunctionRevertedError)) throw error
  return `${revert.data?.errorName}(${revert.data?.args?.join(', ')})`
}
