import { afterEach, describe, expect, it } from 'vitest'
import english from '../../../public/_locales/en/messages.json'
import type { Language } from '../../browser/languages.ts'
import { endSentence } from './end-sentence.ts'
import { addSpace, joinList, joinNames, joinSentences } from './join-words.ts'
import { takeMessages } from './words.ts'

afterEach(() => takeMessages('en', english))

const inLanguage = (language: Language) => takeMessages(language, english)

describe('sentences that stand one after the other', () => {
  it.each<[Language, string[], string]>([
    ['en', ['Saved.', 'Block 812,345'], 'Saved. Block 812,345'],
    [
      'en',
      ['The runestone is malformed', 'It has no value.'],
      'The runestone is malformed. It has no value.',
    ],
    ['en', ['Is it yours?', '', 'Look there!', 'So'], 'Is it yours? Look there! So'],
    ['de', ['Gespeichert.', '', 'Block 812.345'], 'Gespeichert. Block 812.345'],
    ['ru', ['Сохранено.', 'Блок 812 345'], 'Сохранено. Блок 812 345'],
    ['ko', ['저장했습니다.', '블록 812,345'], '저장했습니다. 블록 812,345'],
    ['ar', ['هل هو لك؟', 'تم الحفظ', 'الكتلة 5.'], 'هل هو لك؟ تم الحفظ. الكتلة 5.'],
    ['zh-CN', ['已保存。', '区块 812,345'], '已保存。区块 812,345'],
    [
      'zh-CN',
      ['Runestone 格式错误', '它含有数据以外的内容。'],
      'Runestone 格式错误。它含有数据以外的内容。',
    ],
    ['zh-TW', ['是你的嗎？', '請確認（兩次）', '好'], '是你的嗎？請確認（兩次）。好'],
    ['ja', ['保存しました。', 'ブロック812,345'], '保存しました。ブロック812,345'],
    [
      'ja',
      ['「コイン」を見てください。', '', '形式が正しくありません'],
      '「コイン」を見てください。形式が正しくありません',
    ],
  ])('in %s have its full stop and its space: %j', (language, sentences, told) => {
    inLanguage(language)
    const whole = sentences.map((one, at) =>
      at < sentences.length - 1 && one ? endSentence(one) : one,
    )
    expect(joinSentences(whole)).toBe(told)
  })

  it('are nothing where there is none, and as they are where there is one', () => {
    expect(joinSentences(['', ''])).toBe('')
    expect(joinSentences(['', 'A title'])).toBe('A title')
  })

  it('end in the full stop of the language, once', () => {
    expect([endSentence('Sat 0'), endSentence('Sat 0.'), endSentence('')]).toEqual([
      'Sat 0.',
      'Sat 0.',
      '.',
    ])
    inLanguage('ja')
    expect([endSentence('sat 0'), endSentence('sat 0。')]).toEqual(['sat 0。', 'sat 0。'])
  })

  it('are followed on the line by a space, but not after a full-width mark', () => {
    expect(['Keep it:', 'コインを分けます：', '分けます。'].map(addSpace)).toEqual([
      ...['Keep it: ', 'コインを分けます：', '分けます。'],
    ])
  })
})

describe('a list', () => {
  it.each<[Language, string]>([
    ['en', 'A, B, C'],
    ['de', 'A, B, C'],
    ['es', 'A, B, C'],
    ['fr', 'A, B, C'],
    ['pt-BR', 'A, B, C'],
    ['tr', 'A, B, C'],
    ['vi', 'A, B, C'],
    ['ru', 'A, B, C'],
    ['ar', '\u2068A\u2069، \u2068B\u2069، \u2068C\u2069'],
    ['zh-CN', 'A、B、C'],
    ['zh-TW', 'A、B、C'],
    ['ja', 'A、B、C'],
    ['ko', 'A, B, C'],
  ])('in %s has its comma', (language, list) => {
    inLanguage(language)
    expect(joinList(['A', 'B', 'C'])).toBe(list)
    expect(joinList([])).toBe('')
  })

  // listPattern-type-standard of CLDR 44.
  it.each<[Language, string, string]>([
    ['en', 'A and B', 'A, B, and C'],
    ['de', 'A und B', 'A, B und C'],
    ['es', 'A y B', 'A, B y C'],
    ['fr', 'A et B', 'A, B et C'],
    ['pt-BR', 'A e B', 'A, B e C'],
    ['tr', 'A ve B', 'A, B ve C'],
    ['vi', 'A và B', 'A, B và C'],
    ['ru', 'A и B', 'A, B и C'],
    ['ar', '\u2068A\u2069 و\u2068B\u2069', '\u2068A\u2069 و\u2068B\u2069 و\u2068C\u2069'],
    ['zh-CN', 'A和B', 'A、B和C'],
    ['zh-TW', 'A和B', 'A、B和C'],
    ['ja', 'A、B', 'A、B、C'],
    ['ko', 'A 및 B', 'A, B 및 C'],
  ])('in %s as part of a sentence has its "and"', (language, two, three) => {
    inLanguage(language)
    expect(joinNames(['A'])).toBe(language === 'ar' ? '\u2068A\u2069' : 'A')
    expect(joinNames(['A', 'B'])).toBe(two)
    expect(joinNames(['A', 'B', 'C'])).toBe(three)
  })
})
