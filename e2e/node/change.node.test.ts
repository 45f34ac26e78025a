import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MASTER, PURPOSES } from '../../src/background/accounts/testing/many-addresses.ts'
import { etch as etchRune } from '../../src/background/inscribing/testing/etching-world.ts'
import { bump, mintTexts, refund, wait } from '../../src/background/inscribing/testing/job-world.ts'
import { draft } from '../../src/background/testing/funded-wallet.ts'
import { toHex } from '../../src/bitcoin/bytes.ts'
import { BroadcastRejectedError } from '../../src/chain/chain-source.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'
import { etch } from '../fixtures/ordinals/devnet-ord.ts'

// Bitcoin Core follows the account by its extended public key alone: it says which outputs are the account's, and at which address.

const GAP = 20
const RUNES = { p2wpkh: 'CHANGE•TEST•WPKH', p2tr: 'CHANGE•TEST•TR•XX' } as const

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

/** The test phrase's first account of a type, with many addresses, and a gate before the node. */
async function start(type: 'p2wpkh' | 'p2tr') {
  const { world, worker } = await startOnDevnet(devnet)
  const { chain } = world.chain
  const gate = { takes: Number.POSITIVE_INFINITY }
  world.chain.chain = {
    ...chain,
    async broadcast(rawTx) {
      if (gate.takes-- <= 0) throw new BroadcastRejectedError('min relay fee not met')
      return chain.broadcast(rawTx)
    },
  }
  const { accounts } = await worker.ui('getState', null)
  const account = accounts.find(({ addressType }) => addressType === type)
  if (!account) throw new Error('no account')
  await worker.ui('changeSettings', { autoLockMinutes: 1440 })
  await worker.ui('selectAccount', { accountId: account.id })
  await worker.ui('setManyAddresses', { accountId: account.id, on: true })
  const pass = async () => {
    await devnet.mine(1)
    world.clock.now += 61_000
  }
  const balance = async () => (await worker.ui('getOverview', { retry: true })).balance
  return { world, worker, account, gate, pass, balance }
}

/** Has a wallet of Bitcoin Core read the chain by both branches of the account. */
async function follow(type: 'p2wpkh' | 'p2tr'): Promise<void> {
  const path = `${PURPOSES[type]}'/1'/0'`
  const origin = `[${toHex(MASTER.fingerprint)}/${path.replaceAll("'", 'h')}]`
  const key = origin + MASTER.derivePath(`m/${path}`).neutered().toBase58()
  const write = type === 'p2tr' ? 'tr' : 'wpkh'
  await devnet.rpc('createwallet', [`follower-${type}`, true, true])
  for (const branch of [0, 1]) {
    const { descriptor } = await devnet.rpc<{ descriptor: string }>('getdescriptorinfo', [
      `${write}(${key}/${branch}/*)`,
    ])
    const terms = { desc: descriptor, timestamp: 0, internal: branch === 1, range: [0, 200] }
    expect(await devnet.rpc('importdescriptors', [[terms]])).toMatchObject([{ success: true }])
  }
}

type Told = { ismine: boolean; desc?: string }
type Transaction = {
  vin: { txid?: string; vout?: number }[]
  vout: { scriptPubKey: { address?: string } }[]
}

/** What the node's wallet says of every output of every transaction of the account, and what each transaction spends. */
async function listOwnOutputs() {
  const { transactions } = await devnet.rpc<{ transactions: { txid: string }[] }>(
    'listsinceblock',
    // Of all blocks, with what is only watched, and with change.
    ['', 1, true, false, true],
  )
  const own = []
  const spentBy = new Map<string, string>()
  for (const txid of new Set(transactions.map(entry => entry.txid))) {
    const { vin, vout } = await devnet.rpc<Transaction>('getrawtransaction', [txid, 1])
    for (const input of vin) spentBy.set(`${input.txid}:${input.vout}`, txid)
    for (const [at, { scriptPubKey }] of vout.entries()) {
      if (scriptPubKey.address === undefined) continue
      const told = await devnet.rpc<Told>('getaddressinfo', [scriptPubKey.address])
      const [, branch = '', index = ''] = /\/([01])\/(\d+)\]/.exec(told.desc ?? '') ?? []
      if (told.ismine)
        own.push({ txid, outpoint: `${txid}:${at}`, branch, index: Number(index), ...told })
    }
  }
  return { own, spentBy }
}

