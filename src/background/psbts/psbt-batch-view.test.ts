import { describe, expect, it } from 'vitest'
import type { AssetMoveView } from '../views/asset-views.ts'
import type { PsbtInputView, PsbtView, SighashView } from '../views/psbt-views.ts'
import { viewBatch } from './psbt-batch-view.ts'

const SCRIPT = `0014${'ab'.repeat(20)}`

type Input = {
  outpoint?: string
  sighash?: SighashView | null
  open?: boolean
  placeholder?: boolean
}

/** What a batch is judged by, of one PSBT. */
function item(changes: {
  net?: number
  worst?: number
  certainty?: PsbtView['net']['certainty']
  fee?: number | null
  feeCertainty?: PsbtView['net']['certainty']
  inputs?: Input[]
  /** Sats of outputs, own ones but for those in `theirs`. */
  outputs?: number[]
  theirs?: number[]
  assets?: Pick<AssetMoveView, 'own' | 'to' | 'certainty'>[]
}): PsbtView {
  const { net = 0, worst = net, certainty = 'certain', fee = 0, feeCertainty = 'certain' } = changes
  const outputs = [...(changes.outputs ?? []), ...(changes.theirs ?? [])]
  return {
    net: { sats: String(net), certainty },
    worst: String(worst),
    fee: fee === null ? null : { sats: String(fee), feeRate: 1, certainty: feeCertainty },
    inputs: (changes.inputs ?? []).map(
      ({ outpoint = '', sighash = 'all', open = false, placeholder = false }) =>
        ({ outpoint, sighash, open, placeholder }) as PsbtInputView,
    ),
    outputs: outputs.map((sats, at) => ({
      script: SCRIPT,
      sats: String(sats),
      own: at < (changes.outputs ?? []).length,
    })) as PsbtView['outputs'],
    assets: (changes.assets ?? []) as AssetMoveView[],
  } as PsbtView
}

const view = (...items: PsbtView[]) =>
  viewBatch(
    items.map(view => ({ view, ancestors: [] })),
    false,
  )

/** With the items (from 0) that have to go before each. */
const viewAfter = (...items: [PsbtView, number[]][]) =>
  viewBatch(
    items.map(([view, ancestors]) => ({ view, ancestors })),
    false,
  )

describe('what a batch costs', () => {
  it('is the sum of its items, and the sum of their fees where all are known', () => {
    const { total, items, broadcast } = view(
      item({ net: -500, fee: 200 }),
      item({ net: 80, fee: 30 }),
    )
    expect(total).toMatchObject({ net: '-420', fee: '230' })
    expect(items).toHaveLength(2)
    expect(broadcast).toBe(false)
    expect(view(item({ fee: 200 }), item({ fee: null })).total.fee).toBeNull()
    expect(viewBatch([{ view: item({}), ancestors: [] }], true).broadcast).toBe(true)
  })

  it.each([
    ['what the costly items cost together', [-100, 50, -30], '-130'],
    ['what the costly one costs', [50, -30, 20], '-30'],
    ['what the costly first one costs', [-30, 0, 20], '-30'],
    ['the least that any brings where none costs anything', [50, 20, 30], '20'],
    ['nothing where one brings nothing', [0, 20], '0'],
  ])('is at worst %s', (_, nets, worst) => {
    expect(view(...nets.map(net => item({ net }))).total.worst).toBe(worst)
  })
})

