import { type Check, describeMistakes, describeOperation, describeRejection } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { expectRate } from './pay.ts'
import { asRecord, asTxid } from './shapes.ts'

const NEEDS = ['connected', 'devnet'] as const
const SUFFIX = 'Inscription protocol suffix'
const ID = 'inscriptionId: string (with optional protocol suffix'
const DATA = 'data (string or string[] of NFT ids with optional protocol suffix)'

const bareId = (id: string) => id.replace(/-(Ordinals|Atomicals)$/, '')

/** Mines, and holds each of the ids to its place at the receiver. */
async function expectArrived(
  kit: Kit,
  txid: string,
  ids: readonly string[],
  to: string,
): Promise<string> {
  await kit.chain.mine()
  const { vout } = await kit.chain.transaction(txid)
  for (const id of ids) {
    if (id.endsWith('-Atomicals')) {
      const owned = await Promise.all(
        vout.map(async ({ scriptpubkey_address }, at) => ({
          isHere: (await kit.chain.atomicalsAt(txid, at)).includes(bareId(id)),
          owner: scriptpubkey_address,
        })),
      )
      const place = owned.find(({ isHere }) => isHere)
      expect(place?.owner === to, `${id} is at ${place?.owner ?? 'no output'}, and not at ${to}`)
    } else {
      const { address, satpoint } = await kit.chain.place(bareId(id))
      expect(address === to, `${id} is at ${address}, and not at ${to}`)
      expect(satpoint.startsWith(txid), `${id} is at ${satpoint}`)
    }
  }
  return `${ids.length === 1 ? 'it is' : `all ${ids.length} are`} at the receiver’s address`
}

async function sendInscription(kit: Kit, id: string, ...options: unknown[]) {
  const { stranger } = await kit.material.stock()
  const args = [stranger, id, ...options]
  const txid = asTxid(await kit.resolve('sendInscription', args, 'approve'), 'sendInscription')
  return { txid, seen: await expectArrived(kit, txid, [id], stranger) }
}

async function transferNft(kit: Kit, data: string | string[]): Promise<string> {
  const { stranger: to } = await kit.material.stock()
  const { address: from } = await kit.account()
  const sent = asRecord(
    await kit.resolve('transferNft', [{ from, to, data }], 'approve'),
    'transferNft',
  )
  return expectArrived(kit, asTxid(sent.txhash, 'transferNft.txhash'), [data].flat(), to)
}

