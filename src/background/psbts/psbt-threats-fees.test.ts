import { p2tr, p2wsh, TAPROOT_UNSPENDABLE_KEY } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { type BuiltInput, FOREIGN_KEY } from '../../bitcoin/testing/psbt-building.ts'
import { startAssetSite, toThem } from '../testing/asset-site.ts'
import { approveSigning, hexOf, trySigning } from '../testing/psbt-site.ts'

/** Fees that are high whatever others do, and that something in the PSBT hides. */

const SIGNATURES_STAY = { autoFinalized: false }
const ABSURD = { error: { data: { reason: 'ABSURD_FEE' } } }

const UNKNOWN_PARENT: BuiltInput = { type: 'p2wpkh', amount: 1_000n, proof: 'none' }
const PLACEHOLDER: BuiltInput = { ...UNKNOWN_PARENT, placeholder: 0 }

describe('a fee beside an input of which nothing is known', () => {
  it.each([
    ['an unknown parent', UNKNOWN_PARENT],
    ['a placeholder', PLACEHOLDER],
  ])('that is absurd without it is refused for %s', async (_, hidden) => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({ inputs: [site.mine(100_000_000n), hidden], outputs: [toThem(9_000n)] })
    const { review, response } = await trySigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect({ response, review }).toMatchObject({ response: ABSURD, review: null })
  })

  it.each([
    ['an unknown parent', UNKNOWN_PARENT],
    ['a placeholder', PLACEHOLDER],
  ])('that is high without it is warned of for %s, and shown as the least', async (_, hidden) => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({ inputs: [site.mine(1_000_000n), hidden], outputs: [toThem(500_000n)] })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: '500000' })
    expect(review.items[0]?.warnings).toContainEqual(
      expect.objectContaining({ kind: 'high-fee', percent: 100 }),
    )
  })

  it('is not warned of as low, as it can be any sum above the least', async () => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({
      inputs: [site.mine(100_000n), UNKNOWN_PARENT],
      outputs: [toThem(99_990n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: '10', warnings: [] })
  })

  it('has no least where the unknown input may have to pay for the outputs', async () => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({
      inputs: [site.mine(100_000n), UNKNOWN_PARENT],
      outputs: [toThem(100_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: null, warnings: [] })
  })

  it('has no least that rests on an amount which only the site states', async () => {
    const site = await startAssetSite('p2wpkh')
    const claimed: BuiltInput = { type: 'p2wpkh', amount: 90_000n }
    const psbt = hexOf({
      inputs: [site.mine(100_000n), claimed, UNKNOWN_PARENT],
      outputs: [toThem(150_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: null })
  })

  it('has no least in a listing between placeholders, which others complete', async () => {
    const site = await startAssetSite()
    const own = { ...site.mine(100_000_000n), sighash: 0x83 }
    const psbt = hexOf({
      inputs: [PLACEHOLDER, { ...PLACEHOLDER, placeholder: 1 }, own],
      outputs: [toThem(0n), toThem(600n), site.toMe(20_000n)],
    })
    const toSignInputs = [{ index: 2, address: site.account.address, sighashTypes: [0x83] }]
    const { review } = await approveSigning(site, 'signPsbt', psbt, {
      ...SIGNATURES_STAY,
      toSignInputs,
    })
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: null })
    expect(review.items[0]?.warnings.map(({ kind }) => kind)).not.toContain('high-fee')
  })
})

const FOREIGN_X_ONLY = publicKeyOf(FOREIGN_KEY).slice(1)
const PADDING = 40_000

/** `OP_0 OP_IF <data> OP_ENDIF` of about 40,000 bytes, which does nothing. */
function paddingScript(): Uint8Array {
  const push = concatBytes(fromHex('4d0802'), new Uint8Array(520))
  const pushes = Array.from({ length: Math.ceil(PADDING / 520) }, () => push)
  return concatBytes(fromHex('0063'), ...pushes, fromHex('68'))
}

/** A coin of theirs that their key opens, or a leaf with this script. */
function besideLeaf(leaf: Uint8Array) {
  const { script, tapLeafScript = [] } = p2tr(FOREIGN_X_ONLY, { script: leaf }, undefined, true)
  const [[control] = []] = tapLeafScript
  if (!control) throw new Error('no leaf')
  const { version, internalKey, merklePath } = control
  return {
    script,
    tapLeafScript,
    controlBlock: concatBytes(Uint8Array.of(version), internalKey, ...merklePath),
  }
}

const SPENDABLE_LEAF = concatBytes(paddingScript(), fromHex('51'))
const SIGNED_LEAF = concatBytes(fromHex('20'), FOREIGN_X_ONLY, fromHex('ac'), paddingScript())

