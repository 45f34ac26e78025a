import type {
  RuneEtching,
  RunestoneStorage,
  RuneUtxoBalance,
} from '@magiceden-oss/runestone-lib/dist/src/indexer/types.js'
import { RuneUpdater } from '@magiceden-oss/runestone-lib/dist/src/indexer/updater.js'
import { Network } from '@magiceden-oss/runestone-lib/dist/src/network.js'
import type { OrdBlock } from '../../../src/devnet/ord/inscriptions/output-set.ts'

/** Amounts by rune id. */
export type Amounts = Record<string, bigint>

type Place = { block: number; tx: number }

/** The ledger of another author, over blocks whose inputs are all of earlier blocks. It is given no witnesses: no name is committed to. */
export function createOracleChain() {
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

  function keep({ utxoBalances, etchings: made, mintCounts, burnedBalances }: RuneUpdater): void {
    for (const balance of utxoBalances) {
      const outpoint = `${balance.txid}:${balance.vout}`
      balances.set(outpoint, [...(balances.get(outpoint) ?? []), balance])
    }
    for (const etching of made) etchings.set(nameOf(etching.runeId), withOneEnd(etching))
    for (const { mint, count } of mintCounts)
      mints.set(nameOf(mint), (mints.get(nameOf(mint)) ?? 0) + count)
    for (const { runeId, amount } of burnedBalances)
      burned.set(nameOf(runeId), (burned.get(nameOf(runeId)) ?? 0n) + amount)
  }

  return {
    held: (outpoint: string): Amounts =>
      Object.fromEntries(
        (balances.get(outpoint) ?? []).map(({ runeId, amount }) => [nameOf(runeId), amount]),
      ),
    mintsOf: (id: string) => mints.get(id) ?? 0,
    burnedOf: (id: string) => burned.get(id) ?? 0n,
    /** Each transaction has an updater of its own: of two in a block that burn the same rune, one keeps the last amount alone. */
    async apply({ height, time, transactions }: OrdBlock): Promise<void> {
      const block = { height, hash: '', previousblockhash: '', time }
      const rpc = { getblockhash: unused, getblock: unused, getrawtransaction: unused }
      for (const [position, { txid, tx }] of transactions.entries()) {
        const updater = new RuneUpdater(Network.REGTEST, block, false, storage, rpc)
        const vin = tx.ins.map(({ hash, index }) => ({
          txid: Buffer.from(Uint8Array.from(hash).reverse()).toString('hex'),
          ...{ vout: index, txinwitness: [] },
        }))
        const vout = tx.outs.map(({ script }) => ({
          scriptPubKey: { hex: Buffer.from(script).toString('hex') },
        }))
        await updater.indexRunes({ txid, vin, vout }, position)
        for (const { txid: from, vout: at } of vin) balances.delete(`${from}:${at}`)
        keep(updater)
      }
    },
  }
}

/** Of two ends this library takes the later, where the earlier counts (`RuneEntry::end` in ord). */
function withOneEnd(etching: RuneEtching): RuneEtching {
  if (!etching.valid) return etching
  const { terms, runeId } = etching
  const [height, offset] = [terms?.height?.end, terms?.offset?.end]
  if (!terms || height === undefined || offset === undefined) return etching
  const behind = BigInt(runeId.block) + BigInt(offset)
  const end = BigInt(height) < behind ? BigInt(height) : behind
  const { end: _, ...rest } = terms.offset ?? {}
  return { ...etching, terms: { ...terms, height: { ...terms.height, end }, offset: rest } }
}

function nameOf({ block, tx }: Place): string {
  return `${block}:${tx}`
}
