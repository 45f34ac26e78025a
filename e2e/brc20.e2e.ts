import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  confirmInscribing,
  isApprovable,
  openToken,
  reviewOperations,
  writeDeploy,
  writeMint,
  writeTransferable,
} from './driver/brc20.ts'
import { writeTransfer } from './driver/gallery.ts'
import { confirmPayment, goTo } from './driver/own-pages.ts'
import type { Screen } from './driver.ts'
import { spellBrc20 } from './ordinals/devnet-brc20.ts'
import { whereIs } from './ordinals/devnet-ord.ts'
import { draft, spend } from './psbt/draft.ts'
import { approve, seatTrader, type Trader } from './psbt/trader.ts'
import { BROWSERS, resultOf, startWorld, type World } from './world.ts'

const TAPROOT = 'Account 1 Taproot'
const SEGWIT = 'Account 2 Native'

const OPEN = 'sato'
const OWN = 'mine5'
const TEXT = 'text/plain;charset=utf-8'

/** The wallet has news of a block within this. */
const NEWS = { timeout: 20_000 }

describe.each(BROWSERS)('BRC-20 tokens in %s', browser => {
  let world: World
  let page: Screen
  let holder: Trader
  let other: Trader

  beforeAll(async () => {
    world = await startWorld(browser)
    other = await seat(SEGWIT)
    holder = await seat(TAPROOT)
    for (const { owner } of [holder, holder, holder, other])
      await world.devnet.faucet(owner.address, 200_000n, false)
    await world.devnet.mine()
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  it('are deployed in the popup, and minted to the last one there and by a page', async () => {
    await writeDeploy(page, { tick: OPEN, supply: '2500', limit: '1000' })
    console.log(await reviewOperations(page))
    await confirmInscribing(page)
    await world.devnet.mine()
    expect(await tokenOf(OPEN)).toEqual({ supply: 2_500, limit: 1_000, minted: 0, selfMint: false })

    await writeMint(page, { tick: OPEN, times: '2' })
    console.log(await reviewOperations(page))
    await confirmInscribing(page)
    await world.devnet.mine()
    expect(await sharesOf(holder)).toEqual({ available: 2_000, transferable: 0 })

    const minting = holder.dapp.request('mint', mintOf(holder, OPEN, '1000'))
    const screen = await approve(world.wallet)
    console.log(screen)
    console.log(await resultOf(minting))
    await world.devnet.mine()
    expect(await sharesOf(holder)).toEqual({ available: 2_500, transferable: 0 })
    console.log(await openToken(page, OPEN))
  })

  const seat = (account: string) =>
    seatTrader(world.wallet, account, { site: world.site, esploraUrl: world.devnet.esploraUrl })

  const sharesOf = async ({ owner: { address } }: Trader, tick = OPEN) => {
    const query = new URLSearchParams({ address, ticker: tick })
    const result = await askLedger(`get_current_balance_of_wallet?${query}`)
    const available = whole(result?.available_balance)
    return { available, transferable: whole(result?.overall_balance) - available }
  }

  const tokenOf = async (tick: string) => {
    const token = await askLedger(`ticker_info?ticker=${tick}`)
    return (
      token && {
        supply: whole(token.max_supply),
        limit: whole(token.limit_per_mint),
        minted: whole(token.max_supply) - whole(token.remaining_supply),
        selfMint: token.is_self_mint,
      }
    )
  }

  /** A result of devnet's OPI; null where it says that there is none. */
  const askLedger = async (path: string) => {
    const answer = await fetch(`${world.devnet.opiUrl}/v1/brc20/${path}`)
    return ((await answer.json()) as { result: { [field: string]: unknown } | null }).result
  }
})

/** What a page asks to have one mint inscribed with. */
function mintOf({ owner }: Trader, tick: string, amt: string) {
  const inscriptions = [{ contentType: TEXT, body: spellBrc20({ op: 'mint', tick, amt }) }]
  return { type: 50, from: owner.address, inscriptions }
}

/** Amounts of the ledger are integers in text, times 10^18. */
function whole(amount: unknown): number {
  return Number(BigInt(String(amount ?? 0)) / 10n ** 18n)
}
