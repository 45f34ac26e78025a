import { describe, expect, it } from 'vitest'
import { MessageTypeError } from '../../bitcoin/messages/message.ts'
import { TransactionTooLargeError } from '../../bitcoin/payments/coin-selection.ts'
import { UnverifiedInputError } from '../../bitcoin/previous-output.ts'
import { InvalidPsbtError } from '../../bitcoin/psbt/maps.ts'
import { PsbtRefusedError } from '../../bitcoin/psbt/plan.ts'
import { InvalidWifError } from '../../bitcoin/wif.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { ProviderError } from '../../provider/errors.ts'
import { ChangedRecordError, RecordsLockedError } from '../../storage/records.ts'
import { VaultLockedError } from '../keys/vault-session.ts'
import { toProviderError, withParameterName } from './known-failures.ts'
import { toWireError } from './wire-error.ts'

const OUTPOINT = { txid: 'ab'.repeat(32), vout: 1 }
const AWAY = {
  kind: 'unreachable',
  host: 'secret.test',
  detail: 'at 10.0.0.1',
  retryInMs: 1,
} as const

const KNOWN: [Error, object][] = [
  [new ProviderError(4001, 'no'), { code: 4001, message: 'no' }],
  [
    new TransactionTooLargeError(),
    {
      code: -32000,
      message:
        'The transaction is too large for nodes to relay: it needs fewer coins or recipients',
      data: { reason: 'TOO_LARGE' },
    },
  ],
  [new MessageTypeError('unknown'), { code: -32602, message: 'type: unknown' }],
  [
    new InvalidWifError('WRONG_NETWORK', 'of another network'),
    { code: -32602, message: 'wif: of another network', data: { reason: 'WRONG_NETWORK' } },
  ],
  [
    new UnverifiedInputError(OUTPOINT, 'gone'),
    {
      code: -32000,
      message: `Input ${OUTPOINT.txid}:1 is not verified: gone`,
      data: { reason: 'UNVERIFIED_INPUT' },
    },
  ],
  [
    new InvalidPsbtError('input 2', 'too short'),
    { code: -32602, message: 'PSBT input 2: too short' },
  ],
  [
    new PsbtRefusedError('SIGHASH_REFUSED', 3, 'no'),
    { code: -32000, message: 'Input 3: no', data: { reason: 'SIGHASH_REFUSED', input: 3 } },
  ],
  [
    new BackendUnavailableError(AWAY),
    {
      code: -32000,
      message: 'The wallet’s server did not give a usable answer.',
      data: { reason: 'BACKEND_UNAVAILABLE' },
    },
  ],
  [new VaultLockedError(), { code: 4100, message: 'The wallet is locked.' }],
  [new RecordsLockedError(), { code: 4100, message: 'The wallet is locked.' }],
  [
    new ChangedRecordError('sites'),
    {
      code: 4100,
      message: 'Something changed what Satchel stores. Open Satchel to decide about it.',
    },
  ],
]

describe('what a page gets for a failure', () => {
  it.each(KNOWN)('is what it may know of it: %s', async (error, wire) => {
    expect(await toWireError(error)).toStrictEqual(wire)
  })

  it('names no server and nothing that it said', async () => {
    const told = JSON.stringify(await toWireError(new BackendUnavailableError(AWAY)))
    expect(told).not.toMatch(/secret\.test|10\.0\.0\.1/)
  })

  it.each([new TypeError('key is 5K…'), 'text', null, undefined])(
    'tells of anything else only that it happened: %s',
    async error => {
      expect(await toWireError(error)).toStrictEqual({ code: -32603, message: 'Internal error' })
      expect(toProviderError(error)).toBeNull()
    },
  )

  it.each(KNOWN.slice(1))('is kept for our own log: %s', error => {
    const { cause } = toProviderError(error) ?? {}
    const isAboutLock = /locked|changed/i.test(error.message)
    expect(cause).toBe(isAboutLock ? undefined : error)
  })
})

describe('a failure of one parameter', () => {
  it.each(KNOWN)('begins with its name, and keeps its facts: %s', async (error, wire) => {
    const run = () =>
      withParameterName('txs[1]', () => {
        throw error
      })
    const { message, ...rest } = wire as { message: string }
    let thrown: unknown
    try {
      run()
    } catch (caught) {
      thrown = caught
    }
    expect(thrown).toBeInstanceOf(ProviderError)
    expect((thrown as Error).cause).toBe(error)
    expect(await toWireError(thrown)).toStrictEqual({ ...rest, message: `txs[1]: ${message}` })
  })

  it('is itself where it is none that is known, and nothing happens where nothing fails', () => {
    const error = new TypeError('broken')
    const run = () =>
      withParameterName('psbt', () => {
        throw error
      })
    expect(run).toThrow(error)
    expect(withParameterName('psbt', () => 5)).toBe(5)
  })
})
