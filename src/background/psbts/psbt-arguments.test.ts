import type { Psbt } from 'bitcoinjs-lib'
import { beforeAll, describe, expect, it } from 'vitest'
import { toBase64, toHex } from '../../bitcoin/bytes.ts'
import { ecpair, publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { buildPsbt, FOREIGN_KEY } from '../../bitcoin/testing/psbt-building.ts'
import {
  approveSigning,
  hexOf,
  isSignedElsewhere,
  readPsbtElsewhere,
  resultOf,
  type Signing,
  startSigner,
} from '../testing/psbt-site.ts'

/** Argument shapes that real clients send, named after what they send. */

let site: Signing
let psbt: string
beforeAll(async () => {
  site = await startSigner()
  psbt = hexOf(twoOfOurs())
})

const OUTPUTS = [{ type: 'p2wpkh' as const, amount: 18_000n }]
const twoOfOurs = (sighash?: number) => {
  const input = { type: 'p2tr' as const, key: site.key, amount: 10_000n }
  return {
    inputs: [input, { ...input, ...(sighash !== undefined && { sighash }) }],
    outputs: OUTPUTS,
  }
}

async function sign(...params: unknown[]): Promise<Psbt> {
  return readPsbtElsewhere(resultOf((await approveSigning(site, 'signPsbt', ...params)).response))
}

const finals = ({ data }: Psbt) => data.inputs.map(input => input.finalScriptWitness !== undefined)
const signatures = ({ data }: Psbt) => data.inputs.map(input => input.tapKeySig?.length ?? 0)

async function refuse(method: string, ...params: unknown[]) {
  const response = await site.page.call(method, ...params)
  return 'error' in response ? response.error : response
}

describe('signPsbt takes', () => {
  it('base64 in, and gives hex out (midl)', async () => {
    const { bytes } = buildPsbt(twoOfOurs())
    expect(finals(await sign(toBase64(bytes)))).toEqual([true, true])
  })

  it('hex in capitals', async () => {
    expect(finals(await sign(psbt.toUpperCase()))).toEqual([true, true])
  })

  it.each([
    ['no options (babylon)', []],
    ['undefined options (appkit)', [undefined]],
    ['null options', [null]],
    ['empty options', [{}]],
    ['toSignInputs: undefined (antd)', [{ toSignInputs: undefined }]],
    ['toSignInputs: [] (ordzaar)', [{ toSignInputs: [] }]],
  ])('%s: every input of ours is signed and final', async (_, options) => {
    expect(finals(await sign(psbt, ...options))).toEqual([true, true])
  })

  it('members that are there and undefined (appkit): read as absent', async () => {
    const named = {
      index: 1,
      address: site.account.address,
      sighashTypes: undefined,
      publicKey: undefined,
      disableTweakSigner: undefined,
    }
    const signed = await sign(psbt, { autoFinalized: false, toSignInputs: [named] })
    expect(signatures(signed)).toEqual([0, 64])
  })

  it('members that are there and null: read as absent', async () => {
    const named = { index: 1, address: site.account.address, sighashTypes: null, publicKey: null }
    expect(finals(await sign(psbt, { autoFinalized: null, toSignInputs: [named] }))).toEqual([
      false,
      true,
    ])
  })

  it('the address as publicKey beside the right address (antd): the address counts', async () => {
    const { address } = site.account
    const toSignInputs = [{ index: 0, address, publicKey: address }]
    expect(finals(await sign(psbt, { toSignInputs }))).toEqual([true, false])
  })

  it('a foreign publicKey beside the right address: the address counts', async () => {
    const publicKey = toHex(publicKeyOf(FOREIGN_KEY))
    const toSignInputs = [{ index: 0, address: site.account.address, publicKey }]
    expect(finals(await sign(psbt, { toSignInputs }))).toEqual([true, false])
  })

  it('a publicKey alone: compressed, x-only, uncompressed, or the address in its place', async () => {
    const { publicKey, address } = site.account
    const uncompressed = toHex(ecpair().fromPrivateKey(site.key, { compressed: false }).publicKey)
    for (const spelled of [
      publicKey,
      publicKey.toUpperCase(),
      publicKey.slice(2),
      uncompressed,
      address,
    ]) {
      const toSignInputs = [{ index: 1, publicKey: spelled }]
      expect(finals(await sign(psbt, { toSignInputs })), spelled).toEqual([false, true])
    }
  })

  it('unknown members: from and type (swapkit), disableAddressValidation (dynamic)', async () => {
    const { address } = site.account
    const toSignInputs = [{ index: 0, address, disableAddressValidation: true }]
    const signed = await sign(psbt, {
      from: address,
      type: 'list',
      toSignInputs,
      extra: { deep: [1] },
    })
    expect(finals(signed)).toEqual([true, false])
  })

  it('useTweakedSigner beside disableTweakSigner (babylon): the former wins', async () => {
    const { address } = site.account
    const toSignInputs = [{ index: 0, address, useTweakedSigner: true, disableTweakSigner: true }]
    expect(finals(await sign(psbt, { toSignInputs }))).toEqual([true, false])
    const untweaked = [{ index: 0, address, useTweakedSigner: false, disableTweakSigner: false }]
    expect(await refuse('signPsbt', psbt, { toSignInputs: untweaked })).toMatchObject({
      data: { reason: 'NOT_OURS' },
    })
  })

  it('sighashTypes [1] and sighash ALL in the PSBT of a taproot coin (LI.FI): 65 bytes', async () => {
    const toSignInputs = [{ index: 1, address: site.account.address, sighashTypes: [1] }]
    const signed = await sign(hexOf(twoOfOurs(1)), { autoFinalized: false, toSignInputs })
    expect(signatures(signed)).toEqual([0, 65])
    expect(signed.data.inputs[1]?.tapKeySig?.[64]).toBe(1)
    expect(isSignedElsewhere(signed.toHex(), 1)).toBe(true)
  })

  it('sighashTypes [0, 1] (relay): the default, 64 bytes', async () => {
    const toSignInputs = [{ index: 1, address: site.account.address, sighashTypes: [0, 1] }]
    expect(signatures(await sign(psbt, { autoFinalized: false, toSignInputs }))).toEqual([0, 64])
  })

  it('sighashTypes []: as if there were none', async () => {
    const toSignInputs = [{ index: 1, address: site.account.address, sighashTypes: [] }]
    expect(signatures(await sign(psbt, { autoFinalized: false, toSignInputs }))).toEqual([0, 64])
  })

  it('autoFinalized false: signatures stay signatures', async () => {
    const signed = await sign(psbt, { autoFinalized: false })
    expect([finals(signed), signatures(signed)]).toEqual([
      [false, false],
      [64, 64],
    ])
  })

  it('a PSBT with foreign and final inputs while autoFinalized is true: only ours become final', async () => {
    const ours = { type: 'p2tr' as const, key: site.key, amount: 10_000n }
    const witness = new Uint8Array([1, 64, ...new Uint8Array(64).fill(7)])
    const inputs = [
      ours,
      { type: 'p2wpkh' as const, amount: 5_000n },
      { type: 'p2tr' as const, amount: 5_000n, raw: { '08': witness } },
    ]
    const signed = await sign(hexOf({ inputs, outputs: OUTPUTS }), { autoFinalized: true })
    expect(finals(signed)).toEqual([true, false, true])
    expect(signed.data.inputs[2]?.finalScriptWitness).toEqual(witness)
  })

  it('what it has signed before: it stays as it is, and can still become final', async () => {
    const once = (await sign(psbt, { autoFinalized: false })).toHex()
    const again = await sign(once, { autoFinalized: false })
    expect(again.toHex()).toBe(once)
    expect(finals(await sign(once))).toEqual([true, true])
  })
})

describe('signPsbt refuses', () => {
  const address = () => site.account.address
  const cases: [string, () => unknown[], string][] = [
    ['nothing', () => [], 'psbt: expected a string'],
    ['bytes', () => [[1, 2]], 'psbt: expected a string'],
    ['text', () => ['psbt'], 'psbt: expected a PSBT in hex or base64'],
    ['a transaction', () => ['02000000'], 'psbt: expected a PSBT in hex or base64'],
    ['options that are a list', () => [psbt, []], 'options: expected an object'],
    [
      'toSignInputs that are no list',
      () => [psbt, { toSignInputs: {} }],
      'options.toSignInputs: expected a list',
    ],
    [
      'a hole in toSignInputs',
      () => [psbt, { toSignInputs: [null] }],
      'options.toSignInputs[0]: expected an object',
    ],
    [
      'an input without a name',
      () => [psbt, { toSignInputs: [{ index: 0 }] }],
      'options.toSignInputs[0]: address or publicKey is required',
    ],
    [
      'an input without a number',
      () => [psbt, { toSignInputs: [{ address: address() }] }],
      'options.toSignInputs[0].index: expected',
    ],
    [
      'a number as text',
      () => [psbt, { toSignInputs: [{ index: '0', address: address() }] }],
      'options.toSignInputs[0].index: expected',
    ],
    [
      'an input that is not there',
      () => [psbt, { toSignInputs: [{ index: 2, address: address() }] }],
      'options.toSignInputs[0].index: expected the index of one of the 2 inputs',
    ],
    [
      'an input named twice',
      () => [psbt, { toSignInputs: [0, 0].map(index => ({ index, address: address() })) }],
      'options.toSignInputs: names input 0 more than once',
    ],
    [
      'a sighash type that is none',
      () => [psbt, { toSignInputs: [{ index: 0, address: address(), sighashTypes: ['ALL'] }] }],
      'options.toSignInputs[0].sighashTypes[0]: expected',
    ],
    [
      'autoFinalized as text',
      () => [psbt, { autoFinalized: 'false' }],
      'options.autoFinalized: expected true or false',
    ],
  ]
  it.each(cases)('%s with -32602 that names the member', async (_, params, message) => {
    expect(await refuse('signPsbt', ...params())).toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    })
  })

  it('the address or key of somebody else with 4100', async () => {
    const publicKey = toHex(publicKeyOf(FOREIGN_KEY))
    const uncompressed = toHex(ecpair().fromPrivateKey(site.key, { compressed: false }).publicKey)
    const negated = uncompressed.slice(0, -2) + (uncompressed.endsWith('0') ? '01' : '00')
    for (const named of [
      { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' },
      {
        address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
        publicKey: site.account.publicKey,
      },
      { publicKey },
      { publicKey: negated.replace(/^04/, '06') },
      { publicKey: `${uncompressed}00` },
      { publicKey: `${uncompressed}01` },
      { publicKey: `00${uncompressed}` },
      { publicKey: '' },
    ]) {
      const error = await refuse('signPsbt', psbt, { toSignInputs: [{ index: 0, ...named }] })
      expect(error).toMatchObject({
        code: 4100,
        message: expect.stringContaining('toSignInputs[0]'),
      })
    }
  })
})

