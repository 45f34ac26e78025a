import { Verifier } from 'bip322-js'
import { describe, expect, it } from 'vitest'
import { toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { encodeCompactSize } from '../../bitcoin/compact-size.ts'
import { buildToSign, buildToSpend } from '../../bitcoin/messages/message-bip322.ts'
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
import { decideNext } from '../testing/test-wallet.ts'

/** The rows of the PSBT threat table that concern the whole of a PSBT or several of them. */

const foreign = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })
const own = (key: Uint8Array, amount: bigint): BuiltInput => ({ type: 'p2tr', key, amount })

describe('S15: fields that this wallet does not know', () => {
  it('come back as they were', async () => {
    const site = await startSigner()
    const raw = { fc0573617463680042: toUtf8('kept'), '7f01': toUtf8('also') }
    const psbt = hexOf({
      inputs: [{ ...own(site.key, 10_000n), raw }],
      outputs: [{ ...foreign(9_000n), raw }],
      raw,
    })
    const options = { autoFinalized: false }
    const { response } = await approveSigning(site, 'signPsbt', psbt, options)
    expect(resultOf(response).split(toHex(toUtf8('kept')))).toHaveLength(4)
    expect(resultOf(response).split(toHex(toUtf8('also')))).toHaveLength(4)
  })

  it('of version 2 are understood: it is signed as version 2', async () => {
    const site = await startSigner()
    const psbt = hexOf({
      inputs: [own(site.key, 10_000n)],
      outputs: [foreign(9_000n)],
      version: 2,
      modifiable: 3,
    })
    const { review, response } = await approveSigning(site, 'signPsbt', psbt, {
      autoFinalized: false,
    })
    expect(review.items[0]).toMatchObject({ net: { sats: '-10000' }, fee: { sats: '1000' } })
    expect(resultOf(response)).toMatch(/^70736274ff/)
    // PSBT_GLOBAL_VERSION 2, and TX_MODIFIABLE with nothing left to modify.
    expect(resultOf(response)).toContain('01fb0402000000')
    expect(resultOf(response)).toContain('01060100')
  })
})

describe('S17: a message in the clothes of a PSBT', () => {
  const TEXT = 'I agree to everything'

  /** BIP-322's to_sign of this text as a PSBT; `told` is what field 0x09 says. */
  function smuggle(script: Uint8Array, told: string | null): string {
    const toSpend = buildToSpend(toUtf8(TEXT), script)
    const unsigned = buildToSign(toSpend).toBuffer()
    const field = (key: string, value: Uint8Array) =>
      `${toHex(encodeCompactSize(key.length / 2))}${key}${toHex(encodeCompactSize(value.length))}${toHex(value)}`
    const witnessUtxo = new Uint8Array([...new Uint8Array(8), script.length, ...script])
    const global = field('00', unsigned) + (told === null ? '' : field('09', toUtf8(told)))
    return `70736274ff${global}00${field('01', witnessUtxo)}0000`
  }

  it.each([
    ['says nothing of it', null],
    ['says another text', 'I agree to nothing'],
  ])('that %s is refused', async (_, told) => {
    const { page, key } = await startSigner()
    const psbt = smuggle(lockOf('p2tr', key).script, told)
    expect(await page.call('signPsbt', psbt)).toMatchObject({
      error: { code: -32000, data: { reason: 'MESSAGE_IN_PSBT' } },
    })
  })

  it('that only looks longer, since its signature leaves the rest to others, is refused', async () => {
    const { page, key, account } = await startSigner('p2wpkh')
    const toSpend = buildToSpend(toUtf8(TEXT), lockOf('p2wpkh', key).script)
    const psbt = hexOf({
      inputs: [
        {
          type: 'p2wpkh',
          key,
          amount: 0n,
          outpoint: { txid: toSpend.getId(), vout: 0 },
          sequence: 0,
          sighash: 0x83,
          raw: { '00': toSpend.toBuffer() },
        },
      ],
      outputs: [{ type: { script: Uint8Array.of(0x6a) }, amount: 0n }, foreign(0n)],
      transactionVersion: 2,
    })
    const toSignInputs = [{ index: 0, address: account.address, sighashTypes: [0x83] }]
    expect(await page.call('signPsbt', psbt, { toSignInputs })).toMatchObject({
      error: { code: -32000, data: { reason: 'MESSAGE_IN_PSBT' } },
    })
  })

  it.each(['p2tr', 'p2wpkh'] as const)(
    'that says its text is asked about as a message, and signed (%s)',
    async type => {
      const { page, key, worker, account, world } = await startSigner(type)
      world.chain.faults.unreachable = true
      const answer = page.call('signPsbt', smuggle(lockOf(type, key).script, TEXT))
      const { review } = await decideNext(worker, 'approve')
      expect(review).toMatchObject({ kind: 'sign-message', message: TEXT })
      const witness = readPsbtElsewhere(resultOf(await answer)).data.inputs[0]?.finalScriptWitness
      const signature = Buffer.from(witness ?? []).toString('base64')
      expect(Verifier.verifySignature(account.address, TEXT, signature)).toBe(true)
    },
  )

  it('in a batch is refused, and nothing of the batch is signed', async () => {
    const { page, key } = await startSigner()
    const psbt = hexOf({ inputs: [own(key, 10_000n)], outputs: [foreign(9_000n)] })
    const message = smuggle(lockOf('p2tr', key).script, TEXT)
    expect(await page.call('signPsbts', [psbt, message])).toMatchObject({
      error: { message: expect.stringContaining('psbts[1]'), data: { reason: 'MESSAGE_IN_PSBT' } },
    })
  })
})

