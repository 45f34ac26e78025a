import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { type BuiltInput, buildPsbt, lockOf } from '../../bitcoin/testing/psbt-building.ts'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import { SPLIT_TOKEN, SPLIT_TRANSACTION } from '../testing/atomical-transactions.ts'
import { foreseeOperation, proposedOperation, type WitnessSource } from './psbt-operation.ts'

const OWN_KEY = new Uint8Array(32).fill(7)
const OWN: BuiltInput = { type: 'p2tr', key: OWN_KEY, amount: 1_000n }

/** The split's own witness: signature, leaf with the envelope, control block. */
const [SPLIT_WITNESS = []] = decodeTransaction(SPLIT_TRANSACTION).ins.map(({ witness }) => witness)

function sourcesOf(...foreign: BuiltInput[]): WitnessSource[] {
  const inputs = [OWN, ...foreign]
  const { bytes, prevouts } = buildPsbt({ inputs, outputs: [{ type: 'p2wpkh', amount: 900n }] })
  return parsePsbt(bytes).inputs.map(({ redeemScript }, index) => ({
    scriptPubKey: prevouts[index]?.scriptPubKey ?? null,
    redeemScript,
    own: index === 0,
    onlyLeaf: null,
  }))
}

function foresee(...foreign: BuiltInput[]) {
  return foreseeOperation(sourcesOf(...foreign))
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
      expect(foresee({ type, amount: 500n })).toBe('unknown')
      expect(foresee({ type: 'p2wpkh', amount: 500n }, { type, amount: 500n })).toBe('unknown')
    },
  )

  it('is not told either where nobody has said what an input spends, or what a script hash hides', () => {
    const bare = { type: 'p2sh-p2wpkh', amount: 500n, fields: { redeemScript: undefined } } as const
    expect(foresee(bare)).toBe('unknown')
    const [own, theirs] = sourcesOf({ type: 'p2wpkh', amount: 1n })
    if (!own || !theirs) throw new Error('Two inputs')
    expect(foreseeOperation([own, { ...theirs, scriptPubKey: null }])).toBe('unknown')
    expect(foreseeOperation([{ ...own, scriptPubKey: null }, theirs])).toBe('unknown')
  })

  it('is not told where the redeem script is not the one that the coin commits to', () => {
    const { fields } = lockOf('p2sh-p2wpkh', OWN_KEY)
    const lying = { redeemScript: fields.redeemScript }
    expect(foresee({ type: 'p2sh-p2wsh-multisig', amount: 500n, fields: lying })).toBe('unknown')
  })

  it('is not told by a final witness, which its owner can replace', () => {
    const final: BuiltInput = {
      type: 'p2tr',
      amount: 500n,
      fields: { finalScriptWitness: [...SPLIT_WITNESS] },
    }
    expect(foresee(final)).toBe('unknown')
  })

  it('is what the one leaf says that an input can be spent by', () => {
    const [own] = sourcesOf()
    const [, script = new Uint8Array()] = SPLIT_WITNESS
    const { script: scriptPubKey } = lockOf('leaf')
    const leaf = { scriptPubKey, redeemScript: null, own: false, onlyLeaf: script }
    if (!own) throw new Error('One input')
    const operation = foreseeOperation([own, leaf])
    if (operation === null || operation === 'unknown') throw new Error('There is an operation')
    expect([operation.operation, operation.payload.get(SPLIT_TOKEN)]).toEqual(['y', 1000n])
  })
})

describe('what a PSBT draws for Atomicals', () => {
  const [, script = new Uint8Array(), control = new Uint8Array()] = SPLIT_WITNESS
  const leaf = { [`15${toHex(control)}`]: Uint8Array.from([...script, 0xc0]) }
  const propose = (input: BuiltInput, own: boolean) => {
    const { bytes } = buildPsbt({ inputs: [input], outputs: [{ type: 'p2wpkh', amount: 9n }] })
    return proposedOperation(parsePsbt(bytes).inputs, () => own)
  }

  it('is what leaves and final witnesses of others say', () => {
    const fields = { finalScriptWitness: [...SPLIT_WITNESS] }
    expect(propose({ type: 'p2tr', amount: 500n, fields }, false)).toMatchObject({ operation: 'y' })
    expect(propose({ type: 'p2tr', amount: 500n, raw: leaf }, false)).toMatchObject({
      operation: 'y',
    })
  })

  it('is nothing where a leaf is written beside a coin that our key opens alone', () => {
    expect(propose({ ...OWN, raw: leaf }, true)).toBeNull()
  })
})
