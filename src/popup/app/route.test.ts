import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRoute } from './route.ts'

describe('the route in the address', () => {
  it('is empty for the start screen', () => {
    for (const hash of ['', '#', '#/', '/']) expect(readRoute(hash)).toEqual([])
  })
  it('names the screen and what it shows', () => {
    expect(readRoute('#/activity/ab12')).toEqual(['activity', 'ab12'])
    expect(readRoute('/settings/servers')).toEqual(['settings', 'servers'])
  })
  it('carries any text that was encoded into it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), text => {
        expect(readRoute(`#/send/${encodeURIComponent(text)}`)).toEqual(['send', text])
      }),
    )
  })
  it('keeps a part that is badly encoded instead of failing', () => {
    expect(readRoute('#/send/100%')).toEqual(['send', '100%'])
  })
})
