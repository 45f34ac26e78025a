import { describe, expect, it } from 'vitest'
import bip380 from '../testing/vectors/bip380.json' with { type: 'json' }
import published from '../testing/vectors/bip381-387.json' with { type: 'json' }
import bip389 from '../testing/vectors/bip389.json' with { type: 'json' }
import {
  countDescriptorBranches,
  formatDescriptor,
  isRangedDescriptor,
  joinDescriptors,
  keySpaceOfDescriptor,
  listDescriptorKeys,
  parseDescriptor,
  pickBranch,
} from './descriptor.ts'
import {
  computeDescriptorChecksum,
  InvalidDescriptorError,
  stripDescriptorChecksum,
} from './descriptor-checksum.ts'
import { formatKeyExpression, parseKeyExpression } from './key-expression.ts'

const XPUB =
  'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL'
const OTHER =
  'xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y'
const TPUB =
  'tpubDC7jGaaSE66Pn4dgtbAAstde4bCyhSUs4r3P8WhMVvPByvcRrzrwqSvpF9Ghx83Z1LfVugGRrSBko5UEKELCz9HoMv5qKmGq3fqnnbS5E9r'
const KEY = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600'

/** What 33 bytes cannot say or public keys cannot do: uncompressed keys, private ones, and hardened steps below a public one. */
const NEEDS_PRIVATE =
  /[xt]prv|\b04[0-9a-f]{128}|\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}|pub\w+[^)]*\/\d+h|pub\w+.*\*h/
