import { toHex } from '../../bitcoin/bytes.ts'
import { NETWORKS } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { Records } from '../../storage/records.ts'
import { checkName } from '../primitives/check-name.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import type { Contact } from '../views/payment-views.ts'
import { CONTACTS_KEY } from './contacts-key.ts'

/** The address book, by name; kept in local storage. Of a record that somebody else changed, nobody is in it. */
export function createContacts({ records, random }: { records: Records; random: RandomSource }) {
  const inTurn = createMutex()

  return {
    list,
    /** Adds, or replaces the one with this id. Throws -32602 that names `name` or `address`; each may be there once. */
    save: (id: string | null, name: string, address: string) =>
      inTurn(async () => {
        const contact = { id: id ?? toHex(random(16)), ...(await readContact(name, address)) }
        const all = await list()
        if (id !== null && !all.some(known => known.id === id))
          throw invalidParams('id', id, 'a contact that is there')
        const others = all.filter(known => known.id !== id)
        if (others.some(known => fold(known.name) === fold(contact.name)))
          throw invalidParams('name', contact.name, 'a name that no other contact has')
        if (others.some(known => known.address === contact.address))
          throw invalidParams('address', contact.address, 'an address that no other contact has')
        await write([...others, contact])
        return contact
      }),
    /** Runs a task while nobody else writes here. */
    hold: inTurn,
    /** What storage holds with these contacts too. */
    async entriesWith(added: readonly Omit<Contact, 'id'>[]) {
      const contacts = added.map(contact => ({ id: toHex(random(16)), ...contact }))
      return { [CONTACTS_KEY]: sort([...(await list()), ...contacts]) }
    },
    remove: (id: string) =>
      inTurn(async () => write((await list()).filter(known => known.id !== id))),
  }

  async function list(): Promise<Contact[]> {
    const { stored, isChanged } = await records.read(CONTACTS_KEY)
    return isChanged ? [] : parseContacts(stored)
  }

  async function write(contacts: Contact[]): Promise<void> {
    await records.write({ [CONTACTS_KEY]: sort(contacts) })
  }
}

function sort(contacts: readonly Contact[]): Contact[] {
  return contacts.toSorted((a, b) => (fold(a.name) < fold(b.name) ? -1 : 1))
}

export type Contacts = ReturnType<typeof createContacts>

async function readContact(name: string, address: string): Promise<Omit<Contact, 'id'>> {
  return { name: checkName(name), address: await readAddress(address) }
}

/** In its canonical spelling; test networks share prefixes, so the network itself is not kept. What a name leads to is asked when it is paid. */
async function readAddress(text: string): Promise<string> {
  const [{ InvalidAddressError }, { parsePayee }, { parsePaymentName }] = await Promise.all([
    import('../../bitcoin/address.ts'),
    import('../../bitcoin/silent-payments/payee.ts'),
    import('../../dnssec/payment-name.ts'),
  ])
  const paymentName = parsePaymentName(text)
  if (paymentName !== null) return paymentName.text
  for (const network of NETWORKS) {
    try {
      return parsePayee(text.trim(), network).address
    } catch (error) {
      if (!(error instanceof InvalidAddressError)) throw error
    }
  }
  throw invalidParams('address', text, 'a Bitcoin address or a name, user@domain')
}

/** Contacts as they are stored, without what is none. */
export function parseContacts(stored: unknown): Contact[] {
  return Array.isArray(stored) ? stored.filter(isContact) : []
}

function isContact(value: unknown): value is Contact {
  const { id, name, address } = (value ?? {}) as { [key: string]: unknown }
  return [id, name, address].every(part => typeof part === 'string')
}

/** Whether what a contact has is a name (BIP-353): no address has this character. */
export function isNameContact({ address }: Pick<Contact, 'address'>): boolean {
  return address.includes('@')
}

/** Names that differ in this alone are one. */
export function fold(name: string): string {
  return name.toLowerCase()
}
