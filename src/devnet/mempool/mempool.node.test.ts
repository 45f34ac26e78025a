import * as ecc from '@bitcoinerlab/secp256k1'
import { script as bitcoinScript, type Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type Client, createClient, refusal } from '../testing/devnet-client.ts'
import { coinOf, createTestWallet, type TestCoin } from '../testing/test-wallet.ts'
import type { TestJson } from './package.ts'

let devnet: Devnet
let client: Client
const wallet = createTestWallet('mempool tests')
const OP_TRUE = Uint8Array.of(0x51)

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

/** The verdicts of devnet and of the node's own mempool on the same transaction. */
async function validateTwice(tx: Transaction) {
  const { body } = await client.post('/api/v1/txs/test', [tx.toHex()])
  const [ours] = JSON.parse(body) as TestJson[]
  const [theirs] = await devnet.rpc<TestJson[]>('testmempoolaccept', [[tx.toHex()]])
  return { ours, theirs }
}

async function expectAgreement(tx: Transaction, reason: string | null): Promise<void> {
  const { ours, theirs } = await validateTwice(tx)
  expect(theirs?.['reject-reason'] ?? null).toBe(reason)
  expect(ours?.['reject-reason'] ?? null).toBe(reason)
  expect(ours?.allowed).toBe(reason === null)
  expect(ours?.txid).toBe(theirs?.txid)
  expect(ours?.wtxid).toBe(theirs?.wtxid)
  if (reason === null) {
    expect(ours?.vsize).toBe(theirs?.vsize)
    expect(ours?.fees?.base).toBe(theirs?.fees?.base)
  } else expect(ours?.['reject-details']).toBe(theirs?.['reject-details'] ?? reason)
}

function program(version: number, length: number): Uint8Array {
  return Uint8Array.of(
    version === 0 ? 0 : 0x50 + version,
    length,
    ...new Uint8Array(length).fill(7),
  )
}

function opReturn(length: number): Uint8Array {
  return Uint8Array.from(bitcoinScript.compile([0x6a, new Uint8Array(length).fill(1)]))
}

function multisig(required: number, keys: number): Uint8Array {
  const given = Array.from({ length: keys }, (_, i) => createTestWallet(`key ${i}`).publicKey)
  return Uint8Array.from(bitcoinScript.compile([0x50 + required, ...given, 0x50 + keys, 0xae]))
}

