import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { fromHex, toBase64, toHex } from '../../bitcoin/bytes.ts'
import { COSIGNER_KEY } from '../../bitcoin/testing/psbt-building.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { RECIPIENT, REGTEST, readBroadcast, SITE } from '../testing/funded-wallet.ts'
import {
  isSignedElsewhere,
  publishPrevious,
  type Signing,
  startSigner,
} from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import { decideNext, fund, nextApproval, openPage, PASSWORD } from '../testing/test-wallet.ts'
import { ask, askResult, readResult } from './testing/sats-connect-site.ts'

type Signed = { psbt: string; txid?: string }
type Built = ReturnType<typeof buildFresh>

const SINGLE_ANYONECANPAY = 0x83
const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })
const base64Of = ({ bytes }: Built) => toBase64(bytes)
const hexOf = (base64: string) => Buffer.from(base64, 'base64').toString('hex')

function ownInput({ account, key }: Signing) {
  const { addressType: type, publicKey } = account
  return {
    ...{ type, key, amount: 50_000n },
    proof: type === 'p2pkh' ? ('previous' as const) : ('witness' as const),
    fields: type === 'p2tr' ? { tapInternalKey: fromHex(publicKey).slice(1) } : {},
  }
}

/** A PSBT of an own and a foreign coin, whose origins are on the chain. */
function shared(site: Signing, own: { sighash?: number } = {}): Built {
  const { key, account } = site
  return publishPrevious(
    site,
    buildFresh({
      inputs: [{ ...ownInput(site), ...own }, stranger(10_000n)],
      outputs: [{ type: account.addressType, key, amount: 49_000n }, stranger(9_000n)],
    }),
  )
}

function alone(site: Signing): Built {
  return publishPrevious(
    site,
    buildFresh({ inputs: [ownInput(site)], outputs: [stranger(49_000n)] }),
  )
}

async function approve(site: Signing, params: object) {
  const answer = ask(site.page, 'signPsbt', params)
  const { review } = await decideNext(site.worker, 'approve', 'sign-psbt')
  const signed = readResult<Signed>('signPsbt', await answer)
  return { ...signed, review, read: Transaction.fromPSBT(Buffer.from(signed.psbt, 'base64')) }
}

