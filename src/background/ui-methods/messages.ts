import { addressOfScript } from '../../bitcoin/address.ts'
import { equalBytes } from '../../bitcoin/bytes.ts'
import { verifyMessageInSteps } from '../../bitcoin/messages/message.ts'
import type { MessageVerdict, ProvenCoin } from '../../bitcoin/messages/message-verdict.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { type ChainSource, TransactionNotFoundError } from '../../chain/chain-source.ts'
import { invalidParams, unauthorized } from '../../provider/errors.ts'
import { MAX_MESSAGE_LENGTH } from '../../provider/message-params.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Signer } from '../keys/signer.ts'
import { ORDINALS_PLACE } from '../keys/vault-secret.ts'
import { runInTurns } from '../primitives/turns.ts'
import type { KeyAccountView } from '../views/account-views.ts'
import type {
  CoinCheckView,
  MessageProofDraft,
  MessageVerdictView,
} from '../views/message-views.ts'
import { parseText } from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type MessageMethodParts = {
  accounts: Pick<Accounts, 'network' | 'list'>
  chain: (network: Network) => Promise<ChainSource>
  signer: Pick<Signer, 'signMessages'>
}

/** A standard transaction has 100 kB, which are 133,336 characters of base64. */
const MAX_SIGNATURE_LENGTH = 150_000
/** Coins of a proof that are looked up, each with three questions to the server. */
const MOST_COINS = 100

/** Texts and signatures under them: whether one is right, and making one. */
export const messageMethods = {
  async verifyMessage({ wallet }, params) {
    const network = await wallet.accounts.network()
    return describe(await verify(params, network), network)
  },

  async checkProvenCoins({ wallet }, params) {
    const network = await wallet.accounts.network()
    const verdict = await verify(params, network)
    const coins = verdict.state === 'valid' ? verdict.coins : []
    if (coins.length === 0 || coins.length > MOST_COINS)
      throw invalidParams('signature', null, `a valid proof of 1 to ${MOST_COINS} coins`)
    const chain = await wallet.chain(network)
    const checks: CoinCheckView[] = []
    for (const coin of coins) checks.push(await lookUp(chain, coin))
    return checks
  },

  async signText({ wallet }, params) {
    const { type } = params
    const message = parseMessageText(params.message)
    if (type !== 'ecdsa' && type !== 'bip322') throw invalidParams('type', type, 'bip322 or ecdsa')
    const network = await wallet.accounts.network()
    const account = await findAccount(wallet, network, params.accountId)
    const address = parseText('address', params.address)
    const isOrdinals = account.ordinals?.address === address
    if (!isOrdinals && account.address !== address)
      throw invalidParams('address', address, 'an address of the account')
    const place = isOrdinals ? { place: ORDINALS_PLACE } : {}
    const [signature = ''] = await wallet.signer.signMessages({
      ...{ accountId: account.id, network },
      messages: [{ message, type, ...place }],
    })
    const { state } = await verify({ message, signature, address }, network)
    if (state !== 'valid') throw new Error('message: what was signed does not prove it')
    return { signature }
  },
} satisfies UiMethodsOf<MessageMethodParts>

/** Whatever is no text is refused; what is wrong in a text is the verdict. */
async function verify(params: MessageProofDraft, network: Network): Promise<MessageVerdict> {
  const signature = parseText('signature', params.signature)
  if (signature.length > MAX_SIGNATURE_LENGTH)
    throw invalidParams('signature', null, `at most ${MAX_SIGNATURE_LENGTH} characters`)
  const address = parseText('address', params.address)
  const message = parseMessageText(params.message)
  return runInTurns(verifyMessageInSteps({ message, signature, address, network }))
}

function parseMessageText(value: unknown): string {
  const message = parseText('message', value)
  if (message.length > MAX_MESSAGE_LENGTH)
    throw invalidParams('message', null, `at most ${MAX_MESSAGE_LENGTH} characters`)
  return message
}

function describe(verdict: MessageVerdict, network: Network): MessageVerdictView {
  if (verdict.state !== 'valid') return verdict
  const coins = verdict.coins.map(({ amount, scriptPubKey, sequence, ...outpoint }) => ({
    outpoint: formatOutpoint(outpoint),
    sats: String(amount),
    address: addressOfScript(scriptPubKey, network),
    sequence,
  }))
  return { ...verdict, coins }
}

async function lookUp(chain: ChainSource, coin: ProvenCoin): Promise<CoinCheckView> {
  const outpoint = formatOutpoint(coin)
  try {
    const output = parseTransaction(await chain.fetchTransaction(coin.txid)).outputs[coin.vout]
    const isSame =
      output?.amount === coin.amount && equalBytes(output.scriptPubKey, coin.scriptPubKey)
    if (!isSame) return { outpoint, state: 'different' }
    const height = await chain.fetchTransactionHeight(coin.txid)
    if (height === undefined) return { outpoint, state: 'missing' }
    const spender = await chain.fetchSpender(coin)
    return spender === null
      ? { outpoint, state: 'unspent', height }
      : { outpoint, state: 'spent', spender }
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return { outpoint, state: 'missing' }
    throw error
  }
}

/** Throws 4100 while locked, -32602 for an account whose key is elsewhere. */
async function findAccount(
  { accounts }: Pick<MessageMethodParts, 'accounts'>,
  network: Network,
  accountId: unknown,
): Promise<KeyAccountView> {
  const all = await accounts.list(network)
  if (all.length === 0) throw unauthorized('The wallet is locked.')
  const account = all.find(({ id }) => id === accountId)
  if (account?.source === 'seed' || account?.source === 'key') return account
  throw invalidParams('accountId', accountId, 'an account whose key is in the wallet')
}
