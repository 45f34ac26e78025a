import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Verifier } from 'bip322-js'
import type { Devnet } from '../../src/devnet/start-devnet.ts'
import type { MintResult } from '../../src/provider/inscribe-params.ts'
import { CARD_GROUPS } from '../dapp/method-cards.ts'
import { nftsOf } from '../driver/atomicals.ts'
import type { Wallet } from '../driver/driver.ts'
import { poll } from '../driver/engine.ts'
import { openCard, tilesOf } from '../driver/gallery.ts'
import { goTo } from '../driver/own-pages.ts'
import { makeExample, readOutcome, runCard } from '../driver/playground.ts'
import type { Screen } from '../driver/screen.ts'
import {
  DEMO_ADDRESS,
  DEMO_PASSWORD,
  DEMO_SATS,
  type DemoAssets,
  setUpDemoWallet,
} from '../fixtures/demo-wallet.ts'
import { tokensOf } from '../fixtures/ordinals/devnet-brc20.ts'
import { contentOf, whereIs } from '../fixtures/ordinals/devnet-ord.ts'
import { FOR_SALE, SELLER_INDEX } from '../fixtures/psbt/deals.ts'
import { inputOf } from '../fixtures/psbt/draft.ts'

/** Where the command leaves its pictures. */
const ARTIFACTS = join(dirname(fileURLToPath(import.meta.url)), '../../artifacts')
const RECIPIENT = 'bcrt1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqjeprhg'
const PAID_SATS = 25_000

export type TourSetting = {
  wallet: Wallet
  devnet: Devnet
  playgroundUrl: string
  /** What the demo wallet has. */
  assets: DemoAssets
  /** Where its pictures go, which is emptied first. */
  folder?: string
}

