import { describe, expect, it } from 'vitest'
import { decodeHex, type Hex } from '../codec/hex.ts'
import { listAlloc, setUpEngine, WALLETS } from '../testing/engine-setup.ts'
import { configOf } from '../testing/official/networks.ts'
import { builtInGenesis, readGenesis } from './genesis/genesis.ts'

const RECIPIENT = `0x${'aa'.repeat(20)}`

describe('produceBlock', () => {
  it('takes candidates in their order and pays the miner', async () => {
    const setup = await setUpEngine()
    const { block, receipts, refused } = await setup.produce([
      await setup.sign(0, { to: RECIPIENT, value: 5n, gasLimit: 21_000n }),
      await setup.sign(0, { to: RECIPIENT, value: 6n, gasLimit: 21_000n, nonce: 1 }),
      await setup.sign(1, { to: RECIPIENT, value: 7n, gasLimit: 90_000n }),
    ])
    expect(refused).toEqual([])
    expect(receipts.map(({ gasUsed, status }) => [gasUsed, status])).toEqual([
      [21_000n, true],
      [21_000n, true],
      [21_000n, true],
    ])
    const { stateRoot, miner, gasUsed } = block.header
    expect(gasUsed).toBe(63_000n)
    expect(setup.engine.readAccount(stateRoot, RECIPIENT as Hex)?.balance).toBe(18n)
    expect(setup.engine.readAccount(stateRoot, miner)?.balance).toBe(63_000n * 10n ** 9n)
  })

  it('refuses with geth’s texts what cannot be in the block, and leaves what waits for it', async () => {
    const setup = await setUpEngine()
    await setup.produce([await setup.sign(0, { to: RECIPIENT, gasLimit: 21_000n })])
    const sender = (wallet: number) => `address ${WALLETS[wallet]?.address}`
    const { block, refused } = await setup.produce([
      await setup.sign(0, { to: RECIPIENT, gasLimit: 21_000n, nonce: 0 }),
      await setup.sign(0, { to: RECIPIENT, gasLimit: 21_000n, nonce: 1 }),
      await setup.sign(1, { to: RECIPIENT, gasLimit: 21_000n, nonce: 2 }),
      await setup.sign(2, { to: RECIPIENT, value: 10n ** 21n, gasLimit: 21_000n }),
      await setup.sign(2, { to: RECIPIENT, gasLimit: 21_000n, nonce: 1 }),
      await setup.sign(3, { to: RECIPIENT, gasLimit: 20_999n }),
    ])
    expect(refused.map(({ reason }) => reason)).toEqual([
      `nonce too low: ${sender(0)}, tx: 0 state: 1`,
      `nonce too high: ${sender(1)}, tx: 2 state: 0`,
      `insufficient funds for gas * price + value: ${sender(2)} have 1000000000000000000000 want 1000000021000000000000`,
      'intrinsic gas too low: have 20999, want 21000',
    ])
    expect(block.transactions.length).toBe(1)
  })

  it('leaves out what has no room, with what follows of its sender', async () => {
    const setup = await setUpEngine()
    const { block, refused } = await setup.produce(
      [
        await setup.sign(0, { to: RECIPIENT, gasLimit: 60_000n }),
        await setup.sign(1, { to: RECIPIENT, gasLimit: 90_000n }),
        await setup.sign(1, { to: RECIPIENT, gasLimit: 21_000n, nonce: 1 }),
        await setup.sign(2, { to: RECIPIENT, gasLimit: 21_000n }),
      ],
      100_000n,
    )
    expect(refused).toEqual([])
    expect(block.transactions.map(({ from }) => from)).toEqual(
      [0, 2].map(wallet => WALLETS[wallet]?.address.toLowerCase()),
    )
  })

  it('gives contracts the hashes of blocks before', async () => {
    const setup = await setUpEngine()
    await setup.produce([])
    // Returns BLOCKHASH of 0 as the code of the contract.
    const data = '0x6000405f5260205ff3'
    const { receipts, block } = await setup.produce([await setup.sign(0, { data })])
    const created = receipts[0]?.contractAddress as Hex
    const code = setup.engine.readCode(block.header.stateRoot, created)
    expect(`0x${Buffer.from(code).toString('hex')}`).toBe(setup.headers[0]?.hash)
  })

  it('makes blocks that executeBlock takes, and refuses them changed', async () => {
    const [ours, other] = [await setUpEngine(), await setUpEngine()]
    const { block } = await ours.produce([
      await ours.sign(0, { to: RECIPIENT, value: 5n, gasLimit: 21_000n }),
      await ours.sign(1, { data: '0x600a600c600039600a6000f3602a60005260206000f3' }),
    ])
    const read = other.engine.decodeBlock(block.rlp)
    expect(read.header).toEqual(block.header)
    const changed = { ...read, header: { ...read.header, gasUsed: 1n } }
    await expect(other.engine.executeBlock(other.head(), changed, () => null)).rejects.toThrow(
      `block 1: its gasUsed is 1, execution gives ${block.header.gasUsed}`,
    )
    const executed = await other.execute(read)
    expect(executed.block.header).toEqual(block.header)
    await expect(other.engine.executeBlock(other.head(), read, () => null)).rejects.toThrow(
      'its parent is',
    )
  })

  it('lets balances wrap at 256 bits, also those of contracts', async () => {
    const full: Hex = `0x${'f'.repeat(64)}`
    const [plain, contract] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`] as const
    const alloc = {
      ...listAlloc(),
      [plain]: { balance: full },
      [contract]: { balance: full, code: '0x00' as Hex },
    }
    const setup = await setUpEngine(builtInGenesis('mainnet', { profile: 'default', alloc }))
    const { block, receipts } = await setup.produce([
      await setup.sign(0, { to: plain, value: 5n, gasLimit: 21_000n }),
      await setup.sign(1, { to: contract, value: 7n, gasLimit: 30_000n }),
    ])
    expect(receipts.map(({ status }) => status)).toEqual([true, true])
    const balanceOf = (address: Hex) =>
      setup.engine.readAccount(block.header.stateRoot, address)?.balance
    expect([balanceOf(plain), balanceOf(contract)]).toEqual([4n, 6n])
  })

  // 10 MiB less 2 MiB (EIP-7934).
  it('makes no block of more than 8 MiB from Osaka on, and takes none', async () => {
    const describe = (forks: object) =>
      readGenesis({
        config: { ...configOf('Prague'), ...forks },
        ...{ gasLimit: '0x11e1a300', difficulty: '0x0', alloc: listAlloc() },
      })
    const before = await setUpEngine(describe({}))
    const [ours, other] = [
      await setUpEngine(describe({ osakaTime: 0 })),
      await setUpEngine(describe({ osakaTime: 0 })),
    ]
    const unsigned = {
      ...{ nonce: 0n, to: RECIPIENT as Hex, value: 0n, gas: 14_100_000n, gasPrice: 10n ** 9n },
      input: new Uint8Array(1_400_000),
    }
    const large = WALLETS.slice(0, 6).map(({ privateKey }) =>
      ours.engine.signTransaction(unsigned, decodeHex(privateKey as Hex)),
    )
    const full = await ours.produce(large, 300_000_000n)
    expect(full.refused).toEqual([])
    expect(full.block.transactions.length).toBe(5)
    const { block } = await before.produce(large, 300_000_000n)
    expect(block.transactions.length).toBe(6)
    await expect(other.execute(block)).rejects.toThrow(
      `it has ${block.rlp.length} bytes, at most 8388608 are allowed`,
    )
    await other.execute(other.engine.decodeBlock(full.block.rlp))
    expect(other.head()).toEqual(ours.head())
  })
})
