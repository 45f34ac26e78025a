import {
  Network,
  type RuneEtching,
  RuneLocation,
  type RunestoneStorage,
  RuneUpdater,
  type RuneUtxoBalance,
} from '@magiceden-oss/runestone-lib'
import type { UpdaterTx } from '@magiceden-oss/runestone-lib/dist/src/indexer/updater.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../chain/hex.ts'
import { spentOutpoint } from '../../chain/transaction-record.ts'
import type { OrdBlock } from '../inscriptions/output-set.ts'
import { OP_RETURN_SCRIPT, type Pay } from '../testing/test-chain.ts'
import { createRuneChain, payIntegers } from './testing/rune-chain.ts'

const TAGS = [0, 1, 2, 3, 6, 8, 10, 12, 14, 16, 18, 20, 22, 127] as const
/** Mostly fields that mean something, with small values so that they meet what is there. */
const RANDOM_FIELD = fc.tuple(fc.constantFrom(...TAGS.slice(1)), fc.nat({ max: 40 }))
const RANDOM_BLOCK = fc.record({
  coins: fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 3 }),
  outputs: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  etches: fc.option(fc.record({ premine: fc.nat({ max: 999 }), amount: fc.nat({ max: 99 }) })),
  mints: fc.option(fc.nat({ max: 9 })),
  edicts: fc.array(
    fc.record({
      rune: fc.nat({ max: 9 }),
      amount: fc.nat({ max: 500 }),
      output: fc.nat({ max: 6 }),
    }),
    { maxLength: 4 },
  ),
  extra: fc.option(RANDOM_FIELD, { freq: 3 }),
  silent: fc.boolean(),
})

type Sample = typeof RANDOM_BLOCK extends fc.Arbitrary<infer Value> ? Value : never

/** The ledger of another author; it keeps no names here, for that would need a node. */
function createOracle() {
  const etchings = new Map<string, RuneEtching>()
  const balances = new Map<string, RuneUtxoBalance[]>()
  const mints = new Map<string, number>()
  const burned = new Map<string, bigint>()
  const unused = () => Promise.reject(new Error('is not used'))
  const storage: RunestoneStorage = {
    connect: unused,
    disconnect: unused,
    getBlockhash: unused,
    getCurrentBlock: unused,
    resetCurrentBlock: unused,
    seedEtchings: unused,
    saveBlockIndex: unused,
    getEtching: async location => etchings.get(location) ?? null,
    getValidMintCount: async location => mints.get(location) ?? 0,
    getRuneLocation: async () => null,
    getUtxoBalance: async (txid, vout) => balances.get(`${txid}:${vout}`) ?? [],
  }
  return {
    held: (outpoint: string): Record<string, bigint> =>
      Object.fromEntries(
        (balances.get(outpoint) ?? []).map(({ runeId, amount }) => [
          RuneLocation.toString(runeId),
          amount,
        ]),
      ),
    mints,
    burned,
    async apply({ height, time, transactions }: OrdBlock): Promise<void> {
      const block = { height, hash: '', previousblockhash: '', time }
      const updater = new RuneUpdater(Network.REGTEST, block, false, storage, {
        getblockhash: unused,
        getblock: unused,
        getrawtransaction: unused,
      } as never)
      for (const [position, { txid, tx }] of transactions.entries()) {
        const seen: UpdaterTx = {
          txid,
          vin: tx.ins.map(input =>
            tx.isCoinbase()
              ? { coinbase: '' }
              : { txid: spentOutpoint(input).slice(0, 64), vout: input.index, txinwitness: [] },
          ),
          vout: tx.outs.map(({ script }) => ({ scriptPubKey: { hex: toHex(script) } })),
        }
        await updater.indexRunes(seen, position)
        if (!tx.isCoinbase()) for (const input of tx.ins) balances.delete(spentOutpoint(input))
      }
      for (const balance of updater.utxoBalances) {
        const outpoint = `${balance.txid}:${balance.vout}`
        balances.set(outpoint, [...(balances.get(outpoint) ?? []), balance])
      }
      for (const etching of updater.etchings) {
        etchings.set(RuneLocation.toString(etching.runeId), etching)
      }
      for (const { mint, count } of updater.mintCounts) {
        const location = RuneLocation.toString(mint)
        mints.set(location, (mints.get(location) ?? 0) + count)
      }
      for (const { runeId, amount } of updater.burnedBalances) {
        const location = RuneLocation.toString(runeId)
        burned.set(location, (burned.get(location) ?? 0n) + amount)
      }
    },
  }
}

