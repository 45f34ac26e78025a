import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { damagedTexts } from '../testing/damaged-texts.ts'
import bip32 from '../testing/vectors/bip32.json' with { type: 'json' }
import bip380 from '../testing/vectors/bip380.json' with { type: 'json' }
import published from '../testing/vectors/bip381-387.json' with { type: 'json' }
import bip389 from '../testing/vectors/bip389.json' with { type: 'json' }
import files from '../testing/vectors/key-files.json' with { type: 'json' }
import slip132 from '../testing/vectors/slip132.json' with { type: 'json' }
import { countDescriptorBranches, formatDescriptor, parseDescriptor } from './descriptor.ts'
import { InvalidDescriptorError } from './descriptor-checksum.ts'
import { deriveOutput } from './descriptor-output.ts'
import { formatExtendedKey, InvalidExtendedKeyError, parseExtendedKey } from './extended-key.ts'
import { InvalidKeyFileError } from './key-candidates.ts'
import { formatKeyExpression, parseKeyExpression } from './key-expression.ts'
import { MAX_KEY_FILE_LENGTH, parseKeyFile } from './key-files.ts'

const { count: COUNT, seed: SEED } = campaign('damaged key files')

const XPUB = slip132.accounts[0]?.public ?? ''
const KEY = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600'

/** What is damaged: files, descriptors and keys; of those that are refused already, each tenth. */
const TEXTS = [
  ...files.map(({ text }) => text),
  ...published.valid.map(({ descriptor }) => descriptor),
  ...bip389.valid.map(({ descriptor }) => descriptor),
  ...[...bip380.validKeys, ...bip380.invalidKeys].map(({ key }) => key),
  ...bip32.flatMap(({ chains }) => chains.flatMap(({ xpub, xprv }) => [xpub, xprv])),
  ...slip132.accounts.flatMap(account => [account.public, account.private]),
].filter((text, i) => i % 10 === 0 || attempt(() => parseKeyFile(text), InvalidKeyFileError))

const hostile = damagedTexts(TEXTS)

describe(`${COUNT} texts that are wrong in some way (seed ${SEED})`, () => {
  it(
    'give accounts that can be used, or an error of ours without a secret',
    () => {
      const outcomes = { taken: 0, refused: 0, descriptors: 0, slowestMs: 0 }
      fc.assert(
        fc.property(hostile, text => {
          const begun = performance.now()
          const file = attempt(() => parseKeyFile(text), InvalidKeyFileError)
          outcomes.slowestMs = Math.max(outcomes.slowestMs, performance.now() - begun)
          if (file === null) outcomes.refused++
          else outcomes.taken++
          if (file?.candidates.length === 0) throw new Error('a file without accounts was taken')
          for (const { descriptor } of file?.candidates.slice(0, 1) ?? []) expectUsable(descriptor)
          const line = text.trim()
          const descriptor = attempt(() => parseDescriptor(line), InvalidDescriptorError)
          if (descriptor) {
            outcomes.descriptors++
            expectUsable(formatDescriptor(descriptor))
          }
          const key = attempt(() => parseKeyExpression(line), InvalidDescriptorError)
          if (key) parseKeyExpression(formatKeyExpression(key))
          const extended = attempt(() => parseExtendedKey(line), InvalidExtendedKeyError)
          if (extended) parseExtendedKey(formatExtendedKey(extended))
        }),
        { numRuns: COUNT, seed: SEED },
      )
      console.info(JSON.stringify({ seed: SEED, ...outcomes }))
      // If all were refused early, little would have been read.
      expect(outcomes.taken).toBeGreaterThan(COUNT / 50)
      expect(outcomes.descriptors).toBeGreaterThan(COUNT / 200)
    },
    Math.max(600_000, 20 * COUNT),
  )
})

describe('the largest texts are answered', () => {
  const fill = (piece: string, begin = '', end = '') => {
    const times = Math.floor((MAX_KEY_FILE_LENGTH - begin.length - end.length) / piece.length)
    return begin + piece.repeat(times) + end
  }
  const many = (count: number) => Array.from({ length: count }, () => XPUB)
  const core = (count: number) =>
    JSON.stringify(many(count).map(key => ({ desc: `wpkh(${key}/0/*)` })))
  it.each([
    ['brackets', fill('[')],
    ['lists in lists', fill('[', '{"a":')],
    ['objects in objects', fill('{"a":')],
    ['closed lists', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['lines', fill('a\n')],
    ['spaces', fill(' ', 'a', 'b')],
    ['one word', fill('a')],
    ['words with a colon', fill('ab ', 'Policy: 1 of 1\n', ': x')],
    ['colons', fill('a:', 'Policy: 1 of 1\n')],
    ['comments', fill('#')],
    ['numbers', fill('0', 'wpkh(', ')')],
    ['steps', fill('/0', `wpkh(${XPUB}`, ')')],
    ['branches', fill('0;', `wpkh(${XPUB}/<`, '1>/*)')],
    ['open brackets', fill('sh(')],
    [
      'a long name',
      JSON.stringify({ label: fill('\u202e ').slice(0, 900_000), descriptor: `wpkh(${XPUB})` }),
    ],
    ['base 58', fill('1', 'xpub')],
    ['an origin', fill('/0h', '[deadbeef', `]${XPUB}`)],
    ['fingerprints', fill('deadbeef: a\n', 'Policy: 1 of 1\n')],
    ['keys of a taproot descriptor', `tr(${KEY},multi_a(1,${many(999).join(',')}))`],
    ['keys of descriptors', `wsh(multi(1,${many(1_400).join(',')}))`],
    ['a list of descriptors', core(100)],
    ['a longer list of descriptors', core(1_400)],
    ['more keys', fill(`${XPUB},`)],
  ])('%s', (_, text) => {
    expect(text.length).toBeLessThanOrEqual(MAX_KEY_FILE_LENGTH)
    attempt(() => parseKeyFile(text), InvalidKeyFileError)
    attempt(() => parseDescriptor(text), InvalidDescriptorError)
  })
})

/** Null where the text is refused; throws when it is not with an error of ours, or with a secret in it. */
function attempt<T>(read: () => T, refusal: abstract new (...args: never[]) => Error): T | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof refusal)) throw error
    if (/[xyztuv]prv\w{6}|[5KL][1-9A-HJ-NP-Za-km-z]{50}/i.test(error.message)) throw error
    if (error.message.length > 1_000) throw error
    return null
  }
}

/** An account's descriptor is read again as the same, and has outputs. */
function expectUsable(text: string): void {
  const descriptor = parseDescriptor(text)
  if (formatDescriptor(descriptor) !== text) throw new Error(`written otherwise: ${text}`)
  const branch = countDescriptorBranches(descriptor) - 1
  if (deriveOutput(descriptor, { branch, index: 0 }).scriptPubKey.length < 22)
    throw new Error('an output without a script')
}
