import { RawTx } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { UnverifiedInputError } from '../previous-output.ts'
import { type BuiltInput, buildPsbt, lockOf } from '../testing/psbt-building.ts'
import { fundingTransaction } from '../testing/spending.ts'
import { listUnproven, readPrevouts } from './prevouts.ts'
import { parsePsbt } from './psbt.ts'

const OUTPUTS = [{ type: 'p2tr', amount: 1_000n }] as const
const NO_FETCHED = new Map<string, Uint8Array>()

function build(...inputs: BuiltInput[]) {
  const built = buildPsbt({ inputs, outputs: OUTPUTS })
  return { ...built, psbt: parsePsbt(built.bytes) }
}

describe('readPrevouts', () => {
  it('takes as proven what a previous transaction shows, and as claimed what only the PSBT says', () => {
    const kinds = ['previous', 'both', 'witness', 'none'] as const
    const inputs = kinds.map(proof => ({ type: 'p2wpkh', amount: 5_000n, proof }) as const)
    const { psbt, previous, prevouts } = build(...inputs)
    const proofs = (fetched: ReadonlyMap<string, Uint8Array>) =>
      readPrevouts(psbt, fetched).map(prevout => prevout?.proof ?? null)
    expect(proofs(NO_FETCHED)).toEqual(['proven', 'proven', 'claimed', null])
    expect(proofs(previous)).toEqual(['proven', 'proven', 'proven', 'proven'])
    expect(readPrevouts(psbt, previous)).toMatchObject(prevouts)
  })

  it.each([
    ['amount', { amount: 5_001n }, 'it holds 5000 sats, not 5001'],
    ['script', { script: lockOf('p2tr').script }, 'it has another script'],
  ])('refuses a claim whose %s the previous transaction contradicts', (_, lie, message) => {
    const truth = { amount: 5_000n, script: lockOf('p2wpkh').script }
    const fields = { witnessUtxo: { ...truth, ...lie } }
    for (const proof of ['both', 'witness'] as const) {
      const { psbt, previous } = build({ type: 'p2wpkh', amount: 5_000n, proof, fields })
      expect(() => readPrevouts(psbt, previous)).toThrow(UnverifiedInputError)
      expect(() => readPrevouts(psbt, previous)).toThrow(message)
    }
  })

  it('refuses another transaction than the one that is spent, wherever it comes from', () => {
    const { raw } = fundingTransaction([{ script: lockOf('p2wpkh').script, amount: 5_000n }], 99)
    const spent = { txid: 'ab'.repeat(32), vout: 0 }
    const claimed = build({ type: 'p2wpkh', amount: 5_000n, outpoint: spent })
    const fetched = new Map([[spent.txid, raw]])
    expect(() => readPrevouts(claimed.psbt, fetched)).toThrow(/the transaction given is/)
    const fields = { nonWitnessUtxo: RawTx.decode(raw) }
    const { bytes } = buildPsbt({
      inputs: [{ type: 'p2wpkh', amount: 5_000n, outpoint: spent, fields }],
      outputs: OUTPUTS,
    })
    expect(() => readPrevouts(parsePsbt(bytes), NO_FETCHED)).toThrow(/the transaction given is/)
  })

  it('refuses one transaction given for two txids', () => {
    const { raw, txid } = fundingTransaction([{ script: lockOf('p2wpkh').script, amount: 1n }], 99)
    const other = 'ab'.repeat(32)
    const inputs = [txid, other].map(
      id =>
        ({ type: 'p2wpkh', amount: 1n, proof: 'none', outpoint: { txid: id, vout: 0 } }) as const,
    )
    const fetched = new Map([txid, other].map(id => [id, raw]))
    expect(() => readPrevouts(build(...inputs).psbt, fetched)).toThrow(/the transaction given is/)
  })

  it('refuses an output that the previous transaction does not have', () => {
    const { raw, txid } = fundingTransaction([{ script: lockOf('p2wpkh').script, amount: 1n }], 99)
    const { psbt } = build({ type: 'p2wpkh', amount: 1n, outpoint: { txid, vout: 1 } })
    expect(() => readPrevouts(psbt, new Map([[txid, raw]]))).toThrow('there is no such output')
  })

  it('refuses bytes that are no transaction', () => {
    const { psbt, previous } = build({ type: 'p2wpkh', amount: 5_000n })
    const broken = new Map([...previous].map(([txid, raw]) => [txid, raw.slice(1)]))
    expect(() => readPrevouts(psbt, broken)).toThrow('its transaction cannot be read')
  })
})

describe('listUnproven', () => {
  it('names each transaction once that is not there, and no placeholder', () => {
    const { txid } = fundingTransaction([], 99)
    const { psbt, previous } = build(
      { type: 'p2wpkh', amount: 1n, proof: 'previous' },
      { type: 'p2wpkh', amount: 1n, proof: 'witness' },
      { type: 'p2tr', amount: 1n, proof: 'witness' },
      { type: 'p2wpkh', amount: 1n, outpoint: { txid, vout: 0 } },
      { type: 'p2wpkh', amount: 1n, outpoint: { txid, vout: 1 } },
      { type: 'p2wpkh', amount: 0n, placeholder: 0 },
    )
    const [, second = '', third = ''] = previous.keys()
    expect(listUnproven(psbt)).toEqual([second, third, txid])
  })

  it('names none where every input claims taproot, whose signatures cover the claims', () => {
    const { psbt } = build({ type: 'p2tr', amount: 1n }, { type: 'raw-p2tr', amount: 2n })
    expect(listUnproven(psbt)).toEqual([])
    const { psbt: silent } = build({ type: 'p2tr', amount: 1n, proof: 'none' })
    expect(listUnproven(silent)).toHaveLength(1)
  })
})
