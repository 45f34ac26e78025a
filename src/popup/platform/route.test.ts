import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRoute } from './route.ts'

describe('the route in the address', () => {
  it('is empty for the start screen', () => {
    for (const hash of ['', '#', '#/', '/']) expect(parseRoute(hash)).toEqual([])
  })
  it('names the screen and what it shows', () => {
    expect(parseRoute('#/activity/ab12')).toEqual(['activity', 'ab12'])
    expect(parseRoute('/settings/servers')).toEqual(['settings', 'servers'])
  })
  it('carries any text that was encoded into it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), text => {
        expect(parseRoute(`#/send/${encodeURIComponent(text)}`)).toEqual(['send', text])
      }),
    )
  })
  it('keeps a part that is badly encoded instead of failing', () => {
    expect(parseRoute('#/send/100%')).toEqual(['send', '100%'])
  })
})
