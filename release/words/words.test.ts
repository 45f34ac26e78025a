import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/browser/languages.ts'
import { LANGUAGE_NAMES } from '../../src/popup/pages/settings/language-names.ts'
import type { Messages } from '../first-words.ts'
import { checkWords, formsOf, listKeys } from './check-words.ts'
import { readGlossary } from './glossary.ts'
import { makePseudo, parsePseudo } from './pseudo-words.ts'

const LOCALES = join(import.meta.dirname, '../../public/_locales')
const read = (language: string): Messages =>
  JSON.parse(readFileSync(join(LOCALES, language.replace('-', '_'), 'messages.json'), 'utf8'))
const ENGLISH = read('en')
/** Tags of the languages that there are words in. */
const TRANSLATED = readdirSync(LOCALES).map(folder => folder.replace('_', '-'))

const findIn = (english: string, translated: string, language: string) =>
  checkWords(asMessages(english), asMessages(translated), { language, glossary: [] })
    .filter(({ isDoubt }) => !isDoubt)
    .map(({ problem }) => problem)

const asMessages = (message: string): Messages => ({ any: { message } })

describe('the languages', () => {
  it('that can be chosen have words, and words are in no other than is listed', () => {
    expect(TRANSLATED).toEqual(expect.arrayContaining(LANGUAGES))
    expect(Object.keys(LANGUAGE_NAMES)).toEqual(expect.arrayContaining(TRANSLATED))
  })
  it('each have a glossary with all terms', () => {
    const terms = readGlossary('de').map(({ name }) => name)
    expect(terms.length).toBeGreaterThan(60)
    for (const language of Object.keys(LANGUAGE_NAMES).filter(tag => tag !== 'en')) {
      expect(
        readGlossary(language).map(({ name }) => name),
        language,
      ).toEqual(terms)
    }
  })
})

describe.each(TRANSLATED)('the words in %s', language => {
  const messages = read(language)
  const canBeChosen = LANGUAGES.some(tag => tag === language)
  it('have all names and plural forms, in their own marks, are not too long, and complete before they can be chosen', () => {
    const found = checkWords(ENGLISH, messages, { language, glossary: [] })
      .filter(({ isDoubt, problem }) => !isDoubt && (canBeChosen || problem !== 'is missing'))
      .map(({ key, problem }) => `${key} ${problem}`)
    expect(found).toEqual([])
  })
  it('fit where stores and browsers show them', () => {
    expect(messages.extensionName?.message.length).toBeLessThanOrEqual(45)
    expect(messages.extensionDescription?.message.length).toBeLessThanOrEqual(132)
  })
})

