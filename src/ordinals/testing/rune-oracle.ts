import type {
  RuneEtching,
  RunestoneStorage,
} from '@magiceden-oss/runestone-lib/dist/src/indexer/types.js'
import { RuneUpdater } from '@magiceden-oss/runestone-lib/dist/src/indexer/updater.js'
import { Network } from '@magiceden-oss/runestone-lib/dist/src/network.js'
import { toHex } from '../../bitcoin/bytes.ts'
import type { RuneBalance, RuneMove } from '../flow/rune-flow.ts'

const HEIGHT = 900_000
/** What a mint of rune 5:1 gives. */
export const MINTED = 17n

/** The moves of the same transaction as runestone-lib's index makes them. */
export async function flowElsewhere(balances: readonly RuneBalance[], scriptPubKeys: Uint8Array[]) {
  const txid = '00'.repeat(32)
  const index = new RuneUpdater(
    Network.REGTEST,
    { height: HEIGHT, hash: txid, previousblockhash: txid, time: 0 },
    false,
    storageOf(balances),
    { getblockhash: unasked, getblock: unasked, getrawtransaction: unasked },
  )
  const vout = scriptPubKeys.map(script => ({ scriptPubKey: { hex: toHex(script) } }))
  await index.indexRunes({ txid, vin: [{ txid, vout: 0, txinwitness: [] }], vout }, 3)
  const runeOf = ({ runeId }: { runeId: { block: number; tx: number } }) =>
    runeId.block === HEIGHT ? '0:0' : `${runeId.block}:${runeId.tx}`
  return describeRuneMoves([
    ...index.utxoBalances.map(move => ({ ...move, rune: runeOf(move), to: move.vout })),
    ...index.burnedBalances.map(move => ({ ...move, rune: runeOf(move), to: 'burnt' as const })),
  ])
}

/** All that the index reads: one coin with all balances, and rune 5:1, which anyone may mint. */
function storageOf(balances: readonly RuneBalance[]): RunestoneStorage {
  const location = (rune: string) => {
    const [block, tx] = rune.split(':').map(Number)
    return { block: block ?? 0, tx: tx ?? 0 }
  }
  const etchingOf = (rune: string): RuneEtching => ({
    valid: true,
    runeId: location(rune),
    runeTicker: 'GOLD',
    runeName: 'GOLD',
    txid: '',
    terms: { amount: MINTED, cap: 1n },
  })
  return {
    getEtching: async rune => etchingOf(rune),
    getValidMintCount: async () => 0,
    getUtxoBalance: async (txid, vout) =>
      balances.map(({ rune, amount }) => ({
        ...{ txid, vout, amount, runeTicker: 'GOLD', scriptPubKey: Buffer.alloc(0) },
        runeId: location(rune),
      })),
    connect: unasked,
    disconnect: unasked,
    getBlockhash: unasked,
    getCurrentBlock: unasked,
    resetCurrentBlock: unasked,
    seedEtchings: unasked,
    saveBlockIndex: unasked,
    getRuneLocation: unasked,
  }
}

function unasked(): never {
  throw new Error('this index needs none of that for a single transaction')
}

/** Sorted texts of moves, to be compared. */
export function describeRuneMoves(moves: readonly RuneMove[]): string[] {
  return moves
    .filter(({ amount }) => amount > 0n)
    .map(({ rune, amount, to }) => `${amount} of ${rune} to ${to}`)
    .sort()
}
