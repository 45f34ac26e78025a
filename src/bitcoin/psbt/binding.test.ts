import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { toHex } from '../bytes.ts'
import { SIGHASHES } from '../signing/sighash.ts'
import { listTemplates } from '../signing/spending-template.ts'
import { FOREIGN_KEY, lockOf } from '../testing/psbt-building.ts'
import {
  bindSignatures,
  bindsOutput,
  certaintyOf,
  findOnlyLeaf,
  holdsLocktime,
  weakest,
} from './binding.ts'

/** A transaction of three inputs and three outputs, with some of it changed, and what its inputs spend. */
type Proposal = {
  outpoints: string[]
  outputs: bigint[]
  amounts: bigint[]
  scripts: Uint8Array[]
}

const SCRIPT = lockOf('p2tr').script
const OTHER_SCRIPT = lockOf('p2wpkh').script

const proposal: Proposal = {
  outpoints: ['11', '22', '33'],
  outputs: [5n, 6n, 7n],
  amounts: [100n, 200n, 300n],
  scripts: [SCRIPT, SCRIPT, SCRIPT],
}

const replace = <T>(list: readonly T[], at: number, entry: T) =>
  list.map((old, index) => (index === at ? entry : old))

/** The hash that a signature signs, by an independent library. */
function hashOf(scheme: string, index: number, sighash: number, proposal: Proposal): string {
  const transaction = new Transaction({ allowUnknownOutputs: true, allowLegacyWitnessUtxo: true })
  for (const byte of proposal.outpoints)
    transaction.addInput({ txid: byte.repeat(32), index: 0, sequence: 0xfffffffd })
  for (const amount of proposal.outputs) transaction.addOutput({ script: SCRIPT, amount })
  const { scripts, amounts } = proposal
  if (scheme === 'taproot')
    return toHex(transaction.preimageWitnessV1(index, scripts, sighash, amounts))
  const script = lockOf('p2pkh').script
  return toHex(
    scheme === 'v0'
      ? transaction.preimageWitnessV0(index, script, sighash, amounts[index] ?? 0n)
      : // biome-ignore lint/complexity/useLiteralKeys: the library keeps it to itself
        transaction['preimageLegacy'](index, script, sighash),
  )
}

describe('what a signature binds', () => {
  const cases = ['legacy', 'v0', 'taproot'].flatMap(scheme =>
    SIGHASHES.filter(sighash => scheme === 'taproot' || sighash !== 0).flatMap(sighash =>
      [0, 1, 2].map(index => [scheme, sighash, index] as const),
    ),
  )

  it.each(cases)('of %s with %i at input %i is what its hash changes with', (...row) => {
    const [scheme, sighash, index] = row
    const { reaches, covers } = bindSignatures(
      [{ index, sighash, proven: true }],
      () => scheme === 'taproot',
    )
    const [reach] = reaches
    if (!reach) throw new Error('One signature')
    const isBound = (change: Partial<Proposal>) =>
      hashOf(scheme, index, sighash, proposal) !==
      hashOf(scheme, index, sighash, { ...proposal, ...change })
    for (const at of [0, 1, 2]) {
      const isOther = isBound({ outpoints: replace(proposal.outpoints, at, '99') })
      expect(isOther).toBe(at === index || reach.inputs)
      expect(isBound({ outputs: replace(proposal.outputs, at, 999n) })).toBe(bindsOutput(reach, at))
      const amounts = isBound({ amounts: replace(proposal.amounts, at, 999n) })
      const scripts = isBound({ scripts: replace(proposal.scripts, at, OTHER_SCRIPT) })
      // BIP-143 covers the own amount too; such an input has to be proven before it is signed.
      expect(covers(at)).toBe(scheme === 'taproot' && amounts && scripts)
    }
    const further = isBound({ outputs: [...proposal.outputs, 8n] })
    expect(further).toBe(reach.outputs === 'all')
  })
})

