import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Missing, MissingStateError } from './missing-state.ts'
import { refetch } from './refetch.ts'
import { RemoteError } from './remote.ts'

const missingAt = (number: bigint): Missing => ({ kind: 'blockHash', number })

/** Reads 1 to `count`, of which each is to be fetched first. */
function createReads(count: bigint, fetchOne: () => Promise<unknown> = async () => {}) {
  const known = new Set<bigint>()
  const fetched: bigint[] = []
  return {
    fetched,
    fetcher: {
      async fetchMissing(missing: readonly Missing[]) {
        for (const one of missing) {
          if (one.kind !== 'blockHash') continue
          await fetchOne()
          fetched.push(one.number)
          known.add(one.number)
        }
      },
    },
    read() {
      for (let number = 1n; number <= count; number++) {
        if (!known.has(number)) throw new MissingStateError(missingAt(number))
      }
      return 'done'
    },
  }
}

it('what reads state is run again until all of it is fetched, each part once', async () => {
  const { fetcher, read, fetched } = createReads(4n)
  expect(await refetch(fetcher, read)).toBe('done')
  expect(await refetch(fetcher, async () => read())).toBe('done')
  expect(fetched).toEqual([1n, 2n, 3n, 4n])
})

it('fetching has a time of its own, for all parts together', async () => {
  const { fetcher, read } = createReads(100n, () => wait(10))
  await expect(refetch(fetcher, read, null, 60)).rejects.toThrow(
    'fetching the state of the remote chain takes longer than 0.06 s',
  )
  await expect(refetch(fetcher, read, null, 60_000)).resolves.toBe('done')
})

it('an error of the remote, and any other error of what is run, is the error', async () => {
  const { fetcher, read } = createReads(1n, () => Promise.reject(new RemoteError('gone')))
  await expect(refetch(fetcher, read)).rejects.toThrow('gone')
  await expect(refetch(fetcher, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
})
