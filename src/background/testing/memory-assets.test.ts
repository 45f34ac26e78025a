import { Transaction } from 'bitcoinjs-lib'
import { beforeEach, describe, expect, it } from 'vitest'
import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { formatOutpoint, parseOutpoint } from '../../bitcoin/outpoint.ts'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { parseEnvelopes } from '../../ordinals/inscriptions/envelope.ts'
import { parseInscription } from '../../ordinals/inscriptions/inscription.ts'
import { createMemoryAssets, type MemoryAssets } from './memory-assets.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

const MINE = fromHex(`0014${'11'.repeat(20)}`)
const RETURN = fromHex('6a0401020304')
const CLEAN = { known: true, assets: [] }

let memory: MemoryChain
let assets: MemoryAssets

beforeEach(() => {
  memory = createMemoryChain('regtest', { fastest: 4, halfHour: 3, hour: 2, minimum: 1 })
  assets = createMemoryAssets(memory)
})

/** Spends outpoints, or coins from nowhere, to these amounts. */
function build(spends: string[], amounts: (bigint | 'return')[]): Uint8Array {
  const transaction = new Transaction()
  if (spends.length === 0) transaction.addInput(crypto.getRandomValues(new Uint8Array(32)), 0)
  for (const { txid, vout } of spends.map(parseOutpoint))
    transaction.addInput(fromHex(txid).reverse(), vout)
  for (const amount of amounts) {
    if (amount === 'return') transaction.addOutput(RETURN, 0n)
    else transaction.addOutput(MINE, amount)
  }
  for (const index of transaction.ins.keys()) transaction.setWitness(index, [fromHex('00')])
  return Uint8Array.from(transaction.toBuffer())
}

async function classify(...outpoints: string[]) {
  const address = addressOfScript(MINE, 'regtest') ?? ''
  const utxos = await memory.chain.fetchUtxos(address, MINE)
  const coins = utxos.map(utxo => ({ ...utxo, outpoint: formatOutpoint(utxo) }))
  const found = await assets.source.fetchAssets(
    coins.filter(({ outpoint }) => outpoints.includes(outpoint)),
  )
  return outpoints.map(outpoint => found.get(outpoint))
}

describe('the index that the background is tested on', () => {
  it('finds clean what nobody put anything on, once a block holds it', async () => {
    const coin = `${memory.receive(build([], [1_000n]))}:0`
    expect(await classify(coin)).toEqual([{ known: false, why: 'unconfirmed' }])
    memory.mine()
    expect(await classify(coin)).toEqual([CLEAN])
    assets.faults.lagBlocks = 1
    expect(await classify(coin)).toEqual([{ known: false, why: 'behind' }])
  })

  it('follows a sat through the outputs of transactions, and tells of it when they are in a block', async () => {
    const txid = memory.add(build([], [1_000n, 2_000n, 3_000n]))
    const id = assets.inscribe(`${txid}:1`, { offset: 1_500n })
    const moved = memory.receive(build([`${txid}:0`, `${txid}:1`], [2_499n, 400n]))
    expect((await classify(`${moved}:0`))[0]).toEqual({ known: false, why: 'unconfirmed' })
    expect(assets.truth(`${moved}:1`)).toEqual([{ kind: 'inscription', id, offset: 1n }])
    memory.mine()
    expect(await classify(`${moved}:0`, `${moved}:1`)).toEqual([
      CLEAN,
      { known: true, assets: [{ kind: 'inscription', id, offset: null }] },
    ])
    const facts = (await assets.source.fetchInscriptions([id, `${'00'.repeat(32)}i0`])).get(id)
    expect(facts).toMatchObject({
      value: 400n,
      satpoint: { outpoint: `${moved}:1`, offset: 1n },
      height: 100,
    })
    memory.mine()
    const lost = memory.add(build([`${moved}:1`], [1n]))
    expect(await classify(`${lost}:0`)).toEqual([CLEAN])
    const place = async () => (await assets.source.fetchInscriptions([id])).get(id)
    expect(await place()).toMatchObject({ address: null, value: null })
    memory.reorg()
    expect(await place()).toEqual(facts)
  })

  it('hands runes to the first output that can hold them', async () => {
    const txid = memory.add(build([], [1_000n, 1_000n]))
    const rune = assets.etch(`${txid}:0`, { amount: 2n ** 100n })
    const moved = memory.add(build([`${txid}:1`, `${txid}:0`], ['return', 900n, 900n]))
    expect(await classify(`${moved}:1`, `${moved}:2`)).toEqual([
      { known: true, assets: [{ ...rune, rune: null }] },
      CLEAN,
    ])
    expect(await assets.source.fetchRune(rune.name)).toMatchObject({ id: rune.rune })
    expect(await assets.source.fetchRune('NO•SUCH')).toBeNull()
  })

  it('reveals a real one in the transaction of its coin, at its sat', async () => {
    const txid = memory.add(build([], [1_000n, 2_000n]))
    const first = assets.inscribe(`${txid}:0`, { body: 'Hello' })
    const second = assets.inscribe(`${txid}:1`, { body: 'World', offset: 7n })
    expect([first, second]).toEqual([`${txid}i0`, `${txid}i1`])
    const { ins } = decodeTransaction(await memory.chain.fetchTransaction(txid))
    const envelopes = parseEnvelopes(ins.map(({ witness }) => witness))
    expect(envelopes.map(({ fields }) => fields.body)).toEqual([toUtf8('Hello'), toUtf8('World')])
    expect(envelopes.map(({ fields }) => parseInscription(fields).pointer)).toEqual([null, 1_007n])
    expect((await assets.source.fetchContent(second, 5))?.bytes).toEqual(toUtf8('World'))
    expect(await assets.source.fetchContent(second, 4)).toBeNull()
  })

  it('lies and fails as it is told', async () => {
    const coin = `${memory.add(build([], [1_000n]))}:0`
    const id = assets.inscribe(coin)
    assets.lie(coin, { known: true, assets: [] })
    expect(await classify(coin)).toEqual([CLEAN])
    assets.lie(coin, 'forget')
    expect(await classify(coin)).not.toEqual([CLEAN])
    assets.misreport(id, { number: -7 })
    expect((await assets.source.fetchInscriptions([id])).get(id)?.number).toBe(-7)
    assets.faults.notIndexed = true
    expect(await classify(coin)).toEqual([{ known: false, why: 'not-indexed' }])
    assets.faults.rateLimited = true
    await expect(classify(coin)).rejects.toThrow(BackendUnavailableError)
    await expect(assets.source.fetchTip()).rejects.toMatchObject({
      problem: { kind: 'rate-limited' },
    })
  })
})
