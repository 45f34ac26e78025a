import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createActivity } from '../../src/background/activity/activity.ts'
import { listKnown, toEntry } from '../../src/background/activity/activity-entries.ts'
import { buildRecord } from '../../src/background/activity/testing/activity-world.ts'
import type { AccountView } from '../../src/background/views/account-views.ts'
import { fromHex } from '../../src/bitcoin/bytes.ts'
import { parseTransaction } from '../../src/bitcoin/transaction.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'
import { createMemoryArea } from '../../src/storage/testing/memory-area.ts'

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

/** Activity of a test key's address, read from the devnet as the extension reads it. */
function startActivity(name: string) {
  const key = createTestWallet(name)
  const account: AccountView = {
    ...{ id: name, name, source: 'watch', addressType: 'p2wpkh', address: key.address },
    ...{ publicKey: null, descriptor: null, ordinals: null, derivationPath: null, hidden: false },
  }
  const urls = { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' }
  const chain = openChain('regtest', urls, createTestAccess())
  const activity = createActivity({ local: createMemoryArea(), now: () => Date.now() })
  return {
    key,
    account,
    activity,
    async read() {
      await activity.refresh(chain, account)
      const stored = await activity.load('regtest', account.id)
      const source = { ...stored, names: new Map(), network: 'regtest', accountId: name } as const
      return listKnown(source, true).map(known => toEntry(source, known))
    },
  }
}

describe('activity on a real chain', () => {
  it('follows a payment into a block, out of it by a reorganisation, and into another', async () => {
    const { key, account, activity, read } = startActivity('payer')
    const other = createTestWallet('payee')
    const coin = await createClient(devnet).fund(key, 100_000n)
    const rawTx = key
      .spend(
        [coin],
        [
          { script: other.script, value: 40_000n },
          { script: key.script, value: 59_000n },
        ],
      )
      .toHex()
    const { txid } = parseTransaction(fromHex(rawTx))
    const record = buildRecord(
      [{ ...coin, sats: coin.value }],
      [
        { address: other.address, sats: 40_000n },
        { address: key.address, sats: 59_000n },
      ],
    )
    // Signed, and the worker died before it was handed over.
    await activity.record({ ...record, txid, rawTx, net: '-41000', accountId: account.id })

    expect(await read()).toMatchObject([
      { txid, status: 'pending', height: null, net: '-41000', counterparty: other.address },
      { txid: coin.txid, kind: 'received', status: 'confirmed', net: '100000' },
    ])
    await devnet.mine(1)
    const [confirmed] = await read()
    expect(confirmed).toMatchObject({ txid, status: 'confirmed' })

    await devnet.reorg(1)
    expect(await read()).toMatchObject([
      { txid, status: 'reorganised', height: null },
      { txid: coin.txid, status: 'confirmed' },
    ])
    await devnet.mine(1)
    const [again] = await read()
    expect(again).toMatchObject({ txid, status: 'confirmed' })
    expect(again?.height).toBeGreaterThan(confirmed?.height ?? 0)
  })

  it('tells what another wallet with the same key did: a replacement, and a payment received', async () => {
    const { key, account, activity, read } = startActivity('shared')
    const other = createTestWallet('elsewhere')
    const client = createClient(devnet)
    const coin = await client.fund(key, 100_000n)
    const first = key.spend([coin], [{ script: other.script, value: 99_000n }]).toHex()
    const { txid } = parseTransaction(fromHex(first))
    await activity.record({
      ...buildRecord([{ ...coin, sats: coin.value }], [{ address: other.address, sats: 99_000n }]),
      ...{ txid, rawTx: first, accountId: account.id },
    })
    await read()
    const second = key.spend([coin], [{ script: key.script, value: 95_000n }])
    expect(await client.broadcast(second.toHex())).toBe(second.getId())
    const incoming = await client.fund(key, 7_000n, false)
    const entries = await read()
    expect(entries.find(entry => entry.txid === txid)).toMatchObject({
      status: 'replaced',
      replacedBy: second.getId(),
    })
    expect(entries.find(entry => entry.txid === second.getId())).toMatchObject({
      ...{ status: 'pending', kind: 'moved', net: '-5000', fee: '5000' },
    })
    expect(entries.find(entry => entry.txid === incoming.txid)).toMatchObject({
      ...{ status: 'pending', kind: 'received', net: '7000' },
    })
  })
})
