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
    ['Sign in to "https://example.com".', 'https://example.com'],
    ['Sign in to ([::1]:3000)', 'http://[::1]:3000'],
    ['Sign in to [::1]', 'http://[::1]'],
    ['Sign in to [::ffff:127.0.0.1]', 'http://[::ffff:127.0.0.1]'],
    ['Sign in to example.com:80', 'http://example.com'],
    ['Sign in to example.com:443/path', 'https://example.com'],
    ['Sign in to HTTP://example.com:80/', 'http://example.com'],
    ['Sign in to example.xn--p1ai', 'https://example.xn--p1ai'],
    ['{"nonce":1,"domain":"example.com"}', 'https://example.com'],
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
    // In quotes, in brackets, or as a link.
    ['Log in to "https://example.com" with this', 'https://evil.example'],
    ['URI: <https://example.com>', 'https://evil.example'],
    ['Sign in to (https://example.com:8443).', 'https://evil.example'],
    ['Sign in to [https://example.com]', 'https://evil.example'],
    ['Sign in to [face.de]', 'https://evil.example'],
    ['Sign in to [[example.com]]!', 'https://evil.example'],
    ['Sign in to ([::1]:3000)', 'https://evil.example'],
    // As JSON, with and without white space, and as a list.
    ['{"domain":"example.com","nonce":"1"}', 'https://evil.example'],
    ['{"nonce":1,"uri":"https://example.com/login","a":2}', 'https://evil.example'],
    ['{\n  "origin": "https://example.com"\n}', 'https://evil.example'],
    ["{'site':'example.com'}", 'https://evil.example'],
    ['Log in,domain:example.com,nonce:1', 'https://evil.example'],
    // A port behind what a browser would take as its end.
    ['Sign in to https://example.com:8443/path', 'https://example.com'],
    ['Sign in to example.com:8443?now', 'https://example.com'],
    ['Sign in to example.com:8443#now', 'https://example.com'],
    ['Sign in to http://example.com:443', 'http://example.com'],
    ['Sign in to http://example.com:80', 'https://example.com'],
    ['Sign in to https://user:word@example.com', 'https://example.com'],
    ['Sign in to https://user@example.com', 'https://example.com'],
    ['Sign in to https://:word@example.com', 'https://example.com'],
    // A host of one label is nobody's parent.
    ['Sign in to app.localhost', 'http://localhost'],
    ['Sign in to example.xn--p1ai', 'https://xn--p1ai'],
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
    // Words that only begin or end like those before a name.
    'We design in example.com',
    'Your security: example.com',
    '{"subdomain":"example.com"}',
    '{"next":"/login?site=example.com&url=example.com"}',
    '{"domain":"","site":"none"}',
    'example.com wants you to sign inside the box',
    'example.com wants you to sign it',
    'Reconnect to example.com',
    // Texts that are no hosts.
    'Sign in to mylocalhost',
    'Sign in to localhosted',
    'Sign in to a.b',
    'Sign in to file.b1',
    'Sign in to 3',
    'Sign in to example.c0m',
  ])('that names no host says nothing: %j', message => {
    expect(readSignIn(message, 'https://evil.example', NOW)).toEqual({ hosts: [], validity: null })
  })

  it.each([
    ...['example.com wants you to sign in', 'example.com wants you to signin'],
    ...['example.com wants you to sign-in', 'example.com wants you to sign - in'],
    ...['uri: example.com', 'url : example.com', 'domain=example.com', 'origin = example.com'],
    ...['website:example.com', 'Now. Site: example.com'],
    ...['Sign in example.com', 'signing in to example.com', 'Log in on example.com'],
    ...['logging into example.com', 'login at example.com', 'sign-in with example.com'],
    ...['log - in to example.com'],
    ...['welcome to example.com', 'connect with example.com', 'connecting on example.com'],
    ...['authenticate to example.com', 'authenticating with example.com'],
  ])('names its host in whatever words, with wide gaps too: %j', message => {
    const hosts = [{ named: 'example.com', standing: 'mismatch' }]
    for (const gap of [' ', '\n\n', ' \u200b '])
      expect(readSignIn(message.replaceAll(' ', gap), 'https://evil.example', NOW).hosts).toEqual(
        hosts,
      )
  })

  it('from an origin that is no address is compared with nothing', () => {
    expect(readSignIn(eip4361('example.com'), 'null', NOW).hosts).toEqual([])
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
    ['Expires: 2026-01-14T00:00:00Z', 'expired'],
    ['Expires at:2026-01-14T00:00:00Z', 'expired'],
    ['Expiry date: 2026-01-14T00:00:00Z', 'expired'],
    ['expiration time: 2026-01-14T00:00:00Z', 'expired'],
    ['Inexpiry: 2026-01-14T00:00:00Z', null],
    ['Expiration Time: 2026-13-14T00:00:00Z', null],
    ['Expiration Time: 2026-01-14', null],
    ['Expiration Time: +002026-01-14T00:00:00Z', null],
    ['Not Before: 2026-01-15T00:00:00Z', null],
    ['Not Before: soon', null],
    ['not before:2026-01-16T00:00:00Z', 'not-yet'],
    ['Knot Before: 2026-01-16T00:00:00Z', null],
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
    for (const part of ['a', '(', 'uri:', '{uri:', '. ', 'sign in ', 'wants you to sign in ']) {
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
