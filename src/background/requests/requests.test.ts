import { expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createRequests, type StoredRequest } from './requests.ts'

const RECORD: StoredRequest = {
  ...{ key: 'https://site.test 1 0 a', origin: 'https://site.test', tabId: 1, frameId: 0, id: 'a' },
  ...{
    method: 'connect',
    purpose: 'connect',
    params: [],
    createdAt: 0,
    accountId: null,
    network: null,
  },
  ...{ review: null, digest: null, approvedDigest: null, input: null, journal: {}, outcome: null },
}

it('tells what storage holds to a window that heard of the write before the worker did', async () => {
  const area = createMemoryArea()
  let hear = () => {}
  const heard = new Promise<void>(resolve => {
    hear = resolve
  })
  let wrote = () => {}
  const written = new Promise<void>(resolve => {
    wrote = resolve
  })
  const session = {
    ...area,
    async set(entries: { [key: string]: unknown }) {
      await area.set(entries)
      wrote()
      await heard
    },
  }
  const requests = createRequests({ session, now: () => 0 })
  const added = requests.add(RECORD)
  await written
  const seen = requests.load()
  hear()
  expect(await seen).toEqual([RECORD])
  await added
})
