import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadNoticeWords } from './notice-words.ts'

const path = (folder: string) => `../../../public/_locales/${folder}/messages.json`
const messages = (of: { [key: string]: string }) => async () =>
  Object.fromEntries(Object.entries(of).map(([key, message]) => [key, { message }]))

const ENGLISH = messages({
  noticeReceived: 'Payment received',
  noticeNew: 'Just new',
  noticeMany_one: '{count} payment',
  noticeMany_other: '{count} payments',
})
const RUSSIAN = messages({
  noticeReceived: 'Платёж получен',
  noticeMany_one: '{count} платёж',
  noticeMany_few: '{count} платежа',
  noticeMany_other: '{count} платежей',
})
const FILES = { [path('en')]: ENGLISH, [path('ru')]: RUSSIAN }

afterEach(() => vi.restoreAllMocks())

describe('the words of a notification', () => {
  it('are those of the language, in the form of a number, and no other language is read', async () => {
    const read = vi.fn(RUSSIAN)
    const files = { ...FILES, [path('ru')]: read, [path('ja')]: () => Promise.reject('never') }
    const { say, count } = await loadNoticeWords('ru', [], files)
    expect(say('noticeReceived')).toBe('Платёж получен')
    expect([1, 3, 5].map(number => count('noticeMany', number))).toEqual([
      '1 платёж',
      '3 платежа',
      '5 платежей',
    ])
    expect(read).toHaveBeenCalledTimes(1)
  })

  it('are English where the language has none yet', async () => {
    const { say } = await loadNoticeWords('ru', [], FILES)
    expect(say('noticeNew')).toBe('Just new')
  })

  it.each([
    ['is missing', undefined],
    ['cannot be read', () => Promise.reject(new Error('./notice-ru.js could not be read'))],
    ['is broken', async () => undefined as never],
  ])('are English, with its numbers, where the file of the language %s', async (_, file) => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const files = { [path('en')]: ENGLISH, ...(file && { [path('ru')]: file }) }
    const { say, count } = await loadNoticeWords('ru', [], files)
    expect(say('noticeReceived')).toBe('Payment received')
    expect(count('noticeMany', 2)).toBe('2 payments')
    expect(count('noticeMany', 1500)).toBe('1,500 payments')
    expect(log).toHaveBeenCalledTimes(1)
  })
})