describe('coins of several items that one transaction can spend', () => {
  const sale = (sighash: SighashView, changes: Parameters<typeof item>[0] = {}) =>
    item({ outputs: [1_000], inputs: [{ sighash }], worst: 0, ...changes })

  it('are paid for once where the outputs are the same, and that is warned of', () => {
    const { total, warnings } = view(sale('all-anyone'), sale('single-anyone'))
    expect(total.worst).toBe('-1000')
    expect(warnings).toEqual([{ kind: 'open-signature', worst: '-1000', proposed: '0' }])
  })

  it('cost that on top of what the items cost alone, and not on top of what they bring', () => {
    const cheap = { worst: -200 }
    const { total, warnings } = view(sale('all-anyone', cheap), sale('all-anyone', cheap))
    expect(total.worst).toBe('-1400')
    expect(warnings).toEqual([{ kind: 'open-signature', worst: '-1400', proposed: '-400' }])
    const gain = { worst: 300 }
    expect(view(sale('all-anyone', gain), sale('all-anyone', gain)).total.worst).toBe('-1000')
  })

  it.each<[string, PsbtView[]]>([
    ['only one of them lets others add coins', [sale('all-anyone'), sale('all')]],
    ['none keeps all its outputs for others to fill', [sale('single-anyone'), sale('none-anyone')]],
    ['there are no signatures', [sale('all-anyone'), item({ outputs: [1_000], worst: 0 })]],
    ['the amounts differ', [sale('all-anyone'), sale('all-anyone', { outputs: [1_001] })]],
    [
      'what is the same goes to others',
      [
        sale('all-anyone', { outputs: [], theirs: [5] }),
        sale('all-anyone', { outputs: [], theirs: [5] }),
      ],
    ],
  ])('are paid for each where %s', (_, items) => {
    const { total, warnings } = view(...items)
    expect(total.worst).toBe('0')
    expect(warnings).toEqual([])
  })

  it('are so already where one of the coins of one item lets others add coins', () => {
    const both = sale('all', { inputs: [{ sighash: 'all-anyone' }, { sighash: 'single-anyone' }] })
    expect(view(both, sale('single-anyone')).total.worst).toBe('-1000')
    const one = sale('all', { inputs: [{ sighash: null }, { sighash: 'single-anyone' }] })
    expect(view(both, one).total.worst).toBe('-1000')
  })

  it('are paid for as often as the item that asks for most of them', () => {
    const two = sale('all-anyone', { outputs: [1_000, 1_000, 1_000] })
    expect(view(two).total.worst).toBe('0')
    expect(view(two, sale('all-anyone')).total.worst).toBe('-1000')
    expect(view(sale('all-anyone'), two).total.worst).toBe('-1000')
    expect(view(two, two, sale('all-anyone', { outputs: [7] })).total.worst).toBe('-3000')
  })
})

