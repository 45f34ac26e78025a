import { InsufficientFundsError } from '../../../src/bitcoin/payments/coin-selection.ts'
import { buildPayment } from '../../../src/bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../../src/bitcoin/secp256k1.ts'
import { weightOfInput } from '../../../src/bitcoin/transaction-size.ts'
import type { Utxo } from '../../../src/bitcoin/utxo.ts'
import { type Bitcoind, startBitcoind } from '../../../src/devnet/bitcoind/bitcoind.ts'
import { findBitcoind } from '../../../src/devnet/bitcoind/bitcoind-binary.ts'
import { parseAddress } from '../../../src/devnet/chain/script.ts'
import { type CoreWallet, createBank, createCoreWallet } from './core-wallet.ts'
import type { WalletLife } from './wallet-life.ts'

/** Fees paid, and what spending the coins that are left will cost at the long-term fee rate, in sats. */
export type Cost = { fees: number; coinsLeft: number; total: number }

/** One life with the wallet's choice of coins and with the node's; payments that either could not make are left out of both. */
export type Comparison = { payments: number; ours: Cost; core: Cost }

/** sat/vB; Bitcoin Core's default for `-consolidatefeerate`. */
const LONG_TERM_FEE_RATE = 10
/** At once, so that a block holds a payment of each, and each wallet reads few blocks. */
const BATCH = 50
/** The node prefers coins of others with six confirmations. */
const BLOCKS_PER_ROUND = 6
const REWARDED_BLOCKS = 450
/** Nobody's, so that the bank does not fill up with tiny rewards. */
const MINER = 'bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202'

/** Lets both choose the coins of the same payments, on a regtest chain of its own. */
export async function compareSelections(
  lives: readonly WalletLife[],
  onProgress: (done: readonly Comparison[]) => void = () => undefined,
): Promise<Comparison[]> {
  const node = await startBitcoind(await findBitcoind(() => undefined))
  try {
    const bank = await createBank(node, REWARDED_BLOCKS)
    const done: Comparison[] = []
    for (let at = 0; at < lives.length; at += BATCH) {
      const wallets = await Promise.all(
        lives.slice(at, at + BATCH).map((life, i) => createPair(node, life, `life-${at + i}`)),
      )
      await deposit(node, bank, wallets, ({ life }) => life.coins)
      const rounds = Math.max(...wallets.map(({ life }) => life.rounds.length))
      for (let round = 0; round < rounds; round++) {
        for (const wallet of wallets) await wallet.pay(round)
        await deposit(node, bank, wallets, ({ life }) => life.rounds[round]?.deposits ?? [])
      }
      for (const wallet of wallets) done.push(await wallet.finish())
      onProgress(done)
    }
    bank.close()
    return done
  } finally {
    await node.stop()
  }
}

type Pair = Awaited<ReturnType<typeof createPair>>

async function createPair(node: Bitcoind, life: WalletLife, name: string) {
  const { addressType } = life
  const core: CoreWallet = await createCoreWallet(node, name, life)
  const scriptPubKey = parseAddress(core.address)
  if (!scriptPubKey) throw new Error(`${name}: no script`)
  const own = { publicKey: publicKeyOf(life.privateKey), addressType }
  const fees = { ours: 0n, core: 0n }
  let coins: Utxo[] = []
  let balance = 0n
  let payments = 0

  function choose(round: number) {
    const { payment, feeRate } = life.rounds[round] ?? {}
    if (!payment || !feeRate) throw new RangeError(`${name} has no round ${round}`)
    const seed = `${name} ${round}`
    try {
      return buildPayment({ recipients: [payment], memo: null, utxos: coins, own, feeRate, seed })
    } catch (error) {
      if (error instanceof InsufficientFundsError) return null
      throw error
    }
  }

  return {
    life,
    scriptPubKey,
    receive(coin: { txid: string; vout: number; amount: bigint }): void {
      coins.push({ ...coin, scriptPubKey, height: 1 })
      balance += coin.amount
    },
    async pay(round: number): Promise<void> {
      const payment = choose(round)
      const [recipient] = payment?.outputs ?? []
      if (!payment || !recipient) return
      const output = { script: recipient.scriptPubKey, value: recipient.amount }
      const choice = await core.choose([output], payment.feeRate)
      if (!choice) return
      await core.send(choice)
      const change = payment.changeIndex === null ? null : payment.outputs[payment.changeIndex]
      const txid = (0x10000 + round).toString(16).padStart(64, '0')
      coins = coins.filter(coin => !payment.inputs.includes(coin))
      if (change) coins.push({ ...change, txid, vout: 1, height: 1 })
      balance -= recipient.amount
      fees.ours += payment.fee
      fees.core += choice.fee
      payments++
    },
    async finish(): Promise<Comparison> {
      const theirs = await core.listCoins()
      await core.unload()
      const costOf = (paid: bigint, left: readonly bigint[]): Cost => {
        // Sums that do not agree would mean that one of the two did not live the same life.
        if (left.reduce((sum, sats) => sum + sats, paid) !== balance)
          throw new Error(`${name}: ${paid} sats of fees do not explain what is left`)
        const later = (left.length * LONG_TERM_FEE_RATE * weightOfInput(addressType)) / 4
        return { fees: Number(paid), coinsLeft: left.length, total: Number(paid) + later }
      }
      const ours = coins.map(({ amount }) => amount)
      return { payments, ours: costOf(fees.ours, ours), core: costOf(fees.core, theirs) }
    },
  }
}

/** Gives each wallet coins of these amounts in one transaction, and mines it with everything that was paid before. */
async function deposit(
  node: Bitcoind,
  bank: Awaited<ReturnType<typeof createBank>>,
  wallets: readonly Pair[],
  amountsOf: (wallet: Pair) => readonly bigint[],
): Promise<void> {
  const deposits = wallets.flatMap(wallet => amountsOf(wallet).map(amount => ({ wallet, amount })))
  if (deposits.length > 0) {
    const txid = await bank.pay(
      deposits.map(({ wallet, amount }) => ({ script: wallet.scriptPubKey, value: amount })),
    )
    for (const [vout, { wallet, amount }] of deposits.entries())
      wallet.receive({ txid, vout, amount })
  }
  await node.rpc('generatetoaddress', [BLOCKS_PER_ROUND, MINER])
  await node.rpc('syncwithvalidationinterfacequeue')
}
