import { type Check, describeMistakes, describeOperation, describeRejection } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { Failed } from './outcome.ts'
import { asRecord, asTxid, holdShape, SHAPES } from './shapes.ts'

const NEEDS = ['connected', 'devnet'] as const
const RECORDS = 'object: utxos (array of UTXO records)'

type Utxo = { txId: string; vOut: number; amount: number; rawTransaction: string }

/** Holds the coins to the transaction that makes them. */
async function split(kit: Kit, count: number, members: object): Promise<string> {
  await kit.material.stock()
  const { address: from } = await kit.account()
  const args = [{ from, ...members }]
  const { utxos } = asRecord(await kit.resolve('splitUtxo', args, 'approve'), 'splitUtxo')
  if (!Array.isArray(utxos)) throw new Failed(`utxos: expected a list, got ${describe(utxos)}`)
  expect(utxos.length === count, `${utxos.length} coins, and not ${count}`)
  const places = new Set<number>()
  for (const coin of utxos as Utxo[]) {
    holdShape(coin, SHAPES['UTXO record'], 'utxos[]')
    const { txid, outputs } = await kit.material.readTransaction(coin.rawTransaction)
    expect(asTxid(coin.txId, 'txId') === txid, `txId ${coin.txId} is not ${txid}`)
    const output = outputs[coin.vOut]
    expect(output?.sats === coin.amount, `output ${coin.vOut} has ${output?.sats} sats`)
    expect(output.address === from, `output ${coin.vOut} is of ${output.address}`)
    places.add(coin.vOut)
  }
  expect(places.size === count, 'two coins are the same output')
  return `${count} coins of the account, of one transaction`
}

export const SPLIT_CHECKS: readonly Check[] = [
  ...describeOperation('splitUtxo', [
    {
      id: 'default.amount',
      name: 'makes two coins where no amount is given',
      section: 'Limits',
      words: 'splitUtxo amount default',
      needs: NEEDS,
      person: ['approve'],
      run: kit => split(kit, 2, {}),
    },
    {
      id: 'undefined',
      name: 'takes undefined for the amount that is left out',
      words: RECORDS,
      needs: NEEDS,
      person: ['approve'],
      run: kit => split(kit, 2, { amount: undefined }),
    },
    {
      id: 'amount',
      name: 'makes as many coins as asked for',
      words: 'amount: number, default 2, number of splits',
      needs: NEEDS,
      person: ['approve'],
      run: kit => split(kit, 4, { amount: 4 }),
    },
  ]),
  ...describeRejection('splitUtxo', request({}), NEEDS),
  ...describeMistakes('splitUtxo', [
    {
      parameter: 'request',
      words: 'one object: from (string), [amount',
      cases: { missing: () => [], text: () => ['hello'] },
    },
    {
      parameter: 'from',
      words: 'one object: from (string), [amount',
      needs: NEEDS,
      cases: {
        missing: request({ from: undefined }),
        number: request({ from: 7 }),
        'of somebody else': request({ from: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }),
      },
    },
    {
      parameter: 'amount',
      words: 'amount: number, default 2, number of splits',
      needs: NEEDS,
      cases: {
        text: request({ amount: 'many' }),
        zero: request({ amount: 0 }),
        negative: request({ amount: -2 }),
        fraction: request({ amount: 2.5 }),
        'too many': request({ amount: 1e9 }),
      },
    },
  ]),
]

function request(change: object) {
  return async (kit: Kit) => {
    await kit.material.stock()
    const { address: from } = await kit.account()
    return [{ from, ...change }]
  }
}
