import type { ChainTransaction } from './chain.ts'
import { textToHex } from './chain.ts'
import { type Check, describeMistakes, describeOperation, describeRejection } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { asRecord, asTxid } from './shapes.ts'

const NEEDS = ['connected', 'devnet'] as const
const HASH = 'string, transaction hash'
const RATE = 'options: object with feeRate: number'
const MEMO = 'content of the OP_RETURN output'

/** Of another network than devnet's. */
const ELSEWHERE = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** Sats per vB that a transaction has paid. */
export function rateOf({ fee, weight }: ChainTransaction): number {
  return fee / (weight / 4)
}

/** Within what the size of a signature can change. */
export function expectRate(transaction: ChainTransaction, asked: number): string {
  const rate = rateOf(transaction)
  const isNear = rate > asked * 0.97 && rate < asked * 1.05
  expect(isNear, `${rate.toFixed(2)} sat/vB were paid, and ${asked} asked for`)
  return `${rate.toFixed(2)} sat/vB`
}

async function sendBitcoin(kit: Kit, sats: number, ...options: unknown[]) {
  const { stranger } = await kit.material.stock()
  const args = [stranger, sats, ...options]
  const txid = asTxid(await kit.resolve('sendBitcoin', args, 'approve'), 'sendBitcoin')
  const transaction = await kit.chain.transaction(txid)
  expectPaid(transaction, stranger, sats)
  return transaction
}

function expectPaid({ vout }: ChainTransaction, to: string, sats: number): void {
  const isPaid = vout.some(output => output.scriptpubkey_address === to && output.value === sats)
  expect(isPaid, `no output has ${sats} sats for ${to}: ${describe(vout)}`)
}

async function send(kit: Kit, sats: number, members: object) {
  const { stranger } = await kit.material.stock()
  const { address } = await kit.account()
  const payment = { from: address, to: stranger, value: (sats / 1e8).toFixed(8), ...members }
  const sent = asRecord(await kit.resolve('send', [payment], 'approve'), 'send')
  const transaction = await kit.chain.transaction(asTxid(sent.txhash, 'send.txhash'))
  expectPaid(transaction, stranger, sats)
  return transaction
}

/** Places of outputs that hold data; their scripts begin with OP_RETURN. */
const memosOf = ({ vout }: ChainTransaction) =>
  vout.flatMap(({ scriptpubkey }, at) => (scriptpubkey.startsWith('6a') ? [at] : []))

function expectMemo(transaction: ChainTransaction, memo: string, at: number): string {
  const places = memosOf(transaction)
  expect(places.join() === String(at), `OP_RETURN is at ${describe(places)}, and not at ${at}`)
  const script = transaction.vout[at]?.scriptpubkey ?? ''
  expect(script.endsWith(textToHex(memo)), `the OP_RETURN output says ${script}`)
  return `“${memo}” is at output ${at}`
}

function expectNoMemo(transaction: ChainTransaction): string {
  const places = memosOf(transaction)
  expect(places.length === 0, `there is an OP_RETURN output at ${places}`)
  return 'no OP_RETURN output'
}

