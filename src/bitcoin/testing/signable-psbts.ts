import { RawTx } from '@scure/btc-signer'
import { RawPSBTV0, RawPSBTV2 } from '@scure/btc-signer/psbt.js'
import type { AddressType } from '../address.ts'
import { fromHex } from '../bytes.ts'
import type { InputOrder } from '../psbt/plan.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { FOREIGN_KEY, LOCKS, type Lock, type Locked, lockOf } from './psbt-building.ts'
import { fundingTransaction } from './spending.ts'

/** An account of a test: a key with the script of its one address. */
export type TestAccount = {
  accountId: string
  addressType: AddressType
  privateKey: Uint8Array
  publicKey: Uint8Array
  scriptPubKey: Uint8Array
}

/** One account of each type, each with a key of its own. */
export const ACCOUNTS = [
  createAccount('p2tr', 1),
  createAccount('p2wpkh', 2),
  createAccount('p2sh-p2wpkh', 3),
  createAccount('p2pkh', 4),
] as const

function createAccount(addressType: AddressType, fill: number): TestAccount {
  const privateKey = new Uint8Array(32).fill(fill)
  const { script } = lockOf(addressType, privateKey)
  const publicKey = publicKeyOf(privateKey)
  return { accountId: addressType, addressType, privateKey, publicKey, scriptPubKey: script }
}

/** A coin in a transaction of its own; `account` is whose key it is. */
export type Coin = Locked & {
  amount: bigint
  txid: string
  vout: number
  raw: Uint8Array
  decoded: ReturnType<typeof RawTx.decode>
  lock: Lock
  account: TestAccount | null
}

/** What a page asks one account to sign. */
export type RandomPsbt = {
  bytes: Uint8Array
  /** Transactions that the PSBT leaves out and a server would have, by txid. */
  previous: ReadonlyMap<string, Uint8Array>
  account: TestAccount
  orders: readonly InputOrder[] | null
}

/** Whole numbers from 0 to below `end`, the same for the same seed (mulberry32). */
export type Random = (end: number) => number

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return end => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end
  }
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** Locks that a page can name for an account's key to sign, beside its own address. */
const NAMEABLE_LOCKS = [
  'raw-p2tr',
  'leaf',
  'p2sh-multisig',
  'p2wsh-multisig',
  'p2sh-p2wsh-multisig',
] as const

const SIGHASHES = [1, 1, 2, 3, 0x81, 0x81, 0x82, 0x83, 0x83, 0x83]

/** What proves an input; what is enough for taproot; what is enough for inputs of others. */
const PROOFS = ['previous', 'both', 'fetched'] as const
const CLAIMS = ['witness', 'witness', ...PROOFS] as const
const ANYTHING = [...CLAIMS, ...CLAIMS, 'none'] as const

/**
 * PSBTs with coins of all kinds and owners, for one of these accounts to sign with any sighash. Only what leaves an amount
 * unknown that taproot has to cover, or pays out more than there is, can be refused.
 */
