import { afterAll, beforeAll, expect, it } from 'vitest'
import { createConfirmationProofs } from '../../src/background/headers/confirmation-proofs.ts'
import { createHeldHeaders } from '../../src/background/headers/held-headers.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { createMemoryArea } from '../../src/storage/testing/memory-area.ts'
import { createDevnetAdmin } from '../fixtures/devnet-admin.ts'

/** The example program of BIP-173. */
const NOBODY = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

it('the held headers are those of a real node, through blocks, a reorganisation and the end of workers', async () => {
  const local = createMemoryArea()
  const follow = () =>
    createHeldHeaders({ local, now: Date.now, anchors: () => [] }).follow(
      openChain(
        'regtest',
        { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' },
        createTestAccess(),
      ),
    )
  const expectTip = async () => {
    const hash = await devnet.rpc<string>('getbestblockhash')
    const { height, time } = await devnet.rpc<{ height: number; time: number }>('getblockheader', [
      hash,
    ])
    expect(await follow()).toMatchObject({ is: 'followed', tip: { height, hash, at: time * 1000 } })
  }
  await devnet.mine(160)
  await expectTip()
  for (const blocks of [1, 1, 9, 10, 11, 40]) {
    await devnet.mine(blocks)
    await expectTip()
  }
  for (const depth of [1, 3, 12]) {
    await devnet.reorg(depth)
    await expectTip()
  }
  await devnet.mine(400)
  await expectTip()
  const { height, headers } = Object(local.dump()['headers.regtest'])
  const raws = Buffer.from(headers, 'base64')
  for (const at of [0, 70, raws.length / 80 - 1]) {
    const hash = await devnet.rpc<string>('getblockhash', [height + at])
    const raw = await devnet.rpc<string>('getblockheader', [hash, false])
    expect(raws.subarray(at * 80, at * 80 + 80).toString('hex')).toBe(raw)
  }
})

it('payments are proven against a real node: new, given up, again, old, and not where the server shows the proof of another', async () => {
  const local = createMemoryArea()
  const deps = { local, now: Date.now, anchors: () => [] }
  const source = openChain(
    'regtest',
    { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' },
    createTestAccess(),
  )
  const prove = (txid: string, headers = createHeldHeaders(deps)) =>
    createConfirmationProofs({ ...deps, headers }).prove(source, txid)
  const pay = () => devnet.faucet(NOBODY, 10_000n)
  const txid = await pay()
  const { blockhash } = await devnet.rpc<{ blockhash: string }>('getrawtransaction', [txid, true])
  const { confirmations } = await devnet.rpc<{ confirmations: number }>('getblock', [blockhash])
  expect(await prove(txid)).toEqual({ is: 'proven', confirmations, blocks: null })
  await devnet.reorg(confirmations + 1)
  expect(await prove(txid)).toEqual({ is: 'unproven', fault: 'no-block' })
  await devnet.mine(1)
  expect(await prove(txid)).toMatchObject({ is: 'proven', confirmations: 1 })

  const other = await pay()
  const later = await pay()
  const admin = createDevnetAdmin(devnet)
  await admin.tellLie('other-proof', { txid: later })
  expect(await prove(later)).toEqual({ is: 'unproven', fault: 'merkle-proof' })
  await admin.repair()
  expect(await prove(later)).toMatchObject({ is: 'proven' })

  // A wallet that is new by now holds the last 150 headers.
  await devnet.mine(200)
  const fresh = { ...deps, local: createMemoryArea() }
  const found = await createConfirmationProofs({
    ...{ ...fresh, headers: createHeldHeaders(fresh) },
  }).prove(source, other)
  expect(found).toMatchObject({ is: 'old', blocks: null })
})
