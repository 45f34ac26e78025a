import { script as bitcoinScript, opcodes } from 'bitcoinjs-lib'
import { type Rpc, RpcError } from '../bitcoind/rpc.ts'
import { classifyScript } from '../chain/script.ts'
import { rawHex, type TransactionRecord } from '../chain/transaction-record.ts'
import { type Rejection, reject } from './rejection.ts'

/** Where the blocks that are only tried out would pay to: an output that anyone could spend. */
const NOWHERE = 'raw(51)'
/** Knots takes no more OP_RETURN than Core did before version 30. */
const KNOTS_MAX_DATA_CARRIER_SIZE = 83
/** Reasons that speak of the node's own mempool, which devnet does not use. */
const ABOUT_NODE_POOL =
  /^(txn-|insufficient fee|bip125-|too-long-mempool-chain|too many potential|replacement-adds|mempool (full|min fee)|bad-txns-spends-conflicting|TRUC-violation|min relay fee|dust|package-)/

/** Asks the node whether a transaction whose unconfirmed ancestors are given (parents first) is valid. */
export type NodeValidator = (
  record: TransactionRecord,
  ancestors: readonly TransactionRecord[],
) => Promise<Rejection | null>

/**
 * The node's word on scripts: its mempool's where that follows Bitcoin Core, and always its block validation's. Knots'
 * mempool refuses every tapscript that executes OP_IF, and large OP_RETURN outputs, so it is not asked about those.
 */
export function createNodeValidator(rpc: Rpc, isKnots: boolean): NodeValidator {
  return async (record, ancestors) => {
    const family = [...ancestors, record]
    if (!isKnots || family.every(isPlain)) {
      const rejection = await askMempool(rpc, record, family)
      if (rejection) return rejection
    }
    return askBlockValidation(rpc, family)
  }
}

async function askMempool(
  rpc: Rpc,
  record: TransactionRecord,
  family: readonly TransactionRecord[],
): Promise<Rejection | null> {
  const verdicts = await rpc<
    { txid: string; allowed?: boolean; 'reject-reason'?: string; 'reject-details'?: string }[]
  >('testmempoolaccept', [family.map(rawHex), 0])
  const verdict = verdicts.find(({ txid }) => txid === record.txid)
  const reason = verdict?.['reject-reason']
  if (verdict?.allowed !== false || !reason || ABOUT_NODE_POOL.test(reason)) return null
  const details = verdict['reject-details']
  return reject(
    reason,
    details?.startsWith(`${reason}, `) ? details.slice(reason.length + 2) : undefined,
  )
}

async function askBlockValidation(
  rpc: Rpc,
  family: readonly TransactionRecord[],
): Promise<Rejection | null> {
  try {
    await rpc('generateblock', [NOWHERE, family.map(rawHex), false])
    return null
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return reject(error.message.replace(/^TestBlockValidity failed: /, ''))
  }
}

/** No inscription envelope nor other branching tapscript, and no OP_RETURN beyond the old limit. */
function isPlain({ tx, prevouts }: TransactionRecord): boolean {
  const dataCarriers = tx.outs.filter(({ script }) => classifyScript(script) === 'op_return')
  if (dataCarriers.length > 1) return false
  if (dataCarriers.some(({ script }) => script.length > KNOTS_MAX_DATA_CARRIER_SIZE)) return false
  return tx.ins.every(({ witness }, vin) => {
    const prevout = prevouts[vin]
    const tapscript = witness.at(-2)
    if (!prevout || !tapscript || classifyScript(prevout.script) !== 'v1_p2tr') return true
    const chunks = bitcoinScript.decompile(tapscript)
    return chunks !== null && !chunks.includes(opcodes.OP_IF) && !chunks.includes(opcodes.OP_NOTIF)
  })
}