/** The main job from start to end, each step checked, told and photographed; throws at the first that is wrong. */
export async function runTour({
  wallet,
  devnet,
  playgroundUrl,
  assets: { inscriptions, atomicals },
  folder = ARTIFACTS,
}: TourSetting): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  let step = 0
  const tell = (what: string, result: string) => console.log(`  ✓ ${what}: ${result}`)
  const photograph = (screen: Screen, name: string) => {
    step += 1
    return screen.screenshot(join(folder, `${String(step).padStart(2, '0')}-${name}.png`))
  }
  const photographHome = async (name: string, sats: number) => {
    const popup = await wallet.popup()
    await popup.waitForText(`${sats.toLocaleString('en')} sats`)
    await photograph(popup, name)
    await popup.close()
  }

  const welcome = await wallet.popup()
  await welcome.find('button', 'Import a wallet')
  await photograph(welcome, 'welcome')
  await welcome.close()

  await setUpDemoWallet(wallet, devnet.esploraUrl)
  await photographHome('home', DEMO_SATS)
  tell('Demo wallet', `${DEMO_ADDRESS}, ${DEMO_SATS} sats`)

  const gallery = await wallet.popup()
  await goTo(gallery, '/inscriptions', 'Inscriptions')
  // What came unasked as code, here the drawing that was inscribed first, is in a list of its own.
  const isSpam = (id: string) => id === inscriptions.at(-1)
  const shown = inscriptions.filter(id => !isSpam(id))
  await poll('the tiles of all inscriptions', 15_000, async () =>
    (await tilesOf(gallery)).length === shown.length ? true : null,
  )
  deepEqual(await tilesOf(gallery), shown)
  await gallery.page.waitForSelector('li[aria-posinset] canvas')
  await photograph(gallery, 'gallery')
  const [newest = ''] = inscriptions
  await openCard(gallery, newest)
  await gallery.waitForText('Verified by this wallet')
  await photograph(gallery, 'inscription')
  await gallery.close()
  const spam = await wallet.popup()
  await goTo(spam, '/inscriptions/spam', 'Possible spam')
  await poll('the tile of what may be spam', 15_000, async () =>
    (await tilesOf(spam)).length > 0 ? true : null,
  )
  deepEqual(await tilesOf(spam), inscriptions.filter(isSpam))
  await photograph(spam, 'spam')
  await spam.close()
  const counts = `${shown.length} inscriptions and ${inscriptions.length - shown.length} set apart`
  tell('Gallery', `${counts}, the newest verified against the chain`)

  const names = await wallet.popup()
  await goTo(names, '/atomicals', 'Atomicals')
  await names.waitForText('21,000')
  deepEqual(await nftsOf(names), atomicals)
  await names.page.waitForSelector('li[aria-posinset] canvas')
  await photograph(names, 'atomicals')
  await names.close()
  tell('Atomicals', `${atomicals.length} NFTs and 21,000 units of a token`)

  const dapp = await wallet.openDapp(playgroundUrl)
  await photograph(dapp, 'playground')

  /** Photographs a screen of the wallet once it says what it is about. */
  const photographPage = async (path: string, heading: string, said: string) => {
    const popup = await wallet.popup()
    await goTo(popup, path, heading)
    await popup.waitForText(said)
    await photograph(popup, path.split('/').at(-1) ?? '')
    await popup.close()
  }

  /** Runs a card and answers its approval, ticking the box of one danger where it is named. */
  const runAsked = async (
    method: string,
    answer: 'approve' | 'reject',
    name: string,
    consent?: string,
  ) => {
    await runCard(dapp, method)
    const approval = await wallet.nextApproval()
    if (consent !== undefined) await approval.clickTestId(`confirm-${consent}`)
    await approval.ready()
    await photograph(approval, name)
    await approval[answer]()
    const { state, text } = await readOutcome(dapp, method)
    equal(state, answer === 'approve' ? 'ok' : 'error', `${method} answered: ${text}`)
    return { title: approval.title, text }
  }

  const connected = await runAsked('connect', 'approve', 'connect')
  const account = JSON.parse(connected.text)
  equal(account.address, DEMO_ADDRESS)
  await poll('the page to show the account', 15_000, async () =>
    (await dapp.evaluate(readShownAddress)) === DEMO_ADDRESS ? true : null,
  )
  await photograph(dapp, 'connected')
  tell('connect', `${account.address} (asked: ${connected.title})`)

  const signed = await runAsked('signMessage', 'approve', 'sign-message')
  const signature = JSON.parse(signed.text)
  ok(Verifier.verifySignature(DEMO_ADDRESS, messageOfCard(), signature), 'bip322-js refuses it')
  tell('signMessage', `${signature.slice(0, 24)}…, valid for bip322-js`)

  await makeExample(dapp, 'signPsbt', 'List for sale')
  const listed = await runAsked('signPsbt', 'approve', 'sign-psbt', 'assets-open')
  const signedInput = inputOf(JSON.parse(listed.text), SELLER_INDEX)
  equal(signedInput.tapKeySig?.at(-1), FOR_SALE, 'the signature is of another kind')
  tell('signPsbt', `an inscription for sale, SINGLE|ANYONECANPAY (asked: ${listed.title})`)

  const rejected = await runAsked('sendBitcoin', 'reject', 'payment-rejected')
  match(rejected.text, /4001/)
  tell('sendBitcoin, rejected', 'error 4001, nothing sent')

  const paid = await runAsked('sendBitcoin', 'approve', 'payment')
  const txid: string = JSON.parse(paid.text)
  await photograph(dapp, 'paid')
  const transaction = await fetchJson(`${devnet.esploraUrl}/tx/${txid}`)
  equal(transaction.status.confirmed, false)
  deepEqual(
    transaction.vout
      .filter(output => output.scriptpubkey_address === RECIPIENT)
      .map(output => output.value),
    [PAID_SATS],
  )
  tell('sendBitcoin', `${txid} (asked: ${paid.title})`)

  await devnet.mine(1)
  const mined = await fetchJson(`${devnet.esploraUrl}/tx/${txid}`)
  equal(mined.status.confirmed, true)
  const inNode = await devnet.rpc<{ blockhash: string }>('getrawtransaction', [txid, 1])
  tell('Mined', `bitcoind has it in block ${inNode.blockhash}`)

  const left = DEMO_SATS - PAID_SATS - transaction.fee
  const balance = await poll('the new balance', 15_000, async () => {
    await runCard(dapp, 'getBalance')
    const { state, text } = await readOutcome(dapp, 'getBalance')
    equal(state, 'ok', text)
    const shown = JSON.parse(text)
    return shown.confirmed === left ? shown : null
  })
  deepEqual(balance, { confirmed: left, unconfirmed: 0, total: left })
  tell('getBalance', `${left} sats, ${PAID_SATS} and a fee of ${transaction.fee} less`)

  await runCard(dapp, 'getInscriptions')
  const listing = JSON.parse((await readOutcome(dapp, 'getInscriptions')).text)
  deepEqual(
    listing.list.map(({ inscriptionId }: { inscriptionId: string }) => inscriptionId),
    [...inscriptions, ...atomicals.map(id => `${id}-Atomicals`)],
  )
  tell(
    'getInscriptions',
    `${listing.total}, the newest is number ${listing.list[0].inscriptionNumber}`,
  )

  await makeExample(dapp, 'sendInscription', 'A picture')
  const [, picture] = JSON.parse(await dapp.valueOf('textbox', 'sendInscription arguments'))
  const sent = await runAsked('sendInscription', 'approve', 'send-inscription')
  const transfer = await fetchJson(`${devnet.esploraUrl}/tx/${JSON.parse(sent.text)}`)
  await devnet.mine(1)
  const { address, satpoint } = await whereIs(devnet, picture)
  equal(address, RECIPIENT)
  equal(satpoint, `${JSON.parse(sent.text)}:0:0`)
  tell('sendInscription', `${satpoint} (asked: ${sent.title})`)

  const feesOf = async (...txids: string[]) => {
    const transactions = txids.map(txid => fetchJson(`${devnet.esploraUrl}/tx/${txid}`))
    return (await Promise.all(transactions)).reduce((sum, { fee }) => sum + fee, 0)
  }
  /** Runs the card of mint and mines what it made; gives what the page got, and all fees. */
  const mint = async (label: string, name: string) => {
    await makeExample(dapp, 'mint', label)
    const { title, text } = await runAsked('mint', 'approve', name)
    const { commitTx, revealTxs, ...rest }: MintResult = JSON.parse(text)
    await devnet.mine(1)
    return { title, revealTxs, fees: await feesOf(commitTx, ...revealTxs), ...rest }
  }
  const images = await mint('Five images', 'mint-images')
  equal(images.fees, images.commitTxFee + images.revealTxFees.reduce((sum, fee) => sum + fee))
  const [order] = JSON.parse(await dapp.valueOf('textbox', 'mint arguments'))
  const inscribed = await Promise.all(
    images.revealTxs.map(async txid => (await contentOf(devnet, `${txid}i0`)).body.toString('hex')),
  )
  deepEqual(
    inscribed,
    order.inscriptions.map(({ body }: { body: string }) => body),
  )
  tell('mint', `five images for ${images.fees} sats of fees (asked: ${images.title})`)

  const minted = await mint('BRC-20 mint', 'mint-tokens')
  deepEqual(await tokensOf(devnet, DEMO_ADDRESS, 'play'), { overall: 1000, available: 1000 })
  tell('mint of BRC-20', `1,000 play in devnet’s ledger (asked: ${minted.title})`)

  await dapp.fill('textbox', 'inscribe arguments', '[{ "from": "$address", "tick": "play" }]')
  await runCard(dapp, 'inscribe')
  const question = await wallet.nextApproval()
  await question.fill('textbox', 'Amount', '250')
  await question.ready()
  await photograph(question, 'amount')
  await question.approve()
  const asked = await wallet.nextApproval()
  await asked.ready()
  await photograph(asked, 'inscribe-transfer')
  await asked.approve()
  const reveal: string = JSON.parse((await readOutcome(dapp, 'inscribe')).text)
  await devnet.mine(1)
  deepEqual(await tokensOf(devnet, DEMO_ADDRESS, 'play'), { overall: 1000, available: 750 })
  const { vin } = await fetchJson(`${devnet.esploraUrl}/tx/${reveal}`)
  const transferFees = await feesOf(reveal, ...vin.map(({ txid }) => txid))
  tell('inscribe', `250 of them can be sent (asked: ${question.title} ${asked.title})`)
  await photographPage('/brc20', 'BRC-20 tokens', '250 ready to send')

  const sending = JSON.stringify([RECIPIENT, `${reveal}i0`, { feeRate: 2 }])
  await dapp.fill('textbox', 'sendInscription arguments', sending)
  const { value: postage } = await whereIs(devnet, `${reveal}i0`)
  ok(postage)
  const handed = await runAsked('sendInscription', 'approve', 'send-tokens')
  await devnet.mine(1)
  const sendingFee = await feesOf(JSON.parse(handed.text))
  deepEqual(await tokensOf(devnet, RECIPIENT, 'play'), { overall: 250, available: 250 })
  deepEqual(await tokensOf(devnet, DEMO_ADDRESS, 'play'), { overall: 750, available: 750 })
  tell('Tokens sent', `250 play are the receiver’s in devnet’s ledger (asked: ${handed.title})`)
  await photographPage('/inscribe/jobs', 'Inscribing', '5 inscriptions')
  const spent = transfer.fee + images.fees + minted.fees + transferFees + sendingFee + postage

  await wallet.lock()
  const locked = await wallet.popup()
  await photograph(locked, 'locked')
  await locked.close()
  const events = await dapp.evaluate(readLoggedEvents)
  ok(events.includes('disconnect'), `the page was told of the lock: ${events}`)
  await wallet.unlock(DEMO_PASSWORD)
  await photographHome('home-after', left - spent)
  tell('Lock and unlock', `events on the page: ${events.join(', ')}`)
  console.log(`All of it was right. Screenshots 01 to ${step} are in artifacts/.`)
}

type EsploraTransaction = {
  fee: number
  status: { confirmed: boolean }
  vin: { txid: string }[]
  vout: { scriptpubkey_address?: string; value: number }[]
}

async function fetchJson(url: string): Promise<EsploraTransaction> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as EsploraTransaction
}

function messageOfCard(): string {
  const card = CARD_GROUPS.flatMap(group => group.cards).find(card => card.method === 'signMessage')
  return String(card?.args[0])
}

function readShownAddress(): string | undefined {
  return document.getElementById('address')?.textContent
}

function readLoggedEvents(): string[] {
  const items = Array.from(document.querySelectorAll<HTMLElement>('#log [data-event]'))
  return items.map(item => item.dataset.event ?? '').reverse()
}
