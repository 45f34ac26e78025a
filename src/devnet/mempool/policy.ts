import { script as bitcoinScript, type Transaction, type TxOutput } from 'bitcoinjs-lib'
import {
  classifyScript,
  isUnspendable,
  parseMultisig,
  parseWitnessProgram,
} from '../chain/script.ts'
import { spentOutpoint, sumValues, type TransactionRecord } from '../chain/transaction-record.ts'
import { type Rejection, reject } from './rejection.ts'

// Checks of Bitcoin Core's validation.cpp and policy/policy.cpp that need no chain, with their reject reasons. The 0.1
// sat/vB relay floor is the default since Core 30, and so are 100,000 bytes of OP_RETURN, which the limit on weight
// reaches first.

const MAX_MONEY = 21_000_000n * 100_000_000n
const MAX_STANDARD_WEIGHT = 400_000
const MAX_BLOCK_WEIGHT = 4_000_000
const MIN_NON_WITNESS_SIZE = 65
const MAX_STANDARD_VERSION = 3
const MAX_SCRIPT_SIG_SIZE = 1650
const MAX_STANDARD_MULTISIG_KEYS = 3
const MAX_DUST_OUTPUTS = 1
const RELAY_FEE_PER_KVB = 100n
const DUST_FEE_PER_KVB = 3000n

/** Consensus rules that need only the transaction (Core's CheckTransaction). */
export function checkTransaction(tx: Transaction): Rejection | null {
  if (tx.ins.length === 0) return reject('bad-txns-vin-empty')
  if (tx.outs.length === 0) return reject('bad-txns-vout-empty')
  if (tx.byteLength(false) * 4 > MAX_BLOCK_WEIGHT) return reject('bad-txns-oversize')
  let total = 0n
  for (const { value } of tx.outs) {
    if (value < 0n) return reject('bad-txns-vout-negative')
    if (value > MAX_MONEY) return reject('bad-txns-vout-toolarge')
    total += value
    if (total > MAX_MONEY) return reject('bad-txns-txouttotal-toolarge')
  }
  if (new Set(tx.ins.map(spentOutpoint)).size !== tx.ins.length) {
    return reject('bad-txns-inputs-duplicate')
  }
  if (tx.isCoinbase()) return reject('coinbase')
  if (tx.ins.some(input => input.index === 0xffffffff && input.hash.every(byte => byte === 0))) {
    return reject('bad-txns-prevout-null')
  }
  return null
}

/** Shape rules of relay (Core's IsStandardTx). */
export function checkStandard(tx: Transaction): Rejection | null {
  const version = tx.version >>> 0
  if (version < 1 || version > MAX_STANDARD_VERSION) return reject('version')
  if (tx.weight() > MAX_STANDARD_WEIGHT) return reject('tx-size')
  for (const { script } of tx.ins) {
    if (script.length > MAX_SCRIPT_SIG_SIZE) return reject('scriptsig-size')
    if (!isPushOnly(script)) return reject('scriptsig-not-pushonly')
  }
  for (const { script } of tx.outs) {
    if (!isStandardOutput(script)) return reject('scriptpubkey')
  }
  if (tx.outs.filter(isDust).length > MAX_DUST_OUTPUTS) return reject('dust')
  if (tx.byteLength(false) < MIN_NON_WITNESS_SIZE) return reject('tx-size-small')
  return null
}

function isStandardOutput(script: Uint8Array): boolean {
  const type = classifyScript(script)
  if (type === 'op_return') return isPushOnly(script.subarray(1))
  if (type === 'multisig') {
    return (parseMultisig(script)?.keys ?? Number.POSITIVE_INFINITY) <= MAX_STANDARD_MULTISIG_KEYS
  }
  // Unknown witness versions may be paid to, so that old nodes relay what new wallets need.
  return type === 'unknown' ? (parseWitnessProgram(script)?.version ?? 0) > 0 : type !== 'empty'
}

function isPushOnly(script: Uint8Array): boolean {
  const chunks = bitcoinScript.decompile(script)
  return chunks !== null && bitcoinScript.isPushOnly(chunks)
}

/** Sats below which an output costs more to spend than it holds, at 3 sat/vB (Core's GetDustThreshold). */
export function dustThreshold(script: Uint8Array): bigint {
  if (isUnspendable(script)) return 0n
  const outputSize = 8 + (script.length < 0xfd ? 1 : 3) + script.length
  const spendSize = parseWitnessProgram(script) ? 67 : 148
  return (BigInt(outputSize + spendSize) * DUST_FEE_PER_KVB) / 1000n
}

