import {
  type Answers,
  PAIRED,
  SEGWIT,
  type Shot,
  silent,
  stateWith,
  TAPROOT,
  value,
} from './shot.ts'

function receive(name: string, answers: Answers = {}, changes: Partial<Shot> = {}): Shot {
  const open: Answers = { getState: value(stateWith()), touch: value(null) }
  return { name: `receive-${name}`, path: '/receive', answers: { ...open, ...answers }, ...changes }
}

/** BIP-84's account key of the phrase of its test vectors. */
const DESCRIPTOR =
  'wpkh([73c5da0a/84h/0h/0h]xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V/<0;1>/*)#wc3n3van'

const many = stateWith({
  accounts: [{ ...SEGWIT, descriptor: DESCRIPTOR }],
  accountId: SEGWIT.id,
})

/** BIP-84's second receiving address. */
const FRESH = { address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g', index: 1, hasNext: true }

export const shots: Shot[] = [
  receive('fresh', { getState: value(many), getReceiveAddress: value(FRESH) }),
  receive('fresh-loading', { getState: value(many), getReceiveAddress: silent }),
  receive('fresh-last', {
    getState: value(many),
    getReceiveAddress: value({ ...FRESH, index: 20, hasNext: false }),
  }),
  receive('paired', { getState: value(stateWith({ accounts: [PAIRED], accountId: PAIRED.id })) }),
  receive(
    'paired-ordinals',
    { getState: value(stateWith({ accounts: [PAIRED], accountId: PAIRED.id })) },
    { act: screen => screen.click('radio', 'Ordinals and runes') },
  ),
  receive('taproot'),
  receive('tab', {}, { surface: 'tab' }),
  receive('segwit', { getState: value(stateWith({ accountId: SEGWIT.id })) }),
  receive('test-network', {
    getState: value(
      stateWith({
        network: 'signet',
        accounts: [
          { ...TAPROOT, address: 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47zagq' },
        ],
      }),
    ),
  }),
  receive('watched', {
    getState: value(
      stateWith({
        accounts: [
          {
            ...TAPROOT,
            name: 'Cold storage',
            source: 'watch',
            addressType: null,
            publicKey: null,
            descriptor: null,
            ordinals: null,
            derivationPath: null,
          },
        ],
      }),
    ),
  }),
  receive(
    'amount',
    {},
    {
      act: async screen => {
        await screen.click('button', 'Ask for an amount')
        await screen.fill('textbox', 'Amount in BTC', '0.0102')
        await screen.fill('textbox', 'Your name or purpose', 'Bakery, invoice 2041')
      },
    },
  ),
  receive(
    'amount-wrong',
    {},
    {
      act: async screen => {
        await screen.click('button', 'Ask for an amount')
        await screen.fill('textbox', 'Amount in BTC', '0,01')
      },
    },
  ),
  receive('copied', {}, { act: screen => screen.click('button', 'Copy address') }),
]
