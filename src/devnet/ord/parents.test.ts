import { describe, expect, it } from 'vitest'
import { COIN, childOf, createTestChain, idBytes, inscribe, tag } from './testing/test-chain.ts'

const HELLO = inscribe('hello')

// The scenarios of ord's own tests (src/index.rs), by their names.
describe('parents', () => {
  it('inscription without parent tag has no parent entry', () => {
    const { send, parentsOf, coins, mine } = setUp(1)
    const txid = send([[coins[0], HELLO]], [COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([])
  })

  it('inscription with parent tag without parent has no parent entry', () => {
    const { send, parentsOf, childrenOf, mine, ids } = setUp(1)
    const txid = send([[mine(), inscribe('child', ...childOf(ids[0]))]], [COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([])
    expect(childrenOf(ids[0])).toEqual([])
  })

  it('inscription with two parent tags and parents has parent entries', () => {
    const { send, parentsOf, childrenOf, mine, ids, coins } = setUp(2)
    const child = inscribe('child', ...childOf(ids[0]), ...childOf(ids[1]))
    const txid = send([[coins[0], child], coins[1]], [2n * COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([ids[0], ids[1]])
    expect([ids[0], ids[1]].map(childrenOf)).toEqual([[`${txid}i0`], [`${txid}i0`]])
  })

  it('inscription with repeated parent tags and parents has singular parent entry', () => {
    const { send, parentsOf, childrenOf, mine, ids, coins } = setUp(1)
    const child = inscribe('child', ...childOf(ids[0]), ...childOf(ids[0]))
    const txid = send([[coins[0], child]], [COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([ids[0]])
    expect(childrenOf(ids[0])).toEqual([`${txid}i0`])
  })

  it('inscription with distinct parent tag encodings for same parent has singular parent entry', () => {
    const { send, parentsOf, mine, ids, coins } = setUp(1)
    const child = inscribe('child', ...childOf(ids[0]), ...childOf(ids[0], 0, 0, 0, 0))
    const txid = send([[coins[0], child]], [COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([ids[0]])
  })

  it('inscription with three parent tags and two parents has two parent entries', () => {
    const { send, parentsOf, childrenOf, mine, ids, coins } = setUp(3)
    const child = inscribe('child', ...ids.flatMap(id => childOf(id)))
    const txid = send([[coins[0], child], coins[2]], [2n * COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([ids[0], ids[2]])
    expect(ids.map(childrenOf)).toEqual([[`${txid}i0`], [], [`${txid}i0`]])
  })

  it('inscription with valid and malformed parent tags only lists valid entries', () => {
    const { send, parentsOf, childrenOf, mine, ids, coins } = setUp(3)
    const fields = [...childOf(ids[0]), ...childOf(ids[1], 0), ...childOf(ids[2])]
    const txid = send([[coins[0], inscribe('child', ...fields)], coins[1], coins[2]], [3n * COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([ids[0], ids[2]])
    expect(childrenOf(ids[1])).toEqual([])
  })

  it('inscription with invalid parent tag and parent has no parent entry', () => {
    const { send, parentsOf, mine, ids, coins } = setUp(1)
    const txid = send([[coins[0], inscribe('child', ...childOf(ids[0], 0))]], [COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([])
  })

  it.each(['preceding', 'following'])('parents can be in %s input', where => {
    const { send, parentsOf, childrenOf, mine, ids, coins } = setUp(1)
    const reveal = [mine(), inscribe('child', ...childOf(ids[0]))] as const
    const spends = where === 'preceding' ? [coins[0], reveal] : [reveal, coins[0]]
    const txid = send(spends, [2n * COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([ids[0]])
    expect(childrenOf(ids[0])).toEqual([`${txid}i0`])
  })

  it('may have been spent as a fee in the same transaction', () => {
    const { send, parentsOf, mine, ids, coins } = setUp(1)
    const reveal = [mine(), inscribe('child', ...childOf(ids[0]))] as const
    const txid = send([reveal, coins[0]], [COIN])
    mine()
    expect(parentsOf(`${txid}i0`)).toEqual([ids[0]])
  })
})

describe('a delegate', () => {
  it('needs not be in the transaction, nor exist', () => {
    const { index, send, mine, ids } = setUp(1)
    const nowhere = `${'ab'.repeat(32)}i258`
    const first = send([[mine(), inscribe('', tag(11), idBytes(ids[0]))]], [COIN])
    const second = send([[mine(), inscribe('', tag(11), idBytes(nowhere, 2, 1))]], [COIN])
    mine()
    expect(index.inscription(`${first}i0`)?.delegate).toBe(ids[0])
    expect(index.inscription(`${second}i0`)?.delegate).toBe(nowhere)
  })
})

/** A chain with inscriptions, each on the first sat of a coin of its own. */
function setUp(count: number) {
  const chain = createTestChain()
  const txids = chain.mineCoins(count).map(coin => chain.send([[coin, HELLO]], [COIN]))
  chain.mine()
  const [a = '', b = '', c = ''] = txids
  return {
    ...chain,
    coins: [`${a}:0`, `${b}:0`, `${c}:0`] as const,
    ids: [`${a}i0`, `${b}i0`, `${c}i0`] as const,
  }
}
