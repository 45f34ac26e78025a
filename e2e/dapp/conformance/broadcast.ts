import { type Check, describeMistakes, describeOperation } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { Failed } from './outcome.ts'
import { sign } from './psbt.ts'
import { asTexts, asTxid } from './shapes.ts'

const NEEDS = ['connected', 'devnet'] as const
const ITEM = 'sendPsbt item'
const HASH = 'string, transaction hash'

/** Two transactions of which the second spends the first, signed in one go. */
async function signChain(kit: Kit): Promise<{ signed: string[]; ids: string[] }> {
  const unsigned = await kit.material.psbts('chain')
  const signed = asTexts(await kit.resolve('signPsbts', [unsigned], 'approve'), 'signPsbts')
  const ids = await Promise.all(signed.map(async psbt => (await kit.material.read(psbt)).txid))
  return { signed, ids }
}

/** Holds the result of sendPsbt to one entry an item, in the order given. */
async function sendItems(
  kit: Kit,
  items: readonly { itemId: string; [member: string]: unknown }[],
  expected: { [itemId: string]: string | null },
): Promise<string> {
  const { address } = await kit.account()
  const got = await kit.resolve('sendPsbt', [items, address], 'approve if asked')
  if (!Array.isArray(got)) throw new Failed(`expected a list of maps, got ${describe(got)}`)
  expect(got.length === items.length, `${got.length} entries for ${items.length} items`)
  for (const [at, { itemId }] of items.entries()) {
    const entries = Object.entries(Object(got[at]))
    const isSingle = entries.length === 1 && entries[0]?.[0] === itemId
    expect(isSingle, `entry ${at} is not of ${itemId}: ${describe(got[at])}`)
    const [, txid] = entries[0] ?? []
    expect(txid === expected[itemId], `${itemId}: ${describe(txid)}, not ${expected[itemId]}`)
    if (txid) expect(await kit.chain.has(String(txid)), `${txid} is not on the chain`)
  }
  return describe(got)
}

