import { describe, expect, it } from 'vitest'
import { readGlossary } from './glossary.ts'
import { mergeParts, splitTasks } from './parts.ts'

const text = (message: string) => ({ message })
const ENGLISH = {
  ...{
    sendTitle: text('Send'),
    coins_one: text('{count} coin'),
    coins_other: text('{count} coins'),
  },
  walletAdd: text('Add a wallet'),
}
const GERMAN = {
  ...{
    sendTitle: text('Senden'),
    coins_one: text('{count} Coin'),
    coins_other: text('{count} Coins'),
  },
  walletAdd: text('Wallet hinzufügen'),
}
const SOURCES = new Map([['popup/send.tsx', "words('sendTitle'); countWords('coins', 2)"]])

const split = (language: string, done = {}, most = 350) =>
  splitTasks(ENGLISH, done, {
    ...{ language, german: GERMAN, glossary: readGlossary(language), sources: SOURCES, most },
  })

describe('parts of texts to translate', () => {
  it('say what a text means, where it is, for which numbers, and which words its terms have', () => {
    const [tasks = []] = split('ru')
    expect(tasks[0]).toEqual({
      ...{ key: 'sendTitle', english: 'Send', german: 'Senden', where: ['popup/send.tsx'] },
    })
    expect(tasks.filter(({ key }) => key.startsWith('coins'))).toMatchObject([
      { key: 'coins_many', numbers: '0, 5 and so on', english: '{count} coins' },
      { key: 'coins_one', numbers: '1, 21 and so on', english: '{count} coin' },
      { key: 'coins_few', numbers: '2, 3 and so on', terms: { coin: 'монета' } },
      { key: 'coins_other', numbers: 'fractions' },
    ])
    expect(tasks.at(-1)).toMatchObject({
      key: 'walletAdd',
      where: [],
      terms: { wallet: 'кошелёк' },
    })
  })
  it('leave out what is there, and keep the forms of a text together', () => {
    expect(
      split('ja', { sendTitle: text('送る') })
        .flat()
        .map(({ key }) => key),
    ).toEqual(['coins_other', 'walletAdd'])
    expect(split('ru', {}, 2).map(part => part.length)).toEqual([5, 1])
  })
  it('are put together in the order of English, whatever the order of the parts', () => {
    const parts = new Map<string, unknown>([
      ['part-02.done.json', { walletAdd: 'ウォレットを追加' }],
      ['part-01.done.json', { coins_other: '{count} コイン', sendTitle: '送る' }],
    ])
    const merged = mergeParts(ENGLISH, {}, { language: 'ja', parts })
    expect(Object.keys(merged)).toEqual(['sendTitle', 'coins_other', 'walletAdd'])
    expect(merged.walletAdd).toEqual({ message: 'ウォレットを追加' })
  })
  it.each([
    [['x'], 'p: expected an object of texts by their keys'],
    [{ coins_one: 'コイン' }, 'p: coins_one is no key of a text in ja'],
    [{ sendTitle: 1 }, 'p: sendTitle is 1, expected a text'],
  ])('that are %j are refused', (part, problem) => {
    const parts = new Map([['p', part]])
    expect(() => mergeParts(ENGLISH, {}, { language: 'ja', parts })).toThrow(problem)
  })
})
