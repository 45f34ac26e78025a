import { Transaction } from 'bitcoinjs-lib'
import { beforeEach, describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { createMemoryAtomicals, type MemoryAtomicals } from './memory-atomicals.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

const MINE = fromHex(`0014${'11'.repeat(20)}`)
const CLEAN = { known: true, assets: [] }
const ID = `${'ab'.repeat(32)}i0`

let memory: MemoryChain
let atomicals: MemoryAtomicals

beforeEach(() => {
  memory = createMemoryChain('regtest', { fastest: 4, halfHour: 3, hour: 2, minimum: 1 })
  atomicals = createMemoryAtomicals(memory)
})

/** A transaction that spends a coin, or one from nowhere, to one of 1000 sats. */
function build(spends: string | null = null): Uint8Array {
  const transaction = new Transaction()
  if (spends === null) transaction.addInput(crypto.getRandomValues(new Uint8Array(32)), 0)
  else {
    const { txid, vout } = parseOutpoint(spends)
    transaction.addInput(fromHex(txid).reverse(), vout)
  }
  transaction.addOutput(MINE, 1000n)
  transaction.setWitness(0, [fromHex('00')])
  return Uint8Array.from(transaction.toBuffer())
}

async function classify(outpoint: string, height: number | null = memory.tip(), amount = 1000n) {
  const coin = { ...parseOutpoint(outpoint), outpoint, amount, height, scriptPubKey: MINE }
  return (await atomicals.source.fetchAtomicals([coin])).get(outpoint)
}

describe('the index of Atomicals that the background is tested on', () => {
  it('is not there until one is minted, or a test says so', async () => {
    expect(await atomicals.open()).toBeNull()
    atomicals.mint(`${memory.add(build())}:0`)
    expect(await atomicals.open()).toBe(atomicals.source)
    atomicals.faults.none = true
    expect(await atomicals.open()).toBeNull()
  })

  it('finds on a coin what was put there, until it is taken off', async () => {
    const outpoint = `${memory.add(build())}:0`
    expect(await classify(outpoint)).toEqual(CLEAN)
    const nft = atomicals.mint(outpoint, { name: 'hal', subtype: 'realm' })
    const token = atomicals.mint(outpoint, { id: ID, type: 'ft', amount: 600n })
    expect(await classify(outpoint)).toEqual({ known: true, assets: [nft, token] })
    expect(await atomicals.source.fetchFacts([nft.id, `${'cd'.repeat(32)}i0`])).toEqual(
      new Map([
        [
          nft.id,
          {
            id: nft.id,
            number: 0,
            type: 'nft',
            subtype: 'realm',
            name: 'hal',
            reveal: { txid: outpoint.slice(0, 64), height: memory.tip() },
          },
        ],
      ]),
    )
    atomicals.clear(outpoint)
    expect(await classify(outpoint)).toEqual(CLEAN)
  })

  it('knows blocks alone, those that it has got to, and what is unspent in them', async () => {
    const outpoint = `${memory.add(build())}:0`
    expect(await classify(outpoint, null)).toEqual({ known: false, why: 'unconfirmed' })
    expect(await classify(outpoint, memory.tip(), 1001n)).toEqual({
      known: false,
      why: 'contradicted',
    })
    atomicals.faults.lagBlocks = 1
    expect(await classify(outpoint)).toEqual({ known: false, why: 'behind' })
    atomicals.faults.lagBlocks = 0
    memory.receive(build(outpoint))
    expect(await classify(outpoint)).toEqual(CLEAN)
    memory.mine()
    expect(await classify(outpoint)).toEqual({ known: false, why: 'unanswered' })
  })

  it('lies, foresees and fails as it is told to', async () => {
    const outpoint = `${memory.add(build())}:0`
    atomicals.lie(outpoint, { known: false, why: 'contradicted' })
    expect(await classify(outpoint)).toEqual({ known: false, why: 'contradicted' })
    atomicals.lie(outpoint, 'forget')
    expect(await classify(outpoint)).toEqual(CLEAN)
    const { source } = atomicals
    await expect(source.foresee(build())).rejects.toThrow(BackendUnavailableError)
    atomicals.foretell(() => ({ outputs: [], burned: [{ id: ID, amount: 5n }] }))
    expect((await source.foresee(build())).burned).toEqual([{ id: ID, amount: 5n }])
    atomicals.faults.unreachable = true
    for (const question of [source.fetchTip(), source.fetchFacts([ID]), classify(outpoint)])
      await expect(question).rejects.toThrow(BackendUnavailableError)
  })
})