describe('devnet agrees with the mempool of the node on', () => {
  let coin: TestCoin
  const pay = (script: Uint8Array, value: bigint) =>
    wallet.spend(
      [coin],
      [
        { script, value },
        { script: wallet.script, value: coin.value - value - 1000n },
      ],
    )
  beforeAll(async () => {
    coin = await client.fund(wallet, 1_000_000n)
  })

  it('a plain payment', () => expectAgreement(pay(wallet.script, 5000n), null))

  it('the fee floor of 0.1 sat/vB, rounded up', async () => {
    // One P2WPKH input and one P2WPKH output: 110 vB, so 11 sats.
    const withFee = (fee: bigint) =>
      wallet.spend([coin], [{ script: wallet.script, value: coin.value - fee }])
    expect(withFee(11n).virtualSize()).toBe(110)
    await expectAgreement(withFee(11n), null)
    await expectAgreement(withFee(10n), 'min relay fee not met')
    await expectAgreement(withFee(0n), 'min relay fee not met')
  })

  it('fees that nobody pays on purpose', async () => {
    const rich = await client.fund(wallet, 10_000_000n)
    const withFee = (fee: bigint) =>
      wallet.spend([rich], [{ script: wallet.script, value: rich.value - fee }])
    await expectAgreement(withFee(1_100_000n), null)
    await expectAgreement(withFee(1_101_000n), 'max-fee-exceeded')
  })

  it.each([
    ['P2WPKH', program(0, 20), 294n],
    ['P2WSH', program(0, 32), 330n],
    ['P2TR', program(1, 32), 330n],
    ['an unknown witness version', program(2, 32), 330n],
    ['pay-to-anchor', Uint8Array.of(0x51, 2, 0x4e, 0x73), 240n],
    ['P2SH', Uint8Array.of(0xa9, 20, ...new Uint8Array(20), 0x87), 540n],
    ['P2PKH', Uint8Array.of(0x76, 0xa9, 20, ...new Uint8Array(20), 0x88, 0xac), 546n],
  ])('dust of %s', async (_, script, threshold) => {
    await expectAgreement(pay(script, threshold), null)
    await expectAgreement(pay(script, threshold - 1n), 'dust')
  })

  it('outputs that are not standard', async () => {
    await expectAgreement(pay(OP_TRUE, 5000n), 'scriptpubkey')
    await expectAgreement(pay(new Uint8Array(), 5000n), 'scriptpubkey')
    await expectAgreement(pay(program(0, 21), 5000n), 'scriptpubkey')
    await expectAgreement(pay(multisig(1, 4), 5000n), 'scriptpubkey')
  })

  it('80 bytes of OP_RETURN', () => expectAgreement(pay(opReturn(80), 0n), null))

  it('versions', async () => {
    const withVersion = (version: number) =>
      wallet.spend([coin], [{ script: wallet.script, value: 900_000n }], { version })
    await expectAgreement(withVersion(1), null)
    await expectAgreement(withVersion(3), null)
    await expectAgreement(withVersion(0), 'version')
    await expectAgreement(withVersion(4), 'version')
  })

  it('transactions without outputs, too small, or with the same input twice', async () => {
    const anchor = Uint8Array.of(0x51, 2, 0x4e, 0x73)
    await expectAgreement(wallet.spend([coin], []), 'bad-txns-vout-empty')
    await expectAgreement(
      wallet.spend([coin], [{ script: anchor, value: 900_000n }]),
      'tx-size-small',
    )
    const twice = wallet.spend([coin, coin], [{ script: wallet.script, value: 900_000n }])
    await expectAgreement(twice, 'bad-txns-inputs-duplicate')
  })

  it('amounts out of range', async () => {
    const paying = (value: bigint) => wallet.spend([coin], [{ script: wallet.script, value }])
    await expectAgreement(paying(coin.value + 1n), 'bad-txns-in-belowout')
    await expectAgreement(paying(2_100_000_000_000_001n), 'bad-txns-vout-toolarge')
    const two = wallet.spend(
      [coin],
      [
        { script: wallet.script, value: 2_000_000_000_000_000n },
        { script: wallet.script, value: 2_000_000_000_000_000n },
      ],
    )
    await expectAgreement(two, 'bad-txns-txouttotal-toolarge')
  })

  it('time locks', async () => {
    const output = [{ script: wallet.script, value: 900_000n }]
    const height = await devnet.rpc<number>('getblockcount')
    const { mediantime } = await devnet.rpc<{ mediantime: number }>('getblockchaininfo')
    const locked = (locktime: number) => wallet.spend([coin], output, { locktime })
    await expectAgreement(locked(height), null)
    await expectAgreement(locked(height + 1), 'non-final')
    await expectAgreement(locked(mediantime - 1), null)
    await expectAgreement(locked(mediantime), 'non-final')
    const confirmations = (
      await devnet.rpc<{ confirmations: number }>('gettxout', [coin.txid, coin.vout])
    ).confirmations
    const aged = (sequence: number) => wallet.spend([coin], output, { sequence })
    await expectAgreement(aged(confirmations), null)
    await expectAgreement(aged(confirmations + 1), 'non-BIP68-final')
    await expectAgreement(aged(0x00400000 | 0xffff), 'non-BIP68-final')
  })

  it('coins that do not exist, are spent, or are too young', async () => {
    const output = [{ script: wallet.script, value: 900_000n }]
    const unknown = { txid: 'ab'.repeat(32), vout: 0, value: 1_000_000n }
    await expectAgreement(wallet.spend([unknown], output), 'missing-inputs')
    await expectAgreement(wallet.spend([{ ...coin, vout: 99 }], output), 'missing-inputs')
    const old = await client.fund(wallet, 50_000n)
    const first = wallet.spend([old], [{ script: wallet.script, value: 49_000n }])
    await client.broadcast(first.toHex())
    await devnet.mine(1)
    await expectAgreement(wallet.spend([old], [{ script: OP_TRUE, value: 1n }]), 'scriptpubkey')
    const again = wallet.spend([old], [{ script: wallet.script, value: 48_000n }])
    await expectAgreement(again, 'missing-inputs')
    await expectAgreement(first, 'txn-already-known')
    const [hash] = await devnet.mine(1, wallet.address)
    const block = await devnet.rpc<{ tx: string[] }>('getblock', [hash])
    const reward = { txid: block.tx[0] ?? '', vout: 0, value: 5_000_000_000n }
    await expectAgreement(
      wallet.spend([reward], [{ script: wallet.script, value: 4_999_000_000n }]),
      'bad-txns-premature-spend-of-coinbase',
    )
  })

  it('signatures', async () => {
    const payment = () => pay(wallet.script, 5000n)
    const stranger = createTestWallet('a stranger')
    const wrongKey = stranger.spend([coin], [{ script: wallet.script, value: 900_000n }])
    await expectAgreement(
      wrongKey,
      'mempool-script-verify-flag-failed (Script failed an OP_EQUALVERIFY operation)',
    )
    const changed = payment()
    changed.locktime = 1
    await expectAgreement(
      changed,
      'mempool-script-verify-flag-failed (Signature must be zero for failed CHECK(MULTI)SIG operation)',
    )
    const unsigned = payment()
    unsigned.setWitness(0, [])
    const { ours, theirs } = await validateTwice(unsigned)
    expect(theirs?.allowed).toBe(false)
    expect(ours?.['reject-reason']).toBe(theirs?.['reject-reason'])
    const highS = payment()
    const { signature, hashType } = bitcoinScript.signature.decode(
      highS.ins[0]?.witness[0] ?? new Uint8Array(),
    )
    const low = signature.subarray(32)
    // n - s verifies as well as s does, and is refused as malleable.
    const high = ecc.privateNegate(low)
    highS.setWitness(0, [
      bitcoinScript.signature.encode(
        Uint8Array.from([...signature.subarray(0, 32), ...high]),
        hashType,
      ),
      wallet.publicKey,
    ])
    await expectAgreement(
      highS,
      'mempool-script-verify-flag-failed (Non-canonical signature: S value is unnecessarily high)',
    )
  })
})

