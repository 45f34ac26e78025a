import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { createCachedArea } from '../../storage/cached-area.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createPlainRecords } from '../../storage/testing/plain-records.ts'
import { createAddresses } from '../accounts/addresses.ts'
import { createContacts } from '../accounts/contacts.ts'
import { createWorld, fund, startUnlocked, startWorker } from '../testing/test-wallet.ts'
import { createActivity } from './activity.ts'
import { type ActivityParts, fetchActivityPage, fetchAllActivity } from './activity-page.ts'
import { ACCOUNT, buildRecord, drawOutpoint, OTHER_ADDRESS } from './testing/activity-world.ts'
import { createLongHistory, timeOf } from './testing/long-history.ts'

async function startSelected(world = createWorld()) {
  const worker = await startUnlocked(world)
  const { accounts, accountId } = await worker.ui('getState', null)
  const account = accounts.find(({ id }) => id === accountId)
  if (!account) throw new Error('No account')
  return { world, worker, account }
}

/** Parts of a wallet with one account, on a server with a long history; `start` is a new worker. */
function createParts(rows: number, unconfirmed = 0) {
  const { chain, others } = createLongHistory(rows, unconfirmed)
  const memory = createMemoryArea()
  const start = () => {
    const local = createCachedArea(memory)
    return {
      activity: createActivity({ local, now: () => timeOf(900_001) }),
      addresses: createAddresses({ local, session: createMemoryArea(), now: () => 0 }),
      contacts: createContacts({
        records: createPlainRecords(local),
        random: n => new Uint8Array(n),
      }),
      chain: async () => ({ ...createWorld().chain.chain, ...chain }),
      accounts: { list: async () => [ACCOUNT] },
    } satisfies ActivityParts
  }
  return { memory, start, recordSent }

  /** What this wallet sent itself, with every status, spread over the blocks from `lowest` on. */
  async function recordSent(count: number, lowest: number) {
    const { activity } = start()
    const statuses = ['failed', 'replaced', 'confirmed', 'pending'] as const
    for (let index = 0; index < count; index++) {
      const mined = lowest + Math.floor(((900_000 - lowest) * index) / count)
      const status = statuses[index % 4] ?? 'failed'
      const height = status === 'confirmed' ? mined : null
      const coin = { ...drawOutpoint(), sats: 100_000n }
      const record = buildRecord([coin], [{ address: OTHER_ADDRESS, sats: 90_000n }])
      await activity.record({ ...record, status, at: timeOf(mined), height })
      if (status === 'confirmed' || status === 'pending') others.set(record.txid, height)
    }
  }
}

async function readPages(parts: ActivityParts, sizes: readonly number[]): Promise<string[]> {
  const txids: string[] = []
  for (let turn = 0; ; turn++) {
    const limit = sizes[turn % sizes.length] ?? 1
    const at = { offset: txids.length, limit }
    const page = await fetchActivityPage(parts, 'regtest', ACCOUNT, at)
    expect(page.problem).toBeNull()
    expect(page.entries.length).toBeLessThanOrEqual(limit)
    txids.push(...page.entries.map(({ txid }) => txid))
    if (!page.more) return txids
  }
}

