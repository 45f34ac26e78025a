import { afterEach, describe, expect, it } from 'vitest'
import arabic from '../../../public/_locales/ar/messages.json'
import english from '../../../public/_locales/en/messages.json'
import { joinFacts } from './join-facts.ts'
import { takeMessages } from './words.ts'

afterEach(() => takeMessages('en', english))

describe('facts on one line', () => {
  it('have a dot between them, with which no line begins; what is not known is left out', () => {
    expect(joinFacts(['0.01 BTC', null, '', 'app.example'])).toBe('0.01 BTC\u00a0· app.example')
    expect(joinFacts([])).toBe('')
  })

  it('keep their order in a text that runs to the left', () => {
    takeMessages('ar', { ...english, ...arabic })
    expect(joinFacts(['0.01 BTC', 'app.example'])).toBe(
      '\u20680.01 BTC\u2069\u00a0· \u2068app.example\u2069',
    )
  })
})
