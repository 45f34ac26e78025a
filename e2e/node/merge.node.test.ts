import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

type Verdict = { allowed: boolean; vsize: number; fees: { base: number } }
type Decoded = { vin: { txid: string; vout: number }[]; vout: { value: number }[] }

/** A transaction that waits for a block, in hex. */
const fetchHex = async (txid: string) => (await client.request(`/api/tx/${txid}/hex`)).body

/** Fee in sats and size in vB, as Bitcoin Core reckons them of a transaction that it would take. */
async function weigh(txid: string): Promise<[fee: number, vsize: number]> {
  const hex = await fetchHex(txid)
  const [verdict] = await devnet.rpc<Verdict[]>('testmempoolaccept', [[hex]])
  if (!verdict?.allowed) throw new Error(`${txid} is refused: ${JSON.stringify(verdict)}`)
  return [Math.round(verdict.fees.base * 1e8), verdict.vsize]
}

describe.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const)(
  'a hundred small coins of a %s account',
  addressType => {
    it('become one at exactly the fee rate that was asked, which can be raised before a block has it', async () => {
      const { worker } = await startOnDevnet(devnet)
      const added = await worker.ui('addAccount', { addressType, name: addressType })
      await worker.ui('selectAccount', { accountId: added.id })
      const { address } = await selectedAccount(worker)
      for (let at = 0; at < 100; at++) await devnet.faucet(address, 2_000 + at, false)
      await devnet.faucet(address, 700_000, false)
      await devnet.mine()
      const all = await worker.ui('getCoins', null)
      const coins = all.filter(({ sats }) => Number(sats) < 10_000).map(coin => coin.outpoint)
      expect(coins).toHaveLength(100)

      const { planId, digest } = await worker.ui('planMerge', { coins, feeRate: 1.234 })
      const merged = await worker.ui('confirmPayment', { planId, digest })
      const [fee, vsize] = await weigh(merged.txid)
      expect(fee).toBe(Math.ceil(vsize * 1.234))

      const bump = await worker.ui('planBump', {
        ...{ txid: merged.txid, kind: 'speed-up', feeRate: 3.21 },
      })
      const { txid } = await worker.ui('confirmPayment', bump)
      const [feeNow, vsizeNow] = await weigh(txid)
      expect(feeNow).toBe(Math.ceil(vsizeNow * 3.21))
      const waiting = await client.getJson<string[]>('/api/mempool/txids')
      expect(waiting).toEqual([txid])

      const { vin, vout } = await devnet.rpc<Decoded>('decoderawtransaction', [
        await fetchHex(txid),
      ])
      expect(new Set(vin.map(input => `${input.txid}:${input.vout}`))).toEqual(new Set(coins))
      // 100 × 2,000 and 0 + 1 + … + 99.
      expect(vout.map(({ value }) => Math.round(value * 1e8))).toEqual([204_950 - feeNow])
      await devnet.mine()
      const left = await worker.ui('getCoins', null)
      expect(left.map(({ sats, held }) => [sats, held])).toEqual([
        ['700000', null],
        [String(204_950 - feeNow), null],
      ])
    }, 120_000)
  },
)
