import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { type BuiltInput, buildPsbt, lockOf } from '../../bitcoin/testing/psbt-building.ts'
import {
  approveSigning,
  hexOf,
  isSignedElsewhere,
  publishPrevious,
  readPsbtElsewhere,
  resultOf,
  startSigner,
} from '../testing/psbt-site.ts'

/** The rows of the PSBT threat table that are about what an input holds. */

const UNVERIFIED = { error: { code: -32000, data: { reason: 'UNVERIFIED_INPUT' } } }
const V0_TYPES = ['p2wpkh', 'p2sh-p2wpkh'] as const

const foreign = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })
const script = (type: BuiltInput['type'], key: Uint8Array) =>
  typeof type === 'string' ? lockOf(type, key).script : type.script

describe('S1: a segwit amount that is a lie', () => {
  it.each(V0_TYPES)('is refused for %s when the chain says otherwise', async type => {
    const site = await startSigner(type)
    const built = buildPsbt({
      inputs: [
        {
          type,
          key: site.key,
          amount: 90_000n,
          proof: 'none',
          fields: {
            witnessUtxo: { script: script(type, site.key), amount: 10_000n },
          },
        },
      ],
      outputs: [foreign(9_000n)],
    })
    publishPrevious(site, built)
    expect(await site.page.call('signPsbt', toHex(built.bytes))).toMatchObject(UNVERIFIED)
    expect(site.world.window.shown).toBe(1)
  })

  it.each(V0_TYPES)('is refused for %s when nobody knows what it spends', async type => {
    const { key, page } = await startSigner(type)
    const psbt = hexOf({ inputs: [{ type, key, amount: 10_000n }], outputs: [foreign(9_000n)] })
    expect(await page.call('signPsbt', psbt)).toMatchObject(UNVERIFIED)
  })

  it('that only the server could have disproven is said to be the server’s fault while it is away', async () => {
    const { key, page, world } = await startSigner('p2wpkh')
    const psbt = hexOf({
      inputs: [{ type: 'p2wpkh', key, amount: 10_000n }],
      outputs: [foreign(9_000n)],
    })
    world.chain.faults.unreachable = true
    expect(await page.call('signPsbt', psbt)).toMatchObject({
      error: {
        code: -32000,
        data: { reason: 'BACKEND_UNAVAILABLE' },
        message: expect.stringContaining('Nothing was signed'),
      },
    })
  })

  it('that more previous transactions would have to prove than are fetched is TOO_LARGE', async () => {
    const { key, page, world } = await startSigner('p2wpkh')
    const inputs = Array.from({ length: 1_001 }, () => ({
      type: 'p2wpkh' as const,
      key,
      amount: 10_000n,
    }))
    const built = buildPsbt({ inputs, outputs: [foreign(9_000n)] })
    publishPrevious({ world }, built)
    expect(await page.call('signPsbt', toHex(built.bytes))).toMatchObject({
      error: {
        data: { reason: 'TOO_LARGE' },
        message: expect.stringContaining('more than 1000 previous transactions'),
      },
    })
  })

  it.each(V0_TYPES)('that is no lie is signed for %s once the chain has proven it', async type => {
    const site = await startSigner(type)
    const { key } = site
    const built = buildPsbt({
      inputs: [{ type, key, amount: 10_000n }],
      outputs: [foreign(9_000n)],
    })
    publishPrevious(site, built)
    const options = { autoFinalized: false }
    const { review, response } = await approveSigning(site, 'signPsbt', toHex(built.bytes), options)
    expect(review.items[0]).toMatchObject({
      net: { sats: '-10000', certainty: 'certain' },
      fee: { sats: '1000', certainty: 'certain' },
    })
    expect(isSignedElsewhere(resultOf(response), 0)).toBe(true)
  })

  it('of a taproot coin makes the signature worthless and needs no server', async () => {
    const site = await startSigner('p2tr')
    site.world.chain.faults.unreachable = true
    const psbt = hexOf({
      inputs: [{ type: 'p2tr', key: site.key, amount: 10_000n }],
      outputs: [foreign(9_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]?.inputs[0]).toMatchObject({ proof: 'committed', sats: '10000' })
  })
})

describe('S2, S3: a previous transaction that contradicts', () => {
  const cases: [string, (built: Uint8Array) => Partial<BuiltInput>][] = [
    [
      'the amount beside it',
      locked => ({ proof: 'both', fields: { witnessUtxo: { script: locked, amount: 1n } } }),
    ],
    [
      'the script beside it',
      () => ({
        proof: 'both',
        fields: { witnessUtxo: { script: fromHex('51'), amount: 10_000n } },
      }),
    ],
    ['the txid', () => ({ proof: 'previous', outpoint: { txid: 'ab'.repeat(32), vout: 0 } })],
  ]
  it.each(cases)('%s is refused', async (_, change) => {
    const { key, page } = await startSigner('p2wpkh')
    const honest = buildPsbt({
      inputs: [{ type: 'p2wpkh', key, amount: 10_000n, proof: 'previous' }],
      outputs: [foreign(9_000n)],
    })
    const input = {
      type: 'p2wpkh' as const,
      key,
      amount: 10_000n,
      ...change(script('p2wpkh', key)),
    }
    const [previous] = honest.previous.values()
    const raw = input.outpoint && previous ? { '00': previous } : undefined
    const psbt = hexOf({ inputs: [{ ...input, ...(raw && { raw }) }], outputs: [foreign(9_000n)] })
    const response = await page.call('signPsbt', psbt)
    expect(response).toMatchObject({ error: { code: expect.toBeOneOf([-32000, -32602]) } })
    expect(JSON.stringify(response)).toMatch(/UNVERIFIED_INPUT|PSBT input 0/)
  })

  it('an output that it does not have is refused', async () => {
    const { key, page } = await startSigner('p2wpkh')
    const [entry] = buildPsbt({
      inputs: [{ type: 'p2wpkh', key, amount: 10_000n, proof: 'previous' }],
      outputs: [foreign(9_000n)],
    }).previous
    const [txid, previous] = entry ?? ['', new Uint8Array()]
    const psbt = hexOf({
      inputs: [
        {
          type: 'p2wpkh',
          key,
          amount: 10_000n,
          outpoint: { txid, vout: 7 },
          raw: { '00': previous },
        },
      ],
      outputs: [foreign(9_000n)],
    })
    const response = await page.call('signPsbt', psbt)
    expect(JSON.stringify(response)).toMatch(/UNVERIFIED_INPUT|PSBT input 0/)
  })
})

describe('S4: a legacy input with nothing but its output', () => {
  it('is refused, and signed once its transaction is there', async () => {
    const site = await startSigner('p2pkh')
    const { key, page } = site
    const built = buildPsbt({
      inputs: [{ type: 'p2pkh', key, amount: 10_000n, proof: 'none' }],
      outputs: [foreign(9_000n)],
    })
    const named = { toSignInputs: [{ index: 0, address: site.account.address }] }
    expect(await page.call('signPsbt', toHex(built.bytes), named)).toMatchObject(UNVERIFIED)
    publishPrevious(site, built)
    const { response } = await approveSigning(site, 'signPsbt', toHex(built.bytes), named)
    expect(readPsbtElsewhere(resultOf(response)).data.inputs[0]?.finalScriptSig).toBeDefined()
  })
})