describe('items that can be used without the others', () => {
  const asset = (own: boolean, to: AssetMoveView['to'], certainty: AssetMoveView['certainty']) => ({
    ...{ own, to, certainty },
  })
  const pays = item({ net: -1_000, fee: 100 })
  const brings = item({ net: 900, worst: 900 })
  const oneSided = (items: number[], worst: string) => [{ kind: 'one-sided-items', items, worst }]

  it('are named where one only pays and another brings something', () => {
    expect(view(pays, brings).warnings).toEqual(oneSided([0], '-1000'))
    expect(view(brings, pays, pays).warnings).toEqual(oneSided([1, 2], '-2000'))
  })

  it('are none where nothing is brought, or nothing is given but the fee', () => {
    expect(view(pays, pays).warnings).toEqual([])
    const promised = item({ net: 900, worst: -50, assets: [asset(true, 'foreign', 'certain')] })
    expect(view(promised, item({ net: -100, fee: 100 })).warnings).toEqual([])
    expect(view(item({ net: -100, fee: 100 }), brings).warnings).toEqual([])
    expect(view(item({ net: -101, fee: 100 }), brings).warnings).toEqual(oneSided([0], '-101'))
  })

  it('count a fee as given where it is not known, or where others may take it', () => {
    const open = item({ net: -100, fee: 100, feeCertainty: 'open' })
    expect(view(open, brings).warnings).toEqual(oneSided([0], '-100'))
    expect(view(item({ net: -100, fee: null }), brings).warnings).toEqual(oneSided([0], '-100'))
  })

  it('count an asset of ours as given unless it comes back for certain', () => {
    const kept = (...assets: ReturnType<typeof asset>[]) => view(item({ assets }), brings).warnings
    expect(kept(asset(true, 'own', 'certain'))).toEqual([])
    expect(kept(asset(false, 'foreign', 'certain'))).toEqual([])
    for (const lost of [asset(true, 'foreign', 'certain'), asset(true, 'own', 'open')])
      expect(kept(asset(true, 'own', 'certain'), lost)).toEqual(oneSided([0], '0'))
  })

  it('count an asset of others as brought where it is proposed for us', () => {
    const bringing = (...each: Parameters<typeof asset>) =>
      view(pays, item({ assets: [asset(false, 'foreign', 'certain'), asset(...each)] })).warnings
    expect(bringing(false, 'own', 'claimed')).toEqual(oneSided([0], '-1000'))
    expect(bringing(false, 'foreign', 'certain')).toEqual([])
    expect(bringing(true, 'own', 'certain')).toEqual([])
  })

  it('are paid where they bring something for certain themselves, and not where it is only promised', () => {
    const trade = (certainty: AssetMoveView['certainty']) =>
      item({ net: -1_000, assets: [asset(false, 'own', certainty)] })
    const swap = item({ net: 900, worst: 900, assets: [asset(true, 'foreign', 'certain')] })
    expect(view(trade('certain'), swap).warnings).toEqual([])
    expect(view(trade('claimed'), swap).warnings).toEqual(oneSided([0], '-1000'))
    const promised = item({ net: 900, worst: -50, assets: [asset(true, 'foreign', 'certain')] })
    expect(view(swap, promised).warnings).toEqual(oneSided([1], '-50'))
    expect(view(swap, { ...promised, worst: '0' }).warnings).toEqual(oneSided([1], '0'))
  })

  it('are not paid by what goes from others to others, or from us to us', () => {
    const swap = item({ net: 900, worst: 900, assets: [asset(true, 'foreign', 'certain')] })
    const idle = [asset(false, 'foreign', 'certain'), asset(true, 'own', 'certain')]
    const trade = item({ net: -1_000, assets: idle })
    expect(view(trade, swap).warnings).toEqual(oneSided([0], '-1000'))
    const real = item({ net: -1_000, assets: [...idle, asset(false, 'own', 'certain')] })
    expect(view(real, swap).warnings).toEqual([])
  })

  it('are not paid by what they bring where another item only brings: it may be what they are given for', () => {
    const trade = item({ net: -1_000, assets: [asset(false, 'own', 'certain')] })
    expect(view(trade, brings).warnings).toEqual(oneSided([0], '-1000'))
  })

  it('are paid where what they need goes before them and brings something', () => {
    expect(viewAfter([brings, []], [pays, [0]]).warnings).toEqual([])
    expect(viewAfter([brings, []], [pays, [0]], [brings, []]).warnings).toEqual(
      oneSided([1], '-1000'),
    )
    expect(viewAfter([pays, []], [pays, [0]], [brings, []]).warnings).toEqual(
      oneSided([0, 1], '-2000'),
    )
    const goods = item({ assets: [asset(false, 'own', 'certain'), asset(true, 'foreign', 'open')] })
    const swap = item({ net: 900, worst: 900, assets: [asset(true, 'foreign', 'certain')] })
    expect(viewAfter([goods, []], [pays, [0]], [swap, []]).warnings).toEqual([])
    expect(viewAfter([brings, []], [pays, [0]], [swap, []]).warnings).toEqual(oneSided([2], '900'))
    // A gift that one of the two givers needs is what that one is given for, not the other.
    expect(viewAfter([brings, []], [goods, [0]], [goods, []]).warnings).toEqual(oneSided([2], '0'))
  })

  it('count with what has to go before them, unless others can use them without it', () => {
    const nothing = item({ net: -100, worst: -100, fee: 100 })
    expect(viewAfter([nothing, []], [pays, [0]], [brings, []]).warnings).toEqual(
      oneSided([1], '-1100'),
    )
    const open = item({ net: -1_000, certainty: 'open' })
    expect(viewAfter([brings, []], [open, [0]]).warnings).toEqual(oneSided([1], '-1000'))
  })
})

describe('items that exclude each other', () => {
  const spending = (...inputs: Input[]) => item({ inputs })
  const coin = { outpoint: 'a:0' }
  const other = { outpoint: 'b:0' }

  it('are those that spend one coin, each pair once', () => {
    const items = [spending(coin), spending(other), spending(other, coin)]
    expect(view(...items).conflicts).toEqual([
      [0, 2],
      [1, 2],
    ])
    expect(view(spending(coin), spending(other)).conflicts).toEqual([])
  })

  it('are not those that share only what others can exchange, or the place for a coin of others', () => {
    const theirs = { ...coin, open: true, sighash: null }
    expect(view(spending(theirs), spending(theirs)).conflicts).toEqual([])
    const place = { ...coin, placeholder: true }
    expect(view(spending(place), spending(place)).conflicts).toEqual([])
  })

  it('are those that share a coin which we sign, or which others cannot exchange', () => {
    const ours = { ...coin, open: true, sighash: 'single-anyone' as const }
    expect(view(spending(ours), spending(ours)).conflicts).toEqual([[0, 1]])
    const fixed = { ...coin, sighash: null }
    expect(view(spending(fixed), spending(fixed)).conflicts).toEqual([[0, 1]])
  })
})
