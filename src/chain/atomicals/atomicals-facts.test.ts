import { Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atomicalFacts,
  atomicalsGlobal,
  BLUEPRINT,
  GLOBAL,
  pathOfFacts,
  refuse,
  tell,
} from '../testing/scripted-atomicals.ts'
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createAtomicals } from './atomicals.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const ID = `${'ab'.repeat(32)}i0`
const OTHER_ID = `${'cd'.repeat(32)}i3`

const open = () => createAtomicals('regtest', server.url, { access: createTestAccess().access })

const sayFacts = (facts: { [field: string]: unknown }, id = ID) =>
  server.say({ [pathOfFacts(id)]: tell({ global: atomicalsGlobal(), result: facts }) })

describe('what an index tells of Atomicals', () => {
  it('is their number, kind, name and mint, of those that it knows', async () => {
    sayFacts(atomicalFacts(ID, { subtype: 'realm', $realm: 'hal', $full_realm_name: 'hal' }))
    server.say({ [pathOfFacts(OTHER_ID)]: refuse(`(1, '"${OTHER_ID}" is not found')`) })
    expect(await open().fetchFacts([ID, OTHER_ID])).toEqual(
      new Map([
        [
          ID,
          {
            id: ID,
            number: 7,
            type: 'nft',
            subtype: 'realm',
            name: 'hal',
            reveal: { txid: 'ef'.repeat(32), height: 81 },
          },
        ],
      ]),
    )
    expect(await open().fetchFacts([OTHER_ID])).toEqual(new Map())
    expect(await open().fetchFacts([])).toEqual(new Map())
  })

  it('leaves out what no block holds yet', async () => {
    sayFacts(atomicalFacts(ID, { confirmed: false, mint_info: {} }))
    expect(await open().fetchFacts([ID])).toEqual(new Map())
  })

  it.each<[string, object]>([
    ['another one', { atomical_id: OTHER_ID }],
    ['no kind', { type: 'SFT' }],
    ['no number', { atomical_number: null }],
    ['a subtype as a list', { subtype: ['realm'] }],
    ['no mint', { mint_info: null }],
    ['a mint in no transaction', { mint_info: { reveal_location_txid: 'x' } }],
    [
      'a mint before the first block',
      { mint_info: { reveal_location_txid: 'ef'.repeat(32), reveal_location_height: -1 } },
    ],
  ])('leaves out one of which it tells %s', async (_, changes) => {
    sayFacts(atomicalFacts(ID, changes))
    sayFacts(atomicalFacts(OTHER_ID), OTHER_ID)
    expect([...(await open().fetchFacts([ID, OTHER_ID])).keys()]).toEqual([OTHER_ID])
    expect(await problemOf(open().fetchFacts([ID]))).toMatchObject({ kind: 'nonsense' })
  })

  it('is no answer where something else was not found', async () => {
    server.say({
      [pathOfFacts(ID)]: refuse('block 7 not found'),
      [pathOfFacts(OTHER_ID)]: {
        status: 404,
        body: '{"success":false,"code":1,"message":"Not Found"}',
      },
    })
    for (const id of [ID, OTHER_ID])
      expect(await problemOf(open().fetchFacts([id]))).toMatchObject({ kind: 'nonsense' })
  })
})

