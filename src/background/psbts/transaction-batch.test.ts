import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BatchItem, orderBatch } from './transaction-batch.ts'

/** Item `id` has a txid of its letter; `spends` are ids of others, each of which has an output for it. */
function item(id: string, spends: string[] = [], dependsOn: string[] = []): BatchItem {
  const inputs = [...spends, `${id}-own`].map(parent => ({
    txid: `txid of ${parent}`,
    vout: id.charCodeAt(0),
    sequence: 0,
  }))
  return { itemId: id, dependsOn, transaction: { txid: `txid of ${id}`, inputs } }
}

function orderOf(items: readonly BatchItem[]): string {
  return orderBatch(items)
    .map(({ index }) => items[index]?.itemId)
    .join('')
}

describe('the order of a batch', () => {
  it('is the given one where nothing depends on anything', () => {
    expect(orderOf([item('c'), item('a'), item('b')])).toBe('cab')
  })

  it('puts parents first that only the outpoints show', () => {
    expect(orderOf([item('a', ['b']), item('b', ['c']), item('c')])).toBe('cba')
  })

  it('puts parents first that only the site names', () => {
    expect(orderOf([item('a', [], ['b']), item('b')])).toBe('ba')
    expect(orderBatch([item('a', [], ['b']), item('b')]).at(-1)).toEqual({ index: 0, parents: [1] })
  })

  it.each([
    ['named', [item('x'), item('a', [], ['b']), item('b', [], ['a'])], 'txs[1].dependItemId'],
    ['one of itself', [item('a', [], ['a'])], 'txs[0].dependItemId: "a" depends on itself'],
    ['against the outpoints', [item('a', ['b']), item('b', [], ['a'])], '"a", "b" depend on each'],
    [
      'behind an innocent item',
      [item('d', ['a']), item('a', [], ['b']), item('b', [], ['c']), item('c', [], ['a'])],
      'txs[1].dependItemId: "a", "b", "c" depend on each other',
    ],
  ])('refuses a circle %s', (_, items, message) => {
    expect(() => orderBatch(items)).toThrow(message)
  })

  it('refuses two items that spend one coin, naming both', () => {
    const [first, second] = [item('a'), { ...item('a'), itemId: 'b' }]
    expect(() => orderBatch([first, item('c'), second])).toThrow('txs[2].signedTx: txs[0] spends')
  })

  it('has every item once and every parent before its children, however they are given', () => {
    const graph = fc.integer({ min: 1, max: 30 }).chain(count => {
      const earlier = Array.from({ length: count }, (_, at) =>
        fc.subarray([...Array(at).keys()], { maxLength: Math.min(4, at) }),
      )
      const places = [...Array(count).keys()]
      return fc.tuple(fc.tuple(...earlier), fc.shuffledSubarray(places, { minLength: count }))
    })
    fc.assert(
      fc.property(graph, fc.boolean(), ([parents, shuffled], named) => {
        const id = (at: number) => String.fromCharCode(0x4e00 + at)
        const items = shuffled.map(at => {
          const ids = (parents[at] ?? []).map(id)
          return named ? item(id(at), [], ids) : item(id(at), ids)
        })
        const steps = orderBatch(items)
        const order = steps.map(({ index }) => items[index]?.itemId)
        expect([...order].sort()).toEqual(items.map(({ itemId }) => itemId).sort())
        for (const [at, { parents }] of steps.entries()) {
          const before = order.slice(0, at)
          for (const parent of parents) expect(before).toContain(items[parent]?.itemId)
        }
      }),
    )
  })
})