export const PAY_CHECKS: readonly Check[] = [
  ...describeOperation('sendBitcoin', [
    {
      id: 'result',
      name: 'pays, and resolves the transaction’s hash',
      words: HASH,
      needs: NEEDS,
      person: ['approve'],
      run: async kit => (await sendBitcoin(kit, 20_001)).txid,
    },
    {
      id: 'undefined',
      name: 'takes undefined for the options, and for the rate in them, that are left out',
      words: RATE,
      needs: NEEDS,
      person: ['approve', 'approve'],
      async run(kit) {
        await sendBitcoin(kit, 20_002, undefined)
        return (await sendBitcoin(kit, 20_003, { feeRate: undefined })).txid
      },
    },
    {
      id: 'feeRate',
      name: 'pays the rate that is asked for',
      words: RATE,
      needs: NEEDS,
      person: ['approve'],
      run: async kit => expectRate(await sendBitcoin(kit, 20_004, { feeRate: 7 }), 7),
    },
  ]),
  ...describeRejection(
    'sendBitcoin',
    async kit => [(await kit.material.stock()).stranger, 20_005],
    NEEDS,
  ),
  ...describeMistakes('sendBitcoin', [
    {
      parameter: 'toAddress',
      words: 'toAddress: string',
      cases: {
        missing: () => [],
        number: () => [7, 20_000],
        'no address': () => ['hello', 20_000],
      },
    },
    {
      parameter: 'toAddress',
      words: 'toAddress: string',
      needs: NEEDS,
      cases: { 'of another network': () => [ELSEWHERE, 20_000] },
    },
    {
      parameter: 'satoshis',
      words: 'satoshis: number',
      needs: NEEDS,
      cases: {
        missing: stranger(),
        text: stranger('much'),
        zero: stranger(0),
        negative: stranger(-20_000),
        fraction: stranger(20_000.5),
        'not a number': stranger(Number.NaN),
        'more than there are': stranger(21e14 + 1),
        object: stranger({}),
      },
    },
    {
      parameter: 'options',
      words: RATE,
      needs: NEEDS,
      cases: { text: stranger(20_000, 'fast'), number: stranger(20_000, 7) },
    },
    {
      parameter: 'feeRate',
      words: RATE,
      needs: NEEDS,
      cases: {
        text: stranger(20_000, { feeRate: 'fast' }),
        zero: stranger(20_000, { feeRate: 0 }),
        negative: stranger(20_000, { feeRate: -1 }),
      },
    },
  ]),
  ...describeOperation('send', [
    {
      id: 'result',
      name: 'pays an amount in BTC, and resolves the transaction’s hash as txhash',
      words: 'value (string, amount of BTC)',
      needs: NEEDS,
      person: ['approve'],
      run: async kit => expectNoMemo(await send(kit, 20_011, {})),
    },
    {
      id: 'undefined',
      name: 'takes undefined for members that are left out',
      words: 'object: txhash',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const members = { satBytes: undefined, memo: undefined, memoPos: undefined }
        return expectNoMemo(await send(kit, 20_012, members))
      },
    },
    {
      id: 'satBytes',
      name: 'pays the rate that is asked for, and ignores a memo without its place',
      words: 'A memo takes effect only when memoPos is also given',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const transaction = await send(kit, 20_013, { satBytes: '6', memo: 'nowhere' })
        return `${expectRate(transaction, 6)}, ${expectNoMemo(transaction)}`
      },
    },
    {
      id: 'memoPos',
      name: 'ignores a place without a memo',
      words: 'output position of the OP_RETURN output',
      needs: NEEDS,
      person: ['approve'],
      run: async kit => expectNoMemo(await send(kit, 20_014, { memoPos: 0 })),
    },
    {
      id: 'memo.first',
      name: 'writes a memo into the first output',
      words: MEMO,
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const memo = 'Grüße, block'
        return expectMemo(await send(kit, 20_015, { memo, memoPos: 0 }), memo, 0)
      },
    },
    {
      id: 'memo.second',
      name: 'writes a memo into the second output',
      words: MEMO,
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const memo = 'after the payment'
        return expectMemo(await send(kit, 20_016, { memo, memoPos: 1 }), memo, 1)
      },
    },
  ]),
  ...describeRejection('send', payment({}), NEEDS),
  ...describeMistakes('send', [
    {
      parameter: 'from',
      words: 'from (string, connected wallet address)',
      needs: NEEDS,
      cases: {
        missing: payment({ from: undefined }),
        number: payment({ from: 7 }),
        'of somebody else': async kit => {
          const { stranger } = await kit.material.stock()
          return payment({ from: stranger })(kit)
        },
      },
    },
    {
      parameter: 'to',
      words: 'to (string)',
      needs: NEEDS,
      cases: {
        missing: payment({ to: undefined }),
        number: payment({ to: 7 }),
        'no address': payment({ to: 'hello' }),
        'of another network': payment({ to: ELSEWHERE }),
      },
    },
    {
      parameter: 'value',
      words: 'value (string, amount of BTC)',
      needs: NEEDS,
      cases: {
        missing: payment({ value: undefined }),
        'no number': payment({ value: 'much' }),
        empty: payment({ value: '' }),
        zero: payment({ value: '0' }),
        negative: payment({ value: '-0.001' }),
        'less than a satoshi': payment({ value: '0.000000001' }),
        'more than there are': payment({ value: '21000001' }),
      },
    },
    {
      parameter: 'satBytes',
      words: 'satBytes (string, custom rate)',
      needs: NEEDS,
      cases: {
        'no number': payment({ satBytes: 'fast' }),
        zero: payment({ satBytes: '0' }),
        negative: payment({ satBytes: '-1' }),
      },
    },
    {
      parameter: 'memo',
      words: MEMO,
      needs: NEEDS,
      cases: {
        number: payment({ memo: 7, memoPos: 0 }),
        object: payment({ memo: {}, memoPos: 0 }),
      },
    },
    {
      parameter: 'memoPos',
      words: 'output position of the OP_RETURN output',
      needs: NEEDS,
      cases: {
        text: payment({ memo: 'hello', memoPos: 'first' }),
        negative: payment({ memo: 'hello', memoPos: -1 }),
        fraction: payment({ memo: 'hello', memoPos: 0.5 }),
        'behind the last': payment({ memo: 'hello', memoPos: 99 }),
      },
    },
  ]),
  ...describeMistakes('send', [
    {
      parameter: 'payment',
      words: 'one object: from',
      cases: { missing: () => [], text: () => ['x'] },
    },
  ]),
]

function stranger(...rest: unknown[]) {
  return async (kit: Kit) => [(await kit.material.stock()).stranger, ...rest]
}

/** A payment of send with what is wrong about it. */
function payment(change: object) {
  return async (kit: Kit) => {
    const { stranger: to } = await kit.material.stock()
    const { address: from } = await kit.account()
    return [{ from, to, value: '0.0002', ...change }]
  }
}