describe('pages of activity', () => {
  it('put together are the whole list, whatever their sizes', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 })
    const world = { sizes, rows: fc.nat(300), waiting: fc.nat(60), own: fc.nat(12) }
    await fc.assert(
      fc.asyncProperty(fc.record(world), async ({ sizes, rows, waiting, own }) => {
        const { start, recordSent } = createParts(rows, waiting)
        await recordSent(own, 900_000 - Math.floor(rows / 3) - 5)
        const paged = await readPages(start(), sizes)
        const { entries, complete } = await fetchAllActivity(start(), 'regtest', ACCOUNT)
        expect(complete).toBe(true)
        expect(paged).toEqual(entries.map(({ txid }) => txid))
        expect(new Set(paged).size).toBe(rows + own)
      }),
      { numRuns: 60 },
    )
  })

  it('of 5,000 entries come from little storage, and further than what is stored', async () => {
    const { memory, start, recordSent } = createParts(4_800)
    await recordSent(200, 898_400)
    const txids = await readPages(start(), [50])
    expect(new Set(txids).size).toBe(5_000)
    expect(JSON.stringify(memory.dump()).length).toBeLessThan(1_200_000)
    const parts = start()
    const first = await fetchActivityPage(parts, 'regtest', ACCOUNT, { offset: 0, limit: 50 })
    const last = await fetchActivityPage(parts, 'regtest', ACCOUNT, { offset: 1_950, limit: 50 })
    const read = [...first.entries, ...last.entries].map(({ txid }) => txid)
    expect(read).toEqual([...txids.slice(0, 50), ...txids.slice(1_950, 2_000)])
  })

  it('show what waits for a block before all others', async () => {
    const { world, worker, account } = await startSelected()
    const confirmed = fund(world, account.address, 1_000n)
    const pending = fund(world, account.address, 2_000n, { confirmed: false })
    world.chain.mine()
    const later = fund(world, account.address, 3_000n)
    const waits = fund(world, account.address, 4_000n, { confirmed: false })
    const { entries, more } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    expect(entries.map(({ txid }) => txid)).toEqual([waits, later, pending, confirmed])
    expect(entries.map(({ status }) => status)).toEqual(['pending', ...Array(3).fill('confirmed')])
    expect(more).toBe(false)
  })

  it('come from storage, with the problem, while the server is down', async () => {
    const { world, worker, account } = await startSelected()
    const txid = fund(world, account.address, 1_000n)
    await worker.ui('getActivity', { offset: 0, limit: 10 })
    world.chain.faults.unreachable = true
    const page = await startWorker(world).ui('getActivity', { offset: 0, limit: 10 })
    expect(page).toMatchObject({
      entries: [{ txid }],
      more: false,
      problem: { kind: 'unreachable' },
    })
    const overview = await worker.ui('getOverview', null)
    expect(overview).toMatchObject({ activity: [{ txid }], balance: null })
    const { csv, complete } = await worker.ui('exportActivity', { unnamed: 'Account {number}' })
    expect(csv).toContain(txid)
    expect(complete).toBe(false)
  })

  it('of a wallet that never reached a server are empty, and so is its export', async () => {
    const { world, worker } = await startSelected()
    world.chain.faults.unreachable = true
    expect(await worker.ui('getActivity', { offset: 0, limit: 10 })).toMatchObject({
      ...{ entries: [], more: false },
      problem: { kind: 'unreachable' },
    })
    expect(await worker.ui('exportActivity', { unnamed: 'Account {number}' })).toMatchObject({
      complete: false,
    })
  })

  it('are exported in full, also those that nobody has scrolled to', async () => {
    const { world, worker, account } = await startSelected()
    const txids = Array.from({ length: 60 }, () => fund(world, account.address, 1_000n))
    const { csv, complete } = await worker.ui('exportActivity', { unnamed: 'Account {number}' })
    expect(complete).toBe(true)
    expect(csv.split('\r\n')).toHaveLength(62)
    for (const txid of txids) expect(csv).toContain(txid)
  })

  it('name people of the address book and own accounts', async () => {
    const { world, worker, account } = await startSelected()
    const { accounts } = await worker.ui('getState', null)
    const other = accounts.find(({ id }) => id !== account.id)
    if (!other) throw new Error('No other account')
    for (const address of [OTHER_ADDRESS, other.address]) {
      const coin = { ...drawOutpoint(), sats: 5_000n }
      const record = buildRecord([coin], [{ address, sats: 4_000n }])
      await worker.wallet.activity.record({ ...record, accountId: account.id })
    }
    await worker.ui('saveContact', { id: null, name: 'Ada', address: OTHER_ADDRESS })
    world.chain.faults.unreachable = true
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    expect(entries.map(({ counterpartyName }) => counterpartyName).sort()).toEqual(
      [other.name, 'Ada'].sort(),
    )
  })

  it('are refused for offsets and limits that are none', async () => {
    const { worker } = await startSelected()
    for (const [offset, limit] of [
      [-1, 10],
      [0.5, 10],
      [0, 0],
      [0, 201],
      [Number.NaN, 1],
    ] as const)
      await expect(worker.ui('getActivity', { offset, limit })).rejects.toMatchObject({
        code: -32602,
      })
  })

  it('are not given while the wallet is locked', async () => {
    const { worker } = await startSelected()
    await worker.ui('lock', null)
    await expect(worker.ui('getActivity', { offset: 0, limit: 1 })).rejects.toMatchObject({
      code: 4100,
    })
  })
})

