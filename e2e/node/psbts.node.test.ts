import { RawTx } from '@scure/btc-signer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromBase64, fromHex, toBase64, toHex } from '../../src/bitcoin/bytes.ts'
import { combinePsbts } from '../../src/bitcoin/psbt/combine.ts'
import { extractTransaction } from '../../src/bitcoin/psbt/extract.ts'
import { finalizePsbt } from '../../src/bitcoin/psbt/finalize.ts'
import type { PsbtMaps } from '../../src/bitcoin/psbt/maps.ts'
import { type InputOrder, planSigning } from '../../src/bitcoin/psbt/plan.ts'
import { readPrevouts } from '../../src/bitcoin/psbt/prevouts.ts'
import { encodePsbt, type Psbt, parsePsbt, withInputs } from '../../src/bitcoin/psbt/psbt.ts'
import { signPsbt } from '../../src/bitcoin/psbt/sign.ts'
import { checkSignatures } from '../../src/bitcoin/psbt/signatures.ts'
import { publicKeyOf } from '../../src/bitcoin/secp256k1.ts'
import {
  type BuiltInput,
  buildPsbt,
  type Locked,
  lockOf,
} from '../../src/bitcoin/testing/psbt-building.ts'
import { finalizableLocks, signCoins } from '../../src/bitcoin/testing/signed-psbt.ts'
import { ADDRESS_TYPES } from '../../src/bitcoin/testing/spending.ts'
import { txidOf } from '../../src/bitcoin/transaction.ts'
import { type Bitcoind, startBitcoind } from '../../src/devnet/bitcoind/bitcoind.ts'
import { findBitcoind } from '../../src/devnet/bitcoind/bitcoind-binary.ts'
import { type RpcClient, RpcError } from '../../src/devnet/bitcoind/rpc.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'
import { createBank } from './testing/core-wallet.ts'

const COIN = 100_000n

/** Pays coins of any script. */
const payer = createTestWallet('payer of psbts')

let node: Bitcoind
let bank: Awaited<ReturnType<typeof createBank>>
/** A wallet of the node that makes PSBTs. */
let peer: RpcClient

beforeAll(async () => {
  node = await startBitcoind(await findBitcoind(() => undefined))
  bank = await createBank(node, 110)
  await node.rpc('createwallet', ['peer'])
  peer = await node.openWallet('peer')
})
afterAll(async () => {
  peer?.close()
  bank?.close()
  await node?.stop()
})

const mine = () => node.rpc('generatetoaddress', [1, NOBODY])
/** An address that nobody can spend from. */
const NOBODY = 'bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202'

/** Confirmed coins with these locks, as inputs that bring their previous transaction. */
async function createCoins(
  locks: readonly Locked[],
  amounts: readonly bigint[] = locks.map(() => COIN),
): Promise<BuiltInput[]> {
  const outputs = locks.map(({ script }, i) => ({ script, value: amounts[i] ?? COIN }))
  const value = outputs.reduce((total, output) => total + output.value, 10_000n)
  const txidOfSource = await bank.pay([{ script: payer.script, value }])
  await mine()
  const funding = payer.spend([{ txid: txidOfSource, vout: 0, value }], outputs)
  const [txid, raw] = [funding.getId(), funding.toHex()]
  // In a block at once: Knots relays no payment to a bare script.
  await node.rpc('generateblock', [NOBODY, [raw]])
  const nonWitnessUtxo = RawTx.decode(fromHex(raw))
  return locks.map((type, vout) => ({
    type,
    amount: amounts[vout] ?? COIN,
    proof: 'none',
    outpoint: { txid, vout },
    fields: { nonWitnessUtxo },
  }))
}

const prevoutsOf = (psbt: Psbt) => readPrevouts(psbt, new Map())
const verdictsOf = (psbt: Psbt) => checkSignatures(psbt, prevoutsOf(psbt)).map(({ valid }) => valid)
const finalizeAll = (psbt: Psbt) => finalizePsbt(psbt, prevoutsOf(psbt), [...psbt.inputs.keys()])

