import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { BackendUnavailableError, BroadcastRejectedError } from '../../chain/chain-source.ts'
import type { Response } from '../../provider/envelope.ts'
import { dieAfter, SITE, startFunded } from '../testing/funded-wallet.ts'
import { publishPrevious } from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import { openPage, startWorker } from '../testing/test-wallet.ts'

/** What the server does with a transaction: takes it, refuses it, or does not answer. */
type Answer = 'accepted' | 'refused' | 'silent'

/** `spends` are items that come before it, `names` any. */
type RandomItem = {
  spends: number[]
  names: number[]
  form: 'raw' | 'psbt' | 'base64' | 'final'
  coin: 'p2wpkh' | 'p2sh-p2wpkh' | 'p2pkh'
  answer: Answer
}
type Graph = {
  items: RandomItem[]
  /** In which the site gives them. */
  order: number[]
  flaw: 'none' | 'duplicate' | 'unknown'
  /** Writes to storage after which the worker dies; null for never. */
  dies: number | null
}
type Item = { itemId: string; parents: string[]; names: string[]; txid: string; answer: Answer }

const MOST = 5

const graphs: fc.Arbitrary<Graph> = fc.integer({ min: 1, max: MOST }).chain(count => {
  const places = [...Array(count).keys()]
  const few = (from: number[], most: number) =>
    fc.subarray(from, { maxLength: Math.min(most, from.length) })
  const randomItems = places.map(at =>
    fc.record<RandomItem>({
      spends: few(places.slice(0, at), 2),
      // Mostly such as make no circle.
      names: fc.oneof(
        { weight: 6, arbitrary: few(places.slice(0, at), 2) },
        { weight: 1, arbitrary: few(places, 1) },
      ),
      form: fc.constantFrom('raw', 'psbt', 'base64', 'final'),
      coin: fc.constantFrom('p2wpkh', 'p2sh-p2wpkh', 'p2pkh'),
      answer: fc.oneof(
        { weight: 5, arbitrary: fc.constant<Answer>('accepted') },
        { weight: 2, arbitrary: fc.constantFrom<Answer>('refused', 'silent') },
      ),
    }),
  )
  return fc.record<Graph>({
    items: fc.tuple(...randomItems),
    order: fc.shuffledSubarray(places, { minLength: count }),
    flaw: fc.oneof(
      { weight: 8, arbitrary: fc.constant<Graph['flaw']>('none') },
      { weight: 1, arbitrary: fc.constantFrom<Graph['flaw']>('duplicate', 'unknown') },
    ),
    dies: fc.option(fc.nat(5 + 2 * MOST)),
  })
})

/** What a page is to be told, and what the network is to have. */
function model(items: readonly Item[]): { told: unknown; sent: string[] } {
  const ids = items.map(({ itemId }) => itemId)
  const find = (id: string) => items.find(({ itemId }) => itemId === id)
  const isCircular = (id: string, path: string[] = []): boolean =>
    path.includes(id) || Boolean(find(id)?.parents.some(next => isCircular(next, [...path, id])))
  const isWrong =
    new Set(ids).size < ids.length ||
    items.some(({ names }) => names.some(name => !ids.includes(name))) ||
    ids.some(id => isCircular(id))
  if (isWrong) return { told: { code: -32602 }, sent: [] }
  const answerOf = (item: Item): Answer | 'kept back' =>
    item.parents.every(id => {
      const parent = find(id)
      return parent && answerOf(parent) === 'accepted'
    })
      ? item.answer
      : 'kept back'
  const answers = items.map(answerOf)
  const sent = items.filter((_, at) => answers[at] === 'accepted').map(({ txid }) => txid)
  if (answers.includes('silent') && !answers.includes('accepted') && !answers.includes('refused'))
    return { told: { code: -32000, reason: 'BACKEND_UNAVAILABLE' }, sent }
  const told = items.map(({ itemId, txid }) => ({ [itemId]: sent.includes(txid) ? txid : null }))
  return { told, sent }
}

function toldBy(response: Response): unknown {
  if ('result' in response) return response.result
  const { code, data } = response.error
  return code === -32000 ? { code, reason: data?.reason } : { code }
}

type Funded = Awaited<ReturnType<typeof startFunded>>

