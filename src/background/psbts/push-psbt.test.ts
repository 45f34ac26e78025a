import { describe, expect, it } from 'vitest'
import { fromHex, toBase64, toHex } from '../../bitcoin/bytes.ts'
import { writeRaw } from '../../bitcoin/testing/psbt-building.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { dieAfter, inputsOf, readBroadcast, SITE } from '../testing/funded-wallet.ts'
import { approveSigning, publishPrevious, resultOf, startSigner } from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere, signPartly } from '../testing/signed-transactions.ts'
import { decideAll, decideNext, openPage, startWorker } from '../testing/test-wallet.ts'

type Site = Awaited<ReturnType<typeof startSigner>>
type Built = ReturnType<typeof buildFresh>

const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })
const hexOf = ({ bytes }: Built) => toHex(bytes)

/** A payment of the account's own coin, whose origin is on the chain. */
function ownPayment({ world, account, key }: Site, paid = 40_000n): Built {
  const type = account.addressType
  const proof = type === 'p2pkh' ? 'previous' : 'witness'
  const own = { type, key, amount: 50_000n, proof } as const
  const fields = type === 'p2tr' ? { tapInternalKey: fromHex(account.publicKey).slice(1) } : {}
  return publishPrevious(
    { world },
    buildFresh({
      inputs: [{ ...own, fields }],
      outputs: [stranger(paid), { type, key, amount: 9_000n }],
    }),
  )
}

function foreign(
  site: Pick<Site, 'world'>,
  changes: Partial<Parameters<typeof buildFresh>[0]> = {},
) {
  return publishPrevious(
    site,
    buildFresh({ inputs: [stranger(10_000n)], outputs: [stranger(9_000n)], ...changes }),
  )
}

describe('pushPsbt after signPsbt of the same transaction', () => {
  it.each(
    ADDRESS_TYPES.flatMap(type =>
      [true, false].map(autoFinalized => [type, autoFinalized] as const),
    ),
  )('asks nothing more (%s, autoFinalized %s)', async (type, autoFinalized) => {
    const site = await startSigner(type)
    const built = ownPayment(site)
    const { response } = await approveSigning(site, 'signPsbt', hexOf(built), { autoFinalized })
    const pushed = await site.page.call('pushPsbt', resultOf(response))
    // Deterministic signatures aside, the txid is that of the independent library.
    const { txid } = signElsewhere(built, site.key)
    const [sent = ''] = site.world.chain.broadcasts
    expect(pushed).toMatchObject({ result: sent })
    expect(inputsOf(readBroadcast(site.world, sent))).toHaveLength(1)
    if (type !== 'p2pkh') expect(sent).toBe(txid)
    expect((await site.worker.ui('getActivityDetails', { txid: sent })).entry).toMatchObject({
      ...{ kind: 'pushed', status: 'pending', net: '-41000', fee: '1000', about: null },
    })
  })

  it.each([
    [
      'rango',
      (address: string) => [{ autoFinalized: true, toSignInputs: [{ index: 0, address }] }],
    ],
    ['appkit', () => []],
  ])('takes the arguments of %s', async (_, optionsOf) => {
    const site = await startSigner()
    const signing = [hexOf(ownPayment(site)), ...optionsOf(site.account.address)]
    const { response } = await approveSigning(site, 'signPsbt', ...signing)
    expect(await site.page.call('pushPsbt', resultOf(response))).toHaveProperty('result')
  })

  it('asks nothing more when the site finalizes it and pushes the transaction', async () => {
    const site = await startSigner('p2sh-p2wpkh')
    const built = ownPayment(site)
    const options = { autoFinalized: false }
    await approveSigning(site, 'signPsbt', hexOf(built), options)
    const { raw, txid } = signElsewhere(built, site.key)
    expect(await site.page.call('pushTx', raw)).toMatchObject({ result: txid })
  })

  it('asks about another one, and sends nothing when the person says no', async () => {
    const site = await startSigner()
    const [shown, other] = [ownPayment(site), ownPayment(site, 30_000n)]
    await approveSigning(site, 'signPsbt', hexOf(shown))
    const { psbt, txid } = signElsewhere(other, site.key)
    const refused = site.page.call('pushPsbt', psbt)
    const { review } = await decideNext(site.worker, 'reject', 'push-tx')
    expect(review).toMatchObject({
      ...{ txid, netCost: '41000', fee: '11000' },
      warnings: [{ kind: 'high-fee' }],
    })
    expect(await refused).toMatchObject({ error: { code: 4001 } })
    expect(site.world.chain.broadcasts).toEqual([])
    const again = site.page.call('pushPsbt', psbt)
    await decideNext(site.worker, 'approve', 'push-tx')
    expect(await again).toMatchObject({ result: txid })
  })

  it('asks again when the account in use is another one by then', async () => {
    const site = await startSigner()
    const { response } = await approveSigning(site, 'signPsbt', hexOf(ownPayment(site)))
    const added = await site.worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    await site.worker.ui('selectAccount', { accountId: added.id })
    const connecting = site.page.call('connect')
    await decideNext(site.worker, 'approve', 'connect')
    await connecting
    const pushed = site.page.call('pushPsbt', resultOf(response))
    await decideNext(site.worker, 'approve', 'push-tx')
    expect(await pushed).toHaveProperty('result')
  })
})

