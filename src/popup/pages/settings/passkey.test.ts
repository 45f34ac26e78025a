import { createElement } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { stateWith } from '../../../../e2e/shots/shot.ts'
import { textOf } from '../../testing/text-of.ts'
import { Passkey } from './passkey.tsx'

const PASSKEY = {
  credentialId: 'c0ffee',
  salt: '00'.repeat(32),
  createdAt: Date.UTC(2026, 10, 20, 12),
}

function pageOn(surface: string, passkey: typeof PASSKEY | null): string {
  vi.stubGlobal('document', { documentElement: { dataset: { surface } } })
  return textOf(
    createElement(Passkey, { state: stateWith({ passkey }), onChanged: async () => {} }),
  )
}

afterEach(() => vi.unstubAllGlobals())

describe('the page of the passkey', () => {
  it('asks for the password in a tab, and in the toolbar popup leads to one', () => {
    const tab = pageOn('tab', null)
    expect(tab).toContain('Password')
    expect(tab).toContain('Set up a passkey')
    const popup = pageOn('popup', null)
    expect(popup).toContain('Set it up in a tab')
    expect(popup).not.toContain('Set up a passkey')
  })

  it('says what a passkey cannot do, and whom one trusts with it', () => {
    const text = pageOn('tab', null)
    expect(text).toContain('Your password always works too')
    expect(text).toContain('is as safe as that account')
  })

  it('says since when there is one, and takes the password to remove it', () => {
    const text = pageOn('popup', PASSKEY)
    expect(text).toContain('Set up on Nov 20, 2026')
    expect(text).toContain('Password')
    expect(text).toContain('Remove the passkey')
    expect(text).toContain('keeps the passkey')
  })
})
