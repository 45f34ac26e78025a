import { describe, expect, it } from 'vitest'
import { readSurface } from './surface.ts'

describe('the surface of the page', () => {
  it('is the approval window when the address says so, whatever else holds', () => {
    expect(readSurface('?approval', false)).toBe('approval')
    expect(readSurface('?approval=1', true)).toBe('approval')
  })
  it('is the toolbar popup or a tab otherwise', () => {
    expect(readSurface('', true)).toBe('popup')
    expect(readSurface('?other', false)).toBe('tab')
  })
})
