import { describe, expect, it, vi } from 'vitest'
import type { JobItemState, JobView } from '../../../background/ui-methods/inscribe-views.ts'
import { countMade, explainState, isOpen, nameJob, nameState } from './job-words.ts'

vi.mock('webextension-polyfill', () => ({ default: {} }))

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
    ...{ postage: '546', locked: '0', problem: null },
    can: { resume: false, bump: null, refund: null, discard: false },
  }
}

describe('how far an inscribing is', () => {
  it('counts what the network has, in a block or not, and nothing that was refused or taken back', () => {
    const job = jobOf('revealing', ['confirmed', 'pending', 'waiting', 'refused', 'refunded'])
    expect(countMade(job)).toBe(2)
    expect(nameState(job)).toBe('2 of 5 inscribed')
  })

  it('tells a stuck one that some are there, and that it needs the person where none are', () => {
    expect(nameState(jobOf('stuck', ['confirmed', 'refused']))).toBe('1 of 2 inscribed')
    expect(nameState(jobOf('stuck', ['waiting']))).toBe('Needs you')
    expect(explainState(jobOf('stuck', ['waiting']))).toContain('Nothing is lost')
  })

  it('is open for as long as money is in it or something has to be done', () => {
    const states = ['sending', 'revealing', 'waiting', 'stuck', 'refunding'] as const
    for (const state of states) expect(isOpen(jobOf(state, ['waiting']))).toBe(true)
    const ends = ['done', 'refunded', 'ended'] as const
    for (const state of ends) expect(isOpen(jobOf(state, ['confirmed']))).toBe(false)
  })

  it('goes by the person’s own note, else by what is in it', () => {
    expect(nameJob(jobOf('done', ['confirmed'], 'For Alice'))).toBe('For Alice')
    expect(nameJob(jobOf('done', ['confirmed']))).toBe('Text')
    expect(nameJob(jobOf('done', ['confirmed', 'confirmed']))).toBe('2 inscriptions')
  })
})
