import { Transaction } from 'bitcoinjs-lib'
import { parseAddress } from '../../../bitcoin/address.ts'
import { fromHex, toHex } from '../../../bitcoin/bytes.ts'
import { formatOutpoint, type Outpoint } from '../../../bitcoin/outpoint.ts'
import { parseTransaction } from '../../../bitcoin/transaction.ts'
import { createMemoryArea } from '../../../storage/testing/memory-area.ts'
import { createMemoryChain } from '../../testing/memory-chain.ts'
import type { AccountView } from '../../views/account-views.ts'
import { createActivity } from '../activity.ts'
import { listKnown, toEntry } from '../activity-entries.ts'
import type { SentRecord } from '../sent-records.ts'

/** Regtest addresses of BIP-173's and BIP-350's example keys, and one of the generator point's hash. */
export const OWN_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
export const OTHER_ADDRESS = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6'

export const ACCOUNT: AccountView = {
  id: 'aa',
  name: 'Account 1',
  source: 'watch',
  addressType: 'p2wpkh',
  address: OWN_ADDRESS,
  publicKey: null,
  descriptor: null,
  ordinals: null,
  derivationPath: null,
  hidden: false,
}

export type Payee = { address: string; sats: bigint }

/** Activity of one account on a chain in memory; `start` is a new worker on the same storage. */
export function createActivityWorld() {
  const local = createMemoryArea()
  const memory = createMemoryChain('regtest', { fastest: 4, halfHour: 3, hour: 2, minimum: 1 })
  const clock = { now: 1_700_000_000_000 }
  const start = () => createActivity({ local, now: () => clock.now })
  let activity = start()

  return {
    local,
    memory,
    clock,
    get activity() {
      return activity
    },
    restart() {
      activity = start()
    },
    refresh: () => activity.refresh(memory.chain, ACCOUNT),
    /** What a person would be shown of all that is stored. */
    async entries() {
      const stored = await activity.load('regtest', ACCOUNT.id)
      const names = new Map<string, string>()
      const source = { ...stored, names, network: 'regtest', accountId: ACCOUNT.id } as const
      return listKnown(source, true).map(known => toEntry(source, known))
    },
    async entry(txid: string) {
      return (await this.entries()).find(entry => entry.txid === txid)
    },
    /** Hands a payment to the network as the wallet does. */
    async send(record: SentRecord): Promise<string> {
      await activity.record(record)
      await memory.chain.broadcast(fromHex(record.rawTx))
      await activity.setStatus(record.txid, 'pending')
      return record.txid
    },
  }
}

export type ActivityWorld = ReturnType<typeof createActivityWorld>

/** A transaction with signatures of the right length that are worth nothing. */
export function buildTransaction(inputs: readonly Outpoint[], outputs: readonly Payee[]): string {
  const transaction = new Transaction()
  transaction.version = 2
  for (const { txid, vout } of inputs)
    transaction.addInput(fromHex(txid).reverse(), vout, 0xfffffffd)
  for (const { address, sats } of outputs)
    transaction.addOutput(parseAddress(address, 'regtest').scriptPubKey, sats)
  for (const index of inputs.keys())
    transaction.setWitness(index, [new Uint8Array(72), new Uint8Array(33)])
  return toHex(transaction.toBuffer())
}

/** An outpoint of nowhere. */
export function drawOutpoint(): Outpoint {
  return { txid: toHex(crypto.getRandomValues(new Uint8Array(32))), vout: 0 }
}

/** Pays the account from nowhere; resolves its only outpoint. */
export function fundAccount(
  { memory }: ActivityWorld,
  sats: bigint,
  { confirmed = true }: { confirmed?: boolean } = {},
): Outpoint {
  const rawTx = fromHex(buildTransaction([drawOutpoint()], [{ address: OWN_ADDRESS, sats }]))
  return { txid: confirmed ? memory.add(rawTx) : memory.receive(rawTx), vout: 0 }
}

/** The record of a payment from coins of the account. */
export function buildRecord(
  coins: readonly (Outpoint & { sats: bigint })[],
  outputs: readonly Payee[],
  facts: Partial<SentRecord> = {},
): SentRecord {
  const rawTx = buildTransaction(coins, outputs)
  const { txid } = parseTransaction(fromHex(rawTx))
  const total = (some: readonly { sats: bigint }[]) =>
    some.reduce((sum, { sats }) => sum + sats, 0n)
  const own = outputs.filter(({ address }) => address === OWN_ADDRESS)
  return {
    txid,
    network: 'regtest',
    accountId: ACCOUNT.id,
    kind: 'sent',
    net: String(total(own) - total(coins)),
    counterparty: outputs.find(({ address }) => address !== OWN_ADDRESS)?.address ?? null,
    fee: String(total(coins) - total(outputs)),
    origin: null,
    at: 1_700_000_000_000,
    status: 'sending',
    height: null,
    replacedBy: null,
    about: null,
    rawTx,
    spends: coins.map(formatOutpoint),
    creates: outputs.flatMap(({ address }, vout) =>
      address === OWN_ADDRESS ? [formatOutpoint({ txid, vout })] : [],
    ),
    payment: null,
    replaces: null,
    ...facts,
  }
}

/** A payment of 40,000 sats from a coin of 100,000, pending; `fee` tells replacements apart. */
export function createPayment(world: ActivityWorld, fee = 1_000n) {
  const coin = { ...fundAccount(world, 100_000n), sats: 100_000n }
  const pay = (fee: bigint, replaces: string | null = null) =>
    buildRecord(
      [coin],
      [
        { address: OTHER_ADDRESS, sats: 40_000n },
        { address: OWN_ADDRESS, sats: 60_000n - fee },
      ],
      { replaces },
    )
  return { coin, pay, record: pay(fee) }
}