/** The transactions of a graph, signed by an independent library; their coins are on the chain. */
function realise({ world }: Funded, { items, order, flaw }: Graph) {
  const made: { item: Item; tx: object }[] = []
  for (const [at, { spends, names, form, coin, answer }] of items.entries()) {
    const txidAt = (place: number) => made[place]?.item.txid ?? ''
    const proof = coin === 'p2pkh' ? 'previous' : 'witness'
    const signed = signElsewhere(
      publishPrevious(
        { world },
        buildFresh({
          inputs: [
            { type: coin, amount: 10_000n, proof },
            ...spends.map(place => ({
              ...{ type: 'p2wpkh' as const, amount: 1_000n },
              outpoint: { txid: txidAt(place), vout: at },
            })),
          ],
          outputs: Array.from({ length: MOST }, () => ({ type: 'p2wpkh', amount: 1_000n })),
        }),
      ),
    )
    const ids = [...names.map(String), ...(flaw === 'unknown' && at === 0 ? ['nobody'] : [])]
    const itemId = flaw === 'duplicate' && at === items.length - 1 ? '0' : String(at)
    made.push({
      item: {
        ...{ itemId, txid: signed.txid, answer, names: ids },
        parents: [...new Set([...spends.map(String), ...ids])],
      },
      tx: { itemId, signedTx: signed[form], type: 52, dependItemId: ids },
    })
  }
  const given = order.flatMap(at => made[at] ?? [])
  return { items: given.map(({ item }) => item), txs: given.map(({ tx }) => tx) }
}

/** A server that does with each transaction what is said of it; resolves the txids that it took. */
function rule({ world: { chain } }: Funded, items: readonly Item[]): string[] {
  const accepted: string[] = []
  chain.chain.broadcast = async rawTx => {
    const { txid } = parseTransaction(rawTx)
    const answer = items.find(item => item.txid === txid)?.answer
    if (answer === 'refused') throw new BroadcastRejectedError('refused by the test')
    if (answer !== 'accepted') {
      const problem = { kind: 'unreachable', host: 'memory.test', detail: '', retryInMs: null }
      throw new BackendUnavailableError(problem as BackendUnavailableError['problem'])
    }
    accepted.push(chain.receive(rawTx))
    return txid
  }
  return accepted
}

describe('sendPsbt on any graph of transactions', () => {
  let funded: Funded
  const { setTimeout: wait } = globalThis
  beforeAll(async () => {
    funded = await startFunded()
    // Nobody waits here for a server that will not answer.
    vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => wait(run, ms >= 500 ? 0 : ms))
  })
  afterAll(() => {
    vi.unstubAllGlobals()
  })

  it('answers as a model of it, sends parents first and nothing else, and survives any end of the worker', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(graphs, async graph => {
        const { world, account } = funded
        const { items, txs } = realise(funded, graph)
        const accepted = rule(funded, items)
        const id = `batch-${run++}`
        const doomed = dieAfter(world, graph.dies ?? Number.POSITIVE_INFINITY)
        const first = openPage(startWorker(doomed), SITE)
        const answer = first.send(id, 'sendPsbt', txs, account.address)
        const early = await Promise.race([answer, doomed.died.then(() => null)])
        const page = early ? first : openPage(startWorker(world), SITE)
        const response = early ?? (await page.send(id, 'sendPsbt', txs, account.address))

        const { told, sent } = model(items)
        expect(toldBy(response)).toEqual(told)
        expect([...new Set(accepted)].sort()).toEqual([...sent].sort())
        for (const { txid, parents } of items.filter(item => sent.includes(item.txid))) {
          for (const parent of items.filter(({ itemId }) => parents.includes(itemId)))
            expect(accepted.indexOf(parent.txid)).toBeLessThan(accepted.indexOf(txid))
        }
        // Only what was on its way when the worker died is handed over once more.
        expect(accepted.length - new Set(accepted).size).toBeLessThanOrEqual(1)
        expect(await page.send(id, 'sendPsbt', txs, account.address)).toEqual(response)
        const records = await startWorker(world).wallet.activity.listSent('regtest', account.id)
        for (const txid of sent)
          expect(records.find(record => record.txid === txid)).toMatchObject({ status: 'pending' })
      }),
      { numRuns: campaign('graphs of transactions').count },
    )
  }, 180_000)

  it('twice, one after the other and at once, is told the same both times', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(graphs, fc.boolean(), async (graph, atOnce) => {
        const { world, account } = funded
        const { items, txs } = realise(funded, graph)
        const accepted = rule(funded, items)
        const page = openPage(startWorker(world), SITE)
        const first = page.send(`twice-${run++}`, 'sendPsbt', txs, account.address)
        if (!atOnce) await first
        const second = page.send(`twice-${run++}`, 'sendPsbt', txs, account.address)
        const { told, sent } = model(items)
        expect(toldBy(await first)).toEqual(told)
        expect(toldBy(await second)).toEqual(told)
        expect([...new Set(accepted)].sort()).toEqual([...sent].sort())
      }),
      { numRuns: campaign('graphs of transactions').count / 4 },
    )
  })
})
