import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { ApprovalView, SignMessagesReview } from '../../../background/views/approval-views.ts'
import { textOf } from '../../testing/text-of.ts'
import { SignMessagesApproval } from './sign-message.tsx'

const LONG = Array.from({ length: 40 }, (_, n) => `${n + 1}. line`).join('\n')

function screenOf(...messages: SignMessagesReview['messages']) {
  const review: SignMessagesReview = { kind: 'sign-messages', messages }
  const view: ApprovalView = {
    ...{ key: '1', digest: '1', origin: 'https://dapp.example', position: 1, total: 1 },
    ...{ network: 'mainnet', account: null, wasDeclined: false, review },
  }
  return createElement(SignMessagesApproval, { view, review, onDecide: async () => {} })
}

const simple = (message: string) => ({ message, type: 'bip322-simple' as const })

describe('the screen of several messages', () => {
  it('says how many there are, and shows each of them whole in its place', () => {
    const messages = ['hello', LONG, '', 'hello'].map(simple)
    const text = textOf(screenOf(...messages))
    expect(text).toContain('You sign 4 messages')
    expect(text).toContain('Sign all 4')
    expect(text.match(/#\d/g)).toEqual(['#1', '#2', '#2', '#3', '#4'])
    for (let line = 1; line <= 40; line++) expect(text).toContain(`${line}. line`)
    expect(text).toContain('The message is empty.')
    expect(text.match(/hello/g)).toHaveLength(2)
  })

  it('lets the long ones alone be scrolled by keyboard and be opened', () => {
    const markup = renderToStaticMarkup(screenOf(simple('hello'), simple(LONG)))
    expect(markup.match(/aria-label="Text of #\d"[^>]*tabindex="0"/gi)).toHaveLength(1)
    expect(markup).toContain('aria-label="Text of #2"')
    expect(markup.match(/aria-expanded="false"/g)).toHaveLength(1)
    const [, shown] = /aria-controls="([^"]+)"/.exec(markup) ?? []
    expect(markup).toContain(`id="${shown}"`)
  })

  it('names the places of those with characters that cannot be seen', () => {
    const text = textOf(screenOf(simple('a'), simple('b\u200bc'), simple('d\u202ee')))
    expect(text).toContain('Some contain characters that cannot be seen: #2, #3')
    expect(textOf(screenOf(simple('a'), simple('b')))).not.toContain('cannot be seen')
  })

  it('names the kind of each where they differ', () => {
    const ecdsa = { message: 'b', type: 'ecdsa' as const }
    const mixed = textOf(screenOf(simple('a'), ecdsa, ecdsa))
    expect(mixed).toContain('#1 BIP-322 simple · 1 character')
    expect(mixed).toContain('#2 Bitcoin Signed Message · 1 character')
    expect(mixed).toMatch(/1 × BIP-322 simple.*2 × Bitcoin Signed Message/)
    const same = textOf(screenOf(simple('a'), simple('b')))
    expect(same.match(/BIP-322 simple/g)).toHaveLength(1)
  })
})

describe('the screen of a message that signs in', () => {
  const siwb = (domain: string) => `${domain} wants you to sign in with your Bitcoin account:\nbc1q`

  it('for another site names both, and signs only after a second confirmation', () => {
    const screen = screenOf(simple('a'), simple(siwb('market.example')))
    const text = textOf(screen)
    expect(text).toContain('This signs in to another site')
    expect(text).toContain('The message is for market.example, but dapp.example asks for it.')
    const markup = renderToStaticMarkup(screen)
    expect(markup.match(/data-testid="confirm-sign-in"/g)).toHaveLength(1)
  })

  it('for the site that asks says so, and needs no confirmation', () => {
    const screen = screenOf(simple(siwb('dapp.example')))
    expect(textOf(screen)).toContain('The message is for dapp.example, the site that asks.')
    expect(renderToStaticMarkup(screen)).not.toContain('confirm-sign-in')
  })

  it('says when it has expired', () => {
    const text = textOf(screenOf(simple('Expiration Time: 2020-01-01T00:00:00Z')))
    expect(text).toContain('The message has expired')
  })
})

describe('a long message', () => {
  it('is to be read to its end, where the focus can be put, before anything is signed', () => {
    const screen = screenOf(simple('short'), simple(LONG))
    expect(textOf(screen)).toContain('Read the message to its end first.')
    const markup = renderToStaticMarkup(screen)
    expect(markup.match(/<p[^>]*data-testid="end-of-text"[^>]*tabindex="0"/gi)).toHaveLength(1)
  })

  it('is what a short one is not', () => {
    expect(textOf(screenOf(simple('short'), simple('short')))).not.toContain('to its end')
  })
})