describe('signPsbts takes', () => {
  const batch = () => [psbt, toBase64(buildPsbt({ ...twoOfOurs(), from: 20 }).bytes)]
  async function signAll(...params: unknown[]): Promise<boolean[][]> {
    const { response, review } = await approveSigning(site, 'signPsbts', ...params)
    expect(review.items).toHaveLength(2)
    const results = 'result' in response ? (response.result as string[]) : []
    return results.map(hex => finals(readPsbtElsewhere(hex)))
  }
  const named = () => ({ toSignInputs: [{ index: 0, address: site.account.address }] })

  it.each([
    ['no options (babylon)', () => []],
    ['undefined', () => [undefined]],
    ['an empty list', () => [[]]],
    ['holes only', () => [[undefined, null]]],
  ])('%s: everything of ours in each', async (_, options) => {
    expect(await signAll(batch(), ...options())).toEqual([
      [true, true],
      [true, true],
    ])
  })

  it('one object: it is for all', async () => {
    expect(await signAll(batch(), named())).toEqual([
      [true, false],
      [true, false],
    ])
  })

  it('a list with a hole (dynamic): the hole means no options', async () => {
    expect(await signAll(batch(), [undefined, named()])).toEqual([
      [true, true],
      [true, false],
    ])
  })

  it('a list that is too short: the rest has no options', async () => {
    expect(await signAll(batch(), [{ autoFinalized: false }])).toEqual([
      [false, false],
      [true, true],
    ])
  })

  it('its results as plain strings that are not empty', async () => {
    const { response } = await approveSigning(site, 'signPsbts', batch())
    const results = 'result' in response ? (response.result as unknown[]) : []
    expect(structuredClone(results)).toEqual(results)
    expect(results.every(hex => typeof hex === 'string' && /^70736274ff[0-9a-f]+$/.test(hex))).toBe(
      true,
    )
  })
})

describe('signPsbts refuses', () => {
  const cases: [string, () => unknown[], string][] = [
    ['no list', () => [psbt], 'psbts: expected a list'],
    ['an empty list', () => [[]], 'psbts: expected at least one PSBT'],
    ['51 PSBTs', () => [Array(51).fill(psbt)], 'psbts: expected a list of at most 50'],
    ['a hole', () => [[psbt, null]], 'psbts[1]: expected a string'],
    ['more options than PSBTs', () => [[psbt], [{}, {}]], 'options: expected a list of at most 1'],
    [
      'a wrong member',
      () => [
        [psbt, psbt],
        [null, { autoFinalized: 1 }],
      ],
      'options[1].autoFinalized: expected',
    ],
    [
      'more than 4 MB',
      () => [Array(3).fill(`70736274ff${'00'.repeat(900_000)}`)],
      'params: expected at most',
    ],
  ]
  it.each(cases)('%s with -32602', async (_, params, message) => {
    expect(await refuse('signPsbts', ...params())).toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    })
  })
})
