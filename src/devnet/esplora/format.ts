import { script as bitcoinScript, type TxOutput } from 'bitcoinjs-lib'
import type { BlockRecord } from '../chain/chain.ts'
import { toDisplayHash, toHex } from '../chain/hex.ts'
import { classifyScript, formatAddress, formatAsm } from '../chain/script.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'
import type { BlockJson, Status, TransactionJson, VinJson, VoutJson } from './shapes.ts'

export function formatTransaction(record: TransactionRecord, status: Status): TransactionJson {
  const { tx, txid, size, weight, fee } = record
  return {
    txid,
    version: tx.version,
    locktime: tx.locktime,
    vin: tx.ins.map((_, vin) => formatInput(record, vin)),
    vout: tx.outs.map(formatOutput),
    size,
    weight,
    fee: Number(fee),
    status,
  }
}

function formatInput({ tx, prevouts, isCoinbase }: TransactionRecord, vin: number): VinJson {
  const input = tx.ins[vin]
  if (!input) throw new RangeError(`no input ${vin}`)
  const prevout = prevouts[vin]
  return {
    txid: toDisplayHash(input.hash),
    vout: input.index,
    prevout: prevout ? formatOutput(prevout) : null,
    scriptsig: toHex(input.script),
    scriptsig_asm: formatAsm(input.script),
    ...(input.witness.length > 0 ? { witness: input.witness.map(toHex) } : {}),
    is_coinbase: isCoinbase,
    sequence: input.sequence,
    ...(prevout ? formatInnerScripts(prevout.script, input.script, input.witness) : {}),
  }
}

function formatInnerScripts(
  scriptPubKey: Uint8Array,
  scriptSig: Uint8Array,
  witness: readonly Uint8Array[],
): Pick<VinJson, 'inner_redeemscript_asm' | 'inner_witnessscript_asm'> {
  const last = bitcoinScript.decompile(scriptSig)?.at(-1)
  const redeemScript =
    classifyScript(scriptPubKey) === 'p2sh' && last instanceof Uint8Array ? last : null
  const type = classifyScript(redeemScript ?? scriptPubKey)
  const witnessScript =
    type === 'v0_p2wsh' ? witness.at(-1) : type === 'v1_p2tr' ? tapscriptOf(witness) : undefined
  return {
    ...(redeemScript ? { inner_redeemscript_asm: formatAsm(redeemScript) } : {}),
    ...(witnessScript ? { inner_witnessscript_asm: formatAsm(witnessScript) } : {}),
  }
}

/** The script of a taproot script-path spend (BIP-341), without a possible annex. */
function tapscriptOf(witness: readonly Uint8Array[]): Uint8Array | undefined {
  const hasAnnex = witness.length > 1 && witness.at(-1)?.[0] === 0x50
  const items = hasAnnex ? witness.slice(0, -1) : witness
  return items.length > 1 ? items.at(-2) : undefined
}

export function formatOutput({ script, value }: TxOutput): VoutJson {
  const address = formatAddress(script)
  return {
    scriptpubkey: toHex(script),
    scriptpubkey_asm: formatAsm(script),
    scriptpubkey_type: classifyScript(script),
    ...(address ? { scriptpubkey_address: address } : {}),
    value: Number(value),
  }
}

export function formatBlock(block: BlockRecord): BlockJson {
  return {
    id: block.hash,
    height: block.height,
    version: block.version,
    timestamp: block.timestamp,
    tx_count: block.transactions.length,
    size: block.size,
    weight: block.weight,
    merkle_root: block.merkleRoot,
    previousblockhash: block.height > 0 ? block.previousHash : null,
    mediantime: block.medianTime,
    nonce: block.nonce,
    bits: block.bits,
    difficulty: difficultyOf(block.bits),
  }
}

/** The largest target over the block's target, both in compact form. */
function difficultyOf(bits: number): number {
  const mantissa = bits & 0x007fffff
  const exponent = bits >>> 24
  return (0xffff / mantissa) * 256 ** (0x1d - exponent)
}
