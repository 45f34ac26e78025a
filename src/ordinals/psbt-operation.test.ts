import { describe, expect, it } from 'vitest'
import { parsePsbt } from '../bitcoin/psbt.ts'
import { type BuiltInput, buildPsbt, lockOf } from '../bitcoin/testing/psbt-building.ts'
import { decodeTransaction } from '../bitcoin/transaction.ts'
import { foreseeOperation } from './psbt-operation.ts'
import { SPLIT_TOKEN, SPLIT_TRANSACTION } from './testing/atomical-transactions.ts'

const OWN_KEY = new Uint8Array(32).fill(7)
const OWN: BuiltInput = { type: 'p2tr', key: OWN_KEY, amount: 1_000n }

/** The split's own witness: signature, leaf with the envelope, control block. */
const [SPLIT_WITNESS = []] = decodeTransaction(SPLIT_TRANSACTION).ins.map(({ witness }) => witness)

function foresee(...foreign: BuiltInput[]) {
  const inputs = [OWN, ...foreign]
  const { bytes, prevouts } = buildPsbt({ inputs, outputs: [{ type: 'p2wpkh', amount: 900n }] })
  const known = prevouts.map(({ scriptPubKey }, index) => ({ scriptPubKey, own: index === 0 }))
  return foreseeOperation(parsePsbt(bytes), known)
}

describe('what a PSBT says to Atomicals', () => {
  it('is nothing where only the wallet signs, or keys alone', () => {
    expect(foresee()).toBeNull()
    expect(foresee({ type: 'p2wpkh', amount: 500n }, { type: 'p2pkh', amount: 500n })).toBeNull()
    expect(foresee({ type: 'p2sh-p2wpkh', amount: 500n })).toBeNull()
  })

  it.each(['p2tr', 'raw-p2tr', 'leaf', 'p2wsh-multisig', 'p2sh-p2wsh-multisig', 'future'] as const)(
    'is not told while somebody else has to finish an input of %s',
    type => {
      expect(foresee({ type, amount: 500n })).toBe('untold')
      expect(foresee({ type: 'p2wpkh', amount: 500n }, { type, amount: 500n })).toBe('untold')
    },
  )

  it('is not told either where nobody has said what an input spends, or what a script hash hides', () => {
    const bare = { type: 'p2sh-p2wpkh', amount: 500n, fields: { redeemScript: undefined } } as const
    expect(foresee(bare)).toBe('untold')
    const { bytes } = buildPsbt({
      inputs: [OWN, { type: 'p2wpkh', amount: 1n, proof: 'none' }],
      outputs: [{ type: 'p2wpkh', amount: 900n }],
    })
    const nobody = { scriptPubKey: null, own: false }
    expect(foreseeOperation(parsePsbt(bytes), [{ scriptPubKey: null, own: true }, nobody])).toBe(
      'untold',
    )
  })

  it('is not told where the redeem script is not the one that the coin commits to', () => {
    const { fields } = lockOf('p2sh-p2wpkh', OWN_KEY)
    const lying = { redeemScript: fields.redeemScript }
    expect(foresee({ type: 'p2sh-p2wsh-multisig', amount: 500n, fields: lying })).toBe('untold')
  })

  it('is what a final witness says', () => {
    const final: BuiltInput = {
      type: 'p2tr',
      amount: 500n,
      fields: { finalScriptWitness: [...SPLIT_WITNESS] },
    }
    const operation = foresee(final)
    if (operation === null || operation === 'untold') throw new Error('There is an operation')
    expect([operation.operation, operation.payload.get(SPLIT_TOKEN)]).toEqual(['y', 1000n])
  })

  it('is what a leaf says that the wallet itself is to sign', () => {
    const [, script = new Uint8Array(), control = new Uint8Array()] = SPLIT_WITNESS
    const { bytes } = buildPsbt({
      inputs: [
        {
          ...OWN,
          raw: {
            [`15${Buffer.from(control).toString('hex')}`]: Uint8Array.from([...script, 0xc0]),
          },
        },
      ],
      outputs: [{ type: 'p2wpkh', amount: 900n }],
    })
    const own = [{ scriptPubKey: null, own: true }]
    expect(foreseeOperation(parsePsbt(bytes), own)).toMatchObject({ operation: 'y' })
  })
})
