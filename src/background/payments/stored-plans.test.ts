import { expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import type { Plan } from './payment-plan.ts'
import { createPlans, type StoredPlan } from './plans.ts'

const open = (id: string): StoredPlan => ({
  ...{ id, digest: id, network: 'regtest', accountId: 'a', label: '' },
  plan: { spends: [id] } as unknown as Plan,
  txid: null,
})
const signed = (id: string): StoredPlan => ({ ...open(id), plan: null, txid: id })

async function store(...entries: StoredPlan[]) {
  const plans = createPlans({
    ...{ session: createMemoryArea(), local: createMemoryArea() },
    records: { tagValue: async () => 'tag' },
  })
  for (const entry of entries) await plans.put(entry)
  return async (...ids: string[]) => {
    const found = await Promise.all(ids.map(id => plans.find(id)))
    return ids.filter((_, at) => found[at] !== undefined)
  }
}

const NAMES = ['1', '2', '3', '4', '5', '6', '7']

it('keeps the five newest plans that are open, whatever was signed before and after', async () => {
  const find = await store(signed('a'), ...NAMES.map(open), signed('b'))
  expect(await find('a', 'b', ...NAMES)).toEqual(['a', 'b', '3', '4', '5', '6', '7'])
})

it('keeps a hundred that were signed, however many are open', async () => {
  const many = Array.from({ length: 102 }, (_, at) => `s${at}`)
  const find = await store(open('1'), ...many.map(signed), open('2'))
  expect(await find('1', '2', ...many)).toEqual(['1', '2', ...many.slice(2)])
})

it('puts a plan in the place of the one with its id', async () => {
  const plans = createPlans({
    ...{ session: createMemoryArea(), local: createMemoryArea() },
    records: { tagValue: async () => 'tag' },
  })
  await plans.put(open('1'))
  await plans.put({ ...open('1'), txid: 'sent' })
  expect(await plans.find('1')).toMatchObject({ txid: 'sent' })
  await plans.put(signed('1'))
  expect(await plans.find('1')).toMatchObject({ plan: null })
})
