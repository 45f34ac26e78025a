import { expect, it } from 'vitest'
import { decodeJob, encodeJob, type StoredJob } from './stored-job.ts'

/** As the first version wrote it. */
const STORED: StoredJob = {
  id: 'plan',
  network: 'regtest',
  accountId: 'account',
  address: 'bcrt1qown',
  origin: null,
  label: '',
  at: 1,
  postage: '546',
  items: [{ kind: 'text', contentType: 'text/plain', contentLength: 5 }],
  commitTxid: 'aa',
  revealTxids: ['bb'],
  transactions: [
    {
      ...{ txid: 'aa', kind: 'commit', spends: ['00:0'], needs: [], fee: '150', vsize: 150 },
      ...{ feeRate: 1, holds: ['900'], attempt: 0 },
    },
    {
      ...{ txid: 'bb', kind: 'reveal', spends: ['aa:0'], needs: ['aa'], fee: '120', vsize: 120 },
      ...{ feeRate: 1, holds: [], attempt: 0, dropped: true },
    },
  ],
  attempts: ['plan'],
  recorded: 1,
  seen: { aa: null },
  refused: { bb: 'no' },
  taken: true,
  rival: { txid: 'cc', isDeep: false },
  problem: null,
  checkedAt: 2,
  finishedAt: null,
  fate: 'discarded',
}

it('a job that an earlier version stored is read whole, and written back under the same names', () => {
  const job = decodeJob(STORED)
  expect(job).toMatchObject({
    wasAccepted: true,
    conflict: { txid: 'cc', isDeep: false },
    lifecycle: 'discarded',
    transactions: [
      { txid: 'aa', parentTxids: [], leafAmounts: ['900'] },
      { txid: 'bb', parentTxids: ['aa'], leafAmounts: [], dropped: true },
    ],
  })
  expect(job.delivery).toBeNull()
  expect(encodeJob(job)).toEqual(STORED)
  const delivery = { to: 'bcrt1qto', tick: 'ordi', amount: '1' }
  expect(decodeJob(encodeJob({ ...job, delivery }))).toEqual({ ...job, delivery })
})
