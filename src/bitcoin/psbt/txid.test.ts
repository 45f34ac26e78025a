import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { toHex } from '../bytes.ts'
import {
  buildPsbt,
  COSIGNER_KEY,
  FOREIGN_KEY,
  type Lock,
  lockOf,
} from '../testing/psbt-building.ts'
import { parsePsbt } from './psbt.ts'
import { foreseeTransaction, provenRedeemScript, txidOnceSigned } from './txid.ts'

const KEY = FOREIGN_KEY
const OUTPUT = { type: 'p2wpkh' as const, amount: 900n }

/** A PSBT that spends coins of these kinds, and what another library makes of it once it is signed. */
function signed(...types: Lock[]) {
  const inputs = types.map(type => ({ type, key: KEY, amount: 1_000n, proof: 'both' as const }))
  const { bytes } = buildPsbt({ inputs, outputs: [OUTPUT] })
  const transaction = Transaction.fromPSBT(bytes, {
    allowLegacyWitnessUtxo: true,
    disableScriptCheck: true,
  })
  for (const index of types.keys()) {
    transaction.signIdx(KEY, index)
    if (types[index]?.includes('multisig')) transaction.signIdx(COSIGNER_KEY, index)
  }
  transaction.finalize()
  return {
    psbt: parsePsbt(bytes),
    final: parsePsbt(transaction.toPSBT()),
    txid: transaction.id,
    raw: transaction.unsignedTx,
    scripts: types.map(type => lockOf(type, KEY).script),
  }
}

const BOUND = ['p2wpkh', 'p2sh-p2wpkh', 'p2wsh-multisig', 'p2sh-p2wsh-multisig'] as const
const FREE = ['p2pkh', 'p2pk', 'multisig', 'p2sh-multisig'] as const

describe('the txid before a transaction is signed', () => {
  it.each(BOUND)('is known for %s, where signers choose only witnesses', type => {
    const { psbt, txid, scripts } = signed(type)
    expect(txidOnceSigned(psbt, scripts)).toBe(txid)
    expect(foreseeTransaction(psbt).txid).toBe(txid)
  })

  it.each(FREE)('is not known for %s, whose signatures are part of it', type => {
    const { psbt, txid, scripts, final } = signed(type)
    expect(txidOnceSigned(psbt, scripts)).toBeNull()
    expect(foreseeTransaction(psbt).txid).not.toBe(txid)
    // What is final may still be signed anew, but children that are there name this one.
    expect(txidOnceSigned(final, scripts)).toBeNull()
    expect(foreseeTransaction(final).txid).toBe(txid)
  })

  it('is not known while one of many is free, or while it is not certain what is spent', () => {
    const { psbt, scripts, txid } = signed('p2wpkh', 'p2sh-p2wpkh')
    expect(txidOnceSigned(psbt, scripts)).toBe(txid)
    expect(txidOnceSigned(psbt, [scripts[0] ?? null, null])).toBeNull()
    expect(txidOnceSigned(psbt, scripts.slice(0, 1))).toBeNull()
    const mixed = signed('p2wpkh', 'p2pkh')
    expect(txidOnceSigned(mixed.psbt, mixed.scripts)).toBeNull()
  })

  it.each(['p2sh-p2wpkh', 'p2sh-p2wsh-multisig'] as const)(
    'is known for %s also where the input is final, which tells the redeem script in its scriptSig alone',
    type => {
      const { final, scripts, txid } = signed(type)
      expect(final.inputs[0]?.redeemScript).toBeNull()
      expect(txidOnceSigned(final, scripts)).toBe(txid)
    },
  )

  it('is not known where the redeem script is not told, or is not the one of the coin', () => {
    const { psbt, scripts } = signed('p2sh-p2wpkh')
    const [input] = psbt.inputs
    if (!input) throw new Error('no input')
    const without = { ...psbt, inputs: [{ ...input, redeemScript: null }] }
    expect(txidOnceSigned(without, scripts)).toBeNull()
    const other = lockOf('p2sh-p2wpkh', COSIGNER_KEY).script
    expect(txidOnceSigned(psbt, [other])).toBeNull()
    expect(provenRedeemScript(input, other)).toBeNull()
    expect(provenRedeemScript({ redeemScript: null }, other)).toBeNull()
    expect(provenRedeemScript(input, scripts[0] ?? other)).toEqual(input.redeemScript)
  })

  it('is that of the transaction which others would be given', () => {
    const { psbt, txid } = signed('p2wpkh')
    const { raw } = foreseeTransaction(psbt)
    expect(Transaction.fromRaw(raw, { allowUnknownInputs: true }).id).toBe(txid)
    expect(toHex(raw)).toMatch(/^02000000/)
  })
})
