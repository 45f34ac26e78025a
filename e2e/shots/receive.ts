import { type Answers, SEGWIT, type Shot, stateWith, TAPROOT, value } from './shot.ts'

function receive(name: string, answers: Answers = {}, changes: Partial<Shot> = {}): Shot {
  const open: Answers = { getState: value(stateWith()), touch: value(null) }
  return { name: `receive-${name}`, path: '/receive', answers: { ...open, ...answers }, ...changes }
}

export const shots: Shot[] = [
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
