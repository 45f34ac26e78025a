import { describe, expect, it } from 'vitest'
import type { PageState } from '../provider/envelope.ts'
import { announceChange } from './state-events.ts'

const account = (name: string) => ({
  address: `address ${name}`,
  publicKey: `key ${name}`,
  compressedPublicKey: `key ${name}`,
})
const a = account('A')
const b = account('B')
const paired = { ...a, ordinals: { address: 'address O', publicKey: 'key O' } }

function announced(before: PageState, after: PageState): unknown[] {
  const events: unknown[] = []
  announceChange(before, after, (event, payload) => events.push([event, ...payload()]))
  return events
}

describe('events derived from two states', () => {
  const cases: [string, PageState, PageState, unknown[]][] = [
    [
      'nothing changed',
      { account: a, network: 'livenet' },
      { account: { ...a }, network: 'livenet' },
      [],
    ],
    [
      'another account that has allowed the page',
      { account: a, network: 'livenet' },
      { account: b, network: 'livenet' },
      [
        ['accountChanged', b],
        ['accountsChanged', ['address B']],
      ],
    ],
    [
      'the same account with an address for ordinals',
      { account: a, network: 'livenet' },
      { account: paired, network: 'livenet' },
      [['accountChanged', paired]],
    ],
    [
      'the same account without it',
      { account: paired, network: 'livenet' },
      { account: a, network: 'livenet' },
      [['accountChanged', a]],
    ],
    [
      'locked, disconnected, or an account that has not allowed the page',
      { account: a, network: 'livenet' },
      { account: null, network: 'livenet' },
      [['accountsChanged', []], ['disconnect']],
    ],
    [
      'connected, unlocked, or back on an account that has allowed the page',
      { account: null, network: 'livenet' },
      { account: a, network: 'livenet' },
      [
        ['connect', a],
        ['accountChanged', a],
        ['accountsChanged', ['address A']],
      ],
    ],
    [
      'another network with the same account',
      { account: a, network: 'testnet4' },
      { account: a, network: 'signet' },
      [['networkChanged', 'signet']],
    ],
    [
      'another network with its own address',
      { account: a, network: 'livenet' },
      { account: b, network: 'regtest' },
      [
        ['networkChanged', 'regtest'],
        ['accountChanged', b],
        ['accountsChanged', ['address B']],
      ],
    ],
    [
      'the first connection, before which no network was told',
      { account: null, network: null },
      { account: a, network: 'regtest' },
      [
        ['connect', a],
        ['accountChanged', a],
        ['accountsChanged', [a.address]],
      ],
    ],
    [
      'another network where the page is not allowed',
      { account: a, network: 'livenet' },
      { account: null, network: 'regtest' },
      [['networkChanged', 'regtest'], ['accountsChanged', []], ['disconnect']],
    ],
  ]
  it.each(cases)('%s', (_, before, after, events) => {
    expect(announced(before, after)).toEqual(events)
  })
})
