import { describe, expect, it } from 'vitest'
import { finalizableLocks, signCoins } from '../testing/signed-psbt.ts'
import { decodeTransaction, type TransactionOutput } from '../transaction.ts'
import { readPrevouts } from './prevouts.ts'
import { parsePsbt } from './psbt.ts'
import { parseSignedOutputs } from './signed-outputs.ts'

const KEYS: [Uint8Array, Uint8Array, Uint8Array] = [key(1), key(2), key(3)]
const LOCKS = finalizableLocks(KEYS)
const TYPES = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const

const [ALL, NONE, SINGLE, ANYONECANPAY] = [1, 2, 3, 0x80]

function key(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte)
}

/** A transaction that an independent library signed, with two coins of one kind. */
function sign(type: (typeof TYPES)[number], sighash?: number) {
  const { bytes, signed } = signCoins([LOCKS[type], LOCKS[type]], KEYS, sighash)
  signed.finalize()
  const prevouts = readPrevouts(parsePsbt(bytes), new Map())
  return { raw: signed.extract(), prevouts, script: LOCKS[type].lock.script, signed }
}

describe.each(TYPES)('what the owner of a %s address signed', type => {
  const { raw, prevouts, script, signed } = sign(type)

  it('are all outputs', () => {
    const outputs = parseSignedOutputs(raw, prevouts, script)
    expect(outputs).toHaveLength(signed.outputsLength)
    for (const [index, output] of outputs?.entries() ?? []) {
      const { script, amount } = signed.getOutput(index)
      expect(output).toEqual({ scriptPubKey: script, amount })
    }
  })

  it('are all outputs where others may add inputs', () => {
    const open = sign(type, ALL | ANYONECANPAY)
    expect(parseSignedOutputs(open.raw, open.prevouts, script)).not.toBeNull()
  })

  it('is nothing once an output is another one', () => {
    const transaction = decodeTransaction(raw)
    const [output] = transaction.outs
    if (output) output.value -= 1n
    expect(parseSignedOutputs(transaction.toBuffer(), prevouts, script)).toBeNull()
  })

  it('is nothing without its signatures', () => {
    const transaction = decodeTransaction(raw)
    for (const input of transaction.ins) Object.assign(input, { script: Buffer.of(), witness: [] })
    expect(parseSignedOutputs(transaction.toBuffer(), prevouts, script)).toBeNull()
  })

  it.each([NONE, SINGLE, NONE | ANYONECANPAY, SINGLE | ANYONECANPAY])(
    'is not every output under the sighash %i',
    sighash => {
      const { raw, prevouts } = sign(type, sighash)
      expect(parseSignedOutputs(raw, prevouts, script)).toBeNull()
    },
  )

  it('is nothing of a transaction that spends no coin of it', () => {
    const other = LOCKS[type === 'p2tr' ? 'p2wpkh' : 'p2tr'].lock.script
    expect(parseSignedOutputs(raw, prevouts, other)).toBeNull()
    const claimed = prevouts.map(prevout => prevout && { ...prevout, scriptPubKey: other })
    expect(parseSignedOutputs(raw, claimed, other)).toBeNull()
  })
})

it.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh'] as const)(
  'a signature of a %s address is good for no other amount than it was made for',
  type => {
    const { raw, prevouts, script } = sign(type)
    const lied = prevouts.map(
      (prevout): TransactionOutput | null => prevout && { ...prevout, amount: prevout.amount + 1n },
    )
    expect(parseSignedOutputs(raw, lied, script)).toBeNull()
  },
)
