import { describe, expect, it } from 'vitest'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { nftOf } from '../../ordinals/testing/atomical-assets.ts'
import { inscription, RUNES } from '../../ordinals/testing/test-assets.ts'
import { startWithAtomicals } from '../testing/atomical-wallet.ts'
import { type CoinRules, loadCoinRules, reasonToHold } from './coins.ts'

const CLEAN: CoinAssets = { known: true, assets: [] }
const BEHIND: CoinAssets = { known: false, why: 'behind' }
const holding = (...assets: (CoinAssets & { known: true })['assets'][number][]): CoinAssets => ({
  known: true,
  assets,
})

type Case = {
  amount?: bigint
  height?: number | null
  assets?: CoinAssets
  isChange?: boolean
  isOnOrdinals?: boolean
  isDust?: boolean
}

function hold(
  {
    amount = 50_000n,
    height = 100,
    assets = CLEAN,
    isChange = false,
    isOnOrdinals = false,
    isDust = false,
  }: Case,
  rules: Partial<CoinRules> = {},
) {
  const strict = {
    ...{ spendUnconfirmed: false, spendUnchecked: false, holdSmall: false },
    holdRare: 'uncommon' as const,
  }
  return reasonToHold(
    { amount, height, assets },
    { decision: undefined, rules: { ...strict, ...rules }, isChange, isOnOrdinals, isDust },
  )
}

describe('a coin that nobody decided about', () => {
  it('is named after what most people would miss most', () => {
    expect(hold({ assets: holding(RUNES, nftOf(1), inscription(1, 0n)) })).toBe('inscribed')
    expect(hold({ assets: holding(RUNES, nftOf(1)) })).toBe('atomical')
    expect(hold({ assets: holding(RUNES) })).toBe('runic')
    expect(hold({})).toBeNull()
  })

  it('waits for a block, unless it is clean change or the switch is on', () => {
    expect(hold({ height: null })).toBe('unconfirmed')
    expect(hold({ height: null, isChange: true })).toBeNull()
    expect(hold({ height: null, isChange: true, assets: BEHIND })).toBe('unconfirmed')
    expect(hold({ height: null }, { spendUnconfirmed: true })).toBeNull()
    expect(hold({ height: null }, { spendUnchecked: true })).toBe('unconfirmed')
  })

  it('of unknown content is freed by the switch of its own kind, and only above 10,000 sats', () => {
    const unknown = { assets: BEHIND }
    expect(hold(unknown)).toBe('unknown')
    expect(hold(unknown, { spendUnconfirmed: true })).toBe('unknown')
    expect(hold(unknown, { spendUnchecked: true })).toBeNull()
    expect(hold({ ...unknown, amount: 10_001n }, { spendUnchecked: true })).toBeNull()
    expect(hold({ ...unknown, amount: 10_000n }, { spendUnchecked: true })).toBe('unknown')
    expect(hold({ ...unknown, height: null }, { spendUnconfirmed: true })).toBeNull()
    expect(hold({ ...unknown, height: null, amount: 10_000n }, { spendUnconfirmed: true })).toBe(
      'unknown',
    )
  })

  it('of contradicted content is freed by no switch', () => {
    const assets: CoinAssets = { known: false, why: 'contradicted' }
    for (const height of [100, null])
      expect(hold({ assets, height }, { spendUnconfirmed: true, spendUnchecked: true })).toBe(
        'unknown',
      )
  })

  it('is held as dust where it is clean, and by a stronger reason where there is one', () => {
    expect(hold({ isDust: true })).toBe('dust')
    expect(hold({ isDust: true }, { holdSmall: true })).toBe('dust')
    expect(hold({ isDust: true, assets: BEHIND })).toBe('unknown')
    expect(hold({ isDust: true, assets: holding(RUNES) })).toBe('runic')
    expect(hold({ isDust: true, height: null })).toBe('unconfirmed')
  })

  it('is held for being small where the person wants that, up to 10,000 sats, and not as change', () => {
    const rules = { holdSmall: true }
    expect(hold({ amount: 10_000n }, rules)).toBe('small')
    expect(hold({ amount: 10_001n }, rules)).toBeNull()
    expect(hold({ amount: 10_000n, isChange: true }, rules)).toBeNull()
    expect(hold({ amount: 546n })).toBeNull()
  })
})

describe('small coins', () => {
  it('are held back only by the switch, and only where no server tells of Atomicals', async () => {
    const { worker } = await startWithAtomicals([{ sats: 900n, with: [{ type: 'nft' }] }])
    const held = async (holdSmallCoins: boolean, isTold: boolean) => {
      const { expert } = await worker.wallet.settings.load()
      await worker.ui('changeSettings', { expert: { ...expert, holdSmallCoins } })
      const { wallet } = worker
      const parts = isTold ? wallet : { ...wallet, atomicals: async () => null }
      return (await loadCoinRules(parts, 'regtest')).holdSmall
    }
    expect(await held(true, false)).toBe(true)
    expect(await held(false, false)).toBe(false)
    expect(await held(true, true)).toBe(false)
  })
})