describe('pushPsbt', () => {
  it.each(['psbt', 'base64', 'final'] as const)(
    'sends somebody else’s without a question (%s)',
    async form => {
      const site = await startSigner()
      const signed = signElsewhere(foreign(site))
      expect(await site.page.call('pushPsbt', signed[form])).toMatchObject({ result: signed.txid })
      expect(toHex(site.world.chain.get(signed.txid) ?? new Uint8Array())).toBe(signed.raw)
    },
  )

  it('takes PSBTs of version 2, and several locks in one', async () => {
    const site = await startSigner()
    const built = foreign(site, {
      version: 2,
      inputs: [
        stranger(10_000n),
        { type: 'p2sh-p2wpkh', amount: 10_000n },
        { type: 'p2pkh', amount: 10_000n, proof: 'previous' },
      ],
      outputs: [stranger(29_000n)],
    })
    const { psbt, txid } = signElsewhere(built)
    expect(await site.page.call('pushPsbt', psbt)).toMatchObject({ result: txid })
  })

  it('asks about a high fee and about amounts that nobody knows', async () => {
    const site = await startSigner()
    const dear = signElsewhere(foreign(site, { inputs: [stranger(100_000n)] }))
    const unknown = signElsewhere(
      buildFresh({ inputs: [stranger(10_000n)], outputs: [stranger(9_000n)] }),
    )
    for (const [{ psbt, txid }, review] of [
      [dear, { fee: '91000', warnings: [{ kind: 'high-fee' }] }],
      [unknown, { fee: null, warnings: [] }],
    ] as const) {
      const answer = site.page.call('pushPsbt', psbt)
      const asked = await decideNext(site.worker, 'reject', 'push-tx')
      expect(asked.review).toMatchObject({ txid, ...review })
      expect(await answer).toMatchObject({ error: { code: 4001 } })
    }
    expect(site.world.chain.broadcasts).toEqual([])
  })

  it('refuses more than 10,000 sat/vB', async () => {
    const site = await startSigner()
    const { psbt } = signElsewhere(foreign(site, { inputs: [stranger(10_000_000n)] }))
    expect(await site.page.call('pushPsbt', psbt)).toMatchObject({
      error: { code: -32000, data: { reason: 'ABSURD_FEE' } },
    })
  })

  it('refuses a PSBT that tells another amount than the chain', async () => {
    const site = await startSigner()
    const coin = foreign(site)
    const [txid = ''] = coin.previous.keys()
    const lie = buildFresh({
      inputs: [{ ...stranger(9_500n), outpoint: { txid, vout: 0 } }],
      outputs: [stranger(9_000n)],
    })
    expect(await site.page.call('pushPsbt', signElsewhere(lie).final)).toMatchObject({
      error: { code: -32000, data: { reason: 'UNVERIFIED_INPUT' } },
    })
  })

  it.each([
    ['it has no signature', [stranger(9_000n), { type: 'p2tr' as const, amount: 9_000n }], 1],
    [
      'what it spends is not known',
      [stranger(9_000n), { ...stranger(9_000n), placeholder: 0, proof: 'none' as const }],
      1,
    ],
    ['signatures are missing', [{ type: 'p2wsh-multisig' as const, amount: 10_000n }], 0],
  ])('names the input that is not complete: %s', async (missing, inputs, input) => {
    const site = await startSigner()
    const psbt = signPartly(foreign(site, { inputs }), 0)
    expect(await site.page.call('pushPsbt', psbt)).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining(`psbt: input ${input} is not complete: ${missing}`),
        data: { input },
      },
    })
    expect(site.world.chain.broadcasts).toEqual([])
  })

  it('uses no signature of another sighash than the PSBT asks for (BIP-174)', async () => {
    const site = await startSigner()
    const signed = fromHex(signPartly(foreign(site), 0))
    const asksForOther = writeRaw(signed, [undefined, { '03': fromHex('81000000') }])
    expect(await site.page.call('pushPsbt', toHex(asksForOther))).toMatchObject({
      error: { code: -32000, data: { reason: 'BAD_SIGNATURE', input: 0 } },
    })
  })

  it.each(['psbt', 'final'] as const)('never sends a signature that is wrong (%s)', async form => {
    const site = await startSigner()
    const hex = signElsewhere(foreign(site))[form]
    // A byte of the signature's r, which leaves its form as it is.
    const at = hex.search(/304[45]022[01]/) + 20
    const wrong = hex.slice(0, at) + (hex[at] === '1' ? '2' : '1') + hex.slice(at + 1)
    expect(await site.page.call('pushPsbt', wrong)).toMatchObject({
      error: { code: -32000, data: { reason: 'BAD_SIGNATURE', input: 0 } },
    })
    expect(site.world.chain.broadcasts).toEqual([])
  })

  it.each([
    undefined,
    null,
    5,
    '',
    'text',
    '00',
    '70736274ff',
    toBase64(fromHex('70736274ff00')),
    ['70736274ff'],
    { psbtHex: '70736274ff' },
  ])('names the parameter when it is no PSBT: %j', async psbt => {
    const { page } = await startSigner()
    expect(await page.call('pushPsbt', psbt)).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^psbt: /) },
    })
  })

  it('twice has one outcome, also when the chain has moved on and the node refuses it by now', async () => {
    const site = await startSigner()
    const { psbt, txid } = signElsewhere(foreign(site))
    const both = [site.page.call('pushPsbt', psbt), site.page.call('pushPsbt', psbt)]
    for (const answer of await Promise.all(both)) expect(answer).toMatchObject({ result: txid })
    site.world.chain.mine()
    site.world.chain.faults.refuse = 'bad-txns-inputs-missingorspent'
    expect(await site.page.call('pushPsbt', psbt)).toMatchObject({ result: txid })
    const { entry } = await site.worker.ui('getActivityDetails', { txid })
    expect(entry.status).not.toBe('failed')
  })
})

