import { textToHex } from './chain.ts'
import { type Check, describeMistakes, describeOperation, describeRejection } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { asRecord, asTxid, holdShape, SHAPES } from './shapes.ts'

const NEEDS = ['connected', 'devnet'] as const
const TEXT = 'text/plain;charset=utf-8'
const KINDS = 'Inscription item (input of mint)'
const BODIES = 'Body by inscription kind'
const TYPES = 'Mint type values'
const RESULT = 'Mint result object'
/** One pixel. */
const PNG =
  '89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364f8ff1f00030602fe1f3ab30000000049454e44ae426082'

type Item = { contentType?: string | undefined; body: string }
type Minted = {
  commitTx: string
  revealTxs: string[]
  commitTxFee: number
  revealTxFees: number[]
  commitAddrs: string[]
  feeRate: number
}

/** Has it inscribed and mined, and holds the result to the table and to what is on the chain. */
async function mint(kit: Kit, type: number, inscriptions: readonly Item[]) {
  await kit.material.stock()
  const { address: from } = await kit.account()
  const args = [{ type, from, inscriptions }]
  const result = asRecord(await kit.resolve('mint', args, 'approve'), 'mint')
  const seen = holdShape(result, SHAPES['Mint result'], 'mint')
  await kit.chain.mine()
  const { commitTx, revealTxs, ...told } = result as Minted
  const commit = await kit.chain.transaction(asTxid(commitTx, 'commitTx'))
  expect(commit.fee === told.commitTxFee, `commitTxFee ${told.commitTxFee} is ${commit.fee}`)
  const counts = [revealTxs.length, told.revealTxFees.length, inscriptions.length]
  expect(new Set(counts).size === 1, `reveals, fees and items: ${counts}`)
  const addresses = commit.vout.map(output => output.scriptpubkey_address)
  for (const to of told.commitAddrs) expect(addresses.includes(to), `the commit pays no ${to}`)
  for (const [at, item] of inscriptions.entries()) {
    const txid = asTxid(revealTxs[at], `revealTxs[${at}]`)
    const { fee } = await kit.chain.transaction(txid)
    expect(fee === told.revealTxFees[at], `revealTxFees[${at}] is ${fee}`)
    const id = `${txid}i0`
    const { type: contentType, hex } = await kit.chain.content(id)
    const expected = type === 62 ? item.body : textToHex(item.body)
    expect(hex === expected, `${id} has other content`)
    const isNamed = contentType === (item.contentType ?? TEXT)
    expect(isNamed, `${id} is ${contentType}, and not ${item.contentType ?? TEXT}`)
    const { address } = await kit.chain.place(id)
    expect(address === from, `${id} is at ${address}`)
  }
  return `${inscriptions.length} inscribed; ${seen}`
}

const spell = (operation: object) => JSON.stringify({ p: 'brc-20', ...operation })

/** Of a token that only this run knows. */
const tickOf = (kit: Kit) =>
  kit.share('ticker', async () => `${Math.random().toString(36).slice(2)}xxxx`.slice(0, 4))

/** A token that is deployed and minted already: `?only=` may leave the two out. */
async function spendable(kit: Kit): Promise<string> {
  return (await kit.material.stock()).tick
}

