import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { PasskeyView } from '../../../background/views/account-views.ts'
import { textOf } from '../../testing/text-of.ts'
import { PasskeyUnlock } from './passkey-unlock.tsx'
import { UnlockForm } from './unlock-form.tsx'

const PASSKEY: PasskeyView = { credentialId: 'c0ffee', salt: '00'.repeat(32), createdAt: 1 }
const WRONG = { unlocked: false, reason: 'WRONG_PASSKEY' } as const

function formOf(passkey: PasskeyView | null) {
  const props = {
    delayMs: 0,
    passkey,
    onPassword: async () => ({ unlocked: true }) as const,
    onPasskey: async () => WRONG,
    children: null,
  }
  return createElement(UnlockForm, props)
}

/** The class of the button that submits the password. */
function submitOf(markup: string): string {
  return /<button type="submit" class="([^"]*)"/.exec(markup)?.[1] ?? ''
}

describe('the form that unlocks', () => {
  it('always asks for the password, as its one way where there is no passkey', () => {
    const markup = renderToStaticMarkup(formOf(null))
    expect(markup).toContain('type="password"')
    expect(submitOf(markup)).toContain('primary')
  })

  it('keeps a place above the password for the passkey, and steps back behind it', () => {
    const markup = renderToStaticMarkup(formOf(PASSKEY))
    expect(markup.indexOf('passkeyRoom')).toBeGreaterThan(0)
    expect(markup.indexOf('passkeyRoom')).toBeLessThan(markup.indexOf('type="password"'))
    expect(submitOf(markup)).toContain('secondary')
  })

  it('asks for the passkey by a button alone, which Enter in the password does not press', () => {
    const button = createElement(PasskeyUnlock, {
      passkey: PASSKEY,
      focus: true,
      onPasskey: async () => WRONG,
    })
    expect(textOf(button)).toBe('Unlock with passkey')
    expect(renderToStaticMarkup(button)).toContain('<button type="button"')
  })
})
