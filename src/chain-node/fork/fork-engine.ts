import { decodeHex, type Hex } from '../codec/hex.ts'
import type { Header } from '../engine/block.ts'
import { CallError, type CallMessage, type Engine } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'
import { type Missing, MissingStateError } from './missing-state.ts'
import { fetchWithin, refetch } from './refetch.ts'
import { RemoteError } from './remote.ts'
import type { SpokenRuns } from './spoken-runs.ts'
import type { StateFetcher } from './state-fetcher.ts'

/** Contracts that every block writes to or calls where they are: EIP-4788, EIP-2935, EIP-7002, EIP-7251. */
const SYSTEM_CONTRACTS: readonly Hex[] = [
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  '0x00000961ef480eb55e80d19ad83579a64c007002',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251',
]

/** Transactions of the pool of which what they read is fetched before a block is made. */
const LOOKED_AHEAD = 256
/** How often they are run for it: each time what they miss first is fetched. */
const MOST_ROUNDS = 16

/** An engine that fetches what its calls and blocks read of the remote chain. Its other reads throw `MissingStateError`. */
export function createForkEngine(
  engine: Engine,
  fetcher: StateFetcher,
  spoken: Pick<SpokenRuns, 'run'>,
): Engine {
  function findMissing(read: () => unknown): Missing[] {
    try {
      read()
      return []
    } catch (error) {
      if (!(error instanceof MissingStateError)) throw error
      return [error.missing]
    }
  }

  /**
   * In one go, what would be found missing one by one.
   *
   * @returns why none of it can be had, which is an error only for who reads it
   */
  async function prefetch(
    { stateRoot }: Header,
    needs: readonly Needs[],
  ): Promise<RemoteError | null> {
    const addresses = new Set(needs.flatMap(listAddresses))
    const missing = [...addresses].flatMap(address =>
      findMissing(() => engine.readAccount(stateRoot, address)),
    )
    const failure = await tryToFetch(missing)
    if (failure !== null) return failure
    const slots = needs.flatMap(({ accessList = [] }) =>
      accessList.flatMap(({ address, storageKeys }) =>
        storageKeys.flatMap(slot =>
          findMissing(() => engine.readStorage(stateRoot, address, decodeHex(slot))),
        ),
      ),
    )
    return tryToFetch(slots)
  }

  /** @returns why none of it can be had */
  async function tryToFetch(missing: readonly Missing[]): Promise<RemoteError | null> {
    const failures = await Promise.all(missing.map(tryToFetchOne))
    return failures.every(failure => failure !== null) ? (failures[0] ?? null) : null
  }

  async function tryToFetchOne(missing: Missing): Promise<RemoteError | null> {
    try {
      await fetchWithin(fetcher, [missing])
      return null
    } catch (error) {
      if (error instanceof RemoteError) return error
      throw error
    }
  }

  /** @param failure - why what was missing before could not be had: it is not tried twice */
  async function attempt<T>(failure: RemoteError | null, work: () => Promise<T>): Promise<T> {
    if (failure === null) return refetch(fetcher, () => spoken.run(work))
    try {
      return await spoken.run(work)
    } catch (error) {
      throw error instanceof MissingStateError ? failure : error
    }
  }

  /**
   * Runs transactions by themselves until none of them misses anything that can be had. A block of them would find what they
   * miss one by one, and begin anew each time.
   */
  async function prefetchReads(
    header: Header,
    transactions: readonly Transaction[],
  ): Promise<RemoteError | null> {
    let left = transactions
    for (let round = 0; round < MOST_ROUNDS && left.length > 0; round++) {
      const waiting: { transaction: Transaction; missing: Missing }[] = []
      for (const transaction of left) {
        const missing = await findFirstMissing(header, transaction)
        if (missing !== null) waiting.push({ transaction, missing })
      }
      const failures = await Promise.all(waiting.map(({ missing }) => tryToFetchOne(missing)))
      const [first = null] = failures
      if (first !== null && !failures.includes(null)) return first
      left = waiting.flatMap(({ transaction }, index) =>
        failures[index] === null ? [transaction] : [],
      )
    }
    return null
  }

  async function findFirstMissing(
    header: Header,
    { from, to, value, gas, input }: Transaction,
  ): Promise<Missing | null> {
    try {
      await engine.createAccessList(header, { from, to, value, gas, input })
    } catch (error) {
      if (error instanceof MissingStateError) return error.missing
      if (!(error instanceof CallError)) throw error
    }
    return null
  }

  async function run<T>(header: Header, needs: Needs, work: () => Promise<T>): Promise<T> {
    return attempt(await prefetch(header, [needs]), work)
  }

  return {
    ...engine,
    call: (header, message, overrides) =>
      run(header, message, () => engine.call(header, message, overrides)),
    estimateGas: (header, message, overrides) =>
      run(header, message, () => engine.estimateGas(header, message, overrides)),
    createAccessList: (header, message) =>
      run(header, message, () => engine.createAccessList(header, message)),
    executeBlock: (parent, block, findAncestor, findBlockHash) =>
      refetch(fetcher, () => engine.executeBlock(parent, block, findAncestor, findBlockHash)),

    async produceBlock(parent, template, candidates) {
      const line = createLine(candidates)
      const ahead = line.peek(LOOKED_AHEAD)
      let failure = await prefetch(parent, [
        ...SYSTEM_CONTRACTS.map(to => ({ to })),
        { to: template.miner },
        ...ahead,
      ])
      if (failure === null && ahead.length > 1) {
        failure = await prefetchReads(engine.describeNext(parent, template), ahead)
      }
      /** Whose transactions read what cannot be fetched now: they stay in the pool, and others do not wait for them. */
      const waiting = new Set<Hex>()
      for (;;) {
        try {
          return await attempt(failure, () =>
            engine.produceBlock(parent, template, line.hand(waiting)),
          )
        } catch (error) {
          const stuck = line.current()
          if (!(error instanceof RemoteError) || stuck === null) throw error
          failure = error
          waiting.add(stuck.from)
          if (!line.hasOthers(waiting)) throw error
        }
      }
    },
  }
}

/** What a call or a transaction names of the state. */
interface Needs {
  readonly from?: Hex
  readonly to?: Hex | null
  readonly accessList?: CallMessage['accessList']
}

function listAddresses({ from, to, accessList = [] }: Needs): Hex[] {
  return [
    ...(from === undefined ? [] : [from]),
    ...(to === undefined || to === null ? [] : [to]),
    ...accessList.map(({ address }) => address),
  ]
}

/** Candidates for a block that are handed out several times, and are asked for once. */
function createLine(candidates: Iterable<Transaction>) {
  const source = candidates[Symbol.iterator]()
  const seen: Transaction[] = []
  let current: Transaction | null = null

  function at(index: number): Transaction | null {
    if (index < seen.length) return seen[index] ?? null
    const next = source.next()
    if (next.done) return null
    seen.push(next.value)
    return next.value
  }

  return {
    /** Asks for the first of them without handing them out. */
    peek(most: number): readonly Transaction[] {
      while (seen.length < most && at(seen.length) !== null);
      return seen.slice()
    },
    /** From the first on, without those of some senders. */
    *hand(without: ReadonlySet<Hex>): Generator<Transaction> {
      current = null
      for (let index = 0; ; index++) {
        const transaction = at(index)
        current = null
        if (transaction === null) return
        if (without.has(transaction.from)) continue
        current = transaction
        yield transaction
      }
    },
    /** The one that was handed out last and is being run. */
    current: () => current,
    hasOthers: (without: ReadonlySet<Hex>) => seen.some(({ from }) => !without.has(from)),
  }
}
