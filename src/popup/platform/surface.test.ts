import { describe, expect, it } from 'vitest'
import { parseSurface } from './surface.ts'

describe('the surface of the page', () => {
  it('is the approval window when the address says so, whatever else holds', () => {
    expect(parseSurface('?approval', false)).toBe('approval')
    expect(parseSurface('?approval=1', true)).toBe('approval')
  })
  it('is the panel when the address says so, which is in no tab either', () => {
    expect(parseSurface('?panel', true)).toBe('panel')
    expect(parseSurface('?panel', false)).toBe('panel')
  })
  it('is the toolbar popup or a tab otherwise', () => {
    expect(parseSurface('', true)).toBe('popup')
    expect(parseSurface('?other', false)).toBe('tab')
  })
})