describe('signPsbt', () => {
  it.each(ADDRESS_TYPES)(
    'signs the input that is named and does not finalize it (%s)',
    async type => {
      const site = await startSigner(type)
      const signInputs = { [site.account.address]: [0] }
      const { psbt, txid, read } = await approve(site, { psbt: base64Of(shared(site)), signInputs })
      expect(txid).toBeUndefined()
      expect(isSignedElsewhere(hexOf(psbt), 0)).toBe(true)
      expect(read.getInput(0)).not.toHaveProperty('finalScriptWitness')
      expect(read.getInput(1)).not.toHaveProperty('partialSig')
      expect(site.world.chain.broadcasts).toEqual([])
    },
  )

  it.each([{}, { signInputs: {} }, { signInputs: null, broadcast: false }])(
    'signs all of its own with %o',
    async options => {
      const site = await startSigner('p2wpkh')
      const { psbt } = await approve(site, { psbt: base64Of(shared(site)), ...options })
      expect(isSignedElsewhere(hexOf(psbt), 0)).toBe(true)
    },
  )

  it.each(ADDRESS_TYPES)('with broadcast sends it and tells its txid (%s)', async type => {
    const site = await startSigner(type)
    const built = alone(site)
    const signInputs = { [site.account.address]: [0] }
    const signed = await approve(site, { psbt: base64Of(built), signInputs, broadcast: true })
    expect(signed.review).toMatchObject({ kind: 'sign-psbt', broadcast: true })
    expect(site.world.chain.broadcasts).toEqual([signed.txid])
    // Of P2PKH the signature is part of the txid, and there is more than one that is right.
    if (type !== 'p2pkh') expect(signed.txid).toBe(signElsewhere(built, site.key).txid)
    expect(signed.read.id).toBe(signed.txid)
    expect(toHex(signed.read.extract())).toBe(
      toHex(site.world.chain.get(signed.txid ?? '') ?? new Uint8Array()),
    )
    expect(readBroadcast(site.world, signed.txid ?? '').outputsLength).toBe(1)
  })

  it('with broadcast says so where somebody else has yet to sign, and asks and sends nothing', async () => {
    const site = await startSigner()
    const params = { psbt: base64Of(shared(site)), broadcast: true }
    expect(await ask(site.page, 'signPsbt', params)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('input 1 is not complete') },
    })
    expect(site.world.chain.broadcasts).toEqual([])
  })

  it('serves an app that builds with the key that getAddresses gives', async () => {
    const site = await startSigner()
    const txid = fund(site.world, site.account.address, 60_000n)
    const { addresses } = await askResult<{ addresses: { address: string; publicKey: string }[] }>(
      site.page,
      'getAddresses',
      { purposes: ['ordinals'] },
    )
    const [{ address, publicKey } = { address: '', publicKey: '' }] = addresses
    const coin = Transaction.fromRaw(site.world.chain.get(txid) ?? new Uint8Array(), {
      allowUnknownInputs: true,
    }).getOutput(0)
    const app = new Transaction()
    app.addInput({
      ...{ txid, index: 0, tapInternalKey: fromHex(publicKey) },
      witnessUtxo: { script: coin.script ?? new Uint8Array(), amount: coin.amount ?? 0n },
    })
    app.addOutputAddress(RECIPIENT, 59_000n, REGTEST)
    const psbt = toBase64(app.toPSBT())
    const { read } = await approve(site, { psbt, signInputs: { [address]: [0] } })
    read.finalize()
    expect(read.id).toBe(app.id)
  })

  it.each([
    ['named', (address: string) => ({ signInputs: { [address]: [0] } })],
    ['not named', () => ({})],
  ])(
    'signs a listing as its PSBT asks, and says that only the PSBT asks (%s)',
    async (_, options) => {
      const site = await startSigner()
      const built = shared(site, { sighash: SINGLE_ANYONECANPAY })
      const params = { psbt: base64Of(built), ...options(site.account.address) }
      const { review, read } = await approve(site, params)
      expect(read.getInput(0).tapKeySig?.at(-1)).toBe(SINGLE_ANYONECANPAY)
      if (review.kind !== 'sign-psbt') throw new Error('Wrong review')
      expect(review.items[0]?.inputs[0]?.sighash).toBe('single-anyone')
      expect(review.items[0]?.warnings).toContainEqual({ kind: 'unasked-sighash', inputs: [0] })
    },
  )

  it('signs plainly beside a listing of somebody else', async () => {
    const site = await startSigner()
    const built = publishPrevious(
      site,
      buildFresh({
        inputs: [
          { type: 'p2tr', key: COSIGNER_KEY, amount: 10_000n, sighash: SINGLE_ANYONECANPAY },
          { type: 'p2tr', key: site.key, amount: 50_000n },
        ],
        outputs: [stranger(9_000n), stranger(45_000n)],
      }),
    )
    const { read } = await approve(site, { psbt: base64Of(built) })
    expect(read.getInput(0).tapKeySig).toBeUndefined()
    expect(read.getInput(1).tapKeySig).toHaveLength(64)
  })

  it.each([0x02, 0x03, 0x82])('refuses to sign as loosely as %i', async sighash => {
    const site = await startSigner()
    const built = shared(site, { sighash })
    const signInputs = { [site.account.address]: [0] }
    expect(await ask(site.page, 'signPsbt', { psbt: base64Of(built), signInputs })).toMatchObject({
      error: { code: -32000, data: { reason: 'SIGHASH_REFUSED' } },
    })
  })

  it('refuses inputs as those of another address with 4100', async () => {
    const site = await startSigner()
    const params = { psbt: base64Of(shared(site)), signInputs: { [RECIPIENT]: [1] } }
    expect(await ask(site.page, 'signPsbt', params)).toMatchObject({
      error: {
        code: 4100,
        message: `signInputs["${RECIPIENT}"][0]: is not of the connected account.`,
      },
    })
  })

  it.each([true, false])(
    'of a locked wallet asks to unlock it and goes on (named: %s)',
    async named => {
      const site = await startSigner()
      const built = shared(site, { sighash: SINGLE_ANYONECANPAY })
      await site.worker.ui('lock', null)
      const signInputs = named ? { [site.account.address]: [0] } : null
      const answer = ask(site.page, 'signPsbt', { psbt: base64Of(built), signInputs })
      expect((await nextApproval(site.worker, 'unlock')).review).toMatchObject({
        method: 'signPsbt',
      })
      await site.worker.ui('unlock', { password: PASSWORD })
      await decideNext(site.worker, 'approve', 'sign-psbt')
      const { psbt } = readResult<Signed>('signPsbt', await answer)
      expect(isSignedElsewhere(hexOf(psbt), 0)).toBe(true)
    },
  )

  it('of a page that is not connected is not even parsed', async () => {
    const { worker } = await startSigner()
    const stranger = openPage(worker, `${SITE}.other`)
    expect(await ask(stranger, 'signPsbt', { psbt: 'cHNidP8=' })).toMatchObject({
      error: { code: 4100 },
    })
  })

  it('names what is wrong with the PSBT or its inputs', async () => {
    const site = await startSigner()
    const psbt = base64Of(shared(site))
    const { address } = site.account
    const cases: [object, string][] = [
      [{}, 'psbt: expected a string, got undefined'],
      [{ psbt: 'cHNidA==' }, 'psbt: expected a PSBT'],
      [{ psbt: 'cHNidP8=' }, 'psbt: '],
      [{ psbt, signInputs: { [address]: [2] } }, 'expected a whole number from 0 to 1'],
      [{ psbt, signInputs: { [address]: 0 } }, `signInputs["${address}"]: expected a list`],
      [
        { psbt, signInputs: { [address]: [] } },
        `signInputs["${address}"]: expected a list of at least one`,
      ],
      [{ psbt, signInputs: { [address]: ['0'] } }, `signInputs["${address}"][0]: expected`],
      [{ psbt, signInputs: [0] }, 'signInputs: expected an object'],
      [{ psbt, signInputs: { [address]: [0, 0] } }, 'signInputs: names input 0 more than once'],
      [{ psbt, broadcast: 'yes' }, 'broadcast: expected true or false'],
    ]
    for (const [params, message] of cases) {
      expect(await ask(site.page, 'signPsbt', params), JSON.stringify(params)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(message) },
      })
    }
    expect(await site.worker.ui('getApproval', null)).toBeNull()
  })
})
