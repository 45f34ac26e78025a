import { parseAddress } from '../../bitcoin/address.ts'
import { looksLike } from '../../bitcoin/address-likeness.ts'
import { equalBytes } from '../../bitcoin/bytes.ts'
import { hasDifficulty, parseBlockHeader } from '../../bitcoin/headers/block-header.ts'
import { findMerkleProofFault } from '../../bitcoin/headers/merkle-proof.ts'
import { parseSignedOutputs } from '../../bitcoin/psbt/signed-outputs.ts'
import { parseTransaction, type TransactionOutput } from '../../bitcoin/transaction.ts'
import type { ChainSource, HistoryTransaction } from '../../chain/chain-source.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import type { Activity, Peer } from '../activity/activity.ts'
import { withTimeout } from '../primitives/timeout.ts'
import type { Sources } from '../settings/servers.ts'

/** An address that an account has dealt with, as far as this wallet signed it or checked it. */
export type KnownPeer = {
  address: string
  paid: boolean
  /**
   * The server's history says that the account paid it, and nothing disproves that. An address that looks like it is worth a
   * warning.
   */
  saidPaid: boolean
  /** The most that one transaction with it among the senders brought, in sats; null for one that sent nothing. */
  largestReceived: bigint | null
}

/** The parts of the wallet that tell whom an account has dealt with, and prove it. */
export type PeerParts = Pick<Sources, 'chain'> & { activity: Pick<Activity, 'listPeers'> }

/** A payment that nobody asked for and that costs its sender next to nothing; made to put an address into a history. */
export const DUST_PAYMENT = 5_000n

/** What is not proven by then counts as unproven, which can only add a warning. */
const TIMEOUT_MS = 3_000

/** Addresses that are looked into for one review, and transactions of each. */
const MAX_QUESTIONS = 12
const MAX_TRANSACTIONS = 2

/** An address that looks like a recipient and is said to have been paid. */
const MAX_LIKENESSES = 3

/** On mainnet a forged block costs many times the dust that it would pass off as more; blocks since 2016 have this difficulty. */
const LEAST_MAINNET_DIFFICULTY = 100_000_000_000n

/** Something to find out about a peer: each sets what it proves. */
type Question = (known: KnownPeer) => Promise<void>

/**
 * Whom an account has dealt with. What only the server's history tells counts where the wallet can prove it, and is looked
 * into only for these recipients, first of all where a warning hangs on it.
 */
export async function loadKnownPeers(
  context: AccountContext<PeerParts>,
  recipients: readonly string[],
  names: ReadonlySet<string>,
): Promise<KnownPeer[]> {
  const { wallet, network, account } = context
  const peers = await wallet.activity.listPeers(network, account.id)
  const known = new Map(
    peers.map(({ address, paid, paidIn, receivedIn }): [string, KnownPeer] => [
      address,
      {
        address,
        paid,
        saidPaid: paidIn.length > 0,
        largestReceived: receivedIn.length > 0 ? 0n : null,
      },
    ]),
  )
  const questions = listQuestions(context, new Set(recipients), peers, names).slice(
    0,
    MAX_QUESTIONS,
  )
  if (questions.length > 0) {
    const asking = questions.map(async ({ peer, ask }) => {
      const one = known.get(peer.address)
      if (one) await ask(one)
    })
    await withTimeout(TIMEOUT_MS, Promise.allSettled(asking))
  }
  // What is found out later changes nothing any more.
  return [...known.values()].map(peer => ({ ...peer }))
}