describe('what an index foresees', () => {
  const transaction = new Transaction()
  transaction.version = 2
  transaction.addInput(new Uint8Array(32).fill(7), 1)
  for (const amount of [1000n, 600n, 0n]) transaction.addOutput(new Uint8Array(22), amount)
  const rawTx = Uint8Array.from(transaction.toBuffer())
  const txid = transaction.getId()

  const of = (type: 'FT' | 'NFT', atomical_value: unknown) => ({
    type,
    sat_value: 1000,
    atomical_value,
    input_summary_info: { atomical_id: { $b: 'ab', $len: 69, $auto: true } },
  })
  const NOTHING = {
    tx_id: txid,
    operation_found_at_inputs: {},
    atomicals_spent_at_inputs: {},
    ft_output_blueprint: {
      outputs: {},
      fts_burned: {},
      cleanly_assigned: true,
      first_atomical_id: null,
    },
    nft_output_blueprint: { outputs: {}, nfts_burned: {} },
  }
  const { ft_output_blueprint: tokens, nft_output_blueprint: nfts } = NOTHING

  const sayForeseen = (result: unknown) =>
    server.say({
      [GLOBAL]: tell({ global: atomicalsGlobal() }),
      [BLUEPRINT]: (sent, { 'content-type': type }) =>
        sent === `{"params":["${Buffer.from(rawTx).toString('hex')}"]}` &&
        type === 'application/json'
          ? tell({ result })
          : refuse('another transaction'),
    })

  it('is the output of each NFT, and the units of tokens on each output', async () => {
    sayForeseen({
      ...NOTHING,
      ft_output_blueprint: {
        ...tokens,
        outputs: {
          1: { atomicals: { [ID]: of('FT', 600) } },
          0: { atomicals: { [ID]: of('FT', 1000) } },
          2: { atomicals: { [ID]: of('FT', 0) } },
        },
        fts_burned: { [ID]: 55 },
        cleanly_assigned: false,
      },
      nft_output_blueprint: {
        outputs: { 0: { atomicals: { [OTHER_ID]: of('NFT', 1000) } } },
        nfts_burned: { [`${'ef'.repeat(32)}i1`]: 546 },
      },
    })
    expect(await open().foresee(rawTx)).toEqual({
      outputs: [
        { output: 0, id: ID, type: 'ft', amount: 1000n },
        { output: 0, id: OTHER_ID, type: 'nft', amount: 1n },
        { output: 1, id: ID, type: 'ft', amount: 600n },
      ],
      burned: [
        { id: ID, amount: 55n },
        { id: `${'ef'.repeat(32)}i1`, amount: 1n },
      ],
    })
  })

  it('is nothing for what holds nothing, also to one that says nothing of burnt NFTs', async () => {
    sayForeseen({ ...NOTHING, nft_output_blueprint: { outputs: {} } })
    expect(await open().foresee(rawTx)).toEqual({ outputs: [], burned: [] })
  })

  const painted = (outputs: object) => ({ ft_output_blueprint: { ...tokens, outputs } })
  it.each<[string, object]>([
    ['of another transaction', { tx_id: 'ee'.repeat(32) }],
    ['of no transaction', { tx_id: undefined }],
    ['without tokens', { ft_output_blueprint: null }],
    ['without NFTs', { nft_output_blueprint: undefined }],
    ['with a list of outputs', painted([])],
    ['with more units than sats', painted({ 1: { atomicals: { [ID]: of('FT', 601) } } })],
    ['with half a unit', painted({ 1: { atomicals: { [ID]: of('FT', 0.5) } } })],
    ['with units on no output', painted({ 3: { atomicals: { [ID]: of('FT', 1) } } })],
    ['with units on output -1', painted({ '-1': { atomicals: { [ID]: of('FT', 1) } } })],
    ['with units of nothing', painted({ 1: { atomicals: { x: of('FT', 1) } } })],
    [
      'with an NFT on no output',
      { nft_output_blueprint: { ...nfts, outputs: { 3: { atomicals: { [ID]: of('NFT', 1) } } } } },
    ],
    [
      'that burns less than nothing',
      { ft_output_blueprint: { ...tokens, fts_burned: { [ID]: -1 } } },
    ],
    ['that burns nothing', { ft_output_blueprint: { ...tokens, fts_burned: { x: 1 } } }],
  ])('is nonsense %s', async (_, changes) => {
    sayForeseen({ ...NOTHING, ...changes })
    expect(await problemOf(open().foresee(rawTx))).toMatchObject({ kind: 'nonsense' })
  })

  it('is asked of an index of this chain alone', async () => {
    sayForeseen(NOTHING)
    server.say({ [GLOBAL]: tell({ global: atomicalsGlobal({ network: 'mainnet' }) }) })
    expect(await problemOf(open().foresee(rawTx))).toMatchObject({ kind: 'wrong-network' })
    expect(server.asked).toEqual([`GET ${GLOBAL}`])
  })

  it('is no answer where the index refuses', async () => {
    sayForeseen(NOTHING)
    server.say({ [BLUEPRINT]: refuse('Invalid FT token inputs/outputs') })
    expect(await problemOf(open().foresee(rawTx))).toMatchObject({
      kind: 'nonsense',
      detail: expect.stringContaining('Invalid FT'),
    })
  })
})