export function createRandomPsbts(
  random: Random,
  { accounts = ACCOUNTS, most = 6 }: { accounts?: readonly TestAccount[]; most?: number } = {},
) {
  const coins = createCoins(random)
  const scripts = [...ACCOUNTS, ...ACCOUNTS].map(({ scriptPubKey }) => scriptPubKey)
  for (const lock of LOCKS) scripts.push(lockOf(lock, FOREIGN_KEY).script)

  function draw(): RandomPsbt {
    const account = pick(random, accounts)
    const isAddress = ({ account: owner, lock }: Coin) =>
      owner === account && lock === account.addressType
    const spent = new Set([pick(random, coins.filter(isAddress))])
    const count = 1 + random(most)
    while (spent.size < count) spent.add(pick(random, coins))
    const inputs = random(2) ? [...spent] : [...spent].reverse()
    const total = inputs.reduce((sum, { amount }) => sum + amount, 0n)
    const outputs = Array.from({ length: 1 + random(inputs.length + 2) }, () => ({
      script: pick(random, scripts),
      amount: random(12) ? BigInt(random(Math.floor(Number(total) / inputs.length) + 1)) : 0n,
    }))
    const names = random(2) === 0
    const orders: InputOrder[] = []
    const previous = new Map<string, Uint8Array>()
    const fields = inputs.map((coin, index) => {
      const isOwn = isAddress(coin)
      const isNameable = coin.account === account && NAMEABLE_LOCKS.some(lock => lock === coin.lock)
      const isSigned = isOwn || (names && isNameable)
      let sighash: number | null = null
      if (names && isSigned && (isOwn || random(3))) {
        const asked = pick(random, SIGHASHES)
        if (random(2) && ((asked & 3) !== 3 || index < outputs.length)) sighash = asked
        const sighashTypes = sighash === null ? null : [sighash]
        orders.push({ index, sighashTypes, disableTweakSigner: !isOwn })
      }
      const isTaproot = coin.script[0] === 0x51 && coin.script.length === 34
      const proof = pick(random, isSigned ? (isTaproot ? CLAIMS : PROOFS) : ANYTHING)
      if (proof === 'fetched') previous.set(coin.txid, coin.raw)
      return {
        ...coin.fields,
        ...((proof === 'previous' || proof === 'both') && { nonWitnessUtxo: coin.decoded }),
        ...((proof === 'witness' || proof === 'both') && {
          witnessUtxo: { script: coin.script, amount: coin.amount },
        }),
        ...(sighash !== null && { sighashType: sighash }),
      }
    })
    return {
      bytes: encode(random(4) === 0 ? 2 : 0, inputs, fields, outputs),
      previous,
      account,
      orders: orders.length > 0 ? orders : null,
    }
  }

  return { coins, draw }
}

function createCoins(random: Random): Coin[] {
  return [...ACCOUNTS, null].flatMap((account, i) => {
    const locks = account ? [account.addressType, ...NAMEABLE_LOCKS] : LOCKS
    return locks.flatMap((lock, j) => {
      const locked = lockOf(lock, account?.privateKey ?? FOREIGN_KEY)
      // To prove that a leaf is an output's takes as long as everything else together.
      const amounts = [10_000n, 546n, 330n, 123_456n, 5_000_000n, 0n]
      return amounts.slice(0, lock === 'leaf' ? 1 : amounts.length).map((amount, k): Coin => {
        const decoy = { script: fromHex('51'), amount: BigInt(random(1000)) }
        const coin = { script: locked.script, amount }
        const vout = random(2)
        const outputs = vout === 0 ? [coin, decoy] : [decoy, coin]
        const { raw, txid } = fundingTransaction(outputs, 1 + k + 8 * (j + 32 * i))
        return { ...locked, amount, txid, vout, raw, decoded: RawTx.decode(raw), lock, account }
      })
    })
  })
}

function encode(
  version: 0 | 2,
  coins: readonly Coin[],
  inputs: readonly object[],
  outputs: { script: Uint8Array; amount: bigint }[],
): Uint8Array {
  const sequence = 0xfffffffd
  const spends = coins.map(({ txid, vout }) => ({ txid: fromHex(txid), index: vout, sequence }))
  if (version === 0) {
    const finalScriptSig = new Uint8Array()
    return RawPSBTV0.encode({
      global: {
        unsignedTx: {
          version: 2,
          inputs: spends.map(spend => ({ ...spend, finalScriptSig })),
          outputs,
          lockTime: 0,
        },
      },
      inputs: [...inputs],
      outputs: outputs.map(() => ({})),
    } as Parameters<typeof RawPSBTV0.encode>[0])
  }
  return RawPSBTV2.encode({
    global: {
      version: 2,
      txVersion: 2,
      inputCount: coins.length,
      outputCount: outputs.length,
    },
    inputs: spends.map((spend, i) => ({ ...inputs[i], ...spend })),
    outputs,
  } as Parameters<typeof RawPSBTV2.encode>[0])
}