describe('S18: what only later rules give a meaning to', () => {
  it('outputs of future segwit versions and odd scripts are pointed at; P2A and OP_RETURN are shown', async () => {
    const site = await startSigner()
    const outputs = (['future', 'odd', 'p2a', 'op-return'] as const).map(type => ({
      type,
      amount: 1_000n,
    }))
    const psbt = hexOf({ inputs: [own(site.key, 10_000n)], outputs })
    const { review } = await approveSigning(site, 'signPsbt', psbt)
    const [item] = review.items
    expect(item?.outputs.map(({ kind, address }) => [kind, address])).toEqual([
      ['unknown', null],
      ['unknown', null],
      ['unknown', null],
      ['data', null],
    ])
    expect(item?.warnings).toContainEqual({ kind: 'unknown-outputs', outputs: [0, 1, 2] })
  })

  it('a locktime is shown where it has an effect', async () => {
    const site = await startSigner()
    const shown = async (sequence: number) => {
      const input = { ...own(site.key, 10_000n), sequence }
      const psbt = hexOf({ inputs: [input], outputs: [foreign(9_000n)], locktime: 800_000 })
      return (await approveSigning(site, 'signPsbt', psbt)).review.items[0]?.locktime
    }
    expect(await shown(0xfffffffe)).toBe(800_000)
    expect(await shown(0xffffffff)).toBeNull()
  })
})

describe('S19: a batch', () => {
  it('that spends one coin twice is shown as two that exclude each other', async () => {
    const site = await startSigner()
    const inputs = [own(site.key, 10_000n)]
    const psbts = [
      hexOf({ inputs, outputs: [foreign(9_000n)] }),
      hexOf({ inputs: [own(site.key, 5_000n)], outputs: [foreign(4_000n)], from: 9 }),
      hexOf({ inputs, outputs: [foreign(8_000n)] }),
    ]
    const { review, response } = await approveSigning(site, 'signPsbts', psbts)
    expect(review.conflicts).toEqual([[0, 2]])
    expect(review.total).toEqual({ net: '-25000', worst: '-25000', fee: '4000' })
    expect(response).toMatchObject({
      result: [expect.any(String), expect.any(String), expect.any(String)],
    })
  })

  it('of listings that share only the places of dummies has no conflict', async () => {
    const site = await startSigner()
    const listing = (from: number) =>
      hexOf({
        inputs: [
          { type: 'p2wpkh', amount: 600n, placeholder: 0, proof: 'none' },
          { type: 'p2wpkh', amount: 600n, placeholder: 1, proof: 'none' },
          { ...own(site.key, 546n), sighash: 0x83 },
        ],
        outputs: [foreign(600n), foreign(600n), { type: 'p2tr', key: site.key, amount: 50_000n }],
        from,
      })
    const toSignInputs = [{ index: 2, address: site.account.address, sighashTypes: [0x83] }]
    const options = { autoFinalized: false, toSignInputs }
    const { review } = await approveSigning(site, 'signPsbts', [listing(0), listing(10)], options)
    expect(review.conflicts).toEqual([])
    expect(review.items[0]).toMatchObject({
      net: { sats: '49454', certainty: 'open' },
      worst: '49454',
      fee: null,
      txid: null,
      after: 'needs-others',
      inputs: [
        { placeholder: true, sats: null, open: true },
        { placeholder: true },
        { sighash: 'single-anyone' },
      ],
    })
  })

  it('whose gains only the site can make happen is worth no more than what it costs', async () => {
    const site = await startSigner()
    const gain = hexOf({
      inputs: [own(site.key, 1_000n), foreign(500_000n)],
      outputs: [{ type: 'p2tr', key: site.key, amount: 500_000n }],
    })
    const loss = hexOf({
      inputs: [own(site.key, 400_000n)],
      outputs: [foreign(399_000n)],
      from: 10,
    })
    const { review } = await approveSigning(site, 'signPsbts', [gain, loss])
    expect(review.total).toMatchObject({ net: '99000', worst: '-400000' })
  })

  it('whose coins can be put beside each other is worth what is paid back once', async () => {
    const site = await startSigner()
    const back = { type: 'p2tr' as const, key: site.key, amount: 10_000n }
    const signing = (sighash: number, index: number) => ({
      autoFinalized: false,
      toSignInputs: [{ index, address: site.account.address, sighashTypes: [sighash] }],
    })
    const single = hexOf({
      inputs: [{ ...own(site.key, 10_000n), sighash: 0x83 }],
      outputs: [back],
    })
    const all = (from: number) =>
      hexOf({
        inputs: [foreign(10_000n), { ...own(site.key, 10_000n), sighash: 0x81 }],
        outputs: [back, foreign(10_000n)],
        from,
      })
    const { review } = await approveSigning(
      site,
      'signPsbts',
      [single, all(10), all(20)],
      [signing(0x83, 0), signing(0x81, 1), signing(0x81, 1)],
    )
    expect(review.items.map(({ worst }) => worst)).toEqual(['0', '0', '0'])
    expect(review.total.worst).toBe('-20000')
  })

  it('whose second transaction spends the first knows what that holds, without a server', async () => {
    const site = await startSigner('p2wpkh')
    const first = publishPrevious(
      site,
      buildPsbt({
        inputs: [{ type: 'p2wpkh', key: site.key, amount: 20_000n }],
        outputs: [{ type: 'p2wpkh', key: site.key, amount: 19_000n }],
      }),
    )
    const txid = readPsbtElsewhere(toHex(first.bytes)).data.globalMap.unsignedTx
    const parent = (txid as unknown as { tx: { getId(): string } }).tx.getId()
    const second = hexOf({
      inputs: [
        { type: 'p2wpkh', key: site.key, amount: 19_000n, outpoint: { txid: parent, vout: 0 } },
      ],
      outputs: [foreign(18_000n)],
    })
    const { review, response } = await approveSigning(
      site,
      'signPsbts',
      [toHex(first.bytes), second],
      {
        autoFinalized: false,
      },
    )
    expect(review.items[0]?.txid).toBe(parent)
    expect(review.items[1]?.inputs[0]).toMatchObject({ proof: 'proven', sats: '19000' })
    expect(review.total.net).toBe('-20000')
    const signed = 'result' in response ? (response.result as string[]) : []
    expect(signed.map(hex => isSignedElsewhere(hex, 0))).toEqual([true, true])
  })
})

