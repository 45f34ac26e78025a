import { Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BackendUnavailableError } from '../chain-source.ts'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess } from '../testing/server-access.ts'
import { createEsplora } from './esplora.ts'

/** Burns a sat, and pays another output. */
const burn = new Transaction()
burn.addInput(new Uint8Array(32).fill(7), 0)
burn.addOutput(Uint8Array.of(0x6a, 0x00, 0x02, 0x00, 0x00), 1n)
burn.addOutput(Uint8Array.of(0x51, 0x20, ...new Uint8Array(32).fill(7)), 900n)

/** As Bitcoin Core's help of `submitpackage` has them, with the amount in BTC. */
const PACKAGE = '/txs/package?maxburnamount=0.00000001'
const TAKEN = { package_msg: 'success', 'tx-results': {}, 'replaced-transactions': [] }

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const broadcast = () =>
  createEsplora('regtest', server.url, createTestAccess()).broadcast(burn.toBuffer())

describe('the broadcast of a transaction that burns sats', () => {
  it('says how many they may be, where the server hands that on to its node', async () => {
    server.say({ [PACKAGE]: asJson(TAKEN) })
    expect(await broadcast()).toBe(burn.getId())
    expect(server.asked.at(-1)).toBe(`POST ${PACKAGE}`)
  })

  it('carries the node’s words where that refuses it', async () => {
    const error = 'bad-txns-inputs-missingorspent'
    const refusal = { package_msg: 'transaction failed', 'tx-results': { ab: { error } } }
    server.say({ [PACKAGE]: asJson(refusal) })
    await expect(broadcast()).rejects.toMatchObject({ reason: error })
  })

  it('is a success where the node has it', async () => {
    const error = 'txn-already-known'
    server.say({ [PACKAGE]: asJson({ package_msg: 'failed', 'tx-results': { ab: { error } } }) })
    expect(await broadcast()).toBe(burn.getId())
  })

  it.each([
    ['without such a call', { status: 404, body: 'no such call' }],
    [
      'of a node that takes no single transaction there',
      { status: 400, body: 'Array must contain between 2 and 25 transactions.' },
    ],
  ])('to a server %s ends in what the node says of it elsewhere', async (_, answer) => {
    const message = 'Unspendable output exceeds maximum configured by user (maxburnamount)'
    const error = JSON.stringify({ code: -25, message })
    server.say({
      [PACKAGE]: answer,
      '/tx': { status: 400, body: `sendrawtransaction RPC error: ${error}` },
    })
    await expect(broadcast()).rejects.toMatchObject({ reason: message })
  })

  it.each(['{}', 'null', '{"package_msg":1}', 'taken'])(
    'that is answered with %s may have arrived',
    async body => {
      server.say({ [PACKAGE]: { body } })
      await expect(broadcast()).rejects.toThrow(BackendUnavailableError)
    },
  )
})