export function isDust({ script, value }: TxOutput): boolean {
  return value < dustThreshold(script)
}

/** Sums of inputs and outputs (Core's CheckTxInputs, less coinbase maturity). */
export function checkValues(tx: Transaction, prevouts: readonly TxOutput[]): Rejection | null {
  const valueIn = sumValues(prevouts)
  if (prevouts.some(({ value }) => value < 0n || value > MAX_MONEY) || valueIn > MAX_MONEY) {
    return reject('bad-txns-inputvalues-outofrange')
  }
  const valueOut = sumValues(tx.outs)
  if (valueIn < valueOut) {
    return reject(
      'bad-txns-in-belowout',
      `value in (${formatMoney(valueIn)}) < value out (${formatMoney(valueOut)})`,
    )
  }
  return null
}

/** Dust only in a transaction without fee (Core's ephemeral dust). */
export function checkDust({ fee, tx }: TransactionRecord): Rejection | null {
  return fee !== 0n && tx.outs.some(isDust)
    ? reject('dust', 'tx with dust output must be 0-fee')
    : null
}

/** The relay floor of 0.1 sat/vB. */
export function checkFee({ fee, vsize }: TransactionRecord): Rejection | null {
  const floor = relayFee(vsize)
  return fee < floor ? reject('min relay fee not met', `${fee} < ${floor}`) : null
}

/** Sats that 0.1 sat/vB asks for this size, rounded up. */
export function relayFee(vsize: number): bigint {
  return (BigInt(vsize) * RELAY_FEE_PER_KVB + 999n) / 1000n
}

const MAX_WITNESS_SCRIPT_SIZE = 3600
const MAX_WITNESS_STACK_ITEMS = 100
const MAX_WITNESS_ITEM_SIZE = 80
const TAPROOT_ANNEX = 0x50
const TAPSCRIPT_VERSION = 0xc0

/** What may be spent and how (Core's AreInputsStandard and IsWitnessStandard, without sigop counts). */
export function checkSpends(tx: Transaction, prevouts: readonly TxOutput[]): Rejection | null {
  for (const { script } of prevouts) {
    const type = classifyScript(script)
    if (type === 'unknown' || type === 'op_return' || type === 'empty') {
      return reject('bad-txns-nonstandard-inputs')
    }
  }
  const bad = tx.ins.some(({ witness, script }, vin) => {
    const prevout = prevouts[vin]
    return prevout && witness.length > 0 && !isStandardWitness(prevout.script, script, witness)
  })
  return bad ? reject('bad-witness-nonstandard') : null
}

function isStandardWitness(
  prevoutScript: Uint8Array,
  scriptSig: Uint8Array,
  witness: readonly Uint8Array[],
): boolean {
  const isNested = classifyScript(prevoutScript) === 'p2sh'
  const redeemScript = isNested ? bitcoinScript.decompile(scriptSig)?.at(-1) : prevoutScript
  if (redeemScript === undefined || typeof redeemScript === 'number') return false
  const type = classifyScript(redeemScript)
  if (type === 'anchor' || !parseWitnessProgram(redeemScript)) return false
  if (type === 'v0_p2wsh') {
    const items = witness.slice(0, -1)
    return (
      (witness.at(-1)?.length ?? 0) <= MAX_WITNESS_SCRIPT_SIZE &&
      items.length <= MAX_WITNESS_STACK_ITEMS &&
      items.every(item => item.length <= MAX_WITNESS_ITEM_SIZE)
    )
  }
  if (type === 'v1_p2tr' && !isNested) {
    if (witness.length >= 2 && witness.at(-1)?.[0] === TAPROOT_ANNEX) return false
    if (witness.length < 2) return true
    const version = (witness.at(-1)?.[0] ?? 0) & 0xfe
    return (
      version !== TAPSCRIPT_VERSION ||
      witness.slice(0, -2).every(item => item.length <= MAX_WITNESS_ITEM_SIZE)
    )
  }
  return true
}

/** Sats as Core prints amounts: in bitcoin, zeros at the end left out down to two decimals (FormatMoney). */
export function formatMoney(sats: bigint): string {
  return formatBitcoin(sats).replace(/0{1,6}$/, '')
}

/** Sats in bitcoin with eight decimals. */
export function formatBitcoin(sats: bigint): string {
  return `${sats / 100_000_000n}.${String(sats % 100_000_000n).padStart(8, '0')}`
}
