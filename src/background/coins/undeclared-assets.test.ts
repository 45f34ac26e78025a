import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { BackendUnavailableError, type ChainSource } from '../../chain/chain-source.ts'
import { inHurry } from '../testing/fast-timers.ts'
import { draft, RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import { reveal } from '../testing/moves.ts'
import { fund } from '../testing/test-wallet.ts'
import { createUndeclaredAssets } from './undeclared-assets.ts'

const AWAY = { kind: 'unreachable', host: 'chain.test', detail: '', retryInMs: 0 } as const

/** A key and CHECKSIG, then an envelope as ord writes it: OP_FALSE OP_IF "ord" 1 "text/html" 0 "hi" OP_ENDIF. */
const ENVELOPE = `20${'11'.repeat(32)}ac0063036f7264010109${toHexText('text/html')}0002686968`

function toHexText(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex')
}

/** A transaction of two outputs that inscribes the first, or nothing. */
function transaction(inscribes: boolean): Uint8Array {
  const made = new Transaction()
  made.addInput(new Uint8Array(32).fill(1), 0)
  made.addOutput(fromHex(`5120${'22'.repeat(32)}`), 10_000n)
  made.addOutput(fromHex(`5120${'22'.repeat(32)}`), 10_000n)
  const witness = inscribes
    ? [new Uint8Array(64), fromHex(ENVELOPE), fromHex(`c0${'33'.repeat(32)}`)]
    : [new Uint8Array(64)]
  made.setWitness(0, witness)
  return new Uint8Array(made.toBuffer())
}

const txidOf = (n: number) => n.toString(16).padStart(64, '0')
const coin = (n: number, amount = 1_000n, vout = 0) => ({
  ...{ txid: txidOf(n), vout, amount, height: 1, scriptPubKey: new Uint8Array() },
})

/** A server that hands out transactions; those with these numbers inscribe. */
function open(
  inscribing: readonly number[],
  answer: (n: number) => Promise<void> = async () => {},
  network = 'signet',
) {
  const asked: number[] = []
  const chain = {
    network,
    async fetchTransaction(txid: string) {
      const n = Number.parseInt(txid, 16)
      asked.push(n)
      await answer(n)
      return transaction(inscribing.includes(n))
    },
  } as unknown as ChainSource
  return { asked, chain }
}

describe('a coin that the transaction which created it may have inscribed', () => {
  it('is found, and not the other outputs', async () => {
    const { chain, asked } = open([2])
    const coins = [coin(1), coin(2), coin(2, 1_000n, 1)]
    expect(await createUndeclaredAssets().find(chain, coins)).toEqual([coin(2)])
    expect(asked).toEqual([1, 2])
  })

  it('is asked for once, for each network', async () => {
    const { chain, asked } = open([2])
    const undeclared = createUndeclaredAssets()
    await undeclared.find(chain, [coin(2)])
    expect(await undeclared.find(chain, [coin(2)])).toEqual([coin(2)])
    expect(asked).toEqual([2])
    const other = open([], undefined, 'regtest')
    expect(await undeclared.find(other.chain, [coin(2)])).toEqual([])
    expect(other.asked).toEqual([2])
    expect(await undeclared.find(chain, [coin(2)])).toEqual([coin(2)])
  })

  it('is looked for among a hundred transactions, those of the smallest coins first', async () => {
    const { chain, asked } = open([])
    const amounts = (n: number) => BigInt(1_000 * (n % 2 === 0 ? n : 400 - n))
    const coins = Array.from({ length: 150 }, (_, at) => coin(at + 1, amounts(at + 1)))
    const undeclared = createUndeclaredAssets()
    await undeclared.find(chain, coins)
    const smallest = coins
      .map(({ amount }) => amount)
      .sort((a, b) => Number(a - b))
      .slice(0, 100)
    expect(asked.map(amounts)).toEqual(smallest)
    await undeclared.find(chain, coins)
    expect(asked).toHaveLength(150)
    expect(new Set(asked).size).toBe(150)
  })

  it('is none where the server does not hand it out, and is asked for again', async () => {
    let isAway = true
    const { chain, asked } = open([1, 2], async n => {
      if (isAway && n === 2) throw new BackendUnavailableError(AWAY)
    })
    const undeclared = createUndeclaredAssets()
    expect(await undeclared.find(chain, [coin(1), coin(2)])).toEqual([coin(1)])
    isAway = false
    expect(await undeclared.find(chain, [coin(1), coin(2)])).toEqual([coin(1), coin(2)])
    expect(asked).toEqual([1, 2, 2])
  })

  it('is not said to be none where our own code fails', async () => {
    const { chain } = open([], () => Promise.reject(new TypeError('broken')))
    await expect(createUndeclaredAssets().find(chain, [coin(1)])).rejects.toThrow('broken')
  })

  it('is not waited for longer than ten seconds, and no more is asked for then', async () => {
    let answerFirst = () => {}
    const first = new Promise<void>(resolve => {
      answerFirst = resolve
    })
    const { chain, asked } = open([1, 9], () => first)
    const coins = Array.from({ length: 12 }, (_, at) => coin(at + 1, BigInt(at + 1)))
    const undeclared = createUndeclaredAssets()
    expect(await inHurry(() => undeclared.find(chain, coins))).toEqual([])
    expect(asked).toHaveLength(8)
    answerFirst()
    await new Promise(resolve => setTimeout(resolve, 20))
    // What came late is remembered, and the next payment goes on from there.
    expect(asked).toHaveLength(8)
    const found = await undeclared.find(chain, coins)
    expect(found.map(({ txid }) => txid)).toEqual([txidOf(1), txidOf(9)])
    expect(asked).toHaveLength(12)
  })

  it('is remembered among 5,000, of which the oldest are forgotten', async () => {
    const { chain, asked } = open([])
    const undeclared = createUndeclaredAssets()
    for (let from = 1; from <= 5_001; from += 100) {
      const coins = Array.from({ length: 100 }, (_, at) => coin(from + at, BigInt(at + 1)))
      await undeclared.find(chain, coins.slice(0, 5_002 - from))
    }
    expect(asked).toHaveLength(5_001)
    await undeclared.find(chain, [coin(2), coin(5_001)])
    expect(asked).toHaveLength(5_001)
    await undeclared.find(chain, [coin(1)])
    expect(asked).toHaveLength(5_002)
  })
})

describe('a wallet that has no room for another note of what is on coins', () => {
  const CONTENT = { contentType: 'text/plain', body: new Uint8Array([104, 105]) }
  const RUNE = { kind: 'rune', name: 'X', rune: null, amount: '1', divisibility: 0, symbol: null }
  const NOTE = { accountId: 'another', assets: [RUNE], goneSince: null }

  /** A clean coin, and a larger one that the transaction which created it inscribes, of which the index knows nothing. */
  async function start() {
    const { world, worker, account, txids } = await startFunded(60_000n)
    const notes = Array.from({ length: 10_000 }, (_, n) => [`${txidOf(n)}:0`, NOTE])
    await world.local.set({ seenAssets: { regtest: Object.fromEntries(notes) } })
    const other = fund(world, RECIPIENT, 90_000n)
    const txid = reveal(world, [`${other}:0`], CONTENT, [[account.address, 95_000n]])
    let left = 10
    const fetchUtxos = world.chain.chain.fetchUtxos
    world.chain.chain.fetchUtxos = (...asked) => {
      if (left-- === 0) throw new Error('asked without end')
      return fetchUtxos(...asked)
    }
    return { worker, clean: `${txids[0]}:0`, inscribed: `${txid}:0` }
  }

  it('pays without the coin that may carry one, and says what it is', async () => {
    const { worker, clean, inscribed } = await start()
    const { review } = await worker.ui('planPayment', draft())
    expect(review.inputs.map(({ outpoint }) => outpoint)).toEqual([clean])
    const held = (await worker.ui('getCoins', null)).map(({ outpoint, held }) => [outpoint, held])
    expect(Object.fromEntries(held)).toEqual({ [clean]: null, [inscribed]: 'unknown' })
  })
})