const KINDS =
  /^(?:pkh\(|wpkh\(|sh\((?:wpkh|wsh\((?:sorted)?multi|(?:sorted)?multi)\(|wsh\((?:sorted)?multi\(|tr\([^,]*(?:\)$|,(?:sorted)?multi_a\())/

describe('a checksum (BIP-380)', () => {
  it.each(bip380.checksums.slice(0, 2))('$name is taken', ({ descriptor }) => {
    expect(stripDescriptorChecksum(descriptor)).toBe('raw(deadbeef)')
  })

  it.each(bip380.checksums.slice(2))('$name is refused', ({ name, descriptor }) => {
    const error = refusalOf(descriptor, stripDescriptorChecksum)
    expect(error.problem).toBe(name.startsWith('Invalid characters') ? 'syntax' : 'checksum')
    expect(error.position).toBe(name.startsWith('Invalid characters') ? 4 : 13)
    const length = descriptor.split('#')[1]?.length
    if (length === 7 || length === 9) expect(error.message).toContain(`found ${length}`)
  })

  it('is that of Bitcoin Core, Coldcard and Sparrow', () => {
    // Written by these wallets: bitcoin/bitcoin doc/descriptors.md, and their own exports.
    const written = [
      'raw(deadbeef)#89f8spxm',
      'wpkh([a262308d/84h/0h/0h]xpub6DM7CYgaTMdMbhTcLTUWmNUE5WLXK5hx8ZMa4sRw8qYJPqtqKYiKnwsmT8A6AijDVAUZRivdBnXdR8QE7Y9vVnqvzPL3fXCmu1WtCRLdAoz/<0;1>/*)#cpx4ean7',
      'sh(wpkh([0f056943/49h/0h/123h]xpub6DDm8WzH5a9qjKkttzqSB3uGofNohU9D3n3UG8WMxkUZzJEMPTYiQRf1dvTFCQR82MjGW4LUMVuTtnW4hF17RpzCqVwhf6Z2fnJPWtjG164/<0;1>/*))#5j7t2n2u',
    ]
    for (const text of written) {
      const [descriptor = '', checksum] = text.split('#')
      expect(computeDescriptorChecksum(descriptor)).toBe(checksum)
    }
  })

  it('of a text of 200,000 characters is at hand in a second, and longer ones are refused', () => {
    const long = `raw(${'0'.repeat(199_995)})`
    expect(
      stripDescriptorChecksum(`${long.slice(9)}#${computeDescriptorChecksum(long.slice(9))}`),
    ).toBe(long.slice(9))
    expect(refusalOf(`${long}00`, stripDescriptorChecksum).position).toBe(200_000)
  })
})

describe('a key expression (BIP-380)', () => {
  const isPublic = ({ key }: { key: string }) =>
    !/prv|^[5KL]|\dh\/|\*h|^04/.test(key.replace(/^\[.*\]/, ''))

  it.each(bip380.validKeys.filter(isPublic))('$name is read: $key', ({ key }) => {
    expect(formatKeyExpression(parseKeyExpression(key))).toBe(key.replaceAll("'", 'h'))
  })

  it.each(bip380.validKeys.filter(one => !isPublic(one)))(
    '$name is refused, as no public key of 33 bytes comes of it alone',
    ({ name, key }) => {
      const { problem } = refusalOf(key, parseKeyExpression)
      const isPrivate = /private/i.test(name)
      const isUncompressed = name.startsWith('Uncompressed')
      expect(problem).toBe(isPrivate ? 'private' : isUncompressed ? 'key' : 'unsupported')
    },
  )

  it.each(bip380.invalidKeys)('$name is refused: $key', ({ key }) => {
    const { position, message } = refusalOf(key, parseKeyExpression)
    expect(position).toBeLessThanOrEqual(key.length)
    expect(message).not.toMatch(/[xt]prv\w|L4rK/)
  })

  it.each([
    [`[deadbeef/0h/1h/]${XPUB}`, 16],
    [`[deadbeef/0h/1x]${XPUB}`, 13],
    [`[deadbeef${XPUB}`, 0],
    [`${XPUB}/0/2147483648/*`, XPUB.length + 3],
    [`${XPUB}/0/*/1`, XPUB.length + 3],
    [`${XPUB}/0/<0;1>/<2;3>/*`, XPUB.length + 9],
    [`${XPUB}/<0;0>/*`, XPUB.length + 1],
    [`${XPUB}/<0;1h>/*`, XPUB.length + 4],
    [`${XPUB}/5'/*`, XPUB.length + 1],
    [`${KEY}/0`, KEY.length],
    [`${XPUB}/`, XPUB.length + 1],
    [`02${'f'.repeat(64)}`, 0],
  ])('says where it is wrong: %s', (key, position) => {
    expect(refusalOf(key, parseKeyExpression).position).toBe(position)
  })
})

describe('a descriptor', () => {
  const understood = published.valid.filter(({ descriptor }) => KINDS.test(descriptor))

  it.each(understood.filter(one => isOfPublicKeys(one.descriptor)))(
    'of BIP-$bip is read, and written with h and a checksum: $descriptor',
    ({ descriptor }) => {
      const text = formatDescriptor(parseDescriptor(descriptor))
      const canonical = descriptor.replaceAll("'", 'h')
      expect(text).toBe(`${canonical}#${computeDescriptorChecksum(canonical)}`)
      expect(formatDescriptor(parseDescriptor(text))).toBe(text)
    },
  )

  it.each(understood.filter(one => !isOfPublicKeys(one.descriptor)))(
    'of BIP-$bip with uncompressed or private keys or hardened steps is refused, and they are not repeated: $descriptor',
    ({ descriptor }) => {
      const { problem, message } = refusalOf(descriptor)
      expect(['private', 'unsupported', 'key']).toContain(problem)
      expect(message).not.toMatch(/[xt]prv\w|[5KL][1-9A-HJ-NP-Za-km-z]{50}/)
    },
  )

  it.each(published.valid.filter(({ descriptor }) => !KINDS.test(descriptor)))(
    'of BIP-$bip of another kind is refused as one: $descriptor',
    ({ descriptor }) => {
      expect(['unsupported', 'private', 'key']).toContain(refusalOf(descriptor).problem)
    },
  )

  it.each(published.invalid)('of BIP-$bip is refused, $name: $descriptor', ({ descriptor }) => {
    const { position } = refusalOf(descriptor)
    expect(position).toBeLessThanOrEqual(descriptor.length)
  })

  it.each(bip389.invalid)('of BIP-389 is refused, $name: $descriptor', ({ descriptor }) => {
    refusalOf(descriptor)
  })

  it.each(
    bip389.valid.filter(({ descriptor }) => KINDS.test(descriptor) && isOfPublicKeys(descriptor)),
  )('of BIP-389 stands for its branches: $descriptor', ({ descriptor, expanded }) => {
    const parsed = parseDescriptor(descriptor)
    expect(countDescriptorBranches(parsed)).toBe(expanded.length)
    const branches = expanded.map((_, branch) => formatDescriptor(pickBranch(parsed, branch)))
    expect(branches).toEqual(expanded.map(one => formatDescriptor(parseDescriptor(one))))
    expect(branches.map(one => one.split('#')[0])).toEqual(expanded)
  })

  it.each([
    ['pkh', 'single', 'p2pkh'],
    ['wpkh', 'single', 'p2wpkh'],
    ['sh(wpkh', 'single', 'p2sh-p2wpkh'],
    ['tr', 'single', 'p2tr'],
  ])('%s( gives the type of its addresses', (name, type, addressType) => {
    const parsed = parseDescriptor(`${name}(${XPUB}/<0;1>/*)${name.startsWith('sh') ? ')' : ''}`)
    expect(parsed).toMatchObject({ type, addressType })
    expect([isRangedDescriptor(parsed), countDescriptorBranches(parsed)]).toEqual([true, 2])
    expect(keySpaceOfDescriptor(parsed)).toBe('mainnet')
  })

  it('of several keys tells how many must sign, of which', () => {
    const parsed = parseDescriptor(
      `tr(50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0,sortedmulti_a(2,${XPUB}/<0;1>/*,${OTHER}/<0;1>/*,${KEY}))`,
    )
    expect(parsed).toMatchObject({ script: 'p2tr', threshold: 2, isSorted: true })
    expect(listDescriptorKeys(parsed).map(({ type }) => type)).toEqual([
      'plain',
      'extended',
      'extended',
      'plain',
    ])
  })

  it.each([
    ['wpkh(', 5, 'key'],
    [`wpkh(${XPUB}/0/*`, 6 + XPUB.length + 3, 'syntax'],
    [`wpkh(${XPUB}/0/*))`, 5 + XPUB.length + 5, 'syntax'],
    [` wpkh(${XPUB})`, 0, 'syntax'],
    [`wpkh( ${XPUB})`, 5, 'key'],
    [`wpkh(${XPUB})\n`, XPUB.length + 6, 'syntax'],
    [`WPKH(${XPUB})`, 0, 'syntax'],
    [`wpkh(${KEY.slice(2)})`, 5, 'key'],
    [`wsh(sortedmulti(2,${KEY.slice(2)},${KEY}))`, 18, 'key'],
    [`wsh(sortedmulti(3,${KEY},${XPUB}))`, 16, 'syntax'],
    [`wsh(sortedmulti(2,${KEY},${XPUB},))`, 18 + KEY.length + XPUB.length + 2, 'key'],
    [`wsh(and_v(v:pk(${KEY}),older(5)))`, 4, 'unsupported'],
    [`wsh(sortedmulti_a(1,${KEY}))`, 4, 'unsupported'],
    [`tr(${KEY},{pk(${KEY}),pk(${KEY})})`, 4 + KEY.length, 'unsupported'],
    [`tr(${KEY},pk(${KEY}))`, 4 + KEY.length, 'unsupported'],
    [`foo(${KEY})`, 0, 'syntax'],
    [`wpkh(${XPUB.replace('xpub', 'zpub')})`, 5, 'key'],
    ['', 0, 'syntax'],
  ])('says where it is wrong, %#: %s', (text, position, problem) => {
    expect(refusalOf(text)).toMatchObject({ position, problem })
  })

  it.each([
    ['hello', /expected an expression such as pkh/],
    [`foo(${KEY})`, /an unknown expression/],
    [`combo(${KEY})`, /combo\(\) is not understood here/],
    [`wsh(sortedmulti(k,${KEY}))`, /expected how many keys must sign/],
    [`wsh(sortedmulti(2of3,${KEY}))`, /expected how many keys must sign/],
    [`wsh(sortedmulti(0,${KEY}))`, /from 1 to that of the keys \(1\), found 0/],
    [`wpkh(wpkh(${KEY}))`, /expected a key, found another expression/],
  ])('says what was expected: %s', (text, message) => {
    expect(refusalOf(text).message).toMatch(message)
  })

  it('of keys of mainnet and of a test network is refused', () => {
    expect(refusalOf(`wsh(multi(1,${XPUB}/*,${TPUB}/*))`).message).toMatch(/found both/)
  })

  it('has at most 15, 20 and 999 keys', () => {
    const keys = (count: number) => `1${`,${KEY}`.repeat(count)}`
    for (const [open, most, close] of [
      ['sh(sortedmulti(', 15, '))'],
      ['wsh(multi(', 20, '))'],
      ['sh(wsh(multi(', 20, ')))'],
      [`tr(${KEY},multi_a(`, 999, '))'],
    ] as const) {
      expect(
        listDescriptorKeys(parseDescriptor(open + keys(most) + close)).length,
      ).toBeGreaterThanOrEqual(most)
      expect(refusalOf(open + keys(most + 1) + close).problem).toBe('unsupported')
    }
  })
})

describe('two descriptors, for receiving and for change', () => {
  const join = (receive: string, change: string) =>
    formatDescriptor(joinDescriptors(parseDescriptor(receive), parseDescriptor(change)))

  it('become one as Sparrow writes it', () => {
    const account =
      'wpkh([a262308d/84h/0h/0h]xpub6DM7CYgaTMdMbhTcLTUWmNUE5WLXK5hx8ZMa4sRw8qYJPqtqKYiKnwsmT8A6AijDVAUZRivdBnXdR8QE7Y9vVnqvzPL3fXCmu1WtCRLdAoz'
    expect(join(`${account}/0/*)#s5x06kda`, `${account}/1/*)#pqrw8ra9`)).toBe(
      `${account}/<0;1>/*)#cpx4ean7`,
    )
  })

  it.each(
    bip389.valid.filter(
      ({ descriptor, expanded }) =>
        KINDS.test(descriptor) && isOfPublicKeys(descriptor) && expanded.length === 2,
    ),
  )('of BIP-389 become what they are the branches of: $descriptor', ({ descriptor, expanded }) => {
    const [receive = '', change = ''] = expanded
    expect(join(receive, change).split('#')[0]).toBe(descriptor)
  })

  it('of several keys become one', () => {
    const multi = (branch: number | string) =>
      `wsh(sortedmulti(2,${XPUB}/${branch}/*,${OTHER}/7/${branch}/*,${KEY}))`
    expect(join(multi(0), multi(1)).split('#')[0]).toBe(multi('<0;1>'))
  })

  it.each([
    [`wpkh(${XPUB}/0/*)`, `wpkh(${XPUB}/0/*)`],
    [`wpkh(${XPUB}/0/*)`, `wpkh(${OTHER}/1/*)`],
    [`wpkh(${XPUB}/0/*)`, `pkh(${XPUB}/1/*)`],
    [`wpkh(${XPUB}/0/*)`, `wpkh(${XPUB}/1/2/*)`],
    [`wpkh(${XPUB}/0/0/*)`, `wpkh(${XPUB}/1/1/*)`],
    [`wpkh([deadbeef/84h]${XPUB}/0/*)`, `wpkh([deadbeee/84h]${XPUB}/1/*)`],
    [`wsh(multi(1,${XPUB}/0/*))`, `wsh(multi(1,${XPUB}/1/*,${KEY}))`],
    [`wsh(multi(1,${XPUB}/0/*))`, `wsh(sortedmulti(1,${XPUB}/1/*))`],
    [`wpkh(${XPUB}/<0;1>/*)`, `wpkh(${XPUB}/<0;1>/*)`],
    [`wpkh(${XPUB}/<0;1>/*)`, `wpkh(${XPUB}/1/*)`],
    [`wpkh(${KEY})`, `wpkh(${XPUB}/1/*)`],
    [`wpkh(${XPUB}/0/*)`, `wpkh(${XPUB}/1)`],
  ])('that differ otherwise are refused, %#', (receive, change) => {
    expect(() => join(receive, change)).toThrow(/differ in one step/)
  })
})

function isOfPublicKeys(descriptor: string): boolean {
  return !NEEDS_PRIVATE.test(descriptor.replace(/\[[^\]]*\]/g, '').replaceAll("'", 'h'))
}

function refusalOf(
  text: string,
  parse: (text: string) => unknown = parseDescriptor,
): InvalidDescriptorError {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof InvalidDescriptorError) return error
    throw error
  }
  throw new Error('the text was taken')
}
