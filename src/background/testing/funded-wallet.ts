import { p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { fromHex } from '../../bitcoin/bytes.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { canSign } from '../accounts/accounts.ts'
import type { PaymentDraft } from '../views/payment-views.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  fund,
  startUnlocked,
  type Worker,
  type World,
} from './test-wallet.ts'

export const SITE = 'https://dapp.example'

/** For the independent implementation. */
export const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }

/** Addresses of nobody, by the independent implementation: of the keys 1, 2 and 3. */
export const [RECIPIENT = '', SECOND_RECIPIENT = '', THIRD_RECIPIENT = ''] = [
  '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5',
  '02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9',
].map(key => String(p2wpkh(fromHex(key), REGTEST).address))

/** An unlocked wallet whose account in use has these coins, and a page that is connected to it. */
export async function startFunded(...coins: bigint[]) {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const account = await selectedAccount(worker)
  const txids = coins.map(sats => fund(world, account.address, sats))
  return { world, worker, account, txids, page: await connectPage(worker, SITE) }
}

/** The same with one coin. */
export async function startWithCoin(sats: bigint) {
  const funded = await startFunded(sats)
  return { ...funded, outpoint: `${funded.txids[0]}:0` }
}

/** A coin of the account in use, as the list of coins shows it. */
export async function findCoin(worker: Worker, outpoint: string) {
  return (await worker.ui('getCoins', null)).find(coin => coin.outpoint === outpoint)
}

export async function selectedAccount(worker: Worker) {
  const { accounts, accountId } = await worker.ui('getState', null)
  const account = accounts.filter(canSign).find(({ id }) => id === accountId)
  if (!account) throw new Error('No account')
  return account
}

/** A transaction that the chain knows, read by the independent implementation. */
export function readBroadcast(world: World, txid: string): Transaction {
  const rawTx = world.chain.get(txid)
  if (!rawTx) throw new Error('Not broadcast')
  return Transaction.fromRaw(rawTx, { allowUnknownOutputs: true })
}

/** Outpoints that a transaction spends. */
export function inputsOf(transaction: Transaction): string[] {
  return Array.from({ length: transaction.inputsLength }, (_, index) => {
    const { txid, index: vout } = transaction.getInput(index)
    return `${Buffer.from(txid ?? []).toString('hex')}:${vout}`
  })
}

export function outputsOf(transaction: Transaction): { address: string | null; sats: bigint }[] {
  return Array.from({ length: transaction.outputsLength }, (_, index) => ({
    address: addressAt(transaction, index),
    sats: transaction.getOutput(index).amount ?? 0n,
  }))
}

function addressAt(transaction: Transaction, index: number): string | null {
  try {
    return transaction.getOutputAddress(index, REGTEST) ?? null
  } catch {
    return null
  }
}

/** A payment of our own pages to nobody, or something else where told. */
export function draft(changes: Partial<PaymentDraft> = {}): PaymentDraft {
  const recipients = [{ to: RECIPIENT, sats: '20000' }]
  return { recipients, memo: null, feeRate: 2, coins: null, label: '', ...changes }
}

/** Works a payment out and confirms it, as a person does who changes nothing. */
export async function payFromPopup(worker: Worker, changes: Partial<PaymentDraft> = {}) {
  const { planId, digest, review } = await worker.ui('planPayment', draft(changes))
  return { ...(await worker.ui('confirmPayment', { planId, digest })), review, planId, digest }
}

/** Pays from a site with the person's approval. */
export async function payFromSite(
  worker: Worker,
  page: Awaited<ReturnType<typeof connectPage>>,
  sats: number,
  feeRate = 2,
) {
  const answer = page.call('sendBitcoin', RECIPIENT, sats, { feeRate })
  const { review } = await decideNext(worker, 'approve', 'payment')
  const response = await answer
  return { response, review, txid: 'result' in response ? String(response.result) : '' }
}

/** The world with storage that stops before a write, counted over both areas: the worker never comes back from it. */
export function dieAfter(
  world: World,
  writes: number,
): World & { writes(): number; died: Promise<void> } {
  let made = 0
  const { promise: died, resolve: die } = defer()
  const watch = <Area extends StorageArea>(area: Area): Area => ({
    ...area,
    async set(entries) {
      if (made >= writes) {
        die()
        await new Promise<never>(() => {})
      }
      made++
      await area.set(entries)
    },
  })
  return {
    ...world,
    local: watch(world.local),
    session: watch(world.session),
    writes: () => made,
    died,
  }
}

/** A promise that is resolved from outside. */
export function defer<T = void>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(done => {
    resolve = done
  })
  return { promise, resolve }
}
