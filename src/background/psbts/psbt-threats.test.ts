import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { type buildPsbt, FOREIGN_KEY, lockOf } from '../../bitcoin/testing/psbt-building.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import {
  approveSigning,
  hexOf,
  isSignedElsewhere,
  readPsbtElsewhere,
  resultOf,
  startSigner,
} from '../testing/psbt-site.ts'

/** The rows of the PSBT threat table, each against the wallet as a site reaches it. */

const SIGHASH_REFUSED = { error: { code: -32000, data: { reason: 'SIGHASH_REFUSED' } } }

const foreign = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

describe('money that nobody can spend again', () => {
  it('is named where a note holds it', async () => {
    const site = await startSigner()
    const psbt = hexOf({
      inputs: [{ type: 'p2tr', key: site.key, amount: 10_000n }],
      outputs: [{ type: 'op-return', amount: 9_000n }],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]?.warnings).toContainEqual({ kind: 'burned-sats', sats: '9000' })
  })
})

describe('S5: a sighash that leaves things to others', () => {
  const ask = (key: Uint8Array, address: string, field: number | null, list: number[] | null) =>
    [
      hexOf({
        inputs: [{ type: 'p2tr', key, amount: 10_000n, ...(field !== null && { sighash: field }) }],
        outputs: [{ type: 'p2tr', key, amount: 9_000n }],
      }),
      { toSignInputs: [{ index: 0, address, ...(list && { sighashTypes: list }) }] },
    ] as const

  it.each([2, 3, 0x82])('%i is refused, however often it is asked for', async sighash => {
    const { key, page, account } = await startSigner()
    const answer = await page.call('signPsbt', ...ask(key, account.address, sighash, [sighash]))
    expect(answer).toMatchObject(SIGHASH_REFUSED)
  })

  it.each([0x04, 0x7f, 0x80, 0x84])('%i does not exist and is refused', async sighash => {
    const { key, page, account } = await startSigner()
    const answer = await page.call('signPsbt', ...ask(key, account.address, sighash, [sighash]))
    expect(answer).toMatchObject({ error: { code: expect.toBeOneOf([-32000, -32602]) } })
  })

  it.each([
    [0x83, null],
    [null, [0x83]],
    [0x83, [0x81]],
    [0x81, [0, 1]],
  ])('field %j and list %j do not agree, and are refused', async (field, list) => {
    const { key, page, account } = await startSigner()
    expect(await page.call('signPsbt', ...ask(key, account.address, field, list))).toMatchObject(
      SIGHASH_REFUSED,
    )
  })

  it.each([
    [0x81, 'all-anyone'],
    [0x83, 'single-anyone'],
  ])('%i is signed when both ask for it, with the worst case shown', async (sighash, shown) => {
    const site = await startSigner()
    const asked = ask(site.key, site.account.address, sighash, [sighash])
    const { review, response } = await approveSigning(site, 'signPsbt', ...asked)
    const [item] = review.items
    expect(item?.inputs[0]?.sighash).toBe(shown)
    expect(item?.warnings).toContainEqual({
      kind: 'open-signature',
      worst: '-1000',
      proposed: '-1000',
    })
    expect(resultOf(response)).toContain(sighash.toString(16))
  })

  it('of the experts is signed with the switch, and said to be a blank signature', async () => {
    const site = await startSigner()
    const { expert } = (await site.worker.ui('getState', null)).settings
    await site.worker.ui('changeSettings', { expert: { ...expert, anySighash: true } })
    const asked = ask(site.key, site.account.address, 2, [2])
    const { review } = await approveSigning(site, 'signPsbt', ...asked)
    expect(review.items[0]).toMatchObject({
      worst: '-10000',
      net: { sats: '-1000', certainty: 'open' },
      txid: null,
    })
    expect(review.items[0]?.warnings).toEqual(
      expect.arrayContaining([
        { kind: 'blank-signature' },
        { kind: 'open-signature', worst: '-10000', proposed: '-1000' },
      ]),
    )
  })
})

describe('S6: SINGLE without an output of its index', () => {
  it.each(ADDRESS_TYPES)('is refused for %s, for experts too', async type => {
    const site = await startSigner(type)
    const { expert } = (await site.worker.ui('getState', null)).settings
    await site.worker.ui('changeSettings', { expert: { ...expert, anySighash: true } })
    for (const sighash of [3, 0x83]) {
      const input = { type, key: site.key, amount: 10_000n, proof: 'previous' as const, sighash }
      const psbt = hexOf({ inputs: [input, input], outputs: [foreign(9_000n)] })
      const options = {
        toSignInputs: [{ index: 1, address: site.account.address, sighashTypes: [sighash] }],
      }
      expect(await site.page.call('signPsbt', psbt, options)).toMatchObject(SIGHASH_REFUSED)
    }
  })
})