function finalByLeaf(): BuiltInput {
  const { script, controlBlock } = besideLeaf(SPENDABLE_LEAF)
  return {
    type: { script, fields: {} },
    amount: 1_000n,
    proof: 'previous',
    fields: { finalScriptWitness: [SPENDABLE_LEAF, controlBlock] },
  }
}

function openByLeaf(): BuiltInput {
  const { script, tapLeafScript } = besideLeaf(SIGNED_LEAF)
  return { type: { script, fields: { tapLeafScript } }, amount: 1_000n, proof: 'previous' }
}

/** Nobody has proven that the coin has this script. */
function openByClaimedLeaf(): BuiltInput {
  const leaf = { script: SIGNED_LEAF }
  const { script, tapLeafScript } = p2tr(TAPROOT_UNSPENDABLE_KEY, leaf, undefined, true)
  return { type: { script, fields: { ...(tapLeafScript && { tapLeafScript }) } }, amount: 1_000n }
}

const JUNK = new Uint8Array(PADDING)

const PADDED: [string, () => BuiltInput][] = [
  ['a leaf that the owner of the key need not take', finalByLeaf],
  ['such a leaf that is not signed yet', openByLeaf],
  ['a leaf that only the PSBT says has to be taken', openByClaimedLeaf],
  [
    'something that no p2wpkh coin takes',
    () => ({
      type: 'p2wpkh',
      amount: 1_000n,
      proof: 'previous',
      fields: { finalScriptWitness: [JUNK, JUNK] },
    }),
  ],
  [
    'an annex',
    () => ({
      type: { script: p2tr(FOREIGN_X_ONLY).script, fields: {} },
      amount: 1_000n,
      proof: 'previous',
      fields: { finalScriptWitness: [new Uint8Array(64), concatBytes(fromHex('50'), JUNK)] },
    }),
  ],
  [
    'something that the script of a p2wsh coin does not ask for',
    () => ({
      type: { script: p2wsh({ type: 'unknown', script: fromHex('51') }).script, fields: {} },
      amount: 1_000n,
      proof: 'previous',
      fields: { finalScriptWitness: [JUNK, fromHex('51')] },
    }),
  ],
  [
    'an input of nobody knows what',
    () => ({
      type: 'p2wpkh',
      amount: 1_000n,
      proof: 'none',
      fields: { finalScriptWitness: [JUNK] },
    }),
  ],
]

describe('a fee rate that a witness of others makes small', () => {
  it.each(PADDED)('is refused as absurd with %s', async (_, padded) => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({
      inputs: [site.mine(30_000_000n), padded()],
      outputs: [toThem(25_000_000n)],
    })
    const { review, response } = await trySigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect({ response, review }).toMatchObject({ response: ABSURD, review: null })
  })

  it.each(PADDED)('is warned of as high and not told as exact with %s', async (_, padded) => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({
      inputs: [site.mine(2_150_000n), padded()],
      outputs: [toThem(2_001_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ vsizeExact: false })
    expect(review.items[0]?.warnings.map(({ kind }) => kind)).toContain('high-fee')
  })

  it.each(['p2wpkh', 'p2tr'] as const)(
    'is refused as absurd also where the witness is said to be of our own %s coin',
    async type => {
      const site = await startAssetSite(type)
      const padded = { ...site.mine(1_000n), fields: { finalScriptWitness: [JUNK] } }
      const psbt = hexOf({
        inputs: [site.mine(30_000_000n), padded],
        outputs: [toThem(25_000_000n)],
      })
      const { review, response } = await trySigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
      expect({ response, review }).toMatchObject({ response: ABSURD, review: null })
    },
  )

  it('is not warned of where the coin can be spent by its one large leaf alone', async () => {
    const site = await startAssetSite()
    const ours = fromHex(site.account.publicKey).slice(1)
    const leaf = concatBytes(fromHex('20'), ours, fromHex('ac'), paddingScript())
    const {
      script,
      tapLeafScript = [],
      tapInternalKey,
    } = p2tr(ours, { script: leaf }, undefined, true)
    const psbt = hexOf({
      inputs: [{ type: { script, fields: { tapLeafScript, tapInternalKey } }, amount: 160_000n }],
      outputs: [site.toMe(150_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt, {
      ...SIGNATURES_STAY,
      toSignInputs: [{ index: 0, publicKey: site.account.publicKey }],
    })
    expect(review.items[0]?.inputs[0]?.state).toBe('to-sign')
    expect(review.items[0]?.warnings.map(({ kind }) => kind)).not.toContain('high-fee')
  })
})
