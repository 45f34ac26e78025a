import { Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createInscriptionProofs,
  proveInscriptions,
} from '../../src/background/collectibles/inscription-proofs.ts'
import { openAssets } from '../../src/chain/open/open-assets.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import type { InscribeAnswer } from '../../src/devnet/ord/inscribe-routes.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { coinOf, createTestWallet } from '../../src/devnet/testing/test-wallet.ts'
import { createMemoryArea } from '../../src/storage/testing/memory-area.ts'

let devnet: Devnet
let client: Client
const wallet = createTestWallet('prover of inscriptions')

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

async function inscribe(options: object): Promise<string[]> {
  const reply = await client.post('/devnet/inscribe', { address: wallet.address, ...options })
  if (reply.status !== 200) throw new Error(reply.body)
  await devnet.mine(1)
  const { ids }: InscribeAnswer = JSON.parse(reply.body)
  return ids
}

/** Where devnet's index says that these are, and what the wallet finds of that. */
async function prove(ids: readonly string[]) {
  const { access, clock } = createTestAccess()
  const now = () => (clock.now += 60_000)
  const assets = openAssets('regtest', { assets: devnet.ordUrl, secondAssets: '' }, { access, now })
  const urls = { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' }
  const chain = openChain('regtest', urls, createTestAccess())
  const facts = await assets.fetchInscriptions(ids)
  const asker = {
    chain: async () => chain,
    assets: async () => assets,
    accounts: { list: async () => [] },
    addresses: { list: async () => [], find: async () => [] },
    inscriptionProofs: createInscriptionProofs({ local: createMemoryArea() }),
    now: () => 0,
  }
  const claims = [...facts.values()].map(({ id, satpoint }) => ({ id, satpoint }))
  const proven = await proveInscriptions(asker, 'regtest', claims)
  return ids.map(id => {
    const { proof, detail } = proven.get(id) ?? {}
    return { proof, detail, satpoint: facts.get(id)?.satpoint }
  })
}

const verified = (hops: number) => ({ proof: 'verified', detail: { kind: 'followed', hops } })

describe('what the wallet proves of inscriptions on a real network', () => {
  it.each([
    ['at the first sat', { body: 'first' }],
    ['in the middle of an output', { body: 'middle', postage: 10_000, offset: 4_321 }],
    ['several in one reveal', { items: [{ body: 'a' }, { body: 'b' }], together: true }],
    ['of 200 kB', { bodyHex: '61'.repeat(200_000) }],
    ['with a number opcode', { body: 'x', flaw: 'pushnum' }],
    ['with a field twice', { body: 'x', flaw: 'duplicate' }],
    ['in a later input', { body: 'x', flaw: 'not-first' }],
    ['that stutters', { body: 'x', flaw: 'stutter' }],
  ])('agrees with an independent index: %s', async (_, options) => {
    const ids = await inscribe(options)
    expect(await prove(ids)).toMatchObject(ids.map(() => verified(0)))
  })

  it('agrees about one inscribed over another, and about a delegate', async () => {
    const [below = ''] = await inscribe({ address: undefined, body: 'below' })
    const [above = ''] = await inscribe({ address: undefined, body: 'above', onto: below })
    const [delegating = ''] = await inscribe({ delegate: above })
    // The second one's commit moves the sat, and its reveal.
    expect(await prove([below, above, delegating])).toMatchObject([
      verified(2),
      verified(0),
      verified(0),
    ])
  })

  it('agrees about where one goes', async () => {
    const [id = ''] = await inscribe({ body: 'goes', postage: 5_000, offset: 1_000 })
    const [, vout = ''] = (await prove([id]))[0]?.satpoint?.outpoint.split(':') ?? []
    const hex = await devnet.rpc<string>('getrawtransaction', [id.slice(0, 64)])
    const reveal = Transaction.fromHex(hex)
    const other = await client.fund(wallet, 30_000n)
    const outputs = [800n, 29_500n, 3_000n].map(value => ({ script: wallet.script, value }))
    const moved = wallet.spend([other, coinOf(reveal, Number(vout))], outputs)
    await client.broadcast(moved.toHex())
    await devnet.mine(1)
    expect(await prove([id])).toMatchObject([
      { ...verified(1), satpoint: { outpoint: `${moved.getId()}:2`, offset: 700n } },
    ])
  })
})
