import { expect } from 'vitest'
import type { Devnet } from '../../src/devnet/start-devnet.ts'
import type { MintResult } from '../../src/provider/inscribe-params.ts'
import { contentOf, whereIs } from './devnet-ord.ts'

/** A transaction in a block as bitcoind has it; amounts in sats. */
export type Mined = {
  txid: string
  vsize: number
  fee: number
  /** Outpoints. */
  inputs: string[]
  outputs: { address: string | undefined; sats: number }[]
}

/** Content type and body. */
export type Content = { type: string; body: Buffer }

export function textContent(text: string, type = 'text/plain;charset=utf-8'): Content {
  return { type, body: Buffer.from(text) }
}

export function heightOf(devnet: Devnet): Promise<number> {
  return devnet.rpc<number>('getblockcount')
}

/** What the blocks above a height hold beside their coinbase, in their order. */
export async function listMined(devnet: Devnet, above: number): Promise<Mined[]> {
  const mined: Mined[] = []
  const tip = await heightOf(devnet)
  for (let height = above + 1; height <= tip; height++) {
    const hash = await devnet.rpc<string>('getblockhash', [height])
    const { tx } = await devnet.rpc<{ tx: NodeTransaction[] }>('getblock', [hash, 2])
    for (const { txid, vsize, fee = 0, vin, vout } of tx.slice(1)) {
      mined.push({
        ...{ txid, vsize },
        fee: toSats(fee),
        inputs: vin.map(input => `${input.txid}:${input.vout}`),
        outputs: vout.map(({ value, scriptPubKey }) => ({
          address: scriptPubKey.address,
          sats: toSats(value),
        })),
      })
    }
  }
  return mined
}

/** Ids of what was inscribed in the blocks above a height, whoever it belongs to, by devnet's index. */
export async function listInscribed(devnet: Devnet, above: number): Promise<string[]> {
  const ids: string[] = []
  const tip = await heightOf(devnet)
  for (let height = above + 1; height <= tip; height++) {
    const answer = await fetch(`${devnet.ordUrl}/inscriptions/block/${height}`, {
      headers: { accept: 'application/json' },
    })
    ids.push(...((await answer.json()) as { ids: string[] }).ids)
  }
  return ids
}

/** Txids that wait at devnet. */
export async function listWaiting(devnet: Devnet): Promise<string[]> {
  return (await (await fetch(`${devnet.esploraUrl}/mempool/txids`)).json()) as string[]
}

/**
 * Holds what a page was told against the node and the index: that the blocks above a height hold one commit and a reveal an
 * item and nothing else, and each item on the first sat of an output of its own, owned, whole and without a curse.
 */
export async function expectMinted(
  devnet: Devnet,
  result: MintResult,
  order: { above: number; address: string; feeRate: number; contents: readonly Content[] },
): Promise<void> {
  const { above, address, feeRate, contents } = order
  const mined = await listMined(devnet, above)
  const [commit, ...reveals] = [result.commitTx, ...result.revealTxs].map(txid =>
    mined.find(one => one.txid === txid),
  )
  expect(mined).toHaveLength(1 + contents.length)
  expect(result).toEqual({
    commitTx: expect.stringMatching(/^[0-9a-f]{64}$/),
    revealTxs: contents.map(() => expect.stringMatching(/^[0-9a-f]{64}$/)),
    commitTxFee: commit?.fee,
    revealTxFees: reveals.map(reveal => reveal?.fee),
    commitAddrs: commit?.outputs.slice(0, contents.length).map(output => output.address),
    feeRate,
    size: 546,
  })
  for (const one of [commit, ...reveals])
    expect(one?.fee).toBe(Math.ceil((one?.vsize ?? 0) * feeRate))
  for (const [item, reveal] of reveals.entries())
    expect(reveal).toMatchObject({
      inputs: [`${result.commitTx}:${item}`],
      outputs: [{ address, sats: 546 }],
    })
  await expectInscribed(devnet, order)
}

/** That the blocks above a height inscribed these for an address, and nothing else. */
export async function expectInscribed(
  devnet: Devnet,
  { above, address, contents }: { above: number; address: string; contents: readonly Content[] },
): Promise<void> {
  const ids = await listInscribed(devnet, above)
  const found = await Promise.all(
    ids.map(async id => {
      const { number, charms, satpoint, ...place } = await whereIs(devnet, id)
      const isSound = number >= 0 && charms.length === 0 && satpoint === `${id.slice(0, 64)}:0:0`
      const { type, body } = await contentOf(devnet, id)
      return {
        isSound,
        address: place.address,
        value: place.value,
        type,
        body: body.toString('hex'),
      }
    }),
  )
  expect(sorted(found)).toEqual(
    sorted(
      contents.map(({ type, body }) => {
        const hex = body.toString('hex')
        return { isSound: true, address, value: 546, type, body: hex }
      }),
    ),
  )
}

/** Reveals stand in a block in no order of ours. */
function sorted<T extends { body: string }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (a.body < b.body ? -1 : 1))
}

type NodeTransaction = {
  txid: string
  vsize: number
  /** BTC. */
  fee?: number
  vin: { txid: string; vout: number }[]
  vout: { value: number; scriptPubKey: { address?: string } }[]
}

function toSats(btc: number): number {
  return Math.round(btc * 1e8)
}