describe('S7, S13, S16: what is no PSBT of any transaction', () => {
  const sound = (key: Uint8Array): Parameters<typeof buildPsbt>[0] => ({
    inputs: [{ type: 'p2tr', key, amount: 10_000n }],
    outputs: [foreign(9_000n)],
  })
  const outpoint = { txid: 'ab'.repeat(32), vout: 0 }
  const cases: [string, (key: Uint8Array) => string][] = [
    [
      'the same input twice',
      key => {
        const input = { type: 'p2tr' as const, key, amount: 10_000n, outpoint }
        return hexOf({ inputs: [input, input], outputs: [foreign(9_000n)] })
      },
    ],
    [
      'the same key twice in a map',
      key => {
        const psbt = hexOf(sound(key))
        const field = '01030400000000'
        return `${psbt.slice(0, -4)}${field}${field}0000`
      },
    ],
    ['a byte behind its end', key => `${hexOf(sound(key))}00`],
    ['a cut end', key => hexOf(sound(key)).slice(0, -2)],
    [
      'an output of more than 21 million BTC',
      key => hexOf({ ...sound(key), outputs: [foreign(2_100_000_000_000_001n)] }),
    ],
    [
      'outputs of more than 21 million BTC together',
      key =>
        hexOf({
          ...sound(key),
          outputs: [foreign(2_000_000_000_000_000n), foreign(200_000_000_000_000n)],
        }),
    ],
  ]
  it.each(cases)('%s is refused with -32602', async (_, build) => {
    const { page, key } = await startSigner()
    expect(await page.call('signPsbt', build(key))).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('psbt: PSBT') },
    })
  })

  it('more out than in is refused', async () => {
    const { page, key } = await startSigner()
    const psbt = hexOf({ ...sound(key), outputs: [foreign(10_001n)] })
    expect(await page.call('signPsbt', psbt)).toMatchObject({
      error: { data: { reason: 'BAD_AMOUNTS' } },
    })
  })

  it('outputs of dust are pointed at', async () => {
    const site = await startSigner()
    const outputs = [
      foreign(0n),
      foreign(293n),
      foreign(294n),
      { type: 'op-return' as const, amount: 0n },
    ]
    const { review } = await approveSigning(
      site,
      'signPsbt',
      hexOf({ ...sound(site.key), outputs }),
    )
    expect(review.items[0]?.warnings).toContainEqual({ kind: 'dust-outputs', outputs: [0, 1] })
  })
})

describe('S8: fields that name our key beside somebody else’s coin', () => {
  it('make nothing ours', async () => {
    const { key, page, account } = await startSigner()
    const xOnly = publicKeyOf(key).slice(1)
    const psbt = hexOf({
      inputs: [{ type: 'p2tr', amount: 10_000n, fields: { tapInternalKey: xOnly } }],
      outputs: [foreign(9_000n)],
    })
    expect(await page.call('signPsbt', psbt)).toMatchObject({
      error: { data: { reason: 'NOTHING_TO_SIGN' } },
    })
    const named = { toSignInputs: [{ index: 0, address: account.address }] }
    expect(await page.call('signPsbt', psbt, named)).toMatchObject({
      error: { data: { reason: 'NOT_OURS', input: 0 } },
    })
  })
})