describe('S20: inputs of several people', () => {
  it('count as ours only where the script is ours, and unproven ones are pointed at', async () => {
    const site = await startSigner('p2wpkh')
    const mine = buildPsbt({
      inputs: [{ type: 'p2wpkh', key: site.key, amount: 30_000n }],
      outputs: [foreign(1_000n)],
    })
    publishPrevious(site, mine)
    const psbt = hexOf({
      inputs: [
        { type: 'p2wpkh', key: site.key, amount: 30_000n },
        { type: 'p2wpkh', amount: 70_000n },
        { type: 'p2wpkh', amount: 1n, proof: 'none' },
      ],
      outputs: [{ type: 'p2wpkh', key: site.key, amount: 25_000n }, foreign(74_000n)],
    })
    const { review, response } = await approveSigning(site, 'signPsbt', psbt, {
      autoFinalized: false,
    })
    const [item] = review.items
    expect(item).toMatchObject({
      net: { sats: '-5000' },
      worst: '-5000',
      fee: null,
      after: 'needs-others',
    })
    expect(item?.inputs.map(({ owner, proof, sats }) => [owner, proof, sats])).toEqual([
      ['own', 'proven', '30000'],
      ['foreign', 'claimed', '70000'],
      ['unknown', null, null],
    ])
    expect(item?.warnings).toContainEqual({ kind: 'claimed-amounts', inputs: [1] })
    expect(isSignedElsewhere(resultOf(response), 0)).toBe(true)
  })

  it('are proven by the chain where it knows them', async () => {
    const site = await startSigner()
    const built = buildPsbt({
      inputs: [own(site.key, 30_000n), { type: 'p2wpkh', amount: 70_000n, proof: 'none' }],
      outputs: [foreign(99_000n)],
    })
    publishPrevious(site, built)
    const { review } = await approveSigning(site, 'signPsbt', toHex(built.bytes))
    expect(review.items[0]).toMatchObject({
      fee: { sats: '1000', certainty: 'certain' },
      inputs: [{ proof: 'proven' }, { proof: 'proven', sats: '70000', owner: 'foreign' }],
    })
  })

  it('are only claimed while the server is away, and ours are signed nevertheless', async () => {
    const site = await startSigner()
    site.world.chain.faults.unreachable = true
    const psbt = hexOf({
      inputs: [own(site.key, 30_000n), { type: 'p2pkh', amount: 70_000n, proof: 'witness' }],
      outputs: [foreign(99_000n)],
    })
    const { review, response } = await approveSigning(site, 'signPsbt', psbt)
    // A taproot signature over everything fails when any amount is another one.
    expect(review.items[0]?.inputs[1]?.proof).toBe('committed')
    expect(readPsbtElsewhere(resultOf(response)).data.inputs[0]?.finalScriptWitness).toBeDefined()
  })
})