describe('what is found in a translation', () => {
  it.each([
    ['de', ['one', 'other']],
    ['ja', ['other']],
    ['fr', ['one', 'other']],
    ['ru', ['few', 'many', 'one', 'other']],
    ['ar', ['few', 'many', 'one', 'other', 'two', 'zero']],
  ])('counts in %s with %j', (language, forms) => {
    expect([...formsOf(language).keys()].sort()).toEqual(forms)
    const english = { a_one: { message: '{count} coin' }, a_other: { message: '{count} coins' } }
    expect(listKeys(english, language).sort()).toEqual(forms.map(form => `a_${form}`))
  })
  it('is a form without its number, unless it stands for one number alone', () => {
    const english = { a_one: { message: '1 coin' }, a_other: { message: '{count} coins' } }
    const translate = (language: string) =>
      checkWords(
        english,
        Object.fromEntries(
          listKeys(english, language).map(key => [
            key,
            { message: key === 'a_one' ? 'x' : '{count}' },
          ]),
        ),
        { language, glossary: [] },
      ).map(({ key, problem }) => `${key} ${problem}`)
    // One is 1 in Arabic, but also 21 in Russian and 0 in French.
    expect(translate('ar')).toEqual([])
    expect(translate('ru')).toEqual(['a_one lacks {count}'])
    expect(translate('fr')).toEqual(['a_one lacks {count}'])
  })
  it.each([
    ['To {name}', 'An {nam}', 'de', 'lacks {name}'],
    ['To {name}', 'An {name} {more}', 'de', 'has {more}, which English has not'],
    ['Send', ' Senden', 'de', 'is empty, or has spaces too many'],
    ['Send', 'Sen\u200bden', 'de', 'has the character U+200b'],
    ['Send', 'أرسل\u202e', 'ar', 'has the character U+202e'],
    ['Send', '<b>Senden</b>', 'de', 'has HTML, which is shown as it is'],
    ['Send', 'Отправιть', 'ru', 'has a letter of another script: ι'],
    ['Sign the PSBT', 'Das signieren', 'de', 'lacks PSBT'],
    [
      'Send it?',
      'Envoyer?',
      'fr',
      'has other marks than a no-break space (U+00A0) before : ; ? ! » and after «',
    ],
    [
      'To: {name}',
      'À: {name}',
      'fr',
      'has other marks than a no-break space (U+00A0) before : ; ? ! » and after «',
    ],
    ['Send it?', '发送?', 'zh-CN', 'has other marks than ，。；：？！（）'],
    ['Send it?', 'Enviar?', 'es', 'has other marks than ¿ or ¡ before a question or a shout'],
    ['Send it?', 'إرسال?', 'ar', 'has other marks than ، ؛ ؟'],
    ['Reading…', 'Wird gelesen…', 'de', 'has other marks than „…“, and a space before …'],
    ['Choose {name}', '‘{name}’ 선택', 'ko', 'has other marks than “…”'],
    ['Send', 'Diese Zahlung jetzt absenden', 'de', 'is 28 wide, expected at most 18'],
  ])('is in “%s” as “%s” in %s: %s', (english, translated, language, problem) => {
    expect(findIn(english, translated, language)).toContain(problem)
  })
  it.each([
    ['Send it?', 'Envoyer\u00a0?', 'fr'],
    ['Send it?', '¿Enviar?', 'es'],
    ['Send it?', '发送？', 'zh-CN'],
    ['About {amount}. BTC', '约 {amount}。BTC', 'zh-CN'],
  ])('is nothing in “%s” as “%s” in %s', (english, translated, language) => {
    expect(findIn(english, translated, language)).toEqual([])
  })
  it('is a doubt where the glossary has another word, or the text is still English', () => {
    const find = (english: string, translated: string, language: string) =>
      checkWords(asMessages(english), asMessages(translated), {
        language,
        glossary: readGlossary(language),
      }).map(({ problem, isDoubt }) => `${isDoubt} ${problem}`)
    expect(find('Choose a wallet', 'Wähl eine Börse', 'de')).toEqual([
      'true has wallet, but not Wallet',
    ])
    expect(find('Choose a wallet', 'Выбери кошельки', 'ru')).toEqual([])
    // İ is a capital i in Turkish, and vowel marks may be written in Arabic or not.
    expect(find('Transaction', 'İşlem', 'tr')).toEqual([])
    expect(find('Connect', 'BAĞLAN', 'tr')).toEqual([])
    expect(find('Transaction', 'Odeme', 'tr')).toEqual(['true has transaction, but not işlem'])
    expect(find('The signer', 'الموقّع', 'ar')).toEqual([])
    expect(find('The signer', 'الموقع', 'ar')).toEqual([])
    expect(find('The signer', 'المرسل', 'ar')).toEqual(['true has signer, but not موقّع'])
    expect(find('Choose all of these', 'Choose all of these', 'de')).toEqual([
      'true is the English text',
    ])
  })
})

describe('English in disguise', () => {
  it('is longer, keeps the names to fill in, and none of its letters', () => {
    const { homeAccount, aboutTitle } = makePseudo(ENGLISH, 'long')
    expect(homeAccount?.message).toContain('{name}')
    expect(homeAccount?.message).not.toContain('Account')
    expect((aboutTitle?.message.length ?? 0) / 'About Satchel'.length).toBeGreaterThan(1.3)
    expect(Object.keys(makePseudo(ENGLISH, 'mirrored'))).toEqual(Object.keys(ENGLISH))
  })
  it('is asked for by name, and never by mistake', () => {
    expect([parsePseudo(undefined), parsePseudo(''), parsePseudo('long')]).toEqual([
      null,
      null,
      'long',
    ])
    expect(() => parsePseudo('longer')).toThrow(
      'SATCHEL_WORDS is longer, expected long or mirrored',
    )
  })
  it('is in no package', () => {
    expect(existsSync(join(LOCALES, 'long'))).toBe(false)
    expect(process.env.SATCHEL_WORDS ?? '').toBe('')
  })
})
