import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHeldHeaders } from '../../src/background/headers/held-headers.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { createMemoryArea } from '../../src/storage/testing/memory-area.ts'

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
    expect(await follow()).toEqual({ is: 'followed', tip: { height, hash, at: time * 1000 } })
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