/** What the wallet does with a PSBT that a page brings. */
function sign(
  psbt: Psbt,
  privateKey: Uint8Array,
  addressType: (typeof ADDRESS_TYPES)[number],
  inputs: readonly InputOrder[] | null,
): Psbt {
  const key = { publicKey: publicKeyOf(privateKey), addressType }
  const prevouts = prevoutsOf(psbt)
  const plan = planSigning({ psbt, prevouts, key, inputs, expert: false })
  return signPsbt({ psbt, prevouts, plan, privateKey, addressType })
}

/** The reason for which the node refuses a transaction; null when it takes it. */
async function refusalOf(transaction: Uint8Array): Promise<string | null> {
  const [answer] = await node.rpc<{ allowed: boolean; 'reject-reason'?: string }[]>(
    'testmempoolaccept',
    [[toHex(transaction)]],
  )
  return answer?.allowed ? null : (answer?.['reject-reason'] ?? 'no answer')
}

/** The reason for which the node takes a transaction into no block; null when it does. */
async function invalidityOf(transaction: Uint8Array): Promise<string | null> {
  try {
    const submit = false
    await node.rpc('generateblock', [NOBODY, [toHex(transaction)], submit])
    return null
  } catch (error) {
    return error instanceof RpcError ? error.message : 'no answer'
  }
}

/** What the node makes of a PSBT whose inputs are all signed. */
const finalizeByNode = (psbt: Psbt) =>
  node.rpc<{ complete: boolean; hex?: string }>('finalizepsbt', [toBase64(encodePsbt(psbt))])

type Decoded = {
  tx: { vin: { txid: string; vout: number }[]; vout: { scriptPubKey: { hex: string } }[] }
  inputs: {
    partial_signatures?: Record<string, string>
    taproot_key_path_sig?: string
    final_scriptSig?: { hex: string }
    final_scriptwitness?: string[]
  }[]
  fee: number
}

/** Compares what the node reads in a PSBT with what we read. */
async function expectSameReading(psbt: Psbt): Promise<void> {
  const bytes = encodePsbt(psbt)
  expect(toHex(encodePsbt(parsePsbt(bytes)))).toBe(toHex(bytes))
  const decoded = await node.rpc<Decoded>('decodepsbt', [toBase64(bytes)])
  expect(decoded.tx.vin.map(({ txid, vout }) => ({ txid, vout }))).toEqual(
    psbt.inputs.map(({ txid, vout }) => ({ txid, vout })),
  )
  expect(decoded.tx.vout.map(({ scriptPubKey }) => scriptPubKey.hex)).toEqual(
    psbt.outputs.map(({ scriptPubKey }) => toHex(scriptPubKey)),
  )
  for (const [i, theirs] of decoded.inputs.entries()) {
    const ours = psbt.inputs[i]
    if (!ours) expect.fail(`no input ${i}`)
    const signatures = ours.partialSigs.map(({ publicKey, signature }) => [
      toHex(publicKey),
      toHex(signature),
    ])
    expect(theirs.partial_signatures ?? {}).toEqual(Object.fromEntries(signatures))
    expect(theirs.taproot_key_path_sig).toBe(ours.tapKeySig ? toHex(ours.tapKeySig) : undefined)
    expect(theirs.final_scriptSig?.hex).toBe(
      ours.finalScriptSig ? toHex(ours.finalScriptSig) : undefined,
    )
    expect(theirs.final_scriptwitness).toEqual(ours.finalScriptWitness?.map(toHex))
  }
  const sum = (coins: readonly ({ amount: bigint } | null)[]) =>
    coins.reduce((total, coin) => total + (coin?.amount ?? 0n), 0n)
  expect(BigInt(Math.round(decoded.fee * 1e8))).toBe(sum(prevoutsOf(psbt)) - sum(psbt.outputs))
}