describe('signatures beside each other', () => {
  const [DEFAULT, ALL, SINGLE, ALL_ANYONE] = [0, 1, 3, 0x81] as const

  it('make a transaction certain only if each of them binds all of it', () => {
    const certainty = (...sighashes: number[]) =>
      certaintyOf(
        bindSignatures(
          sighashes.map((sighash, index) => ({ index, sighash, proven: true })),
          () => true,
        ).reaches,
      )
    expect(certainty(DEFAULT, ALL)).toBe('certain')
    expect(certainty(DEFAULT, ALL_ANYONE)).toBe('open')
    expect(certainty(SINGLE, ALL)).toBe('open')
    expect(certainty()).toBe('open')
  })

  it('cover the amounts of others only if each of them does that names them', () => {
    const taproot = new Set([0, 2])
    const covers = (...signatures: [index: number, sighash: number][]) => {
      const given = signatures.map(([index, sighash]) => ({ index, sighash, proven: true }))
      const binding = bindSignatures(given, index => taproot.has(index))
      return [0, 1, 2, 3].map(binding.covers)
    }
    expect(covers([0, DEFAULT])).toEqual([true, true, true, true])
    expect(covers([0, DEFAULT], [1, ALL])).toEqual([false, false, false, false])
    expect(covers([0, DEFAULT], [2, ALL_ANYONE])).toEqual([true, true, true, true])
    expect(covers([0, ALL_ANYONE], [2, ALL_ANYONE])).toEqual([true, false, true, false])
    expect(covers([1, ALL])).toEqual([false, false, false, false])
    expect(covers()).toEqual([false, false, false, false])
  })

  it('make nothing more certain where they could not be checked, only less', () => {
    const bind = (...signatures: [index: number, sighash: number, proven: boolean][]) =>
      bindSignatures(
        signatures.map(([index, sighash, proven]) => ({ index, sighash, proven })),
        () => true,
      )
    expect(certaintyOf(bind([0, DEFAULT, false]).reaches)).toBe('open')
    expect(certaintyOf(bind([0, DEFAULT, true], [1, ALL_ANYONE, false]).reaches)).toBe('open')
    const beside = bind([0, ALL_ANYONE, true], [1, ALL, false])
    expect([0, 1, 2].map(beside.covers)).toEqual([true, false, false])
  })

  it('hold a locktime if each of them covers a sequence that is not final', () => {
    const [FINAL, LOCKING] = [0xffffffff, 0xfffffffe]
    const holds = (sighash: number, ...sequences: number[]) =>
      holdsLocktime(
        bindSignatures([{ index: 0, sighash, proven: true }], () => true).reaches,
        sequences,
      )
    expect(holds(ALL, FINAL, LOCKING)).toBe(true)
    expect(holds(ALL, FINAL, FINAL)).toBe(false)
    for (const sighash of [2, SINGLE, ALL_ANYONE, 0x83]) {
      expect(holds(sighash, FINAL, LOCKING)).toBe(false)
      expect(holds(sighash, LOCKING, FINAL)).toBe(true)
    }
  })

  it('are as certain as the least certain thing they hang on', () => {
    expect(weakest()).toBe('certain')
    expect(weakest('certain', 'claimed')).toBe('claimed')
    expect(weakest('claimed', 'open', 'certain')).toBe('open')
    expect(weakest('open', 'unknown')).toBe('unknown')
  })
})

describe('the one leaf of a taproot output', () => {
  const isNobodys = () => false
  const { script, fields } = lockOf('leaf', FOREIGN_KEY)
  const [entry] = fields.tapLeafScript ?? []
  const templatesOf = (controlBlock: Uint8Array, leafScript: Uint8Array) =>
    listTemplates(script, {
      ...{ redeemScript: null, witnessScript: null, publicKeys: [] },
      leaves: [{ controlBlock, script: leafScript, leafVersion: 0xc0 }],
    }) ?? []

  it('is known where the key beside it is nobody’s', () => {
    if (!entry) throw new Error('One leaf')
    const [{ version, internalKey, merklePath }, withVersion] = entry
    expect(merklePath).toEqual([])
    const control = Uint8Array.of(version, ...internalKey)
    const leaf = withVersion.subarray(0, -1)
    expect(findOnlyLeaf(templatesOf(control, leaf), isNobodys)).toEqual(leaf)
    // A path that is not the output's shows nothing.
    const longer = Uint8Array.of(...control, ...new Uint8Array(32))
    expect(findOnlyLeaf(templatesOf(longer, leaf), isNobodys)).toBeNull()
  })

  it('is not where somebody has a key beside it, unless that is ours', () => {
    const [template] = templatesOf(new Uint8Array(), new Uint8Array())
    if (!template) throw new Error('The key path')
    const internalKey = lockOf('raw-p2tr').script.subarray(2)
    const controlBlock = Uint8Array.of(0xc0, ...internalKey)
    const leaf = {
      ...template,
      leafHash: new Uint8Array(32),
      script: Uint8Array.of(0x51),
      after: [Uint8Array.of(0x51), controlBlock],
    }
    expect(findOnlyLeaf([template, leaf], isNobodys)).toBeNull()
    expect(findOnlyLeaf([template, leaf], key => toHex(key) === toHex(internalKey))).toEqual(
      leaf.script,
    )
  })
})