describe('a push that needs the person, in a worker that dies', () => {
  const moments = Array.from({ length: 11 }, (_, index) => index)

  it.each(
    (['pushPsbt', 'sendPsbt'] as const).flatMap(method => moments.map(at => [method, at] as const)),
  )('%s before write %i is sent once and answered', async (method, moment) => {
    const site = await startSigner()
    const { world, account } = site
    const own = signElsewhere(ownPayment(site), site.key)
    const child = signElsewhere(
      buildFresh({
        inputs: [{ ...stranger(40_000n), outpoint: { txid: own.txid, vout: 0 } }],
        outputs: [stranger(39_000n)],
      }),
    )
    const batch = [child, own].map(({ txid, psbt }) => ({ itemId: txid, signedTx: psbt, type: 20 }))
    const params = method === 'pushPsbt' ? [own.psbt] : [batch, account.address]
    const sent = method === 'pushPsbt' ? [own.txid] : [own.txid, child.txid]

    const doomed = dieAfter(world, moment)
    const dying = startWorker(doomed)
    void openPage(dying, SITE).send('push', method, ...params)
    // Hangs where the worker does.
    void decideNext(dying, 'approve').catch(() => {})
    await Promise.race([
      doomed.died,
      new Promise<void>(resolve => {
        const wait = () =>
          world.chain.broadcasts.length >= sent.length ? resolve() : setTimeout(wait, 5)
        wait()
      }),
    ])

    const second = startWorker(world)
    const again = openPage(second, SITE).send('push', method, ...params)
    const answer = await decideAll(second, 'approve', again)
    const result =
      method === 'pushPsbt' ? own.txid : [{ [child.txid]: child.txid }, { [own.txid]: own.txid }]
    expect(answer).toMatchObject({ result })
    expect([...new Set(world.chain.broadcasts)]).toEqual(sent)
  })
})