describe('broadcasting', () => {
  it('refuses a bad signature in the words of bitcoind', async () => {
    const coin = await client.fund(wallet, 100_000n)
    const tx = wallet.spend([coin], [{ script: wallet.script, value: 90_000n }])
    tx.locktime = 1
    const expected = await devnet.rpc('sendrawtransaction', [tx.toHex()]).then(
      () => null,
      (error: { code: number; message: string }) => refusal(error.code, error.message),
    )
    expect(expected).toContain('Signature must be zero')
    expect(await client.broadcast(tx.toHex())).toBe(expected)
  })

  it('answers what bitcoind answers for unreadable, unfunded, confirmed and burning transactions', async () => {
    const coin = await client.fund(wallet, 100_000n)
    const unfunded = wallet.spend(
      [{ ...coin, vout: 77 }],
      [{ script: wallet.script, value: 90_000n }],
    )
    const { body: confirmed } = await client.request(`/api/tx/${coin.txid}/hex`)
    const burning = wallet.spend([coin], [{ script: opReturn(4), value: 1000n }])
    const absurd = wallet.spend(
      [await client.fund(wallet, 50_000_000n)],
      [{ script: wallet.script, value: 1000n }],
    )
    for (const hex of ['zz', '00', unfunded.toHex(), confirmed, burning.toHex(), absurd.toHex()]) {
      const expected = await devnet.rpc('sendrawtransaction', [hex]).then(
        () => null,
        (error: { code: number; message: string }) => refusal(error.code, error.message),
      )
      expect(expected).not.toBeNull()
      const reply = await client.post('/api/tx', hex)
      expect(reply.body).toBe(expected)
      expect(reply.status).toBe(400)
    }
  })

  it('answers the txid again for a transaction that it already has', async () => {
    const coin = await client.fund(wallet, 100_000n)
    const tx = wallet.spend([coin], [{ script: wallet.script, value: 90_000n }])
    expect(await client.broadcast(tx.toHex())).toBe(tx.getId())
    expect(await client.broadcast(tx.toHex())).toBe(tx.getId())
    expect(await client.getJson<string[]>('/api/mempool/txids')).toEqual([tx.getId()])
    await devnet.mine(1)
    expect(await client.getJson(`/api/tx/${tx.getId()}/status`)).toMatchObject({ confirmed: true })
  })

  it('limits a chain of unconfirmed transactions to 25', async () => {
    let coin = await client.fund(wallet, 100_000n)
    for (let i = 0; i < 25; i++) {
      const tx = wallet.spend([coin], [{ script: wallet.script, value: coin.value - 200n }])
      expect(await client.broadcast(tx.toHex())).toBe(tx.getId())
      coin = coinOf(tx, 0)
    }
    const last = wallet.spend([coin], [{ script: wallet.script, value: coin.value - 200n }])
    expect(await client.broadcast(last.toHex())).toBe(
      refusal(-26, 'too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]'),
    )
    const [hash = ''] = await devnet.mine(1)
    const { tx } = await devnet.rpc<{ tx: string[] }>('getblock', [hash])
    expect(tx).toHaveLength(26)
  })

  it('counts at most 101,000 vB below one unconfirmed transaction, itself among them, as the node does', async () => {
    const coin = await client.fund(wallet, 1_001_000n)
    const half = { script: wallet.script, value: 500_000n }
    const commit = wallet.spend([coin], [half, half])
    const fan = (vout: number, outputs: number, memo: number) => {
      const dust = { script: program(1, 32), value: 330n }
      const note = { script: opReturn(memo), value: 0n }
      return wallet.spend(
        [coinOf(commit, vout)],
        [...Array.from({ length: outputs }, () => dust), note],
      )
    }
    const first = fan(0, 1_200, 10)
    for (const tx of [commit, first]) {
      expect(await client.broadcast(tx.toHex())).toBe(tx.getId())
      // For comparison only: nothing else in devnet uses the node's own mempool.
      await devnet.rpc('sendrawtransaction', [tx.toHex()])
    }
    const left = 101_000 - commit.virtualSize() - first.virtualSize()
    const sizeOf = (outputs: number, memo: number) => fan(1, outputs, memo).virtualSize()
    const outputs = Math.floor((left - sizeOf(0, 2) - 2) / 43)
    const memo = left - sizeOf(outputs, 2) + 2
    expect(sizeOf(outputs, memo)).toBe(left)
    await expectAgreement(fan(1, outputs, memo), null)
    await expectAgreement(fan(1, outputs, memo + 1), 'too-long-mempool-chain')
    await devnet.mine(1)
  })
})

