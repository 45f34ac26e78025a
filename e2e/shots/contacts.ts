import type { Contact } from '../../src/background/views/payment-views.ts'
import { FRIEND, SHOP } from './fixtures/activity.ts'
import { OTHERS } from './fixtures/payments.ts'
import { type Answers, failing, type Shot, silent, stateWith, value } from './shot.ts'

const NAMES = [
  'Alice',
  'Bob',
  'The bakery on the corner that is open at night',
  '蒼井 さくら',
  'Zoë',
]
const CONTACTS: Contact[] = NAMES.map((name, index) => ({
  id: String(index),
  name,
  address: [FRIEND, SHOP, ...OTHERS][index] ?? SHOP,
}))
const TEST: Contact = {
  id: '9',
  name: 'Faucet',
  address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
}

const NAMED: Contact = { id: '8', name: 'Carol', address: 'carol@example.com' }

function contacts(name: string, answers: Answers, changes: Partial<Shot> = {}): Shot {
  const open: Answers = { getState: value(stateWith()), touch: value(null) }
  return {
    name: `contacts-${name}`,
    path: '/contacts',
    answers: { ...open, ...answers },
    ...changes,
  }
}

const SOME = { getContacts: value([...CONTACTS, NAMED, TEST]) }

export const shots: Shot[] = [
  contacts('list', SOME),
  contacts('empty', { getContacts: value([]) }),
  contacts('loading', { getContacts: silent }),
  contacts('failed', { getContacts: failing(-32603, 'Internal error') }),
  contacts('add', SOME, { act: screen => screen.click('button', 'Add a contact') }),
  contacts('add-errors', SOME, {
    act: async screen => {
      await screen.click('button', 'Add a contact')
      await screen.fill('textbox', 'Name', 'alice')
      await screen.fill('textbox', 'Bitcoin address*', SHOP)
      await screen.click('button', 'Save')
    },
  }),
  contacts('change', SOME, { act: screen => screen.click('button', 'Change Alice') }),
  contacts('change-payment-name', SOME, { act: screen => screen.click('button', 'Change Carol') }),
  contacts('remove', SOME, {
    act: async screen => {
      await screen.click('button', 'Change Alice')
      await screen.click('button', 'Remove')
    },
  }),
]