export const MINT_CHECKS: readonly Check[] = [
  ...describeOperation('mint', [
    {
      id: 'type.60',
      name: 'inscribes a BRC-20 deploy (60), and the token is there',
      section: TYPES,
      words: 'BRC-20 deploy inscription',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const tick = await tickOf(kit)
        const body = spell({ op: 'deploy', tick, max: '21000', lim: '1000' })
        const seen = await mint(kit, 60, [{ contentType: TEXT, body }])
        expect(await kit.chain.isDeployed(tick), `${tick} is not deployed`)
        return `${seen}; ${tick} is deployed`
      },
    },
    {
      id: 'type.50',
      name: 'inscribes a BRC-20 mint (50), and it counts',
      section: TYPES,
      words: 'BRC-20 mint inscription',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const tick = await spendable(kit)
        const { address } = await kit.account()
        const before = await kit.chain.available(address, tick)
        const seen = await mint(kit, 50, [{ body: spell({ op: 'mint', tick, amt: '1000' }) }])
        const after = await kit.chain.available(address, tick)
        expect(after === before + 1000, `${before} became ${after}`)
        return `${seen}; 1,000 more`
      },
    },
    {
      id: 'type.51',
      name: 'inscribes a BRC-20 transfer (51), and it counts',
      section: TYPES,
      words: 'BRC-20 transfer inscription',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const tick = await spendable(kit)
        const { address } = await kit.account()
        const before = await kit.chain.available(address, tick)
        const body = spell({ op: 'transfer', tick, amt: '7' })
        const seen = await mint(kit, 51, [{ contentType: TEXT, body }])
        const after = await kit.chain.available(address, tick)
        expect(after === before - 7, `${before} became ${after}`)
        return `${seen}; 7 to send`
      },
    },
    {
      id: 'type.61',
      name: 'inscribes several texts (61) as a batch, with the default type where none is given',
      section: RESULT,
      words: 'one per inscription in a batch',
      needs: NEEDS,
      person: ['approve'],
      run: kit =>
        mint(kit, 61, [
          { body: 'Conformance: no type' },
          { contentType: undefined, body: 'Grüße, 世界 🧡' },
          { contentType: 'text/markdown;charset=utf-8', body: '# Conformance' },
        ]),
    },
    {
      id: 'type.62',
      name: 'inscribes an image (62) from hexadecimal',
      section: BODIES,
      words: 'hexadecimal string of the image byte stream',
      needs: NEEDS,
      person: ['approve'],
      run: kit => mint(kit, 62, [{ contentType: 'image/png', body: PNG }]),
    },
  ]),
  ...describeRejection('mint', order({}), NEEDS),
  ...describeMistakes('mint', [
    {
      parameter: 'order',
      words: 'one object: type (number), from (string), inscriptions',
      cases: { missing: () => [], text: () => ['hello'] },
    },
    {
      parameter: 'type',
      section: TYPES,
      words: 'BRC-20 deploy inscription',
      needs: NEEDS,
      cases: {
        missing: order({ type: undefined }),
        text: order({ type: '61' }),
        unknown: order({ type: 63 }),
        fraction: order({ type: 61.5 }),
        'another than the content': order({ type: 60, inscriptions: [{ body: 'hello' }] }),
      },
    },
    {
      parameter: 'from',
      words: 'type (number), from (string), inscriptions',
      needs: NEEDS,
      cases: {
        missing: order({ from: undefined }),
        number: order({ from: 7 }),
        'of somebody else': order({ from: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }),
      },
    },
    {
      parameter: 'inscriptions',
      words: 'inscriptions (array of inscription items)',
      needs: NEEDS,
      cases: {
        missing: order({ inscriptions: undefined }),
        text: order({ inscriptions: 'hello' }),
        'empty list': order({ inscriptions: [] }),
        'list of null': order({ inscriptions: [null] }),
        'list of text': order({ inscriptions: ['hello'] }),
      },
    },
    {
      parameter: 'body',
      section: KINDS,
      words: 'the content to inscribe',
      needs: NEEDS,
      cases: {
        missing: order({ inscriptions: [{}] }),
        number: order({ inscriptions: [{ body: 7 }] }),
        'image that is no hex': order({
          type: 62,
          inscriptions: [{ contentType: 'image/png', body: 'hello' }],
        }),
        'deploy that is no JSON': order({ type: 60, inscriptions: [{ body: '{' }] }),
        'mint that is a deploy': order({
          type: 50,
          inscriptions: [{ body: spell({ op: 'deploy', tick: 'abcd', max: '1' }) }],
        }),
        'transfer without an amount': order({
          type: 51,
          inscriptions: [{ body: spell({ op: 'transfer', tick: 'abcd' }) }],
        }),
      },
    },
    {
      parameter: 'contentType',
      section: KINDS,
      words: 'MIME type of the content',
      needs: NEEDS,
      cases: {
        number: order({ inscriptions: [{ contentType: 7, body: 'hello' }] }),
        'image as text': order({ type: 62, inscriptions: [{ contentType: TEXT, body: PNG }] }),
      },
    },
  ]),
  ...describeOperation('inscribe', [
    {
      id: 'default.type',
      name: 'inscribes a transfer of what the person says where no type is given',
      section: 'Limits',
      words: 'inscribe type default',
      needs: NEEDS,
      person: ['fill 10'],
      run: kit => inscribe(kit, {}),
    },
    {
      id: 'type.51',
      name: 'inscribes the same for type 51, whatever tid there is',
      words: 'type (number; 51 = inscription of a BRC-20 transfer, the default)',
      needs: NEEDS,
      person: ['fill 10'],
      run: kit => inscribe(kit, { type: 51, tid: 'conformance' }),
    },
    {
      id: 'undefined',
      name: 'takes undefined for members that are left out',
      words: 'tid (appears in the call signature; its meaning: not shown)',
      needs: NEEDS,
      person: ['fill 10'],
      run: kit => inscribe(kit, { type: undefined, tid: undefined }),
    },
  ]),
  ...describeRejection('inscribe', token({}), NEEDS),
  ...describeMistakes('inscribe', [
    {
      parameter: 'order',
      words: 'one object: type (number; 51',
      cases: { missing: () => [], text: () => ['hello'] },
    },
    {
      parameter: 'type',
      words: 'type (number; 51 = inscription of a BRC-20 transfer, the default)',
      needs: NEEDS,
      cases: { text: token({ type: '51' }), 'of a mint': token({ type: 50 }) },
    },
    {
      parameter: 'from',
      words: 'from (string), tick (string, BRC-20 token name)',
      needs: NEEDS,
      cases: {
        missing: token({ from: undefined }),
        number: token({ from: 7 }),
        'of somebody else': token({ from: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }),
      },
    },
    {
      parameter: 'tick',
      words: 'tick (string, BRC-20 token name)',
      needs: NEEDS,
      cases: {
        missing: token({ tick: undefined }),
        number: token({ tick: 7 }),
        empty: token({ tick: '' }),
      },
    },
  ]),
]

/** Holds the reveal to a transfer of the 10 that the person says. */
async function inscribe(kit: Kit, members: object): Promise<string> {
  const [request] = await token(members)(kit)
  const { address } = await kit.account()
  const tick = await spendable(kit)
  const before = await kit.chain.available(address, tick)
  const txid = asTxid(await kit.resolve('inscribe', [request], 'fill 10'), 'inscribe')
  await kit.chain.mine()
  const { hex } = await kit.chain.content(`${txid}i0`)
  const expected = textToHex(spell({ op: 'transfer', tick, amt: '10' }))
  expect(hex === expected, `${txid}i0 has other content`)
  const after = await kit.chain.available(address, tick)
  expect(after === before - 10, `${describe(before)} became ${after}`)
  return `10 ${tick} are to send`
}

function token(change: object) {
  return async (kit: Kit) => {
    const tick = await spendable(kit)
    const { address: from } = await kit.account()
    return [{ from, tick, ...change }]
  }
}

/** An order of mint with what is wrong about it. */
function order(change: object) {
  return async (kit: Kit) => {
    await kit.material.stock()
    const { address: from } = await kit.account()
    return [{ type: 61, from, inscriptions: [{ body: 'hello' }], ...change }]
  }
}
