import { describe, expect, it } from 'vitest'
import type { ActivityEntry } from '../../../background/views/activity-views.ts'
import { explainStatus, isNeverSent, nameStatus } from './entry-words.ts'

function entryOf(changes: Pick<ActivityEntry, 'kind' | 'status'>): ActivityEntry {
  return {
    ...{ txid: '', network: 'mainnet', accountId: '1', net: null, fee: null, origin: null },
    ...{ counterparty: null, counterpartyName: null, label: '', at: 0, height: null },
    ...{ replacedBy: null, about: null },
    ...changes,
  }
}

describe('how a transaction stands', () => {
  it('is never sent where it was given up before the network had it', () => {
    for (const kind of ['prepared', 'commit', 'reveal', 'etching', 'refund'] as const) {
      const entry = entryOf({ kind, status: 'failed' })
      expect(isNeverSent(entry)).toBe(true)
      expect(nameStatus(entry)).toBe('Never sent')
      expect(explainStatus(entry)).toContain('coins are free again')
    }
  })

  it('is failed where the network refused it', () => {
    const entry = entryOf({ kind: 'sent', status: 'failed' })
    expect(isNeverSent(entry)).toBe(false)
    expect(nameStatus(entry)).toBe('Failed')
    expect(explainStatus(entry)).toContain('refused')
  })

  it('tells of what is kept back until when, and what comes then', () => {
    const entry = entryOf({ kind: 'prepared', status: 'unsent' })
    expect(nameStatus(entry)).toBe('Not sent yet')
    expect(explainStatus(entry)).toMatch(/within a day, its coins are free again/)
  })
})
