import { describe, expect, it } from 'vitest'
import { etchingDraft } from './testing/etching-world.ts'
import { startJobs } from './testing/job-world.ts'

describe('a draft of an etching', () => {
  it.each<[string, Parameters<typeof etchingDraft>[0], string]>([
    ['name', { name: 'lower' }, 'A to Z'],
    ['name', { name: 'A•' }, 'A to Z'],
    ['name', { name: 'SHORT' }, 'unlocked at block'],
    ['name', { name: 'A'.repeat(27) }, '26 letters'],
    ['symbol', { symbol: 'ab' }, 'one visible character'],
    ['divisibility', { divisibility: 39 }, 'from 0 to 38'],
    ['premine', { premine: '1.234' }, 'decimals'],
    ['premine', { premine: '1,5' }, 'decimal amount'],
    ['premine', { premine: '9'.repeat(39) }, '128 bits'],
    ['supply', { premine: '', terms: null }, 'more than nothing'],
    ['postage', { postage: 100 }, 'at least'],
  ])('is refused with the name of the field: %s', async (field, changes, expected) => {
    const { worker } = await startJobs()
    await expect(worker.ui('planRuneEtching', etchingDraft(changes))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`^${field}.*${expected}`)),
    })
  })

  it.each<[string, object]>([
    ['terms.amount', { amount: '0' }],
    ['terms.cap', { cap: '1.5' }],
    ['terms.cap', { cap: '' }],
    ['terms.height.start', { height: { start: 3, end: null } }],
    ['terms.offset.end', { offset: { start: 9, end: 8 } }],
    ['terms.offset.start', { offset: { start: -1, end: null } }],
  ])('is refused for its terms: %s', async (field, terms) => {
    const { worker } = await startJobs()
    const { terms: good } = etchingDraft()
    const draft = etchingDraft({ terms: { ...Object(good), ...terms } })
    await expect(worker.ui('planRuneEtching', draft)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(`^${field}`),
    })
  })
})
