import { describe, expect, it } from 'vitest'
import { readSurface } from './surface.ts'

describe('the surface of the page', () => {
  it('is the approval window when the address says so, whatever else holds', () => {
    expect(readSurface({ search: '?approval', hash: '' }, false)).toEqual({ kind: 'approval' })
    expect(readSurface({ search: '?approval=1', hash: '#create' }, true)).toEqual({
      kind: 'approval',
    })
  })
  it('is the toolbar popup or a tab otherwise', () => {
    expect(readSurface({ search: '', hash: '' }, true)).toEqual({ kind: 'popup', start: null })
    expect(readSurface({ search: '', hash: '' }, false)).toEqual({ kind: 'tab', start: null })
  })
  it('starts where the toolbar popup sent it, and nowhere else', () => {
    expect(readSurface({ search: '', hash: '#import' }, false)).toMatchObject({ start: 'import' })
    expect(readSurface({ search: '', hash: '#create' }, false)).toMatchObject({ start: 'create' })
    expect(readSurface({ search: '', hash: '#home' }, false)).toMatchObject({ start: null })
  })
})
