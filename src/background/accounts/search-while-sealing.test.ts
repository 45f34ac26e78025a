import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, it } from 'vitest'
import { concatBytes, toUtf8 } from '../../bitcoin/bytes.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import {
  ABANDON_MNEMONIC,
  createWorld,
  openPage,
  PASSWORD,
  startWorker,
} from '../testing/test-wallet.ts'
import type { WalletOrigin } from '../views/account-views.ts'

const ORIGIN: WalletOrigin = { kind: 'mnemonic', mnemonic: ABANDON_MNEMONIC, passphrase: '' }

/** Of BIP-84's vectors. */
const FIRST = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
const RANGE = { addressType: 'p2wpkh', line: 'receive', from: 0, count: 5 } as const
const USED = {
  used: [{ index: 0, path: "m/84'/0'/0'/0/0", address: FIRST, balance: '5000', transactions: 2 }],
}

/** A worker that has begun to import the words; their password is stretched when `stretch` says so, or never where it fails. */
async function beginImport() {
  const world = createWorld()
  const asked: string[] = []
  const fetchBalance = async (address: string) => {
    asked.push(address)
    const isUsed = address === FIRST
    return { confirmed: isUsed ? 5000n : 0n, unconfirmed: 0n, transactions: isUsed ? 2 : 0 }
  }
  Object.assign(world.chain.chain, { fetchBalance })
  let stretch = () => {}
  let fail = (_: Error) => {}
  const stretched = new Promise<void>((resolve, reject) => {
    stretch = resolve
    fail = reject
  })
  let tell = () => {}
  const isStretching = new Promise<void>(resolve => {
    tell = resolve
  })
  const worker = startWorker(world, {
    async deriveKey(password, salt) {
      tell()
      await stretched
      return sha256(concatBytes(salt, toUtf8(password)))
    },
  })
  const sealing = worker.ui('createVault', { origin: ORIGIN, password: PASSWORD })
  // Looked at by the tests that wait for it.
  sealing.catch(() => {})
  return { ...worker, world, asked, sealing, isStretching, stretch, fail }
}

describe('a search while the words are being sealed', () => {
  it('asks no server before it is begun, and finds what it finds afterwards', async () => {
    const { ui, asked, sealing, isStretching, stretch, world } = await beginImport()
    await isStretching
    expect(asked).toEqual([])
    expect(await ui('scanAddresses', RANGE)).toEqual(USED)
    expect(asked).toHaveLength(5)
    expect(JSON.stringify(world.local.dump())).not.toContain('vault')
    stretch()
    await sealing
    expect(await ui('scanAddresses', RANGE)).toEqual(USED)
    expect(await ui('addScanned', { found: [{ ...RANGE, index: 1 }] })).toHaveLength(1)
  })

  it('may be begun in the same moment as the sealing', async () => {
    const { ui, stretch } = await beginImport()
    expect(await ui('scanAddresses', RANGE)).toEqual(USED)
    stretch()
  })

  it('is known to nobody else: there is no wallet for sites, for the screens and for what changes accounts', async () => {
    const worker = await beginImport()
    const { ui, wallet, isStretching, stretch, sealing } = worker
    await isStretching
    await ui('scanAddresses', RANGE)
    const page = openPage(worker, 'https://shop.example')
    expect(await page.call('connect')).toMatchObject({ error: { code: 4900 } })
    expect(await wallet.vault.status()).toBe('none')
    expect(await wallet.accounts.list('mainnet')).toEqual([])
    await expect(wallet.vault.open()).rejects.toThrow()
    await expect(ui('addScanned', { found: [{ ...RANGE, index: 1 }] })).rejects.toThrow()
    stretch()
    await sealing
    expect(await wallet.vault.status()).toBe('unlocked')
  })

  it('ends with it where it fails: nothing is stored, nothing can be searched, and the next try works', async () => {
    const { ui, wallet, isStretching, fail, sealing, world } = await beginImport()
    await isStretching
    await ui('scanAddresses', RANGE)
    fail(new RangeError('out of memory'))
    await expect(sealing).rejects.toThrow()
    expect(Object.keys(world.local.dump()).filter(key => key.startsWith('vault'))).toEqual([])
    expect(world.session.dump()).not.toHaveProperty(['vault.unlocked'])
    expect(await wallet.vault.status()).toBe('none')
    await expect(ui('scanAddresses', RANGE)).rejects.toThrow()
    const again = startWorker(world)
    await again.ui('createVault', { origin: ORIGIN, password: PASSWORD })
    expect(await again.ui('scanAddresses', RANGE)).toEqual(USED)
  })

  it('ends at a lock', async () => {
    const { ui, isStretching, stretch, sealing } = await beginImport()
    await isStretching
    await ui('scanAddresses', RANGE)
    await ui('lock', null)
    await expect(ui('scanAddresses', RANGE)).rejects.toThrow()
    stretch()
    await sealing
  })

  it('leaves nothing where the worker is stopped', async () => {
    const { ui, isStretching, world } = await beginImport()
    await isStretching
    await ui('scanAddresses', RANGE)
    const next = startWorker({
      ...world,
      local: createMemoryArea(world.local.dump()),
      session: createMemoryArea(world.session.dump()),
    })
    expect((await next.ui('getState', null)).vault).toBe('none')
    await expect(next.ui('scanAddresses', RANGE)).rejects.toThrow()
    await next.ui('createVault', { origin: ORIGIN, password: PASSWORD })
    expect((await next.ui('getState', null)).vault).toBe('unlocked')
  })

  it('does not reach the words of an import beside a wallet that is there', async () => {
    const { ui, stretch, sealing } = await beginImport()
    stretch()
    await sealing
    const other = ui('createVault', {
      origin: { ...ORIGIN, passphrase: 'of somebody else' },
      password: PASSWORD,
    })
    const refused = expect(other).rejects.toThrow()
    expect(await ui('scanAddresses', RANGE)).toEqual(USED)
    await refused
    expect(await ui('scanAddresses', RANGE)).toEqual(USED)
  })
})
