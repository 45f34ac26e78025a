import { p2tr, p2tr_pk } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { foreseeTransaction } from '../../bitcoin/psbt/txid.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import {
  type BuiltInput,
  type BuiltPsbt,
  buildPsbt,
  type Locked,
} from '../../bitcoin/testing/psbt-building.ts'
import {
  type AssetSite,
  firstOutputOf,
  hexOfBuilt,
  reviewAndSign,
  startAssetSite,
  toThem,
} from '../testing/asset-site.ts'
import { colouringLeaf, FOREIGN_X_ONLY } from '../testing/atomical-leaf.ts'
import { approveSigning, hexOf } from '../testing/psbt-site.ts'

/** What others can make of our signatures once they have them, by keys that are theirs. */

const SIGNATURES_STAY = { autoFinalized: false }
const PROTECTED = { code: -32000, data: { reason: 'PROTECTED_ASSET', input: 0 } }

describe('an Atomical that a witness is said to send', () => {
  it('goes where it goes without, if the leaf is only written beside our own coin', async () => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    const { id } = site.world.atomicals.mint(coin.at)
    const control = concatBytes(fromHex('c0'), FOREIGN_X_ONLY)
    const forged = { [`15${toHex(control)}`]: concatBytes(colouringLeaf(id), fromHex('c0')) }
    const outputs = [toThem(5_000n), site.toMe(4_000n)]
    const psbt = hexOf({ inputs: [{ ...coin, raw: forged }], outputs })
    expect((await reviewAndSign(site, psbt)).assets).toMatchObject([
      { asset: { id }, own: true, to: 'foreign', certainty: 'certain', output: 0 },
    ])
  })

  it('goes nobody knows where if the witness is one that its owner can replace', async () => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    const { id } = site.world.atomicals.mint(coin.at)
    const leaf = colouringLeaf(id)
    const theirs: BuiltInput = {
      type: 'p2tr',
      amount: 1_000n,
      fields: {
        finalScriptWitness: [new Uint8Array(64), leaf, concatBytes(fromHex('c0'), FOREIGN_X_ONLY)],
      },
    }
    const outputs = [toThem(5_000n), site.toMe(4_000n)]
    const psbt = hexOf({ inputs: [coin, theirs], outputs })
    expect((await reviewAndSign(site, psbt)).assets).toMatchObject([
      { asset: { id }, own: true, to: 'unknown', certainty: 'unknown' },
    ])
  })

  it('is told where a script that is only claimed could hide one', async () => {
    const site = await startAssetSite('p2wpkh')
    const coin = site.mine(10_000n)
    site.world.atomicals.mint(coin.at)
    const inputs = [{ ...coin }, { type: 'p2wpkh' as const, amount: 1_000n }]
    const psbt = hexOf({ inputs, outputs: [site.toMe(10_000n)] })
    expect((await reviewAndSign(site, psbt, SIGNATURES_STAY)).assets).toMatchObject([
      { own: true, to: 'unknown', certainty: 'unknown' },
    ])
  })
})

describe('a signature that others can do without', () => {
  /** A taproot coin of theirs, by their key or by a leaf with our key. */
  function baitOf(key: Uint8Array): Locked {
    const {
      script,
      tapLeafScript = [],
      tapInternalKey,
    } = p2tr(FOREIGN_X_ONLY, {
      script: p2tr_pk(publicKeyOf(key).slice(1)).script,
    })
    return { script, fields: { tapLeafScript, tapInternalKey } }
  }

  it('proves no amount of others, and keeps no inscription where it is proposed', async () => {
    const site = await startAssetSite('p2wpkh')
    const coin = site.mine(10_000n)
    const id = site.world.assets.inscribe(coin.at)
    const inputs: BuiltInput[] = [
      { type: baitOf(site.key), amount: 1_000n },
      // Holds less in truth: then the inscription is on the first output.
      { type: 'p2wpkh', amount: 9_000n },
      coin,
    ]
    const outputs = [toThem(10_000n), site.toMe(9_500n)]
    const toSignInputs = [0, 2].map(index => ({ index, publicKey: site.account.publicKey }))
    const psbt = hexOf({ inputs, outputs })
    const { review } = await approveSigning(site, 'signPsbt', psbt, {
      ...SIGNATURES_STAY,
      toSignInputs,
    })
    const [item] = review.items
    expect(item?.inputs.map(({ proof }) => proof)).toEqual(['claimed', 'claimed', 'proven'])
    expect(item?.fee?.certainty).toBe('claimed')
    expect(item?.assets).toMatchObject([
      { asset: { id }, own: true, to: 'unknown', certainty: 'unknown' },
    ])
  })

  it('proves what it covers where it is the only one', async () => {
    const site = await startAssetSite()
    const inputs: BuiltInput[] = [
      { type: baitOf(site.key), amount: 1_000n },
      { type: 'p2wpkh', amount: 9_000n },
    ]
    const psbt = hexOf({ inputs, outputs: [site.toMe(9_500n)] })
    const toSignInputs = [{ index: 0, publicKey: site.account.publicKey }]
    const { review } = await approveSigning(site, 'signPsbt', psbt, {
      ...SIGNATURES_STAY,
      toSignInputs,
    })
    expect(review.items[0]?.inputs.map(({ proof }) => proof)).toEqual(['committed', 'committed'])
  })
})

