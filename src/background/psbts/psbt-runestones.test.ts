import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { flowElsewhere, MINTED } from '../../ordinals/testing/rune-oracle.ts'
import { runestoneScript } from '../../ordinals/testing/runestone-script.ts'
import { describeRunestone } from '../review/runestones.ts'
import { reviewAndSign, startAssetSite, toThem } from '../testing/asset-site.ts'
import { approveSigning, hexOf } from '../testing/psbt-site.ts'
import { signElsewhere } from '../testing/signed-transactions.ts'
import { decideNext } from '../testing/test-wallet.ts'

const [PREMINE, RUNE, SPACERS, DIVISIBILITY, SYMBOL, CAP, AMOUNT] = [6, 4, 3, 1, 5, 8, 10]
const [FLAGS, MINT, POINTER] = [2, 20, 22]

/** A coin of ours with 10.00 of a rune, and what a site has us sign with a runestone of these integers behind two outputs. */
async function start() {
  const site = await startAssetSite()
  const coin = site.mine(10_000n)
  const asset = site.world.assets.etch(coin.at, {
    ...{ name: 'GOLD•OF•TESTS', amount: 1_000n, divisibility: 2 },
  })
  const [block = 0, tx = 0] = (asset.rune ?? '').split(':').map(Number)
  const plain = site.mine(20_000n)
  const psbtOf = (integers: (bigint | number)[], inputs = [coin]) =>
    hexOf({
      inputs,
      outputs: [
        site.toMe(5_000n),
        toThem(4_000n),
        { type: { script: runestoneScript(integers) }, amount: 0n },
      ],
    })
  const show = async (integers: (bigint | number)[], inputs?: (typeof coin)[]) => {
    const { review } = await approveSigning(site, 'signPsbt', psbtOf(integers, inputs))
    return review.items[0]
  }
  return { site, coin, plain, asset, block, tx, psbtOf, show }
}

