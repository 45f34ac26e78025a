import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  chooseTransferables,
  inscribeReviewed,
  isApprovable,
  readWords,
  reviewOperations,
  waitForHolding,
  writeDeploy,
  writeMint,
} from '../../driver/brc20.ts'
import type { Screen } from '../../driver/driver.ts'
import { writeTransfer } from '../../driver/gallery.ts'
import { waitForState, writeFeeRate } from '../../driver/inscribing.ts'
import { confirmPayment, goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { spellBrc20, tokensOf } from '../../fixtures/ordinals/devnet-brc20.ts'
import { whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { draft, spend } from '../../fixtures/psbt/draft.ts'
import { approve, seatTrader, type Trader } from '../../fixtures/psbt/trader.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const TAPROOT = 'Account 1 Taproot'
const SEGWIT = 'Account 2 Native'

const OPEN = 'sato'
const SELF_MINT = 'owned'

/** Every test goes on with the tokens that the one before left. */
describe.each(browsersFor('brc20'))('the life of BRC-20 tokens in %s', browser => {
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

  it('they are deployed in the popup, and minted to the last one there and by a page', async () => {
    await writeDeploy(page, { tick: OPEN, supply: '2500', limit: '1000' })
    expect(await reviewOperations(page)).toContain('You inscribe the deploy of sato for ')
    await inscribeMined()
    expect(await tokenOf(OPEN)).toMatchObject({
      max_supply: units(2_500),
      limit_per_mint: units(1_000),
      remaining_supply: units(2_500),
      is_self_mint: false,
    })

    await writeMint(page, { tick: OPEN, times: '2' })
    const review = await reviewOperations(page)
    expect(review).toContain('You inscribe 2 mints of 1,000 sato for ')
    expect(review).toContain('Available 0 → then 2,000')
    await inscribeMined()
    expect(await sharesOf(holder)).toEqual({ overall: 2_000, available: 2_000 })

    const { words } = await mint(holder, { op: 'mint', tick: 'SATO', amt: '1000' })
    expect(words).toContain('You receive only 500 SATO')
    expect(words).toContain('Available 2,000 → then 2,500')
    expect(await sharesOf(holder)).toEqual({ overall: 2_500, available: 2_500 })
    expect(await tokenOf(OPEN)).toMatchObject({ remaining_supply: units(0) })
    await waitForHolding(page, OPEN, { available: '2,500', ready: '0' })
  })

  it('what is reviewed is given up where another account is chosen meanwhile, and its form begins anew', async () => {
    await writeDeploy(page, { tick: 'left', supply: '2500', limit: '1000' })
    await reviewOperations(page)
    await world.wallet.chooseAccount(SEGWIT)
    await page.find('heading', 'Deploy a token')
    expect(await page.text()).not.toContain('You inscribe')
    await world.wallet.chooseAccount(TAPROOT)

    await goTo(page, '/brc20', 'BRC-20 tokens')
    await goTo(page, `/brc20/send/${OPEN}`, 'Send *')
    await page.fill('textbox', 'Amount', '300')
    await page.fill('textbox', 'To', other.owner.address)
    await writeFeeRate(page, '2')
    await page.click('button', 'Review')
    await page.waitForText('300 sato')
    await page.find('button', 'Edit')
    await world.wallet.chooseAccount(SEGWIT)
    await page.find('textbox', 'Amount')
    expect(await page.valueOf('textbox', 'Amount')).toBe('')
    await world.wallet.chooseAccount(TAPROOT)
  })

  it('nothing counts that goes beyond: the reason is told, and who insists gets nothing', async () => {
    const minting = holder.dapp.request('mint', orderOf(holder, mintOf(OPEN, '1')))
    const approval = await world.wallet.nextApproval()
    expect(await readWords(approval)).toContain(
      'This would not count Nothing is left of sato: all of it is minted.',
    )
    expect(await isApprovable(approval)).toBe(false)
    await approval.reject()
    await world.wallet.waitForNoApproval()
    expect(await minting).toMatchObject({ error: { code: 4001 } })

    await writeMint(page, { tick: OPEN, amount: '1' })
    await page.waitForText('Nothing is left of sato: all of it is minted.')
    expect(await reviewOperations(page)).toContain('This would not count')
    expect(await isApprovable(page)).toBe(false)

    const { words } = await mint(holder, mintOf(OPEN, '1000.5'), 'brc20-obstacles')
    expect(words).toContain('It is more than a single mint of sato may take.')
    expect(words).toContain('Available 2,500 Transferable 0')
    const transfer = { op: 'transfer', tick: OPEN, amt: '2500.000000000000000001' }
    const tooMuch = await mint(holder, transfer, 'brc20-obstacles')
    expect(tooMuch.words).toContain('It is more sato than you have available.')
    expect(await transfersOf(holder)).toEqual([])
    expect(await sharesOf(holder)).toEqual({ overall: 2_500, available: 2_500 })
  })

  it('they are made transferable for a page and in the popup, and sent to somebody and to oneself', async () => {
    const inscribing = holder.dapp.request('inscribe', {
      type: 51,
      from: holder.owner.address,
      tick: OPEN,
      tid: 'not ours',
      amount: '2000',
    })
    const question = await world.wallet.nextApproval()
    expect(question.title).toBe('How much sato do you want to make transferable?')
    expect(await question.valueOf('textbox', 'Amount')).toBe('2000')
    expect(await readWords(question)).toContain('Available 2,500 Transferable 0')
    await question.fill('textbox', 'Amount', '300')
    await question.approve()
    const words = await approveWords()
    expect(words).toContain('You inscribe a transfer of 300 sato for ')
    expect(words).toContain('Available 2,500 → then 2,200 Transferable 0 → then 300')
    const toOther = `${await resultOf<string>(inscribing)}i0`
    await world.devnet.mine()
    expect(await sharesOf(holder)).toEqual({ overall: 2_500, available: 2_200 })

    await waitForHolding(page, OPEN, { available: '2,200', ready: '300' })
    await page.click('button', 'Send')
    await page.click('button', 'Only prepare it, to send later')
    await page.fill('textbox', 'Amount', '2200.1')
    await page.waitForText('You have 2,200 available.')
    await page.fill('textbox', 'Amount', '200')
    expect(await reviewOperations(page)).toContain('Available 2,200 → then 2,000')
    await inscribeMined()
    expect(await sharesOf(holder)).toEqual({ overall: 2_500, available: 2_000 })

    await waitForHolding(page, OPEN, { available: '2,000', ready: '500' })
    await chooseTransferables(page, [toOther], '300 sato')
    await writeTransfer(page, { to: other.owner.address, feeRate: '2' })
    await page.click('button', 'Review')
    await page.find('heading', 'You send *')
    await page.waitForText('Transfer sato 300')
    await confirmPayment(page)
    await world.devnet.mine()
    expect(await sharesOf(holder)).toEqual({ overall: 2_200, available: 2_000 })
    expect(await sharesOf(other)).toEqual({ overall: 300, available: 300 })
    await world.wallet.chooseAccount(SEGWIT)
    await waitForHolding(page, OPEN, { available: '300', ready: '0' })
    await world.wallet.chooseAccount(TAPROOT)

    await waitForHolding(page, OPEN, { available: '2,000', ready: '200' })
    const [toSelf = ''] = await transfersOf(holder)
    const sending = holder.dapp.request('sendInscription', holder.owner.address, toSelf)
    await approve(world.wallet, undefined, 'Transfer sato 200')
    await resultOf(sending)
    await world.devnet.mine()
    expect(await sharesOf(holder)).toEqual({ overall: 2_200, available: 2_200 })
    await waitForHolding(page, OPEN, { available: '2,200', ready: '0' })
  })

  it('they come back from a transfer that is lost to fees, which only an expert can sign', async () => {
    const { revealTxs } = await mint(holder, { op: 'transfer', tick: OPEN, amt: '400' })
    expect(await sharesOf(holder)).toEqual({ overall: 2_200, available: 1_800 })
    const { address } = holder.owner
    const funding = await world.devnet.faucet(address, 50_000n)
    const coins = await holder.coins()
    const [pays, lost] = [funding, revealTxs[0]].map(id => coins.find(({ txid }) => txid === id))
    if (!pays || !lost) throw new Error('The coins are not there')
    // The output takes the sats of the first coin, and nothing is left that could take those of the second.
    const psbt = draft([spend(pays), spend(lost)], [{ address, sats: pays.sats }])
    expect(await holder.dapp.request('signPsbt', psbt)).toMatchObject({
      error: { code: -32000, data: { reason: 'PROTECTED_ASSET' } },
    })

    await switchBurning()
    const { psbt: signed, screen } = await holder.sign([psbt], 'assets-lost')
    expect(screen).toContain('Lost for good')
    await resultOf(holder.dapp.request('pushPsbt', signed))
    await switchBurning()
    await world.devnet.mine()
    expect((await whereIs(world.devnet, `${lost.txid}i0`)).address).not.toBe(address)
    expect(await sharesOf(holder)).toEqual({ overall: 2_200, available: 2_200 })
    await waitForHolding(page, OPEN, { available: '2,200', ready: '0' })
  })

  it('those of five bytes are minted by who holds their deploy, which stays his, and by nobody else', async () => {
    await writeDeploy(page, { tick: SELF_MINT, supply: '5000', limit: '1000' })
    expect(await reviewOperations(page)).toContain('Who can mint Only the holder of this deploy')
    await inscribeMined()
    const token = await tokenOf(SELF_MINT)
    expect(token).toMatchObject({ is_self_mint: true, remaining_supply: units(5_000) })
    const deploy = String(token?.deploy_inscription_id)

    const { words } = await mint(holder, mintOf(SELF_MINT, '1000'))
    expect(words).toMatch(/The parent \S+ is spent along with them and comes back to you\./)
    expect(await sharesOf(holder, SELF_MINT)).toEqual({ overall: 1_000, available: 1_000 })
    await writeMint(page, { tick: SELF_MINT, amount: '500', times: '2' })
    expect(await reviewOperations(page)).toContain('Available 1,000 → then 2,000')
    await inscribeMined()
    expect(await sharesOf(holder, SELF_MINT)).toEqual({ overall: 2_000, available: 2_000 })
    expect((await whereIs(world.devnet, deploy)).address).toBe(holder.owner.address)
    await waitForHolding(page, SELF_MINT, { available: '2,000', ready: '0' })

    await world.wallet.chooseAccount(SEGWIT)
    const refused = await mint(other, mintOf(SELF_MINT, '1000'), 'brc20-obstacles')
    expect(refused.words).toContain(
      'This would not count Only the holder of the deploy inscription can mint owned, and this account does not hold it.',
    )
    expect(await sharesOf(other, SELF_MINT)).toEqual({ overall: 0, available: 0 })
    expect(await tokenOf(SELF_MINT)).toMatchObject({ remaining_supply: units(3_000) })
  })

  it('they are sent with one approval: the receiver has them once blocks have all three transactions', async () => {
    await world.wallet.chooseAccount(TAPROOT)
    const before = await Promise.all([holder, other].map(one => sharesOf(one)))
    expect(before.map(({ overall }) => overall)).toEqual([2_200, 300])
    await goTo(page, `/brc20/send/${OPEN}`, `Send ${OPEN}`)
    await page.fill('textbox', 'Amount', '2200.1')
    await page.waitForText('You have 2,200 available.')
    await page.fill('textbox', 'Amount', '150')
    await writeTransfer(page, { to: other.owner.address, feeRate: '2' })
    await page.click('button', 'Review')
    await page.find('heading', 'You send *')
    const words = await readWords(page)
    expect(words).toContain('You send 150 sato to ')
    expect(words).toContain('150 sato to')
    expect(words).toContain('Available 2,200 → then 2,050')
    await inscribeReviewed(page)
    expect(await readWords(page)).toContain('Delivery On its way')
    await world.devnet.mine()
    await waitForState(page, 'done')
    expect(await readWords(page)).toContain('Delivered')
    expect(await sharesOf(holder)).toEqual({ overall: 2_050, available: 2_050 })
    expect(await sharesOf(other)).toEqual({ overall: 450, available: 450 })
    await waitForHolding(page, OPEN, { available: '2,050', ready: '0' })
  })

  const seat = (account: string) =>
    seatTrader(world.wallet, account, { site: world.site, esploraUrl: world.devnet.esploraUrl })

  /** What a page has inscribed once it is approved, mined; and the words of the approval. */
  const mint = async (trader: Trader, operation: Operation, consent?: string) => {
    const minting = trader.dapp.request('mint', orderOf(trader, operation))
    const words = await approveWords(consent)
    const { revealTxs } = await resultOf<{ revealTxs: string[] }>(minting)
    await world.devnet.mine()
    return { words, revealTxs }
  }

  const approveWords = async (consent?: string) =>
    (await approve(world.wallet, consent)).replace(/\s+/g, ' ')

  const inscribeMined = async () => {
    await inscribeReviewed(page)
    await world.devnet.mine()
  }

  const switchBurning = async () => {
    await goTo(page, '/settings/expert', 'Expert switches')
    await page.click('switch', 'Let sites destroy inscriptions, runes and Atomicals')
  }

  /** In whole tokens, by devnet's ledger. */
  const sharesOf = ({ owner: { address } }: Trader, tick = OPEN) =>
    tokensOf(world.devnet, address, tick)

  /** Ids of the transfer inscriptions of an address that count. */
  const transfersOf = async ({ owner: { address } }: Trader) => {
    const notes = await askLedger(`get_valid_tx_notes_of_wallet?address=${address}`)
    const transfers = (notes?.unused_txes ?? []) as { inscription_id: string }[]
    return transfers.map(({ inscription_id: id }) => id)
  }

  const tokenOf = (tick: string) => askLedger(`ticker_info?ticker=${tick}`)

  /** The result of a question to devnet's OPI; null where there is none. */
  const askLedger = async (path: string) => {
    const answer = await fetch(`${world.devnet.opiUrl}/v1/brc20/${path}`)
    return ((await answer.json()) as { result: { [field: string]: unknown } | null }).result
  }
})

type Operation = Parameters<typeof spellBrc20>[0]

function mintOf(tick: string, amt: string): Operation {
  return { op: 'mint', tick, amt }
}

/** What a page calls `mint` with. */
function orderOf({ owner }: Trader, operation: Operation) {
  const type = operation.op === 'transfer' ? 51 : 50
  const contentType = 'text/plain;charset=utf-8'
  const inscriptions = [{ contentType, body: spellBrc20(operation) }]
  return { type, from: owner.address, inscriptions }
}

/** Whole tokens as the ledger tells them: times 10^18, in text. */
function units(tokens: number): string {
  return String(BigInt(tokens) * 10n ** 18n)
}
