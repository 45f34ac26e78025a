import { describe, expect, it } from 'vitest'
import { parseHttpHost, parseSiteAddress } from './site-address.ts'

describe('the address of a site, as people type it', () => {
  it.each([
    ['app.example', 'https://app.example'],
    ['  App.Example  ', 'https://app.example'],
    ['app.example/swap?from=btc#top', 'https://app.example'],
    ['app.example:8443', 'https://app.example:8443'],
    ['app.example:443', 'https://app.example'],
    ['https://app.example/path', 'https://app.example'],
    ['HTTPS://APP.EXAMPLE', 'https://app.example'],
    ['https://app.example.', 'https://app.example.'],
    ['my_app.example', 'https://my_app.example'],
    // Only what is typed with http:// is http, but for this computer.
    ['http://app.example', 'http://app.example'],
    ['http://app.example:80/', 'http://app.example'],
    ['localhost', 'http://localhost'],
    ['localhost:3000', 'http://localhost:3000'],
    ['localhost:443', 'http://localhost:443'],
    ['localhost:3000/wallet', 'http://localhost:3000'],
    ['dapp.localhost:5173', 'http://dapp.localhost:5173'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['https://localhost:3000', 'https://localhost:3000'],
    ['192.168.1.20:8080', 'https://192.168.1.20:8080'],
    ['http://wiki/start', 'http://wiki'],
    // IPv6, with brackets and without
    ['[::1]:3000', 'http://[::1]:3000'],
    ['::1', 'http://[::1]'],
    ['[2001:DB8::1]', 'https://[2001:db8::1]'],
    ['2001:db8:0:0:0:0:0:1', 'https://[2001:db8::1]'],
    ['http://[2001:db8::1]:8080/x', 'http://[2001:db8::1]:8080'],
    // Letters outside ASCII, as browsers ask for them
    ['bücher.example', 'https://xn--bcher-kva.example'],
    ['https://例え.jp/', 'https://xn--r8jz45g.jp'],
    ['xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ])('%s is %s', (typed, origin) => {
    expect(parseSiteAddress(typed)).toBe(origin)
  })

  it.each([
    '',
    ' ',
    'app',
    'app example',
    'app.\nexample',
    'https://',
    'https:app.example',
    '//app.example',
    '/path',
    '?x=1',
    '.example',
    'app..example',
    '*',
    '*.example',
    'https://*.example/*',
    'app.example:port',
    'app.example:99999',
    'ftp://app.example',
    'file:///etc/hosts',
    'javascript:alert(1)',
    'javascript:1',
    'data:text/html,hello',
    'mailto:me@app.example',
    'chrome://extensions',
    'about:blank',
    'chrome-extension://abcdefgh/popup.html',
    'blob:https://app.example/1',
    // What stands before the @ is not the site.
    'okx.com@evil.example',
    'https://okx.com@evil.example',
    'https://okx.com:secret@evil.example',
    'okx.com\\@evil.example',
    // A browser would make IPv4 addresses of these.
    '12345',
    '1.5',
    '0x7f.1',
    'https://2130706433/',
    '[::1',
    '[::g]',
    ':::',
    '1:2:3',
    'app|.example',
    'bc1q%00.example',
  ])('%j is none', typed => {
    expect(parseSiteAddress(typed)).toBeNull()
  })
})

describe('the host of a plain http site', () => {
  it.each([
    ['http://app.example', 'app.example'],
    [' app.example ', 'app.example'],
    ['app.example:8080/path', 'app.example'],
    ['http://192.168.0.10:3000', '192.168.0.10'],
    ['http://nas', 'nas'],
    ['[fd00::1]', '[fd00::1]'],
  ])('is read from %j', (typed, host) => {
    expect(parseHttpHost(typed)).toBe(host)
  })

  it.each([
    'https://app.example',
    'http://localhost:3000',
    'app.localhost',
    '127.0.0.1',
    'http://*',
    '*.example',
    'a b',
    'name@host.example',
    '',
  ])('is not read from %j', typed => {
    expect(parseHttpHost(typed)).toBeNull()
  })
})
