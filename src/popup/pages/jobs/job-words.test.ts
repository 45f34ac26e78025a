import { describe, expect, it } from 'vitest'
import type { DeliveryProgress } from '../../../background/views/delivery-views.ts'
import type { JobItemState, JobView } from '../../../background/views/inscribe-views.ts'
import { isJobOpen } from '../../state/use-jobs.ts'
import {
  countSent,
  describeResumed,
  describeSent,
  explainState,
  isPaid,
  nameItemState,
  nameJob,
  nameState,
} from './job-words.ts'

/** As where amounts are not hidden. */
const shown = (amount: string) => amount

function jobOf(state: JobView['state'], items: JobItemState[], label = ''): JobView {
  return {
    ...{ id: '1', network: 'mainnet', accountId: '1', origin: null, label, at: 0, state },
    commit: { txid: '', confirmed: false, fee: '0', feeRate: 1, explorerUrl: null },
    items: items.map(state => ({
      kind: 'text',
      contentType: 'text/plain',
      contentLength: 1,
      state,
      inscriptionId: '',
      fee: '0',
      explorerUrl: null,
    })),
    etching: null,
    delivery: null,
    ...{ postage: '546', locked: '0', problem: null },
    can: { resume: false, bump: null, refund: null, discard: false },
  }
}

describe('how far an inscribing is', () => {
  it('counts what the network has, in a block or not, and nothing that was refused or taken back', () => {
    const job = jobOf('revealing', ['confirmed', 'pending', 'waiting', 'refused', 'refunded'])
    expect(countSent(job)).toBe(2)
    expect(nameState(job)).toBe('2 of 5 sent')
  })

  it('says of a stuck one that it needs the person, and how far it came', () => {
    const job = jobOf('stuck', ['confirmed', 'refused'])
    expect(nameState(job)).toBe('Needs you')
    expect(describeSent(job)).toBe('1 of 2 sent')
    expect(explainState(job)).toContain('Nothing is lost')
  })

  it('speaks of one inscription as of one', () => {
    expect(explainState(jobOf('done', ['confirmed']))).toContain('It is')
    expect(explainState(jobOf('done', ['confirmed', 'confirmed']))).toContain('They are')
  })

  it('is open for as long as money is in it or something has to be done', () => {
    const states = ['sending', 'revealing', 'waiting', 'stuck', 'refunding'] as const
    for (const state of states) expect(isJobOpen(jobOf(state, ['waiting']))).toBe(true)
    const ends = ['done', 'refunded', 'ended'] as const
    for (const state of ends) expect(isJobOpen(jobOf(state, ['confirmed']))).toBe(false)
  })

  it('goes by the person’s own note, else by what is in it', () => {
    expect(nameJob(jobOf('done', ['confirmed'], 'For Alice'), shown)).toBe('For Alice')
    expect(nameJob(jobOf('done', ['confirmed']), shown)).toBe('Text')
    expect(nameJob(jobOf('done', ['confirmed', 'confirmed']), shown)).toBe('2 inscriptions')
  })

  it('counts a delivery as a step, names its receiver, and says whether the tokens arrived', () => {
    const delivering = (state: JobView['state'], delivery: DeliveryProgress['state']): JobView => ({
      ...jobOf(state, ['confirmed']),
      delivery: {
        ...{ to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', tick: 'ordi', amount: '1000.5' },
        ...{ state: delivery, txid: null, fee: '1', explorerUrl: null },
      },
    })
    const waiting = delivering('revealing', 'waiting')
    expect(nameJob(waiting, shown)).toBe('1,000.5 ordi to bc1q…f3t4')
    expect(nameJob(waiting, () => '••••')).toBe('•••• ordi to bc1q…f3t4')
    expect(nameState(waiting)).toBe('1 of 2 sent')
    expect(describeSent(delivering('waiting', 'pending'))).toBe('2 of 2 sent')
    expect(nameState(delivering('done', 'confirmed'))).toBe('Delivered')
    expect(nameState(delivering('done', 'kept'))).toBe('Not delivered')
    expect(explainState(delivering('done', 'kept'))).toContain('stays with you')
    expect(nameState(delivering('refunded', 'kept'))).toBe(
      nameState(jobOf('refunded', ['refunded'])),
    )
  })
})

describe('what came of trying again', () => {
  const told = (state: JobView['state'], kind: NonNullable<JobView['problem']>['kind'] | null) =>
    describeResumed({ ...jobOf(state, ['waiting']), problem: kind && { kind, detail: '' } })

  it('is that it was sent, also after a block was undone', () => {
    expect(told('waiting', null)).toBe('Sent')
    expect(told('waiting', 'reorganised')).toBe('Sent')
  })

  it('is that it goes on by itself where a server does not answer', () => {
    expect(told('sending', 'unanswered')).toContain('by itself')
    expect(told('revealing', 'reorganised')).toContain('by itself')
  })

  it('promises nothing where the network refuses it', () => {
    expect(told('stuck', 'refused')).toBe('The network refuses it')
    expect(told('stuck', 'commit-gone')).toBe('Its coins are spent already')
  })
})

describe('what the network has of an inscribing', () => {
  it('is nothing of one that was never sent, whatever its items say', () => {
    const ended = jobOf('ended', ['waiting'])
    expect(isPaid(ended)).toBe(false)
    expect(ended.items.map(item => nameItemState(ended, item))).toEqual(['Never sent'])
    // Replaced before the network had it.
    const gone = jobOf('stuck', ['waiting'])
    expect(isPaid({ ...gone, can: { ...gone.can, discard: true } })).toBe(false)
    expect(isPaid(jobOf('sending', ['waiting']))).toBe(false)
  })

  it('is the payment from the first inscription to the last', () => {
    const job = jobOf('revealing', ['confirmed', 'pending', 'waiting', 'refused', 'refunded'])
    expect(isPaid(job)).toBe(true)
    expect(job.items.map(item => nameItemState(job, item))).toEqual([
      'Inscribed',
      'Waits for a block',
      'Not sent yet',
      'Refused',
      'Taken back',
    ])
  })
})
