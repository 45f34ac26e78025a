import { JsonRpcProvider, Wallet } from 'ethers'
import { createWalletClient, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it, onTestFinished } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { askEach } from '../testing/json-rpc-client.ts'
import { startRunningNode } from '../testing/running-node.ts'
import { compileToken, TOKEN_ABI } from '../testing/token.ts'

async function start(...args: string[]) {
  const node = await startRunningNode(args)
  onTestFinished(() => node.close())
  return node
}

const DOMAIN = {
  name: 'Shop',
  version: '1',
  chainId: 66n,
  verifyingContract: `0x${'42'.repeat(20)}`,
}
const TYPES = {
  Order: [
    { name: 'buyer', type: 'Person' },
    { name: 'items', type: 'Person[]' },
    { name: 'price', type: 'int64' },
  ],
  Person: [{ name: 'name', type: 'string' }],
}
const ORDER = { buyer: { name: 'Ann' }, items: [{ name: 'Bob' }, { name: '' }], price: -5n }

it('an unlocked account signs for ethers what its key signs', async () => {
  const { url } = await start('--dev')
  const provider = new JsonRpcProvider(url)
  onTestFinished(() => provider.destroy())
  const signer = await provider.getSigner()
  const wallet = new Wallet(DEV_KEYS[0] as string)
  expect(signer.address).toBe(wallet.address)
  expect(await signer.signMessage('hello')).toBe(wallet.signMessageSync('hello'))
  expect(await signer.signTypedData(DOMAIN, TYPES, ORDER)).toBe(
    await wallet.signTypedData(DOMAIN, TYPES, ORDER),
  )
})

it('an unlocked account signs typed data for viem as its key does', async () => {
  const { url } = await start('--dev')
  const own = privateKeyToAccount(DEV_KEYS[1] as Hex)
  const writer = createWalletClient({ transport: http(url) })
  const typed = {
    types: { Order: [{ name: 'amounts', type: 'uint256[]' }] },
    primaryType: 'Order',
    domain: { name: 'Shop', chainId: 66 },
    message: { amounts: [1n, 2n ** 200n] },
  } as const
  expect(await writer.signTypedData({ account: own.address, ...typed })).toBe(
    await own.signTypedData(typed),
  )
})

it('an unlocked account deploys for viem, which names no gas', async () => {
  const { url } = await start('--dev')
  const { token } = compileToken()
  const client = createWalletClient({ transport: http(url) }).extend(publicActions)
  const hash = await client.deployContract({
    abi: TOKEN_ABI,
    bytecode: token,
    args: [1000n],
    account: privateKeyToAccount(DEV_KEYS[1] as Hex).address,
    chain: null,
  })
  const { contractAddress, status } = await client.getTransactionReceipt({ hash })
  expect(status).toBe('success')
  expect(
    await client.readContract({
      address: contractAddress as Hex,
      abi: TOKEN_ABI,
      functionName: 'totalSupply',
    }),
  ).toBe(1000n)
})

it('version 3 takes no arrays, and neither version is there without --extended', async () => {
  const data = {
    types: { Order: [{ name: 'prices', type: 'uint8[]' }] },
    primaryType: 'Order',
    domain: { name: 'Shop' },
    message: { prices: [1] },
  }
  const plain = {
    ...data,
    types: { Order: [{ name: 'price', type: 'uint8' }] },
    message: { price: 1 },
  }
  const address = new Wallet(DEV_KEYS[0] as string).address
  const ask = async (url: string, method: string, value: unknown) =>
    (await askEach(url, [{ method, params: [address, value] }]))[0]
  const { url } = await start('--dev')
  expect((await ask(url, 'eth_signTypedData_v3', data))?.error).toEqual({
    code: -32602,
    message: 'invalid argument 1: types: expected no array, of which version 3 knows nothing',
  })
  const third = (await ask(url, 'eth_signTypedData_v3', plain))?.result
  expect(third).toBe((await ask(url, 'eth_signTypedData_v4', JSON.stringify(plain)))?.result)
  const bare = await start()
  for (const method of ['eth_signTypedData_v3', 'eth_signTypedData_v4']) {
    expect((await ask(bare.url, method, plain))?.error?.code).toBe(-32601)
  }
  const extended = await start('--extended')
  expect((await ask(extended.url, 'eth_signTypedData_v4', plain))?.error).toEqual({
    code: -32000,
    message: 'unknown account',
  })
})
