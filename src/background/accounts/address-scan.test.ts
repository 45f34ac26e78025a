import * as secp256k1 from '@bitcoinerlab/secp256k1'
import { hex } from '@scure/base'
import { p2wpkh } from '@scure/btc-signer'
import { ECPairFactory } from 'ecpair'
import { describe, expect, it } from 'vitest'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { createDevice } from '../testing/device-wallet.ts'
import { createWorld, PASSWORD, startUnlocked, startWorker } from '../testing/test-wallet.ts'

/** A wallet on mainnet whose server knows these addresses; `most` is how many it was asked at the same time. */
async function startScanning(transactions: { [address: string]: number }) {
  const world = createWorld()
  const asked: string[] = []
  const load = { now: 0, most: 0 }
  const fetchBalance = async (address: string) => {
    asked.push(address)
    load.now++
    load.most = Math.max(load.most, load.now)
    await new Promise(resolve => setTimeout(resolve, 1))
    load.now--
    const count = transactions[address] ?? 0
    if (count < 0) throw new BackendUnavailableError(PROBLEM)
    return { confirmed: BigInt(count) * 1000n, unconfirmed: -1n, transactions: count }
  }
  Object.assign(world.chain.chain, { fetchBalance })
  const worker = await startUnlocked(world)
  await worker.ui('selectNetwork', { network: 'mainnet' })
  return { ...worker, world, asked, load }
}

const PROBLEM = { kind: 'unreachable', host: 'server', detail: 'gone', retryInMs: null } as const

/** Of BIP-84's phrase: the first two receiving addresses and the first change address. */
const [FIRST, SECOND] = [
  'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
]
const CHANGE = 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el'
const range = { addressType: 'p2wpkh', line: 'receive', from: 0, count: 20 } as const

describe('a scan', () => {
  it('finds the used ones among as many addresses as it is asked for', async () => {
    const { ui, asked } = await startScanning({ [FIRST]: 2, [SECOND]: 1, [CHANGE]: 7 })
    expect(await ui('scanAddresses', range)).toEqual({
      used: [
        { index: 0, path: "m/84'/0'/0'/0/0", address: FIRST, balance: '1999', transactions: 2 },
        { index: 1, path: "m/84'/0'/0'/0/1", address: SECOND, balance: '999', transactions: 1 },
      ],
    })
    expect(new Set(asked).size).toBe(20)
    expect(await ui('scanAddresses', { ...range, from: 1, count: 3 })).toMatchObject({
      used: [{ index: 1 }],
    })
    expect(await ui('scanAddresses', { ...range, line: 'change', count: 1 })).toMatchObject({
      used: [{ index: 0, address: CHANGE, transactions: 7 }],
    })
  })

  it('asks for two addresses at the same time, never for more', async () => {
    const { ui, load } = await startScanning({})
    await ui('scanAddresses', { ...range, count: 40 })
    expect(load.most).toBe(2)
  })

  it('stores nothing', async () => {
    const { ui, world } = await startScanning({ [FIRST]: 1 })
    const before = [world.local.dump(), world.session.dump()]
    await ui('scanAddresses', { ...range, line: 'accounts' })
    expect([world.local.dump(), world.session.dump()]).toEqual(before)
  })

  it('takes no server’s silence for an unused address, and asks it no further', async () => {
    const { ui, asked } = await startScanning({ [SECOND]: -1 })
    await expect(ui('scanAddresses', { ...range, count: 40 })).rejects.toMatchObject({
      data: { reason: 'BACKEND_UNAVAILABLE' },
    })
    expect(asked.length).toBeLessThan(10)
  })

  it('is refused for ranges that make no sense, and without a phrase', async () => {
    const { ui } = await startScanning({})
    for (const change of [
      { count: 41 },
      { count: 0 },
      { count: 1.5 },
      { from: -1 },
      { from: 2 ** 31 - 1 },
      { line: 'sideways' },
      { addressType: 'p2wsh' },
    ])
      await expect(
        ui('scanAddresses', { ...range, ...change } as never),
        JSON.stringify(change),
      ).rejects.toMatchObject({ code: -32602 })
    const other = startWorker(createWorld())
    const wif = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617'
    const origin = { kind: 'wif', wif, addressType: 'p2tr' } as const
    await other.ui('createVault', { origin, password: 'long enough' })
    await expect(other.ui('scanAddresses', range)).rejects.toMatchObject({
      data: { reason: 'NO_PHRASE' },
    })
  })
})

describe('what a scan found', () => {
  it('becomes accounts, once', async () => {
    const { ui } = await startScanning({})
    const found = [
      { addressType: 'p2wpkh', line: 'receive', index: 0 },
      { addressType: 'p2wpkh', line: 'receive', index: 1 },
    ] as const
    const added = await ui('addScanned', { found: [...found] })
    expect(added).toMatchObject([{ address: SECOND, source: 'seed' }])
    expect(await ui('addScanned', { found: [...found] })).toEqual([])
    const bad = [{ ...found[0], index: -1 }]
    await expect(ui('addScanned', { found: bad })).rejects.toMatchObject({ code: -32602 })
  })
})