describe('runes on a random chain', () => {
  it('lie where another ledger has them, and are burned and minted as often', async () => {
    const seen = { moved: 0, burned: 0, minted: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(RANDOM_BLOCK, { minLength: 4, maxLength: 12 }), async blocks => {
        const chain = createRuneChain()
        const { index, send, assemble } = chain
        const oracle = createOracle()
        const unspent = chain.mineCoins(3)
        const made: string[] = []
        const runes: string[] = []
        for (const block of blocks) {
          const coins = block.coins.flatMap(n => unspent.splice(n % (unspent.length || 1), 1))
          if (coins.length === 0) break
          const total = coins.reduce((sum, coin) => sum + chain.valueOf(coin), 0n)
          const txid = send(coins, [...randomOutputs(block, total), ...randomStone(block, runes)])
          const next = assemble()
          index.applyBlock(next)
          await oracle.apply(next)
          runes.push(`${index.height()}:1`)
          for (const vout of block.outputs.keys()) {
            made.push(`${txid}:${vout}`)
            if (!block.outputs[vout]) unspent.push(`${txid}:${vout}`)
          }
          for (const outpoint of made) {
            const held = Object.fromEntries(
              index.piles(outpoint).map(({ entry, amount }) => [entry.id, amount]),
            )
            expect(held).toEqual(oracle.held(outpoint))
            seen.moved += Object.keys(held).length
          }
          for (const id of runes) {
            const entry = index.rune({ id })
            expect(entry?.burned ?? 0n).toBe(oracle.burned.get(id) ?? 0n)
            expect(Number(entry?.mints ?? 0n)).toBe(oracle.mints.get(id) ?? 0)
            if (entry?.burned) seen.burned++
            if (entry?.mints) seen.minted++
          }
        }
      }),
      { numRuns: 150 },
    )
    for (const often of Object.values(seen)) expect(often).toBeGreaterThan(50)
  })
})

/** Where `outputs` is true, to nobody. */
function randomOutputs({ outputs }: Sample, total: bigint): Pay[] {
  const share = total / BigInt(outputs.length)
  return outputs.map(burns => (burns ? [share, OP_RETURN_SCRIPT] : share))
}

function randomStone({ etches, mints, edicts, extra, silent }: Sample, runes: string[]): Pay[] {
  if (silent) return []
  const known = (n: number) => (runes.length > 0 ? (runes[n % runes.length] ?? '0:0') : '0:0')
  const split = (id: string) => id.split(':').map(Number)
  const fields = [
    ...(etches ? [2, 3, 6, etches.premine, 8, 3, 10, etches.amount] : []),
    ...(mints === null ? [] : split(known(mints)).flatMap(part => [20, part])),
    ...(extra ?? []),
  ]
  const sorted = edicts
    .map(({ rune, ...rest }) => ({ ...rest, id: split(rune === 0 ? '0:0' : known(rune)) }))
    .sort((a, b) => (a.id[0] ?? 0) - (b.id[0] ?? 0))
  let block = 0
  let tx = 0
  const body = sorted.flatMap(({ id: [nextBlock = 0, nextTx = 0], amount, output }) => {
    const delta = [nextBlock - block, nextBlock === block ? nextTx - tx : nextTx]
    block = nextBlock
    tx = nextTx
    return [...delta, amount, output]
  })
  return [payIntegers(...fields, ...(body.length > 0 ? [TAGS[0], ...body] : []))]
}
