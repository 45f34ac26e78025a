import type { RunestoneStorage } from '@magiceden-oss/runestone-lib/dist/src/indexer/types.js'
import { RuneUpdater } from '@magiceden-oss/runestone-lib/dist/src/indexer/updater.js'
import { Network } from '@magiceden-oss/runestone-lib/dist/src/network.js'
import { toHex } from '../../bitcoin/bytes.ts'
import { decodeTransaction, parseTransaction } from '../../bitcoin/transaction.ts'

const HASH = '00'.repeat(32)

/** What runestone-lib's index makes of a reveal in a block of this height, whose commit is in an earlier one: the etchings, and the balances on its outputs. */
export async function etchElsewhere(
  { commit, reveal }: { commit: Uint8Array; reveal: Uint8Array },
  { commitHeight, height }: { commitHeight: number; height: number },
) {
  const committed = parseTransaction(commit)
  const parsed = parseTransaction(reveal)
  const index = new RuneUpdater(
    Network.REGTEST,
    { height, hash: HASH, previousblockhash: HASH, time: 0 },
    false,
    EMPTY,
    {
      getblockhash: unasked,
      // biome-ignore lint/suspicious/noExplicitAny: the library types all of a node's answer
      getblock: async () => ({ result: { height: commitHeight }, error: null }) as any,
      getrawtransaction: async ({ txid }) => {
        if (txid !== committed.txid) return unasked()
        const vout = committed.outputs.map(({ scriptPubKey }) => ({
          scriptPubKey: { type: isTaproot(scriptPubKey) ? 'witness_v1_taproot' : 'other' },
        }))
        // biome-ignore lint/suspicious/noExplicitAny: the library types all of a node's answer
        return { result: { vout, blockhash: HASH }, error: null } as any
      },
    },
  )
  const vin = decodeTransaction(reveal).ins.map(({ witness }, at) => ({
    txid: parsed.inputs[at]?.txid ?? '',
    vout: parsed.inputs[at]?.vout ?? 0,
    txinwitness: witness.map(toHex),
  }))
  const vout = parsed.outputs.map(({ scriptPubKey }) => ({
    scriptPubKey: { hex: toHex(scriptPubKey) },
  }))
  await index.indexRunes({ txid: parsed.txid, vin, vout }, 1)
  return {
    etchings: index.etchings,
    balances: index.utxoBalances.map(({ vout, amount }) => ({ vout, amount })),
  }
}

function isTaproot(script: Uint8Array): boolean {
  return script.length === 34 && script[0] === 0x51 && script[1] === 32
}

/** An index without any rune. */
const EMPTY: RunestoneStorage = {
  getEtching: async () => null,
  getValidMintCount: async () => 0,
  getUtxoBalance: async () => [],
  getRuneLocation: async () => null,
  connect: unasked,
  disconnect: unasked,
  getBlockhash: unasked,
  getCurrentBlock: unasked,
  resetCurrentBlock: unasked,
  seedEtchings: unasked,
  saveBlockIndex: unasked,
}

function unasked(): never {
  throw new Error('this index needs none of that for a single transaction')
}