export const BROADCAST_CHECKS: readonly Check[] = [
  ...describeOperation('pushPsbt', [
    {
      id: 'finalized',
      name: 'broadcasts what signPsbt has finalized',
      words: HASH,
      needs: NEEDS,
      person: ['approve', 'approve if asked'],
      async run(kit) {
        const { signed, txid } = await sign(kit, 'pay')
        return expectPushed(kit, signed, txid)
      },
    },
    {
      id: 'signed',
      name: 'finalizes what is signed and not finalized',
      words: 'pushPsbt pushes a single transaction',
      needs: NEEDS,
      person: ['approve', 'approve if asked'],
      async run(kit) {
        const { signed, txid } = await sign(kit, 'pay', { autoFinalized: false })
        return expectPushed(kit, signed, txid)
      },
    },
  ]),
  ...describeMistakes('pushPsbt', [
    {
      parameter: 'psbtHex',
      words: 'psbtHex: string',
      cases: {
        missing: () => [],
        number: () => [7],
        empty: () => [''],
        'no PSBT': () => ['hello'],
        'cut off': () => ['70736274ff01'],
      },
    },
    {
      parameter: 'psbtHex',
      words: 'psbtHex: string',
      needs: NEEDS,
      cases: {
        'not signed': kit => kit.share('a PSBT for mistakes', () => kit.material.psbts('pay')),
      },
    },
  ]),
  ...describeOperation('pushTx', [
    {
      id: 'result',
      name: 'broadcasts a transaction',
      words: HASH,
      needs: NEEDS,
      person: ['approve', 'approve if asked'],
      async run(kit) {
        const { signed, txid } = await sign(kit, 'pay')
        const raw = await kit.material.finalize(signed).catch(() => null)
        if (raw === null) throw new Failed('what signPsbt finalized cannot be extracted')
        const got = asTxid(await kit.resolve('pushTx', [raw], 'approve if asked'), 'pushTx')
        expect(got === txid, `${got} is not ${txid}`)
        expect(await kit.chain.has(txid), `${txid} is not on the chain`)
        return `${txid} is on the chain`
      },
    },
    {
      id: 'failed',
      name: 'rejects when the network does not take a transaction',
      section: 'Errors',
      words: 'A failed call rejects its Promise',
      needs: NEEDS,
      person: ['approve if asked'],
      async run(kit) {
        const bogus = await kit.material.psbts('bogus')
        return kit.refuse('pushTx', bogus, 'approve if asked')
      },
    },
  ]),
  ...describeMistakes('pushTx', [
    {
      parameter: 'rawTx',
      words: 'rawTx: string',
      cases: {
        missing: () => [],
        number: () => [7],
        empty: () => [''],
        'no hex': () => ['hello'],
        'no transaction': () => ['00'.repeat(60)],
      },
    },
  ]),
  ...describeOperation('sendPsbt', [
    {
      id: 'dependItemId',
      name: 'sends items in the order that they depend on each other, and answers in the order given',
      section: 'States and transitions',
      words: 'the item depends on the listed items',
      needs: NEEDS,
      person: ['approve', 'approve if asked'],
      async run(kit) {
        const { signed, ids } = await signChain(kit)
        const extJson = { inscription: `${'0'.repeat(64)}i0` }
        const items = [
          { itemId: 'second', signedTx: signed[1], type: 20, dependItemId: ['first'], extJson },
          { itemId: 'first', signedTx: signed[0], type: 52 },
        ]
        return sendItems(kit, items, { second: ids[1] ?? '', first: ids[0] ?? '' })
      },
    },
    {
      id: 'failed',
      name: 'answers null for an item that fails, and for what depends on it, and sends the others',
      section: 'Errors',
      words: 'In sendPsbt a failed item is reported as a null transaction id in the result map',
      needs: NEEDS,
      person: ['approve', 'approve if asked'],
      async run(kit) {
        const { signed, ids } = await signChain(kit)
        const [bogus] = await kit.material.psbts('bogus')
        const members = { dependItemId: undefined, extJson: undefined }
        const items = [
          { itemId: 'good', signedTx: signed[0], type: 20, ...members },
          { itemId: 'bad', signedTx: bogus, type: 52, ...members },
          { itemId: 'needs bad', signedTx: signed[1], type: 20, dependItemId: ['bad'] },
        ]
        return sendItems(kit, items, { good: ids[0] ?? '', bad: null, 'needs bad': null })
      },
    },
  ]),
  ...describeMistakes('sendPsbt', [
    {
      parameter: 'txs',
      words: 'txs: array of sendPsbt items',
      cases: {
        missing: async kit => [undefined, (await kit.account()).address],
        text: async kit => ['all', (await kit.account()).address],
        'empty list': async kit => [[], (await kit.account()).address],
        'list of null': async kit => [[null], (await kit.account()).address],
      },
    },
    {
      parameter: 'from',
      words: 'from: string',
      cases: {
        missing: () => [[item({})]],
        number: () => [[item({})], 7],
        'of somebody else': () => [[item({})], 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
      },
    },
    {
      parameter: 'itemId',
      section: ITEM,
      words: 'batch-unique identifier, no duplicates within the batch',
      cases: {
        missing: withItems(item({ itemId: undefined })),
        number: withItems(item({ itemId: 7 })),
        duplicate: withItems(item({}), item({})),
      },
    },
    {
      parameter: 'signedTx',
      section: ITEM,
      words: 'signed PSBT string',
      cases: {
        missing: withItems(item({ signedTx: undefined })),
        number: withItems(item({ signedTx: 7 })),
        'no PSBT': withItems(item({ signedTx: 'hello' })),
      },
    },
    {
      parameter: 'type',
      section: ITEM,
      words: '52 = send BRC-20; 20 = send NFT',
      cases: {
        missing: withItems(item({ type: undefined })),
        text: withItems(item({ type: 'NFT' })),
      },
    },
    {
      parameter: 'dependItemId',
      section: ITEM,
      words: 'itemIds of transactions this one depends on',
      cases: {
        text: withItems(item({ dependItemId: 'other' })),
        number: withItems(item({ dependItemId: [7] })),
        unknown: withItems(item({ dependItemId: ['other'] })),
        itself: withItems(item({ dependItemId: ['one'] })),
        circle: withItems(
          item({ dependItemId: ['other'] }),
          item({ itemId: 'other', dependItemId: ['one'] }),
        ),
      },
    },
    {
      parameter: 'extJson',
      section: ITEM,
      words: 'contains inscription (string, the NFT id)',
      cases: {
        text: withItems(item({ extJson: 'x' })),
        'inscription is a number': withItems(item({ extJson: { inscription: 7 } })),
      },
    },
  ]),
]

/** A transaction that could be one, with what is wrong about it. */
function item(change: { [member: string]: unknown }) {
  const signedTx = `0200000001${'77'.repeat(32)}0000000000ffffffff01e803000000000000015100000000`
  return { itemId: 'one', signedTx, type: 20, ...change }
}

function withItems(...items: object[]) {
  return async (kit: Kit) => [items, (await kit.account()).address]
}

async function expectPushed(kit: Kit, signed: string, txid: string): Promise<string> {
  const got = asTxid(await kit.resolve('pushPsbt', [signed], 'approve if asked'), 'pushPsbt')
  expect(got === txid, `${got} is not ${txid}`)
  expect(await kit.chain.has(txid), `${txid} is not on the chain`)
  return `${txid} is on the chain`
}