describe('S9, S10: taproot with the key as it is', () => {
  it('is refused for a leaf that the output does not hold', async () => {
    const { key, page, account } = await startSigner()
    const { fields } = lockOf('leaf', key)
    const input = { type: { script: lockOf('leaf', FOREIGN_KEY).script, fields }, amount: 10_000n }
    const options = {
      toSignInputs: [{ index: 0, address: account.address, disableTweakSigner: true }],
    }
    const psbt = hexOf({ inputs: [input], outputs: [foreign(9_000n)] })
    expect(await page.call('signPsbt', psbt, options)).toMatchObject({
      error: { data: { reason: 'NOT_OURS' } },
    })
  })

  it('signs a leaf with our key, shown as shared and not as our coin', async () => {
    const site = await startSigner()
    const input = { type: 'leaf' as const, key: site.key, amount: 10_000n }
    const options = {
      autoFinalized: false,
      toSignInputs: [{ index: 0, address: site.account.address, disableTweakSigner: true }],
    }
    const psbt = hexOf({ inputs: [input], outputs: [foreign(9_000n)] })
    const { review, response } = await approveSigning(site, 'signPsbt', psbt, options)
    expect(review.items[0]).toMatchObject({
      net: { sats: '0' },
      inputs: [{ owner: 'shared', own: false }],
    })
    expect(review.items[0]?.warnings).toContainEqual({
      ...{ kind: 'shared-inputs', inputs: [0], sats: '10000' },
    })
    expect(isSignedElsewhere(resultOf(response), 0)).toBe(true)
  })

  it('is refused for our own address, and signs an output of the bare key', async () => {
    const site = await startSigner()
    const toSignInputs = [{ index: 0, address: site.account.address, disableTweakSigner: true }]
    const spend = (type: 'p2tr' | 'raw-p2tr') =>
      hexOf({ inputs: [{ type, key: site.key, amount: 10_000n }], outputs: [foreign(9_000n)] })
    expect(await site.page.call('signPsbt', spend('p2tr'), { toSignInputs })).toMatchObject({
      error: {
        message: expect.stringContaining('disableTweakSigner'),
        data: { reason: 'NOT_OURS' },
      },
    })
    const options = { autoFinalized: false, toSignInputs }
    const { response } = await approveSigning(site, 'signPsbt', spend('raw-p2tr'), options)
    expect(readPsbtElsewhere(resultOf(response)).data.inputs[0]?.tapKeySig).toHaveLength(64)
  })
})

describe('S11, S12: what is signed and final already', () => {
  it('a wrong signature of others is pointed at and never made final', async () => {
    const site = await startSigner()
    const other = publicKeyOf(FOREIGN_KEY)
    const wrong = fromHex(`3044022020${'11'.repeat(31)}022020${'22'.repeat(31)}01`)
    const psbt = hexOf({
      inputs: [
        { type: 'p2tr', key: site.key, amount: 10_000n },
        {
          type: 'p2wpkh',
          amount: 5_000n,
          proof: 'previous',
          raw: { [`02${toHex(other)}`]: wrong },
        },
      ],
      outputs: [foreign(14_000n)],
    })
    const { review, response } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]?.warnings).toContainEqual({ kind: 'bad-signature', inputs: [1] })
    expect(review.items[0]?.after).toBe('needs-others')
    const [ours, theirs] = readPsbtElsewhere(resultOf(response)).data.inputs
    expect(ours?.finalScriptWitness).toBeDefined()
    expect(theirs?.finalScriptWitness).toBeUndefined()
  })

  it('a final input is left as it is', async () => {
    const site = await startSigner()
    const witness = concatBytes(fromHex('0140'), new Uint8Array(64).fill(7))
    const psbt = hexOf({
      inputs: [
        { type: 'p2tr', key: site.key, amount: 10_000n },
        { type: 'p2tr', amount: 5_000n, raw: { '08': witness } },
      ],
      outputs: [foreign(14_000n)],
    })
    const { review, response } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]?.inputs[1]).toMatchObject({ state: 'final', owner: 'foreign' })
    expect(
      toHex(
        readPsbtElsewhere(resultOf(response)).data.inputs[1]?.finalScriptWitness ??
          new Uint8Array(),
      ),
    ).toBe(toHex(witness))
  })
})

describe('S14: an absurd fee', () => {
  it('above 10,000 sat/vB is refused', async () => {
    const { page, key } = await startSigner()
    const psbt = hexOf({
      inputs: [{ type: 'p2tr', key, amount: 5_000_000n }],
      outputs: [foreign(10_000n)],
    })
    for (const autoFinalized of [true, false]) {
      expect(await page.call('signPsbt', psbt, { autoFinalized })).toMatchObject({
        error: { data: { reason: 'ABSURD_FEE' } },
      })
    }
  })

  it('that is only high needs a second look', async () => {
    const site = await startSigner()
    const psbt = hexOf({
      inputs: [{ type: 'p2tr', key: site.key, amount: 100_000n }],
      outputs: [foreign(80_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]?.warnings).toContainEqual({
      kind: 'high-fee',
      percent: 25,
      fastest: 10,
      recent: null,
    })
  })
})
