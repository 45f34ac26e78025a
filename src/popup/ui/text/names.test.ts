import { afterEach, describe, expect, it } from 'vitest'
import arabic from '../../../../public/_locales/ar/messages.json'
import german from '../../../../public/_locales/de/messages.json'
import english from '../../../../public/_locales/en/messages.json'
import { takeMessages } from '../../platform/words.ts'
import { sayName } from './names.ts'

const ACCOUNT = { unnamed: 'account', number: 2 } as const
const WALLET = { unnamed: 'wallet', number: 12 } as const

describe('the name of an account or a wallet', () => {
  afterEach(() => takeMessages('en', english))

  it('that nobody gave is in the language of the screens, and changes with it', () => {
    const said = () => [sayName(ACCOUNT), sayName(WALLET)]
    expect(said()).toEqual(['Account 2', 'Wallet 12'])
    takeMessages('de', german)
    expect(said()).toEqual(['Konto 2', 'Wallet 12'])
    takeMessages('ar', arabic)
    expect(said()).toEqual(['الحساب 2', 'المحفظة 12'])
    takeMessages('en', english)
    expect(said()).toEqual(['Account 2', 'Wallet 12'])
  })

  it('that a person gave is theirs in every language', () => {
    takeMessages('de', german)
    expect(['Savings', 'Konto 1', 'Account\u00a01', ''].map(sayName)).toEqual([
      ...['Savings', 'Konto 1', 'Account\u00a01', ''],
    ])
  })
})
