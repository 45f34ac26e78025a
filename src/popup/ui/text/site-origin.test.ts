import { describe, expect, it } from 'vitest'
import { describeOrigin } from './site-origin.ts'

describe('an origin', () => {
  it('is named by host and port', () => {
    expect(describeOrigin('https://app.example:8443')).toEqual({
      host: 'app.example:8443',
      origin: 'https://app.example:8443',
      unencrypted: false,
      local: false,
      international: false,
    })
  })
  it('is pointed out when it is not encrypted', () => {
    expect(describeOrigin('http://app.example')).toMatchObject({ unencrypted: true, local: false })
  })
  it.each([
    'http://localhost:5173',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://a.localhost',
  ])('is known to be on this computer: %s', origin => {
    expect(describeOrigin(origin).local).toBe(true)
  })
  it.each(['http://localhost.example', 'http://127.0.0.1.example', 'https://10.0.0.1'])(
    'is not taken for this computer: %s',
    origin => {
      expect(describeOrigin(origin).local).toBe(false)
    },
  )
  it('shows look-alike letters in their ASCII form', () => {
    // The "а" is Cyrillic.
    expect(describeOrigin('https://аpple.example')).toMatchObject({
      host: 'xn--pple-43d.example',
      international: true,
    })
    expect(describeOrigin('https://sub.xn--pple-43d.example').international).toBe(true)
  })
  it('survives what is not a URL', () => {
    expect(describeOrigin('null')).toMatchObject({ host: 'null', unencrypted: true })
  })
})
