import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import type { PsbtReview } from '../../bitcoin/psbt/review.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import type { PsbtAssets } from './psbt-assets.ts'
import { viewPsbt } from './psbt-review-view.ts'

/** A witness program and its address on a test network, from BIP-173's examples. */
const SCRIPT = fromHex('0014751e76e8199196d454941c45d1b3a323f1433bd6')
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const NO_ADDRESS = fromHex('6a0161')

const INPUT: PsbtReview['inputs'][number] = {
  ...{ owner: 'own', accountId: 'a', outpoint: 'coin:0', amount: 5_000n, scriptPubKey: SCRIPT },
  ...{ proof: 'proven', state: 'to-sign', sighash: 0x83, open: false, placeholder: false },
  ...{ badSignature: false, fixes: 'less', onlyLeaf: null },
}
const OUTPUT: PsbtReview['outputs'][number] = {
  ...{ owner: 'foreign', accountId: null, scriptPubKey: SCRIPT, amount: 4_000n, open: true },
}

function view(changes: Partial<PsbtReview> = {}, names: [string, string][] = []) {
  const review: PsbtReview = {
    ...{ inputs: [INPUT], outputs: [OUTPUT], certainty: 'certain', locktime: 9 },
    txid: { value: 'ab', certainty: 'certain' },
    net: { value: new Map([['a', -5_000n]]), certainty: 'open' },
    ...{ worst: -5_000n, fee: { sats: 1_000n, feeRate: 1, certainty: 'claimed' }, leastFee: null },
    ...{ vsize: 200, vsizeExact: true, leastVsize: 100, after: 'complete' },
    ...changes,
  }
  const assets = {
    ...{ moves: [], proposed: [], contents: [], ancestors: [], numbers: new Map() },
    openElsewhere: new Set(),
  } as unknown as PsbtAssets
  return viewPsbt(review, {
    ...{ network: 'regtest', account: { id: 'b' } as SigningAccountView, assets },
    knownAddresses: { names: new Map(names), strangers: new Map([[ADDRESS, 'never' as const]]) },
    accountNames: new Map([
      ['a', 'First'],
      ['b', 'Second'],
    ]),
    ...{ recentFeeRate: 3, runes: new Map(), warnings: [{ kind: 'blank-signature' }] },
  })
}

describe('a PSBT as the person sees it', () => {
  it('has each input and output with whose they are, and what it costs', () => {
    expect(view({}, [[ADDRESS, 'Ann']])).toEqual({
      txid: 'ab',
      inputs: [
        {
          ...{ outpoint: 'coin:0', address: ADDRESS, sats: '5000', own: true, owner: 'own' },
          ...{ accountName: 'First', proof: 'proven', state: 'to-sign', open: false },
          ...{ sighash: 'single-anyone', placeholder: false, badSignature: false },
        },
      ],
      outputs: [
        {
          ...{ address: ADDRESS, script: Buffer.from(SCRIPT).toString('hex'), sats: '4000' },
          ...{ own: false, kind: 'foreign', accountName: null, name: 'Ann', open: true },
          paidBefore: 'never',
        },
      ],
      nets: [{ accountId: 'a', accountName: 'First', sats: '-5000' }],
      net: { sats: '-5000', certainty: 'open' },
      worst: '-5000',
      fee: { sats: '1000', feeRate: 5, certainty: 'claimed' },
      ...{ leastFee: null, recentFeeRate: 3, vsize: 200, vsizeExact: true, after: 'complete' },
      ...{ locktime: 9, assets: [], runestone: null, warnings: [{ kind: 'blank-signature' }] },
    })
  })

  it('says nothing of what is not known', () => {
    const unknown = { amount: null, scriptPubKey: null, sighash: null, proof: null }
    const shown = view({
      inputs: [{ ...INPUT, ...unknown, owner: 'unknown', accountId: null }],
      outputs: [{ ...OUTPUT, owner: 'data', scriptPubKey: NO_ADDRESS }],
      txid: { value: 'ab', certainty: 'open' },
      ...{ fee: null, leastFee: 700n },
    })
    expect(shown.inputs[0]).toMatchObject({
      ...{ address: null, sats: null, own: false, sighash: null, accountName: null },
    })
    expect(shown.outputs[0]).toMatchObject({ address: null, name: null, own: false, kind: 'data' })
    expect(shown).toMatchObject({ txid: null, fee: null, leastFee: '700' })
  })

  it('names our own outputs by their account alone, whatever the address book calls them', () => {
    const own = { ...OUTPUT, owner: 'own', accountId: 'b' } as const
    const { outputs } = view({ outputs: [own, { ...own, accountId: 'gone' }] }, [[ADDRESS, 'Me']])
    expect(outputs.map(({ name, accountName, own }) => [name, accountName, own])).toEqual([
      [null, 'Second', true],
      [null, null, true],
    ])
  })

  it('tells what each account gains, the one that is asked first, and all together', () => {
    const value = new Map([
      ['a', -5_000n],
      ['gone', 30n],
      ['b', 2_000n],
    ])
    const { nets, net } = view({ net: { value, certainty: 'certain' } })
    expect(nets).toEqual([
      { accountId: 'b', accountName: 'Second', sats: '2000' },
      { accountId: 'a', accountName: 'First', sats: '-5000' },
      { accountId: 'gone', accountName: '', sats: '30' },
    ])
    expect(net).toEqual({ sats: '-2970', certainty: 'certain' })
  })
})
