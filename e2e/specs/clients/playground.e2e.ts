import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp } from '../../driver/driver.ts'
import { makeExample, readOutcome, runCard } from '../../driver/playground.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import { openAtomicals } from '../../fixtures/ordinals/devnet-atomicals.ts'
import { supplyOf, tokensOf } from '../../fixtures/ordinals/devnet-brc20.ts'
import { contentOf, holdingsOf, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { FOR_SALE, SELLER_INDEX } from '../../fixtures/psbt/deals.ts'
import { inputOf, parseDraft } from '../../fixtures/psbt/draft.ts'
import { approve } from '../../fixtures/psbt/trader.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

type MintOrder = { from: string; inscriptions: { contentType: string; body: string }[] }

/** As the index writes it. */
const bareId = (id: string) => id.replace(/-Atomicals$/, '')

/** How many each inscribes. */
const EXAMPLES_OF_MINT = [
  ['Two texts', 2],
  ['An image', 1],
  ['Five images', 5],
] as const

describe.each(browsersFor('playground'))('the cards of the playground in %s', browser => {
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

  it('sign one text, and two with one question', async () => {
    const [account = ''] = await resultOf<string[]>(page.request('getAccounts'))
    const [text] = await argsOf<[string]>('signMessage')
    const signature = await runApproved('signMessage')
    expect(provesMessage(account, text, signature)).toBe(true)
    const [messages] = await argsOf<[{ text: string }[]]>('signMessages')
    const signatures = await runApproved<string[]>('signMessages')
    expect(signatures).toHaveLength(messages.length)
    for (const [at, { text }] of messages.entries())
      expect(provesMessage(account, text, signatures[at] ?? '')).toBe(true)
  })

  it('derive a secret that stays the same', async () => {
    const secret = await runApproved('deriveContextHash')
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(await runApproved('deriveContextHash')).toBe(secret)
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

  it.runIf(browser === 'chromium')(
    'send an Atomical, and two ahead of an inscription',
    async () => {
      await makeExample(page, 'sendInscription', 'An Atomical')
      const [to, id] = await argsOf<[string, string]>('sendInscription')
      const txid = await runApproved('sendInscription')
      await world.devnet.mine()
      expect(await heldBy(to)).toEqual({ [`${txid}:0`]: { [bareId(id)]: 546 } })
      await makeExample(page, 'transferNft', 'Atomicals and inscriptions together')
      const [{ data }] = await argsOf<[{ data: [string, string, string] }]>('transferNft')
      const { txhash } = await runApproved<{ txhash: string }>('transferNft')
      await world.devnet.mine()
      const [first, inscription, second] = data
      expect(await heldBy(to)).toEqual({
        [`${txid}:0`]: { [bareId(id)]: 546 },
        [`${txhash}:0`]: { [bareId(first)]: 546 },
        [`${txhash}:1`]: { [bareId(second)]: 546 },
      })
      expect(await placeOf(inscription)).toEqual({
        address: to,
        satpoint: `${txhash}:2:0`,
        value: 546,
      })
    },
  )

  it.runIf(browser === 'chromium')('list runes, and send two parts of one', async () => {
    await makeExample(page, 'sendRunes', 'Two of a rune, etched for it')
    const [{ recipients }] = await argsOf<[{ recipients: { address: string }[] }]>('sendRunes')
    const { txid } = await runApproved<{ txid: string }>('sendRunes')
    await world.devnet.mine()
    const held = await Promise.all([0, 1].map(vout => holdingsOf(world.devnet, `${txid}:${vout}`)))
    const amounts = held.map(({ runes }) => Object.values(runes)[0]?.amount)
    // 2,100 of them, to a tenth. Both receivers are this account here: they share an output.
    expect(new Set(recipients.map(({ address }) => address)).size).toBe(1)
    expect(amounts).toEqual([19_875, 1_125])
    await expect
      .poll(async () => {
        const { list } = await resultOf<{ list: { amount: string; coins: unknown[] }[] }>(
          page.request('getRunes'),
        )
        return list.map(({ amount, coins }) => [amount, coins.length])
      })
      .toEqual([['2100', 2]])
  })

  it.runIf(browser === 'chromium')('deploy, mint and transfer a token', async () => {
    const { devnet } = world
    await makeExample(page, 'mint', 'BRC-20 deploy')
    const [{ from, inscriptions }] = await argsOf<[MintOrder]>('mint')
    const { tick } = JSON.parse(inscriptions[0]?.body ?? '')
    await runMint()
    expect(await supplyOf(devnet, tick)).toBe(21_000_000)
    await makeExample(page, 'mint', 'BRC-20 mint')
    await runMint()
    expect(await tokensOf(devnet, from, 'play')).toEqual({ overall: 1000, available: 1000 })
    await makeExample(page, 'mint', 'BRC-20 transfer')
    await runMint()
    expect(await tokensOf(devnet, from, 'play')).toEqual({ overall: 2000, available: 1900 })
  })

  it.runIf(browser === 'chromium')('inscribe texts and images, one and several', async () => {
    for (const [label, count] of EXAMPLES_OF_MINT) {
      await makeExample(page, 'mint', label)
      const [{ inscriptions }] = await argsOf<[MintOrder]>('mint')
      const { revealTxs } = await runMint()
      const made = revealTxs.map(txid => contentOf(world.devnet, `${txid}i0`))
      expect((await Promise.all(made)).map(({ body }) => body)).toEqual(
        inscriptions.map(({ contentType, body }) =>
          Buffer.from(body, contentType.startsWith('image/') ? 'hex' : 'utf8'),
        ),
      )
      expect(revealTxs).toHaveLength(count)
    }
  })

  it.runIf(browser === 'chromium')('inscribe a transfer of what the person says', async () => {
    const { devnet, wallet } = world
    await makeExample(page, 'inscribe', 'With 1,000 minted for it')
    const [{ from, tick }] = await argsOf<[{ from: string; tick: string }]>('inscribe')
    const before = await tokensOf(devnet, from, tick)
    const [txid] = await Promise.all([
      run('inscribe'),
      sayAmount('250').then(() => approve(wallet)),
    ])
    await devnet.mine()
    expect(await placeOf(`${txid}i0`)).toMatchObject({ address: from, value: 546 })
    const { overall, available } = before
    expect(await tokensOf(devnet, from, tick)).toEqual({ overall, available: available - 250 })
  })

  it.runIf(browser === 'chromium')('split a coin, buy with it, and hand both over', async () => {
    await page.click('button', 'Buy with split coins')
    expect(await readOutcome(page, 'signPsbt')).toMatchObject({
      state: 'error',
      text: expect.stringContaining('Run splitUtxo first'),
    })
    const { utxos } = await runApproved<{ utxos: { txId: string }[] }>('splitUtxo')
    expect(await nodeHas(utxos[0]?.txId)).toBe(false)
    await makeExample(page, 'signPsbt', 'Buy with split coins')
    const signed = await runApproved('signPsbt')
    await makeExample(page, 'sendPsbt', 'A purchase and its split')
    const sent = await run<{ [item: string]: string }[]>('sendPsbt')
    expect(sent).toEqual([{ purchase: parseDraft(signed).id }, { split: utxos[0]?.txId }])
    await world.devnet.mine()
    expect(
      await Promise.all(sent.flatMap(item => Object.values(item)).map(confirmationsOf)),
    ).toEqual([1, 1])
  })

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

  /** Runs the card of mint, and mines what it made. */
  const runMint = async () => {
    const minted = await runApproved<{ revealTxs: string[] }>('mint')
    await world.devnet.mine()
    return minted
  }

  const sayAmount = async (amount: string) => {
    const question = await world.wallet.nextApproval()
    await question.fill('textbox', 'Amount', amount)
    await question.approve()
  }

  const argsOf = async <T>(method: string): Promise<T> =>
    JSON.parse(await page.valueOf('textbox', `${method} arguments`)) as T

  /** Coins of an address with Atomicals by devnet's index. */
  const heldBy = (address: string) => openAtomicals(world.devnet, address).coinsOf()

  const placeOf = async (id: string) => {
    const { address, satpoint, value } = await whereIs(world.devnet, id)
    return { address, satpoint, value }
  }

  const nodeHas = (txid = '') =>
    world.devnet.rpc('getrawtransaction', [txid]).then(
      () => true,
      () => false,
    )

  const confirmationsOf = async (txid: string) =>
    (await world.devnet.rpc<{ confirmations: number }>('getrawtransaction', [txid, true]))
      .confirmations
})