export const ASSET_CHECKS: readonly Check[] = [
  ...describeOperation('sendInscription', [
    {
      id: 'no-suffix',
      name: 'sends an inscription whose id has no suffix',
      section: SUFFIX,
      words: 'Without a suffix the protocol is the service',
      needs: NEEDS,
      person: ['approve'],
      run: async kit => (await sendInscription(kit, await kit.material.takeInscription())).seen,
    },
    {
      id: 'Ordinals',
      name: 'sends an inscription whose id ends in -Ordinals, at the rate that is asked for',
      section: SUFFIX,
      words: 'Allowed protocols: Ordinals, Atomicals',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const id = `${await kit.material.takeInscription()}-Ordinals`
        const { txid, seen } = await sendInscription(kit, id, { feeRate: 5 })
        return `${seen}, for ${expectRate(await kit.chain.transaction(txid), 5)}`
      },
    },
    {
      id: 'Atomicals',
      name: 'sends an Atomical, with undefined for the options that are left out',
      words: 'only the service and Atomicals supported',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        return (await sendInscription(kit, await kit.material.takeAtomical(), undefined)).seen
      },
    },
    {
      id: 'undefined',
      name: 'takes undefined for the rate that is left out',
      words: 'options: object with feeRate: number',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const id = await kit.material.takeInscription()
        return (await sendInscription(kit, id, { feeRate: undefined })).seen
      },
    },
  ]),
  ...describeRejection(
    'sendInscription',
    async kit => {
      const { stranger, inscriptions } = await kit.material.stock()
      return [stranger, inscriptions.at(-1)]
    },
    NEEDS,
  ),
  ...describeMistakes('sendInscription', [
    {
      parameter: 'address',
      words: 'address: string (receiver)',
      needs: NEEDS,
      cases: {
        missing: async kit => [undefined, await idOf(kit)],
        number: async kit => [7, await idOf(kit)],
        'no address': async kit => ['hello', await idOf(kit)],
        'of another network': async kit => [
          'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
          await idOf(kit),
        ],
      },
    },
    {
      parameter: 'inscriptionId',
      words: ID,
      needs: NEEDS,
      cases: {
        missing: async kit => [(await kit.material.stock()).stranger],
        number: async kit => [(await kit.material.stock()).stranger, 7],
        'no id': async kit => [(await kit.material.stock()).stranger, 'hello'],
        'of nobody': async kit => [(await kit.material.stock()).stranger, `${'0'.repeat(64)}i0`],
      },
    },
    {
      parameter: 'inscriptionId',
      section: SUFFIX,
      words: 'Allowed protocols: Ordinals, Atomicals',
      needs: NEEDS,
      cases: {
        'suffix of another protocol': withSuffix('-Runes'),
        'suffix in small letters': withSuffix('-ordinals'),
        'suffix that is empty': withSuffix('-'),
        'two suffixes': withSuffix('-Ordinals-Atomicals'),
      },
    },
    {
      parameter: 'options',
      words: 'options: object with feeRate: number',
      needs: NEEDS,
      cases: { text: rated('fast') },
    },
    {
      parameter: 'feeRate',
      words: 'options: object with feeRate: number',
      needs: NEEDS,
      cases: {
        text: rated({ feeRate: 'fast' }),
        zero: rated({ feeRate: 0 }),
        negative: rated({ feeRate: -1 }),
      },
    },
  ]),
  ...describeOperation('transferNft', [
    {
      id: 'text',
      name: 'transfers one NFT, whose id is a text',
      words: 'data (string',
      needs: NEEDS,
      person: ['approve'],
      run: async kit => transferNft(kit, await kit.material.takeInscription()),
    },
    {
      id: 'list',
      name: 'transfers several as a batch, of both protocols and with every suffix',
      words: 'An array in data transfers several NFTs as a batch',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const { material } = kit
        const ordinal = `${await material.takeInscription()}-Ordinals`
        const data = [await material.takeInscription(), ordinal, await material.takeAtomical()]
        return transferNft(kit, data)
      },
    },
    {
      id: 'Ordinals',
      name: 'transfers one whose id ends in -Ordinals, alone in a list',
      section: SUFFIX,
      words: 'Allowed protocols: Ordinals, Atomicals',
      needs: NEEDS,
      person: ['approve'],
      run: async kit => transferNft(kit, [`${await kit.material.takeInscription()}-Ordinals`]),
    },
  ]),
  ...describeRejection('transferNft', transfer({}), NEEDS),
  ...describeMistakes('transferNft', [
    {
      parameter: 'transfer',
      words: 'one object: from (string), to (string), data',
      cases: { missing: () => [], text: () => ['hello'] },
    },
    {
      parameter: 'from',
      words: 'one object: from (string), to (string), data',
      needs: NEEDS,
      cases: {
        missing: transfer({ from: undefined }),
        number: transfer({ from: 7 }),
        'of somebody else': transfer({ from: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }),
      },
    },
    {
      parameter: 'to',
      words: 'one object: from (string), to (string), data',
      needs: NEEDS,
      cases: {
        missing: transfer({ to: undefined }),
        number: transfer({ to: 7 }),
        'no address': transfer({ to: 'hello' }),
      },
    },
    {
      parameter: 'data',
      words: DATA,
      needs: NEEDS,
      cases: {
        missing: transfer({ data: undefined }),
        number: transfer({ data: 7 }),
        'empty list': transfer({ data: [] }),
        'list of numbers': transfer({ data: [7] }),
        'no id': transfer({ data: ['hello'] }),
        'of nobody': transfer({ data: [`${'0'.repeat(64)}i0`] }),
        'one id twice': async kit => transfer({ data: [await idOf(kit), await idOf(kit)] })(kit),
        'suffix of another protocol': async kit =>
          transfer({ data: [`${await idOf(kit)}-Runes`] })(kit),
      },
    },
  ]),
]

/** An inscription that no check moves. */
async function idOf(kit: Kit): Promise<string> {
  const { inscriptions } = await kit.material.stock()
  const id = inscriptions.at(-1)
  expect(id !== undefined, `there is none in ${describe(inscriptions)}`)
  return id
}

function withSuffix(suffix: string) {
  return async (kit: Kit) => [(await kit.material.stock()).stranger, `${await idOf(kit)}${suffix}`]
}

function rated(options: unknown) {
  return async (kit: Kit) => [(await kit.material.stock()).stranger, await idOf(kit), options]
}

function transfer(change: object) {
  return async (kit: Kit) => {
    const { stranger: to } = await kit.material.stock()
    const { address: from } = await kit.account()
    return [{ from, to, data: await idOf(kit), ...change }]
  }
}
