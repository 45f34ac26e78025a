import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeExample, readOutcome, runCard } from './driver/playground.ts'
import type { Dapp } from './driver.ts'
import { whereIs } from './ordinals/devnet-ord.ts'
import { FOR_SALE, SELLER_INDEX } from './psbt/deals.ts'
import { inputOf, parseDraft } from './psbt/draft.ts'
import { approve } from './psbt/trader.ts'
import { BROWSERS, resultOf, startWorld, type World } from './world.ts'

describe.each(BROWSERS)('the cards of the playground in %s', browser => {
  let world: World
  let page: Dapp

  beforeAll(async () => {
    world = await startWorld(browser)
    page = await world.wallet.openDapp(world.site)
  })
  afterAll(() => world?.stop())

  it('say what is missing while no account is connected', async () => {
    await page.click('button', 'Pay')
    expect(await readOutcome(page, 'signPsbt')).toMatchObject({
      state: 'error',
      text: expect.stringContaining('Connect an account first'),
    })
  })

  it('make a payment from the coins of the account, sign it, and push what was signed', async () => {
    await connect()
    await makeExample(page, 'signPsbt', 'Pay')
    const signed = await runApproved('signPsbt')
    const txid = await run('pushPsbt')
    expect(txid).toBe(parseDraft(signed).id)
    await world.devnet.mine()
    expect(await confirmationsOf(txid)).toBe(1)
  })

  it('list a coin for sale', async () => {
    await makeExample(page, 'signPsbt', 'List for sale')
    const signed = await runApproved('signPsbt')
    expect(inputOf(signed, SELLER_INDEX).tapKeySig?.at(-1)).toBe(FOR_SALE)
  })

  it('sign two, one after the other, and hand both over', async () => {
    await makeExample(page, 'signPsbts', 'Two, one after the other')
    const signed = await runApproved<string[]>('signPsbts')
    const ids = signed.map(psbt => parseDraft(psbt).id)
    expect(await run('sendPsbt')).toEqual([{ second: ids[1] }, { first: ids[0] }])
    await world.devnet.mine()
    expect(await Promise.all(ids.map(confirmationsOf))).toEqual([1, 1])
  })

  it.runIf(browser === 'chromium')(
    'inscribe to the account, list what it has, and send it',
    async () => {
      await makeExample(page, 'sendInscription', 'A picture')
      const [to, id] = await argsOf<[string, string]>('sendInscription')
      const { total, list } = await run<{ total: number; list: { inscriptionId: string }[] }>(
        'getInscriptions',
      )
      expect({ total, ids: list.map(({ inscriptionId }) => inscriptionId) }).toEqual({
        total: 1,
        ids: [id],
      })
      const txid = await runApproved('sendInscription')
      await world.devnet.mine()
      expect(await placeOf(id)).toEqual({ address: to, satpoint: `${txid}:0:0`, value: 546 })
    },
  )

  it.runIf(browser === 'chromium')(
    'send one without the bitcoin around it, and three at once',
    async () => {
      await makeExample(page, 'sendInscription', 'On a coin of 0.01 BTC')
      const [to, id] = await argsOf<[string, string]>('sendInscription')
      await runApproved('sendInscription')
      await makeExample(page, 'transferNft', 'Three at once')
      const [{ data }] = await argsOf<[{ data: string[] }]>('transferNft')
      const { txhash } = await runApproved<{ txhash: string }>('transferNft')
      await world.devnet.mine()
      expect(await placeOf(id)).toMatchObject({ address: to, value: 546 })
      expect(await Promise.all(data.map(placeOf))).toEqual(
        [0, 1, 2].map(output => ({ address: to, satpoint: `${txhash}:${output}:0`, value: 546 })),
      )
    },
  )

  /** Connects the account, which gets a coin, and waits until the page shows it. */
  const connect = async () => {
    await runCard(page, 'connect')
    await approve(world.wallet)
    const [address = ''] = await resultOf<string[]>(page.request('getAccounts'))
    await world.devnet.faucet(address, 1_000_000n)
    await page.waitForText(address)
  }

  const run = async <T = string>(method: string): Promise<T> => {
    await runCard(page, method)
    const { state, text } = await readOutcome(page, method)
    expect(state, text).toBe('ok')
    return JSON.parse(text) as T
  }

  const runApproved = async <T = string>(method: string): Promise<T> => {
    const [answer] = await Promise.all([run<T>(method), approve(world.wallet)])
    return answer
  }

  const argsOf = async <T>(method: string): Promise<T> =>
    JSON.parse(await page.valueOf('textbox', `${method} arguments`)) as T

  const placeOf = async (id: string) => {
    const { address, satpoint, value } = await whereIs(world.devnet, id)
    return { address, satpoint, value }
  }

  const confirmationsOf = async (txid: string) =>
    (await world.devnet.rpc<{ confirmations: number }>('getrawtransaction', [txid, true]))
      .confirmations
})