describe('a PSBT of the node', () => {
  it.each(['ALL', 'ALL|ANYONECANPAY', 'SINGLE|ANYONECANPAY'])(
    'of all address types, signed with %s, is read, judged, finalized and extracted as the node does',
    async sighash => {
      const outputs = []
      for (const type of ['bech32m', 'bech32', 'p2sh-segwit', 'legacy']) {
        const address = await peer.rpc<string>('getnewaddress', ['', type])
        const { scriptPubKey } = await peer.rpc<{ scriptPubKey: string }>('getaddressinfo', [
          address,
        ])
        outputs.push({ script: fromHex(scriptPubKey), value: COIN })
      }
      const txid = await bank.pay(outputs)
      await mine()
      const payments: Record<string, number>[] = []
      for (let i = 0; i < 3; i++)
        payments.push({ [await peer.rpc<string>('getnewaddress')]: 0.001 })
      const { psbt: created } = await peer.rpc<{ psbt: string }>('walletcreatefundedpsbt', [
        outputs.map((_, vout) => ({ txid, vout })),
        payments,
        0,
        { fee_rate: 5, changePosition: 3 },
      ])
      await expectSameReading(parsePsbt(fromBase64(created)))
      const { psbt: text } = await peer.rpc<{ psbt: string }>('walletprocesspsbt', [
        created,
        true,
        sighash,
        true,
        false,
      ])
      const psbt = parsePsbt(fromBase64(text))
      await expectSameReading(psbt)
      expect(verdictsOf(psbt)).toEqual([true, true, true, true])
      const final = finalizeAll(psbt)
      await expectSameReading(final)
      expect(verdictsOf(final)).toEqual([true, true, true, true])
      const raw = extractTransaction(final)
      expect(await finalizeByNode(psbt)).toEqual({ complete: true, hex: toHex(raw) })
      expect(await refusalOf(raw)).toBeNull()
    },
  )
})

describe('every script that is finalized', () => {
  const keys: [Uint8Array, Uint8Array, Uint8Array] = [
    new Uint8Array(32).fill(0x21),
    new Uint8Array(32).fill(0x22),
    new Uint8Array(32).fill(0x23),
  ]
  const locks = finalizableLocks(keys)

  /** Only a block takes it: Knots does not relay branches in tapscript, and no node's finalizer knows such scripts. */
  const ENVELOPE = 'leaf with an envelope'

  it.each(Object.entries(locks))(
    '%s gets the scripts that the node gives it, which the node takes',
    async (kind, lock) => {
      const coins = await createCoins([lock.lock])
      const { bytes } = signCoins([lock], keys, undefined, coins)
      const psbt = parsePsbt(bytes)
      await expectSameReading(psbt)
      const final = finalizeAll(psbt)
      await expectSameReading(final)
      const raw = extractTransaction(final)
      expect(await invalidityOf(raw)).toBeNull()
      if (kind === ENVELOPE) return
      expect(await refusalOf(raw)).toBeNull()
      expect(await finalizeByNode(psbt)).toEqual({ complete: true, hex: toHex(raw) })
      const { next } = await node.rpc<{ next: string }>('analyzepsbt', [
        toBase64(encodePsbt(final)),
      ])
      expect(next).toBe('extractor')
    },
  )
})