describe('goods that one coin is signed for and not the one that pays', () => {
  const asked = async (paying: number) => {
    const site = await startAssetSite()
    const [bought, small, pays] = [site.theirs(10_000n), site.mine(600n), site.mine(1_000_000n)]
    const id = site.world.assets.inscribe(bought.at, { number: 7 })
    const psbt = hexOf({
      inputs: [bought, small, { ...pays, sighash: paying }],
      outputs: [site.toMe(10_000n), toThem(900_000n), site.toMe(99_000n)],
    })
    const { address } = site.account
    const toSignInputs = [
      { index: 1, address },
      { index: 2, address, sighashTypes: [paying] },
    ]
    const options = { ...SIGNATURES_STAY, toSignInputs }
    const { review } = await approveSigning(site, 'signPsbt', psbt, options)
    return { id, item: review.items[0] }
  }

  it('are not certain, and neither are fee, net and the id', async () => {
    const { id, item } = await asked(0x81)
    expect(item?.assets).toMatchObject([
      { asset: { id }, own: false, to: 'own', certainty: 'open', output: 0 },
    ])
    expect(item).toMatchObject({
      txid: null,
      net: { sats: '-891600', certainty: 'open' },
      fee: { certainty: 'open' },
    })
  })

  it('are certain where both are signed for them', async () => {
    const { item } = await asked(1)
    expect(item?.assets).toMatchObject([{ own: false, to: 'own', certainty: 'certain' }])
    expect(item).toMatchObject({ net: { certainty: 'certain' }, fee: { certainty: 'certain' } })
    expect(item?.txid).toMatch(/^[0-9a-f]{64}$/)
  })
})

/** A transaction of a coin of ours that is in a block already, and an inscription on what it made. */
function confirm({ world }: AssetSite, built: BuiltPsbt, offset: bigint): void {
  const { raw, txid } = foreseeTransaction(parsePsbt(built.bytes))
  world.chain.add(raw)
  world.assets.inscribe(formatOutpoint({ txid, vout: 0 }), { offset })
}

describe('a coin of ours whose maker is put into the batch', () => {
  async function startMade() {
    const site = await startAssetSite()
    const parent = buildPsbt({ inputs: [site.mine(10_000n)], outputs: [site.toMe(9_900n)] })
    const child = buildPsbt({
      inputs: [{ ...site.toMe(9_900n), outpoint: firstOutputOf(parent) }],
      outputs: [toThem(9_000n)],
    })
    return { site, parent, child }
  }

  it('is still what the index tells of it: what it carries is not lost in a fee', async () => {
    const { site, parent, child } = await startMade()
    confirm(site, parent, 9_500n)
    expect(await site.page.call('signPsbt', hexOfBuilt(child))).toMatchObject({ error: PROTECTED })
    for (const psbts of [
      [parent, child],
      [child, parent],
    ])
      expect(await site.page.call('signPsbts', psbts.map(hexOfBuilt))).toMatchObject({
        error: { ...PROTECTED, message: expect.stringContaining('would be spent as a fee') },
      })
  })

  it('is clean where it is in no block and all is known of what made it', async () => {
    const { site, parent, child } = await startMade()
    const { review } = await approveSigning(site, 'signPsbts', [parent, child].map(hexOfBuilt))
    expect(review.items.flatMap(({ warnings }) => warnings.map(({ kind }) => kind))).not.toContain(
      'unchecked-coins',
    )
  })

  it('is not lost either where both are pushed', async () => {
    const { site, parent, child } = await startMade()
    confirm(site, parent, 9_500n)
    const txs = [parent, child].map((built, at) => ({
      itemId: String(at),
      signedTx: toHex(foreseeTransaction(parsePsbt(built.bytes)).raw),
      type: 20,
    }))
    expect(await site.page.call('sendPsbt', txs, site.account.address)).toMatchObject({
      error: PROTECTED,
    })
    expect(site.world.chain.broadcasts).toEqual([])
  })
})