describe('a look at two keys of a device', () => {
  const device = createDevice()
  const pair = { descriptor: device.describe('p2wpkh'), ordinals: device.describe('p2tr') }

  async function startLooking(...used: [type: 'p2wpkh' | 'p2tr', branch: 0 | 1, index: number][]) {
    const transactions = used.map(place => [device.addressAt(...place), 1] as const)
    const started = await startScanning(Object.fromEntries(transactions))
    await started.ui('selectNetwork', { network: 'regtest' })
    return started
  }

  it.each<[string, Parameters<typeof startLooking>, object]>([
    ['neither', [], { payment: false, ordinals: false, others: 0 }],
    [
      'one address of each',
      [
        ['p2wpkh', 0, 0],
        ['p2tr', 0, 0],
      ],
      { payment: true, ordinals: true, others: 0 },
    ],
    [
      'many of the second',
      [
        ['p2wpkh', 0, 3],
        ['p2tr', 0, 0],
        ['p2tr', 0, 19],
        ['p2tr', 1, 5],
      ],
      { payment: false, ordinals: true, others: 2 },
    ],
  ])('tells that %s was used, and stores nothing', async (_, used, told) => {
    const { ui, world } = await startLooking(...used)
    const before = JSON.stringify([world.local.dump(), world.session.dump()])
    expect(await ui('scanDevicePair', pair)).toEqual(told)
    expect(JSON.stringify([world.local.dump(), world.session.dump()])).toBe(before)
  })

  it('is refused for keys that are no pair, and names the parameter', async () => {
    const { ui, asked } = await startLooking()
    const wrong = [
      [{ ...pair, ordinals: device.describe('p2sh-p2wpkh') }, /^ordinals: /],
      [{ ...pair, descriptor: 'wpkh(' }, /^descriptor: /],
      [{ ...pair, descriptor: 7 as never }, /^descriptor: /],
    ] as const
    for (const [params, message] of wrong)
      await expect(ui('scanDevicePair', params)).rejects.toMatchObject({
        ...{ code: -32602, message: expect.stringMatching(message) },
      })
    expect(asked).toEqual([])
  })
})

describe('the path of another wallet', () => {
  /** BIP-44's first key of the phrase `abandon … about`, as the address that UniSat once made of it. */
  const KEY = '03aaeb52dd7494c361049de67cc680e83ebcbbbdbeb13637d92cd845f70308af5e'
  const ADDRESS = p2wpkh(hex.decode(KEY)).address ?? ''
  const line = "m/44'/c'/0'/0/i"

  it('is searched, and what is found becomes an account whose key signs and which can have many addresses', async () => {
    const { ui, world } = await startScanning({ [ADDRESS]: 3 })
    const question = { addressType: 'p2wpkh', line, from: 0, count: 10 } as const
    const found = { index: 0, path: "m/44'/0'/0'/0/0", address: ADDRESS }
    expect(await ui('scanAddresses', question)).toMatchObject({ used: [found] })
    const place = { addressType: 'p2wpkh', line, index: 0 } as const
    const [added] = await ui('addScanned', { found: [place, place] })
    expect(added).toMatchObject({ address: ADDRESS, derivationPath: found.path, publicKey: KEY })
    const accountId = added?.id ?? ''
    await ui('selectAccount', { accountId })
    expect(await ui('getState', null)).toMatchObject({ accountId })
    const key = await ui('revealKey', { password: PASSWORD, accountId })
    const wif = key.accepted ? key.wif : ''
    expect(ECPairFactory(secp256k1).fromWIF(wif).publicKey).toEqual(hex.decode(KEY))
    await ui('setManyAddresses', { accountId, on: true })
    const again = startWorker(world)
    const { accounts } = await again.ui('getState', null)
    expect(accounts.find(({ id }) => id === accountId)?.descriptor).toMatch(
      /^wpkh\(\[73c5da0a\/44h\/0h\/0h\]xpub\w+\/<0;1>\/\*\)/,
    )
    // An address of the same account is not added a second time.
    expect(await ui('addScanned', { found: [{ ...place, index: 4 }] })).toEqual([])
  })

  it('has no Taproot address beside it, as that would be of the same key', async () => {
    const { ui } = await startScanning({})
    const found = [{ addressType: 'p2wpkh', line, index: 0 } as const]
    const [added] = await ui('addScanned', { found })
    await expect(
      ui('setOrdinalsAddress', { accountId: added?.id ?? '', on: true }),
    ).rejects.toMatchObject({ data: { reason: 'NO_ORDINALS_ADDRESS' } })
    const pair = [{ addressType: 'p2tr', line, index: 0 } as const]
    const [taproot] = await ui('addScanned', { found: pair })
    const ids = { accountId: added?.id ?? '', ordinalsId: taproot?.id ?? '' }
    await expect(ui('joinAccounts', { ...ids, name: 'Both' })).rejects.toMatchObject({
      data: { reason: 'NO_ORDINALS_ADDRESS' },
    })
  })

  it.each(["m/44'/c'/0'/0/0", 'm/i/i', 'm/2147483648/i', 'somewhere'])(
    'is refused where it is %s',
    async path => {
      const { ui } = await startScanning({})
      const line = path as 'receive'
      const invalid = { code: -32602 }
      const place = { addressType: 'p2wpkh', line, index: 0 } as const
      await expect(ui('addScanned', { found: [place] })).rejects.toMatchObject(invalid)
      await expect(ui('scanAddresses', { ...range, line })).rejects.toMatchObject(invalid)
    },
  )
})