describe('signatures of several signers', () => {
  const keys = [0x51, 0x52, 0x53].map(byte => new Uint8Array(32).fill(byte)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const several = Object.entries(finalizableLocks(keys)).filter(
    ([, { signers }]) => signers.length > 1,
  )

  it.each(several)(
    'of a %s are combined as the node combines them',
    async (_, { lock, signers }) => {
      const coins = await createCoins([lock, lock])
      const parts = signers.map(signer => {
        const alone = { lock, signers: [signer] }
        return parsePsbt(signCoins([alone, alone], keys, undefined, coins).bytes)
      })
      const [first, ...others] = parts
      if (!first) expect.fail('nobody signs')
      const combined = combinePsbts([first, ...others])
      const texts = parts.map(part => toBase64(encodePsbt(part)))
      const theirs = await node.rpc<string>('combinepsbt', [texts])
      expect(entriesOf(combined)).toEqual(entriesOf(parsePsbt(fromBase64(theirs))))
      expect(await refusalOf(extractTransaction(finalizeAll(combined)))).toBeNull()
    },
  )
})

/** The node leaves the witness out of a previous transaction. */
function entriesOf({ maps: { global, inputs, outputs } }: Psbt) {
  const textOf = (value: Uint8Array, isPrevious: boolean) =>
    isPrevious ? txidOf(value) : toHex(value)
  const sorted = (map: PsbtMaps['global'], isInput: boolean) =>
    map.map(({ key, value }) => `${toHex(key)}=${textOf(value, isInput && key[0] === 0)}`).sort()
  return [
    ...inputs.map(map => sorted(map, true)),
    ...[global, ...outputs].map(map => sorted(map, false)),
  ]
}

describe.each(ADDRESS_TYPES)('what the wallet signs of a %s account', addressType => {
  const privateKey = new Uint8Array(32).fill(0x31)

  it.each([null, 1, 0x81, 0x83])('with sighash %s is taken by the node', async sighash => {
    const lock = lockOf(addressType, privateKey)
    const [coin, other] = await createCoins([lock, lock])
    if (!coin || !other) expect.fail('no coins')
    const field = sighash === null ? {} : { sighash }
    const { bytes } = buildPsbt({
      inputs: [
        { ...coin, ...field },
        { ...other, ...field },
      ],
      outputs: [
        { type: 'p2wpkh', amount: 90_000n },
        { type: 'p2tr', amount: 100_000n },
      ],
    })
    const order = (index: number) => ({
      index,
      sighashTypes: sighash === null ? null : [sighash],
      disableTweakSigner: false,
    })
    const signed = sign(parsePsbt(bytes), privateKey, addressType, [order(0), order(1)])
    await expectSameReading(signed)
    const raw = extractTransaction(finalizeAll(signed))
    expect(await refusalOf(raw)).toBeNull()
    expect(await finalizeByNode(signed)).toEqual({ complete: true, hex: toHex(raw) })
  })
})

describe.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh'] as const)('a listing of a %s account', type => {
  it('is bought by one who puts coins for its places and signs all of it', async () => {
    const [seller, buyer] = [new Uint8Array(32).fill(0x41), new Uint8Array(32).fill(0x42)]
    const [item] = await createCoins([lockOf(type, seller)], [10_000n])
    const buyerLock = lockOf(type, buyer)
    const [first, second, money] = await createCoins(
      [buyerLock, buyerLock, buyerLock],
      [600n, 600n, 300_000n],
    )
    if (!item || !first || !second || !money) expect.fail('no coins')
    const listed = { ...item, sighash: 0x83 }
    const toBuyer = (amount: bigint) => ({ type, key: buyer, amount })
    const price = { type, key: seller, amount: 250_000n }
    const place = (vout: number): BuiltInput => ({
      type: buyerLock,
      amount: 0n,
      proof: 'none',
      placeholder: vout,
    })

    const listing = parsePsbt(
      buildPsbt({
        inputs: [place(0), place(1), listed],
        outputs: [toBuyer(0n), toBuyer(0n), price],
      }).bytes,
    )
    const offered = sign(listing, seller, type, [
      { index: 2, sighashTypes: [0x83], disableTweakSigner: false },
    ])
    const { tapKeySig, partialSigs } = offered.inputs[2] ?? {}
    expect([tapKeySig ?? null, ...(partialSigs ?? [])].filter(Boolean)).toHaveLength(1)

    const purchase = parsePsbt(
      buildPsbt({
        inputs: [first, second, listed, money],
        outputs: [toBuyer(1_200n), toBuyer(10_000n), price, toBuyer(600n), toBuyer(600n)],
      }).bytes,
    )
    const withOffer = withInputs(
      purchase,
      new Map([[2, tapKeySig ? { tapKeySig } : { partialSigs: partialSigs ?? [] }]]),
    )
    const bought = sign(withOffer, buyer, type, null)
    expect(verdictsOf(bought)).toEqual([true, true, true, true])
    const raw = toHex(extractTransaction(finalizeAll(bought)))
    const anyFeeRate = 0
    const txid = await node.rpc<string>('sendrawtransaction', [raw, anyFeeRate])
    await mine()
    const sent = await node.rpc<{ confirmations: number }>('getrawtransaction', [txid, true])
    expect(sent.confirmations).toBe(1)
  })
})