function listQuestions(
  { wallet, network, account }: AccountContext<PeerParts>,
  recipients: ReadonlySet<string>,
  peers: readonly Peer[],
  names: ReadonlySet<string>,
): { peer: Peer; ask: Question }[] {
  const trusted = new Set([...names, ...peers.flatMap(peer => (peer.paid ? peer.address : []))])
  const questions = new Map<Peer, Question>()
  for (const to of recipients) {
    if (trusted.has(to)) continue
    const peer = peers.find(({ address }) => address === to)
    const alike = peers.filter(
      ({ address, paid, paidIn }) => !paid && paidIn.length > 0 && looksLike(to, address),
    )
    const isAlike = alike.length > 0 || [...trusted].some(address => looksLike(to, address))
    if (peer && (isAlike || peer.receivedIn.length > 0)) {
      questions.set(peer, async known => {
        await askIfPaid(peer, known)
        if (!known.paid) await askWhatCame(peer, known)
      })
    }
    for (const other of alike.slice(0, MAX_LIKENESSES)) {
      if (!questions.has(other)) questions.set(other, known => askIfPaid(other, known))
    }
  }
  // A warning hangs on those above; on these only whether it was paid before.
  for (const peer of peers) {
    const { address, paidIn } = peer
    if (!recipients.has(address) || trusted.has(address) || questions.has(peer)) continue
    if (paidIn.length > 0) questions.set(peer, known => askIfPaid(peer, known))
  }
  return [...questions].map(([peer, ask]) => ({ peer, ask }))

  async function askIfPaid({ address, paidIn }: Peer, known: KnownPeer): Promise<void> {
    for (const txid of paidIn.slice(0, MAX_TRANSACTIONS)) {
      known.paid = await hasPaid(await wallet.chain(network), txid, account.address, address)
      if (known.paid) return
    }
    known.saidPaid = false
  }

  async function askWhatCame({ address, receivedIn }: Peer, known: KnownPeer): Promise<void> {
    const large = receivedIn.filter(({ sats }) => sats > DUST_PAYMENT)
    for (const { txid } of large.slice(0, MAX_TRANSACTIONS)) {
      const chain = await wallet.chain(network)
      known.largestReceived = await amountReceived(chain, txid, account.address, address)
      if (known.largestReceived > DUST_PAYMENT) return
    }
  }
}

/** Whether the key of the account signed, in this transaction, that it pays an address. */
async function hasPaid(
  chain: ChainSource,
  txid: string,
  own: string,
  address: string,
): Promise<boolean> {
  const [record, raw] = await Promise.all([
    chain.fetchTransactionRecord(txid),
    chain.fetchTransaction(txid),
  ])
  const outputs = parseSignedOutputs(raw, record.inputs.map(prevoutOf), scriptOf(chain, own))
  return outputs?.some(paysTo(scriptOf(chain, address))) ?? false
}

/**
 * Sats that a transaction brought the account, 0 unless it spends a coin of the sender and is in a block. A signature would
 * prove nothing here, for the sender is who might lie.
 */
async function amountReceived(
  chain: ChainSource,
  txid: string,
  own: string,
  sender: string,
): Promise<bigint> {
  const { inputs, blockHash } = await chain.fetchTransactionRecord(txid)
  const from = scriptOf(chain, sender)
  const coin = inputs.find(({ scriptPubKey }) => scriptPubKey && equalBytes(scriptPubKey, from))
  if (!coin || blockHash === null) return 0n
  const [raw, funding, header, proof] = await Promise.all([
    chain.fetchTransaction(txid),
    chain.fetchTransaction(coin.txid),
    chain.fetchBlockHeader(blockHash),
    chain.fetchMerkleProof(txid),
  ])
  const block = parseBlockHeader(header)
  if (block?.hash !== blockHash) return 0n
  if (chain.network === 'mainnet' && !hasDifficulty(block, LEAST_MAINNET_DIFFICULTY)) return 0n
  if (findMerkleProofFault(block, raw, proof) !== null) return 0n
  const transaction = parseTransaction(raw)
  const spent = parseTransaction(funding)
  const isSpent = transaction.inputs.some(
    input => input.txid === spent.txid && input.vout === coin.vout,
  )
  const output = spent.outputs[coin.vout]
  if (transaction.txid !== txid || !isSpent || !output || !paysTo(from)(output)) return 0n
  return transaction.outputs
    .filter(paysTo(scriptOf(chain, own)))
    .reduce((sum, { amount }) => sum + amount, 0n)
}

function prevoutOf({
  scriptPubKey,
  amount,
}: HistoryTransaction['inputs'][number]): TransactionOutput | null {
  return scriptPubKey === null || amount === null ? null : { scriptPubKey, amount }
}

function paysTo(script: Uint8Array): (output: TransactionOutput) => boolean {
  return ({ scriptPubKey }) => equalBytes(scriptPubKey, script)
}

function scriptOf({ network }: ChainSource, address: string): Uint8Array {
  return parseAddress(address, network).scriptPubKey
}