describe('the change of an account of many addresses on a real node', () => {
  it.each(['p2wpkh', 'p2tr'] as const)(
    'of payments, inscriptions, an etching, mints and refunds has an address each, and Bitcoin Core finds all of it: %s',
    async type => {
      const { world, worker, account, gate, pass, balance } = await start(type)
      for (const sats of [200_000n, 100_000n]) await devnet.faucet(account.address, sats)
      const { address } = await worker.ui('getReceiveAddress', { after: null })
      await devnet.faucet(address, 80_000n)
      await pass()

      await mintTexts(worker, ['one', 'two'])
      await pass()
      const { jobId: dear } = await mintTexts(worker, ['three'], { feeRate: 1 })
      await bump(worker, dear, 12)
      await pass()
      const { jobId: unwanted } = await mintTexts(worker, ['four'], { postage: 9_000, feeRate: 2 })
      await refund(worker, unwanted, 20)
      await pass()
      gate.takes = 1
      const { jobId: late } = await mintTexts(worker, ['five', 'six'], { feeRate: 1 })
      gate.takes = Number.POSITIVE_INFINITY
      await pass()
      await bump(worker, late, 15)
      await pass()
      const { jobId: etching } = await etchRune(worker, {
        name: `ETCHED•${type === 'p2tr' ? 'ROOT' : 'WITNESS'}•CHANGE`,
        feeRate: 2,
      })
      await devnet.mine(5)
      await wait(world, worker, etching)
      await pass()
      const name = RUNES[type]
      await etch(devnet, null, { name, amount: '0', terms: { amount: '7', cap: 100 } })
      await pass()
      const order = { rune: name, count: 4, feeRate: 2, label: '' }
      await worker.ui('confirmRuneMint', await worker.ui('planRuneMint', order))
      await pass()
      const plan = await worker.ui('planPayment', draft())
      await worker.ui('confirmPayment', plan)
      await pass()
      for (const jobId of [dear, late, etching])
        expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
      expect(await wait(world, worker, unwanted)).toMatchObject({ state: 'refunded', locked: '0' })

      await follow(type)
      try {
        const { own, spentBy } = await listOwnOutputs()
        const change = own.filter(({ branch }) => branch === '1')
        const byIndex = new Map<number, typeof change>()
        for (const one of change) byIndex.set(one.index, [...(byIndex.get(one.index) ?? []), one])
        // What pays the mints after one is passed on by the next; of all else there is one.
        for (const [index, paid] of byIndex) {
          const kept = paid.filter(
            ({ outpoint }) => !paid.some(({ txid }) => txid === spentBy.get(outpoint)),
          )
          expect(kept, `change ${index}`).toHaveLength(1)
        }
        expect(byIndex.size).toBeGreaterThanOrEqual(10)
        const used = [...byIndex.keys()].sort((a, b) => a - b)
        for (const [at, index] of used.entries())
          expect(index - (used[at - 1] ?? -1)).toBeLessThanOrEqual(GAP)
        const { mine } = await devnet.rpc<{ mine: { trusted: number } }>('getbalances')
        const sats = String(Math.round(mine.trusted * 1e8))
        expect(await balance()).toEqual({ confirmed: sats, unconfirmed: '0' })
        const fresh = await start(type)
        expect(await fresh.balance()).toEqual({ confirmed: sats, unconfirmed: '0' })
      } finally {
        await devnet.rpc('unloadwallet', [`follower-${type}`])
      }
    },
  )
})
