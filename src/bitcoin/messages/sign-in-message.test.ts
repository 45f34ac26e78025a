import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSignIn } from './sign-in-message.ts'

const NOW = Date.UTC(2026, 0, 15)
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** The form of EIP-4361 as dapps on Bitcoin use it. */
const eip4361 = (domain: string, uri = `https://${domain}`) =>
  `${domain} wants you to sign in with your Bitcoin account:\n${ADDRESS}\n\nI accept the Terms: https://terms.example/tos\n\nURI: ${uri}\nVersion: 1\nNonce: 32891756\nIssued At: 2026-01-01T00:00:00Z`

/** The worst that is said. */
const standingOf = (message: string, origin: string) =>
  readSignIn(message, origin, NOW).hosts[0]?.standing ?? null

describe('a sign-in text', () => {
  it.each([
    [eip4361('example.com'), 'https://example.com'],
    [eip4361('example.com'), 'https://example.com:8443'],
    [eip4361('EXAMPLE.com'), 'https://example.com'],
    [eip4361('example.com:8443'), 'https://example.com:8443'],
    [eip4361('example.com:443'), 'https://example.com'],
    [eip4361('localhost:3000', 'http://localhost:3000/login'), 'http://localhost:3000'],
    [eip4361('127.0.0.1:3000', 'http://127.0.0.1:3000'), 'http://127.0.0.1:3000'],
    [eip4361('bücher.example'), 'https://xn--bcher-kva.example'],
    [eip4361('xn--bcher-kva.example'), 'https://xn--bcher-kva.example'],
    // With a dot at its end it is the same name in the DNS, and mostly the end of a sentence.
    [eip4361('example.com.'), 'https://example.com'],
    ['Sign in to example.com.', 'https://example.com'],
    ['Please log in to "example.com" with this.', 'https://example.com'],
    ['Sign\nDomain: example.com\nNonce: 1', 'https://example.com'],
    ['https://example.com wants you to sign in with your wallet', 'https://example.com'],
  ])('that names the asking host is a match: %j', (message, origin) => {
    expect(standingOf(message, origin)).toBe('match')
  })

  it.each([
    [eip4361('example.com'), 'https://evil.example'],
    [eip4361('example.com'), 'https://example.com.evil.example'],
    [eip4361('example.com'), 'https://notexample.com'],
    [eip4361('example.com:8443'), 'https://example.com'],
    [eip4361('evil.example@example.com'), 'https://evil.example'],
    [eip4361('evil.example@example.com'), 'https://example.com'],
    // Cyrillic a.
    [eip4361('ex\u0430mple.com'), 'https://example.com'],
    // A zero-width space, where it would be read over and where it would part the words.
    [eip4361('exam\u200bple.com'), 'https://example.com'],
    [eip4361('exam\u200bple.com'), 'https://evil.example'],
    ['example.com w\u200bants you to sign in', 'https://evil.example'],
    // The line is broken, in ways that look so or not.
    ['example.com\nwants you to sign in with your Bitcoin account:', 'https://evil.example'],
    ['example.com\u2028wants you\r\nto sign\u0085in', 'https://evil.example'],
    // The other site's name stands in the place of the address.
    [
      `evil.example wants you to sign in:\nexample.com wants you to sign in with your account:`,
      'https://evil.example',
    ],
    [eip4361('evil.example', 'https://example.com/login'), 'https://evil.example'],
    ['Sign in to example.com', 'https://evil.example'],
    ['Welcome to example.com! Nonce: 1', 'https://evil.example'],
    ['login to https://example.com/path', 'https://evil.example'],
    ['origin=https://example.com', 'https://evil.example'],
    [eip4361('127.0.0.1:3000'), 'https://evil.example'],
  ])('that names another host is an alarm: %j at %s', (message, origin) => {
    expect(standingOf(message, origin)).toBe('mismatch')
  })

  it.each([
    [eip4361('example.com'), 'https://app.example.com'],
    [eip4361('auth.example.com'), 'https://example.com'],
  ])('that names a host above or below is told apart from both: %j', (message, origin) => {
    expect(standingOf(message, origin)).toBe('related')
  })

  it.each([
    'hello',
    '',
    'Sign in with Bitcoin to continue. Nonce: 1.5',
    'Ordinals wants you to sign in with your Bitcoin account:',
    'I accept the Terms: https://example.com/tos',
    'Welcome to Ordinals! See https://example.com.',
  ])('that names no host says nothing: %j', message => {
    expect(readSignIn(message, 'https://evil.example', NOW)).toEqual({ hosts: [], validity: null })
  })

  it('with several hosts has the worst first', () => {
    const { hosts } = readSignIn(
      eip4361('a.example', 'https://b.example'),
      'https://a.example',
      NOW,
    )
    expect(hosts).toEqual([
      { named: 'https://b.example', standing: 'mismatch' },
      { named: 'a.example', standing: 'match' },
    ])
  })

  it.each([
    ['Expiration Time: 2026-01-14T23:59:59Z', 'expired'],
    ['Expire At: 2026-01-15T00:00:00Z', 'expired'],
    ['Expiration Time: 2026-01-15T00:00:01Z', null],
    ['Expiration Time: 2026-01-15T01:00:00+02:00', 'expired'],
    ['Not Before: 2026-01-16T00:00:00Z', 'not-yet'],
    ['Not Before: 2026-01-14T00:00:00Z', null],
    ['Expiration Time: soon', null],
    ['Expires: 3', null],
  ])('says of its time: %j is %s', (field, validity) => {
    expect(readSignIn(`${eip4361('a.example')}\n${field}`, 'https://a.example', NOW).validity).toBe(
      validity,
    )
  })
})

describe('whatever the text', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      'example.com',
      'evil.example',
      'wants you to sign in',
      'URI: ',
      'sign in to ',
      '\n',
      '\u200b',
      '@',
      ':443',
      '.',
      '/',
      '[::1]',
      'https://',
      'xn--',
    ),
  )
  const text = fc.array(word, { maxLength: 12 }).map(parts => parts.join(''))

  it('the longest texts do not hold up the window, whatever they repeat', () => {
    for (const part of ['a', '(', 'uri:', '. ', 'sign in ', 'wants you to sign in ']) {
      const message = part.repeat(60_000 / part.length)
      for (let times = 0; times < 10; times++) readSignIn(message, 'https://site.example', NOW)
    }
  })

  it('nothing throws, for any origin', () => {
    fc.assert(
      fc.property(text, fc.oneof(fc.string(), fc.webUrl()), (message, origin) => {
        readSignIn(message, origin, NOW)
      }),
    )
  })

  it('no other host than the asking one is called a match', () => {
    fc.assert(
      fc.property(text, fc.domain(), (message, host) => {
        for (const { named, standing } of readSignIn(message, `https://${host}`, NOW).hosts) {
          if (standing !== 'match') continue
          const address = /^https?:\/\//i.test(named) ? named : `https://${named}`
          expect(new URL(address).hostname).toBe(new URL(`https://${host}`).hostname)
        }
      }),
    )
  })

  it('a host that is named in the first line is found, and is a match for itself alone', () => {
    fc.assert(
      fc.property(fc.domain(), fc.domain(), (named, asking) => {
        fc.pre(named !== asking && !named.endsWith(`.${asking}`) && !asking.endsWith(`.${named}`))
        expect(standingOf(eip4361(named), `https://${named}`)).toBe('match')
        expect(standingOf(eip4361(named), `https://${asking}`)).toBe('mismatch')
      }),
    )
  })
})