describe('replace-by-fee', () => {
  it('follows the node rule for rule, in its words', async () => {
    const coin = await client.fund(wallet, 100_000n)
    const spend = (value: bigint, count = 1) =>
      wallet.spend(
        [coin],
        Array.from({ length: count }, () => ({ script: wallet.script, value })),
      )
    const original = spend(coin.value - 500n)
    const child = wallet.spend([coinOf(original, 0)], [{ script: wallet.script, value: 99_000n }])
    for (const tx of [original, child]) {
      expect(await client.broadcast(tx.toHex())).toBe(tx.getId())
      // For comparison only: nothing else in devnet uses the node's own mempool.
      await devnet.rpc('sendrawtransaction', [tx.toHex()])
    }
    // The original pays 500 sats and its child 500 more, for 110 vB each.
    for (const [tx, reason] of [
      [spend(coin.value - 499n), 'insufficient fee'],
      [spend((coin.value - 600n) / 2n, 2), 'insufficient fee'],
      [spend(coin.value - 999n), 'insufficient fee'],
      [spend(coin.value - 1010n), 'insufficient fee'],
    ] as const) {
      await expectAgreement(tx, reason)
    }
    await expectAgreement(spend(coin.value - 1011n), null)
    const replacement = spend(coin.value - 1011n)
    expect(await client.broadcast(replacement.toHex())).toBe(replacement.getId())
    expect(await client.getJson<string[]>('/api/mempool/txids')).toEqual([replacement.getId()])
    expect((await client.request(`/api/tx/${child.getId()}`)).status).toBe(404)
    const [hash = ''] = await devnet.mine(1)
    const { tx } = await devnet.rpc<{ tx: string[] }>('getblock', [hash])
    expect(tx.slice(1)).toEqual([replacement.getId()])
    expect(await devnet.rpc('getrawmempool')).toEqual([])
  })
})