describe('the review of a PSBT with a runestone', () => {
  it('says what each edict gives to whom, and where the rest goes', async () => {
    const { block, tx, asset, show } = await start()
    const view = await show([POINTER, 0, 0, block, tx, 450, 1])
    expect(view?.runestone).toEqual({
      ...{ output: 2, flaw: null, isOpen: false, edictCount: 1, rest: 0, mint: null },
      etching: null,
      edicts: [
        {
          ...{ id: asset.rune, name: asset.name, output: 1 },
          amount: { text: '4.5', isUnits: false },
        },
      ],
    })
  })

  it('says of a share for all outputs that it is one, and of 0 that it is all that is left', async () => {
    const { block, tx, show } = await start()
    const view = await show([0, block, tx, 5, 3, 0, 0, 0, 0])
    expect(view?.runestone?.edicts).toMatchObject([
      { amount: { text: '0.05' }, output: null },
      { amount: null, output: 0 },
    ])
    expect(view?.assets.map(({ to, output }) => [to, output])).toEqual([
      ['own', 0],
      ['foreign', 1],
    ])
  })

  it('names a rune that is on no input by the index’s word, and its amount in units where that is silent', async () => {
    const { site, plain, block, tx, show } = await start()
    const integers = [0, block, tx, 450, 1, 3, 7, 9, 0]
    expect((await show(integers, [plain]))?.runestone?.edicts).toMatchObject([
      { name: 'GOLD•OF•TESTS', amount: { text: '4.5', isUnits: false } },
      { id: `${block + 3}:7`, name: null, amount: { text: '9', isUnits: true } },
    ])
    site.world.assets.faults.unreachable = true
    expect((await show(integers, [plain]))?.runestone?.edicts[0]).toMatchObject({
      name: null,
      amount: { text: '450', isUnits: true },
    })
  })

  it('says what a mint gives by the index’s word, and where that lands', async () => {
    const { site, plain, asset, block, tx, show } = await start()
    const mint = [MINT, block, MINT, tx, POINTER, 1]
    const terms = {
      ...{ amount: 2_500n, cap: 10n },
      ...{ height: { start: null, end: null }, offset: { start: null, end: null } },
    }
    site.world.assets.describeRune(asset.rune ?? '', { terms, isMintable: true })
    expect((await show(mint, [plain]))?.runestone?.mint).toEqual({
      ...{ id: asset.rune, name: asset.name, amount: '25' },
      landings: [{ output: 1, amount: '25' }],
    })
    expect((await show([...mint, 0, block, tx, 500, 0], [plain]))?.runestone?.mint).toMatchObject({
      landings: [
        { output: 0, amount: '5' },
        { output: 1, amount: '20' },
      ],
    })
    site.world.assets.describeRune(asset.rune ?? '', { terms, isMintable: false })
    expect((await show(mint, [plain]))?.runestone?.mint).toMatchObject({
      amount: '0',
      landings: [],
    })
    site.world.assets.faults.unreachable = true
    expect((await show(mint, [plain]))?.runestone?.mint).toMatchObject({ amount: null })
  })

  it('says what an etching makes, and where its premine lands', async () => {
    const { plain, show } = await start()
    // ABCDEFGHIJKLM, by ord's numbers of names: the sum of (letter + 1) * 26^place, less 1.
    const name = [...'ABCDEFGHIJKLM'].reduce(
      (sum, letter) => sum * 26n + BigInt(letter.charCodeAt(0) - 64),
      0n,
    )
    const integers = [
      ...[FLAGS, 3, RUNE, name - 1n, SPACERS, 4, DIVISIBILITY, 1, SYMBOL, 0x24],
      ...[PREMINE, 1_000, CAP, 5, AMOUNT, 100, POINTER, 0, 0, 0, 0, 250, 1],
    ]
    expect((await show(integers, [plain]))?.runestone).toMatchObject({
      etching: {
        ...{ name: 'ABC•DEFGHIJKLM', symbol: '$', divisibility: 1, premine: '100', turbo: false },
        landings: [
          { output: 0, amount: '75' },
          { output: 1, amount: '25' },
        ],
        terms: { amount: '10', cap: '5' },
      },
      edicts: [{ id: '0:0', name: null, amount: { text: '25', isUnits: false }, output: 1 }],
    })
  })

  it('says why a malformed one burns, where there is nothing of ours to burn', async () => {
    const { site, plain, psbtOf } = await start()
    const { review } = await approveSigning(site, 'signPsbt', psbtOf([126, 0], [plain]))
    expect(review.items[0]).toMatchObject({
      runestone: { flaw: 'unrecognized-even-tag', edicts: [], rest: null },
      warnings: expect.arrayContaining([{ kind: 'cenotaph', flaw: 'unrecognized-even-tag' }]),
    })
  })

  it.each([
    ['is malformed', () => [126, 0]],
    ['gives some to its own output', (b: number, t: number) => [0, b, t, 1, 2]],
    ['points to its own output', () => [POINTER, 2]],
    ['shares with an output that is not there', (b: number, t: number) => [0, b, t, 1, 4]],
    ['mints and is malformed', (b: number, t: number) => [MINT, b, MINT, t, 126, 0]],
  ])(
    'is refused before anybody is asked where the runestone %s and runes of ours would burn',
    async (_, integers) => {
      const { site, block, tx, psbtOf } = await start()
      const before = site.world.window.shown
      const psbt = psbtOf(integers(block, tx))
      for (const [method, param] of [
        ['signPsbt', psbt],
        ['signPsbts', [psbt]],
      ] as const) {
        expect(await site.page.call(method, param)).toMatchObject({
          error: { data: { reason: 'PROTECTED_ASSET' } },
        })
      }
      expect(site.world.window.shown).toBe(before)
    },
  )

  it('is silent where there is none', async () => {
    const site = await startAssetSite()
    const psbt = hexOf({ inputs: [site.mine(10_000n)], outputs: [toThem(9_000n)] })
    const { review } = await approveSigning(site, 'signPsbt', psbt)
    expect(review.items[0]?.runestone).toBeNull()
    expect((await reviewAndSign(site, psbt)).warnings).toEqual([])
  })
})

