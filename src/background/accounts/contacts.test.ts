import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createPlainRecords } from '../../storage/testing/plain-records.ts'
import { createWorld, startUnlocked, startWorker } from '../testing/test-wallet.ts'
import type { Contact } from '../views/payment-views.ts'
import { createContacts } from './contacts.ts'

// BIP-173, BIP-86 and BIP-49 examples.
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const TAPROOT = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
const TEST = '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'

function openBook(local = createMemoryArea()) {
  const random = (n: number) => crypto.getRandomValues(new Uint8Array(n))
  return createContacts({ records: createPlainRecords(local), random })
}

describe('the address book', () => {
  it('keeps names and addresses, by name, and still has them after a restart', async () => {
    const local = createMemoryArea()
    const book = openBook(local)
    await book.save(null, '  bob ', TAPROOT)
    const alice = await book.save(null, 'Alice', SEGWIT.toUpperCase())
    expect(alice).toMatchObject({ name: 'Alice', address: SEGWIT })
    expect((await openBook(local).list()).map(({ name }) => name)).toEqual(['Alice', 'bob'])
    await openBook(local).remove(alice.id)
    expect((await book.list()).map(({ address }) => address)).toEqual([TAPROOT])
  })

  it('takes addresses of any network', async () => {
    const book = openBook()
    await book.save(null, 'Test', TEST)
    await expect(book.save(null, 'Nobody', `${SEGWIT}x`)).rejects.toThrow(/^address: /)
    await expect(book.save(null, 'Nobody', '')).rejects.toThrow(/^address: /)
  })

  it('changes one without taking another’s name or address', async () => {
    const book = openBook()
    const alice = await book.save(null, 'Alice', SEGWIT)
    await book.save(null, 'Bob', TAPROOT)
    await expect(book.save(null, 'ALICE', TEST)).rejects.toThrow(/^name: /)
    await expect(book.save(null, 'Carol', SEGWIT)).rejects.toThrow(/^address: /)
    await expect(book.save(alice.id, 'Alice', TAPROOT)).rejects.toThrow(/^address: /)
    await expect(book.save('gone', 'Carol', TEST)).rejects.toThrow(/^id: /)
    expect(await book.save(alice.id, 'alice', TEST)).toEqual({
      id: alice.id,
      name: 'alice',
      address: TEST,
    })
    expect(await book.list()).toHaveLength(2)
  })

  it('has names that can be seen and that read as they are written', async () => {
    const book = openBook()
    const refused = [
      '',
      '   ',
      'x'.repeat(41),
      'Al\u200bice',
      'Al\u202eice',
      'Al\nice',
      'Al\u0000ice',
    ]
    for (const name of refused) {
      await expect(book.save(null, name, SEGWIT), JSON.stringify(name)).rejects.toThrow(/^name: /)
    }
    await book.save(null, '🦊'.repeat(40), SEGWIT)
    expect(await book.list()).toHaveLength(1)
  })

  it('keeps both of two that are saved at once', async () => {
    const book = openBook()
    await Promise.all([book.save(null, 'Alice', SEGWIT), book.save(null, 'Bob', TAPROOT)])
    expect(await book.list()).toHaveLength(2)
  })

  it('passes over stored nonsense', async () => {
    const local = createMemoryArea({ contacts: [null, 'x', { id: '1', name: 2, address: SEGWIT }] })
    expect(await openBook(local).list()).toEqual([])
  })
})

describe('contacts over the wire', () => {
  it('are saved, changed and removed, and nothing but text is taken', async () => {
    const { ui } = startWorker(createWorld())
    const contact = await ui('saveContact', { id: null, name: 'Alice', address: SEGWIT })
    await ui('saveContact', { ...contact, name: 'Alice B.' })
    expect(await ui('getContacts', null)).toEqual([{ ...contact, name: 'Alice B.' }])
    const wrong = { id: null, name: ['Bob'], address: TAPROOT } as unknown as Contact
    await expect(ui('saveContact', wrong)).rejects.toMatchObject({ code: -32602 })
    await ui('removeContact', { id: contact.id })
    expect(await ui('getContacts', null)).toEqual([])
  })
})

describe('a contact with a name (BIP-353)', () => {
  it('is kept in its one spelling, and nobody is asked what it leads to', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const contact = { id: null, name: 'Alice', address: ' ₿Alice@Names.Test' }
    expect(await worker.ui('saveContact', contact)).toMatchObject({ address: 'alice@names.test' })
    expect(world.names.asked).toEqual([])
  })

  it('is there once, and refused where it is no name', async () => {
    const book = openBook()
    await book.save(null, 'Alice', 'alice@names.test')
    await expect(book.save(null, 'Other', '₿ALICE@names.test')).rejects.toThrow(/^address: /)
    for (const wrong of ['alice@', '@names.test', 'al ice@names.test', 'älice@names.test', 'a@b@c'])
      await expect(book.save(null, 'Nobody', wrong), wrong).rejects.toThrow(/^address: /)
  })
})
