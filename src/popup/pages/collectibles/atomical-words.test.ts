import { describe, expect, it } from 'vitest'
import { explainMint, nameShort, nameSubtype, nameToken } from './atomical-words.ts'

const ID = `${'6f'.repeat(31)}41i12`

describe('the words for Atomicals', () => {
  it('name one by its name, else its number, else its id', () => {
    expect(nameShort({ id: ID, name: 'alice', number: 7 })).toBe('alice')
    expect(nameShort({ id: ID, name: null, number: 7 })).toBe('#7')
    expect(nameShort({ id: ID, name: null, number: null })).toBe('6f6f6f…41i12')
  })

  it('name a token by its ticker in capitals, else by its number or id', () => {
    expect(nameToken({ id: ID, name: 'atom', number: 0 })).toBe('ATOM')
    expect(nameToken({ id: ID, name: null, number: 0 })).toBe('Atomical 0')
    expect(nameToken({ id: ID, name: null, number: null })).toBe('Atomical 6f6f6f…41i12')
  })

  it('name kinds, and leave one that is not known as it is', () => {
    expect(nameSubtype('realm')).toBe('Realm')
    expect(nameSubtype('dmitem')).toBe('Item of a container')
    expect(nameSubtype('constructor')).toBe('constructor')
    expect(nameSubtype(null)).toBe('NFT')
  })

  it('say of a mint no more than was checked', () => {
    expect(explainMint({ isMinted: true }).note).toContain('is the word of the server')
    expect(explainMint({ isMinted: null })).toMatchObject({ status: 'server' })
    expect(explainMint({ isMinted: false })).toMatchObject({ status: 'contradicted' })
  })
})