describe('a signed transaction with a runestone that a site pushes', () => {
  it('is shown with what the runestone says', async () => {
    const { site, block, tx, asset, signed } = await startPush([0, 450, 1])
    const answer = site.page.call('pushTx', signed)
    const { review } = await decideNext(site.worker, 'approve', 'push-tx')
    expect(review).toMatchObject({
      runestone: {
        ...{ output: 2, flaw: null, rest: 0 },
        edicts: [{ id: `${block}:${tx}`, name: asset.name, amount: { text: '4.5' }, output: 1 }],
      },
    })
    expect(await answer).toHaveProperty('result')
  })

  it('is refused where that burns runes of ours', async () => {
    const { site, signed } = await startPush([0, 1, 2])
    expect(await site.page.call('pushTx', signed)).toMatchObject({
      error: { data: { reason: 'PROTECTED_ASSET' } },
    })
    expect(site.world.chain.broadcasts).toEqual([])
  })

  /** Signed outside of the wallet with its key: an edict of the rune on our coin. */
  async function startPush([body = 0, amount = 0, output = 0]: number[]) {
    const started = await start()
    const { site, coin, block, tx } = started
    const fields = { tapInternalKey: fromHex(site.account.publicKey).slice(1) }
    const built = buildPsbt({
      inputs: [{ ...coin, fields }],
      outputs: [
        site.toMe(5_000n),
        toThem(4_000n),
        { type: { script: runestoneScript([body, block, tx, amount, output]) }, amount: 0n },
      ],
    })
    return { ...started, signed: signElsewhere(built, site.key).raw }
  }
})

describe('what is shown of a mint', () => {
  it('lands where another library’s index puts it, whatever the edicts, and is burned where that burns it', async () => {
    const P2WPKH = Uint8Array.of(0, 20, ...new Uint8Array(20))
    const outputs = fc.array(fc.constantFrom('pay' as const, 'data' as const), { maxLength: 4 })
    const edict = fc.record({ amount: fc.nat(20), output: fc.nat(5) })
    let shown = 0
    await fc.assert(
      fc.asyncProperty(
        outputs,
        fc.array(edict, { maxLength: 3 }),
        fc.option(fc.nat(4), { nil: null }),
        async (kinds, edicts, pointer) => {
          const integers = [
            ...[MINT, 5, MINT, 1],
            ...(pointer === null ? [] : [POINTER, pointer]),
            ...(edicts.length > 0 ? [0] : []),
            ...edicts.flatMap(({ amount, output }, at) => [
              ...(at ? [0, 0] : [5, 1]),
              amount,
              output,
            ]),
          ]
          const scripts = [
            ...kinds.map(kind => (kind === 'pay' ? P2WPKH : Uint8Array.of(0x6a))),
            runestoneScript(integers),
          ]
          const known = new Map([['5:1', { name: 'GOLD', divisibility: 0, minted: MINTED }]])
          const view = describeRunestone(
            scripts.map(scriptPubKey => ({ scriptPubKey, amount: 0n })),
            known,
            { isOpen: false },
          )
          const moves = await flowElsewhere([], scripts)
          const told = view?.flaw
            ? [{ output: null, amount: String(MINTED) }]
            : (view?.mint?.landings ?? [])
          const texts = told.map(({ output, amount }) => `${amount} of 5:1 to ${output ?? 'burnt'}`)
          expect(texts.toSorted()).toEqual(moves)
          if (view?.flaw === null) shown++
        },
      ),
      { numRuns: 500 },
    )
    expect(shown).toBeGreaterThan(100)
  })
})