describe('a batch whose items can be used apart', () => {
  it('says which one pays for nothing, where another one brings the goods', async () => {
    const site = await startAssetSite()
    const bought = site.theirs(10_000n)
    site.world.assets.inscribe(bought.at, { number: 7 })
    const pays = hexOf({
      inputs: [site.mine(1_000_000n)],
      outputs: [toThem(900_000n), site.toMe(99_000n)],
    })
    const brings = hexOf({
      inputs: [bought, site.mine(2_000n)],
      outputs: [site.toMe(10_000n), toThem(1_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbts', [pays, brings], SIGNATURES_STAY)
    expect(review.warnings).toEqual([{ kind: 'one-sided-items', items: [0], worst: '-901000' }])
    expect(review.total.worst).toBe('-901000')
  })

  it('says nothing of a purchase that spends what the item before it prepares', async () => {
    const site = await startAssetSite()
    const bought = site.theirs(10_000n)
    site.world.assets.inscribe(bought.at, { number: 7 })
    const prepares = buildPsbt({
      inputs: [site.mine(1_000_000n)],
      outputs: [site.toMe(950_000n), site.toMe(49_000n)],
    })
    const buys = buildPsbt({
      inputs: [bought, { ...site.toMe(950_000n), outpoint: firstOutputOf(prepares) }],
      outputs: [site.toMe(10_000n), toThem(900_000n), site.toMe(49_000n)],
    })
    const psbts = [prepares, buys].map(hexOfBuilt)
    const { review } = await approveSigning(site, 'signPsbts', psbts, SIGNATURES_STAY)
    expect(review.warnings).toEqual([])
    expect(review.items[1]?.assets).toMatchObject([{ own: false, to: 'own', certainty: 'certain' }])
  })

  it('says nothing where the goods come in the item that the payment needs', async () => {
    const site = await startAssetSite()
    const bought = site.theirs(10_000n)
    site.world.assets.inscribe(bought.at, { number: 7 })
    const brings = buildPsbt({
      inputs: [bought, site.mine(5_000n)],
      outputs: [site.toMe(10_000n), site.toMe(4_000n)],
    })
    const paysAfter = buildPsbt({
      inputs: [
        { ...site.toMe(4_000n), outpoint: { ...firstOutputOf(brings), vout: 1 } },
        site.mine(900_000n),
      ],
      outputs: [toThem(900_000n)],
    })
    const psbts = [brings, paysAfter].map(hexOfBuilt)
    const { review } = await approveSigning(site, 'signPsbts', psbts, SIGNATURES_STAY)
    expect(review.warnings).toEqual([])
  })
})

describe('a script that only the PSBT tells', () => {
  it('makes no id certain: what is spent may ask for another scriptSig', async () => {
    const site = await startAssetSite('p2wpkh')
    const inputs: BuiltInput[] = [site.mine(10_000n), { type: 'p2tr', amount: 5_000n }]
    const psbt = hexOf({ inputs, outputs: [toThem(14_000n)] })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ txid: null, fee: { certainty: 'claimed' } })
  })

  it('makes none certain either where a legacy input of others is final', async () => {
    const site = await startAssetSite('p2wpkh')
    const theirs: BuiltInput = {
      type: 'p2pkh',
      amount: 5_000n,
      proof: 'previous',
      fields: { finalScriptSig: fromHex('00') },
    }
    const inputs = [site.mine(10_000n), theirs]
    const psbt = hexOf({ inputs, outputs: [toThem(14_000n)] })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]?.txid).toBeNull()
  })
})

describe('a sighash that leaves something to others', () => {
  const psbtOf = (site: AssetSite) =>
    hexOf({
      inputs: [{ ...site.mine(10_000n), sighash: 0x83 }],
      outputs: [site.toMe(50_000n)],
    })

  it('that only the PSBT asks for is named', async () => {
    const site = await startAssetSite()
    const toSignInputs = [{ index: 0, address: site.account.address }]
    const options = { ...SIGNATURES_STAY, psbtSighashes: true, toSignInputs }
    const { warnings } = await reviewAndSign(site, psbtOf(site), options)
    expect(warnings).toContainEqual({ kind: 'unasked-sighash', inputs: [0] })
  })

  it('that the page asks for too is not', async () => {
    const site = await startAssetSite()
    const toSignInputs = [{ index: 0, address: site.account.address, sighashTypes: [0x83] }]
    const { warnings } = await reviewAndSign(site, psbtOf(site), {
      ...SIGNATURES_STAY,
      toSignInputs,
    })
    expect(warnings.map(({ kind }) => kind)).not.toContain('unasked-sighash')
  })
})