describe('labels', () => {
  it('are shown with their transaction, trimmed, and can be taken away again', async () => {
    const { world, worker, account } = await startSelected()
    const txid = fund(world, account.address, 1_000n)
    const shown = async () => (await worker.ui('getActivityDetails', { txid })).entry.label
    await worker.ui('setLabel', { txid, label: '  Rent for May 🏠 ' })
    expect(await shown()).toBe('Rent for May 🏠')
    await worker.ui('setLabel', { txid, label: '' })
    expect(await shown()).toBe('')
  })

  it('of 140 characters are taken; longer ones, line breaks and marks that turn text around are not', async () => {
    const { worker } = await startSelected()
    const txid = 'ab'.repeat(32)
    await worker.ui('setLabel', { txid, label: '🏠'.repeat(140) })
    for (const label of ['x'.repeat(141), 'a\nb', 'a\u0000', 'a\u202eb', 'a\u2028b', '\ud800'])
      await expect(worker.ui('setLabel', { txid, label })).rejects.toThrow('label')
    await expect(worker.ui('setLabel', { txid: 'x', label: 'a' })).rejects.toThrow('txid')
  })
})

describe('the details of a transaction', () => {
  it('tell own inputs and outputs, the fee rate, and how deep it is', async () => {
    const { world, worker, account } = await startSelected()
    const funding = fund(world, account.address, 100_000n)
    const record = buildRecord(
      [{ txid: funding, vout: 0, sats: 100_000n }],
      [
        { address: OTHER_ADDRESS, sats: 40_000n },
        { address: account.address, sats: 59_000n },
      ],
    )
    const txid = world.chain.receive(fromHex(record.rawTx))
    const read = () => worker.ui('getActivityDetails', { txid })
    await worker.ui('getActivity', { offset: 0, limit: 10 })
    expect(await read()).toMatchObject({
      entry: { txid, kind: 'sent', net: '-41000', fee: '1000', counterparty: OTHER_ADDRESS },
      inputs: [{ outpoint: `${funding}:0`, address: account.address, sats: '100000', own: true }],
      outputs: [
        { address: OTHER_ADDRESS, sats: '40000', own: false },
        { address: account.address, sats: '59000', own: true },
      ],
      confirmations: 0,
      explorerUrl: null,
    })
    const { vsize, feeRate } = await read()
    expect(feeRate).toBeCloseTo(1_000 / (vsize ?? 0), 3)
    world.chain.mine(3)
    await worker.ui('getActivity', { offset: 0, limit: 10 })
    expect(await read()).toMatchObject({ confirmations: 3 })
  })

  it('are read from the stored bytes while the server is down', async () => {
    const { world, worker, account } = await startSelected()
    const coin = { ...drawOutpoint(), sats: 5_000n }
    const record = {
      ...buildRecord([coin], [{ address: OTHER_ADDRESS, sats: 4_000n }]),
      accountId: account.id,
    }
    await worker.wallet.activity.record(record)
    world.chain.faults.unreachable = true
    expect(await worker.ui('getActivityDetails', { txid: record.txid })).toMatchObject({
      entry: { status: 'sending' },
      inputs: [{ outpoint: `${coin.txid}:0`, sats: null, own: false }],
      outputs: [{ address: OTHER_ADDRESS, sats: '4000' }],
      confirmations: 0,
    })
  })

  it('of somebody else’s transaction are refused', async () => {
    const { world, worker } = await startSelected()
    const txid = fund(world, OTHER_ADDRESS, 1_000n)
    await expect(worker.ui('getActivityDetails', { txid })).rejects.toMatchObject({ code: -32602 })
  })
})

describe('what is stored unencrypted', () => {
  it('holds nothing of the keys', async () => {
    const { world, worker, account } = await startSelected()
    const before = Object.keys(world.local.dump())
    fund(world, account.address, 1_000n)
    const coin = { ...drawOutpoint(), sats: 5_000n }
    const record = buildRecord([coin], [{ address: OTHER_ADDRESS, sats: 4_000n }])
    await worker.wallet.activity.record({ ...record, accountId: account.id })
    await worker.ui('setLabel', { txid: record.txid, label: 'rent' })
    await worker.ui('exportActivity', { unnamed: 'Account {number}' })
    const added = Object.entries(world.local.dump()).filter(([key]) => !before.includes(key))
    expect(added.map(([key]) => key).sort()).toEqual([
      'activity.open',
      'history',
      `history.regtest.${account.id}`,
      'labels',
    ])
    // Everything in it is a public fact of the chain, a name of ours, or the person's note.
    const text = JSON.stringify(added)
    expect(text).not.toMatch(/abandon|mnemonic|seed|private|publicKey|prv/i)
    expect(text).not.toContain(account.publicKey)
  })
})
