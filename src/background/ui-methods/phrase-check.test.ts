import { describe, expect, it } from 'vitest'
import { createWorld, startWorker } from '../testing/test-wallet.ts'

const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

/** A phrase of BIP-39 whose hash begins as those of Electrum's seeds do, found by counting up. */
const BOTH = `${'abandon '.repeat(11)}mass`

const check = (mnemonic: string) => startWorker(createWorld()).ui('checkMnemonic', { mnemonic })

describe('recovery words that are typed in', () => {
  it('are told where they are mistyped, with the words that may be meant', async () => {
    expect(await check(PHRASE.replace('year', 'yaer').replace('useful', 'qqqqqq'))).toEqual({
      valid: false,
      problem: 'UNKNOWN_WORD',
      unknownWords: [
        { word: 'yaer', place: 3, nearest: expect.arrayContaining(['year']) },
        { word: 'qqqqqq', place: 7, nearest: [] },
      ],
      wordCount: 12,
      isTwoFactor: false,
    })
  })

  it('have their mistyped ones named where one is missing, too', async () => {
    expect(await check(PHRASE.replace('legal winner', 'winer'))).toMatchObject({
      problem: 'WORD_COUNT',
      unknownWords: [{ word: 'winer', place: 0, nearest: expect.arrayContaining(['winner']) }],
    })
  })

  it('are told apart from words that are known and do not belong together', async () => {
    expect(await check(PHRASE.replace('legal winner', 'winner legal'))).toMatchObject({
      problem: 'CHECKSUM',
      unknownWords: [],
    })
  })

  it('are known as a seed of Electrum, which is none of BIP-39', async () => {
    const seed = 'ostrich security deer aunt climb inner alpha arm mutual marble solid task'
    expect(await check(seed)).toEqual({ valid: true, kinds: ['electrum-standard'] })
    expect(await check(PHRASE)).toEqual({ valid: true, kinds: ['bip39'] })
    const mistyped = await check(seed.replace('task', 'tusk'))
    expect(mistyped).toMatchObject({ valid: false, isTwoFactor: false })
  })

  it('are known as one of two factors, which needs a second signer', async () => {
    const seed = 'science dawn member doll dutch real can brick knife deny drive list'
    expect(await check(seed)).toMatchObject({ valid: false, isTwoFactor: true })
  })

  it('are told to be both where they are both', async () => {
    expect(await check(BOTH)).toEqual({ valid: true, kinds: ['bip39', 'electrum-standard'] })
  })

  it('are answered at once when a whole book is pasted', async () => {
    const started = performance.now()
    const answer = await check('lorem ipsvm '.repeat(20_000))
    expect(answer).toMatchObject({ valid: false, wordCount: 40_000 })
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
