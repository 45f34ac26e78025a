import { hash256 } from 'bitcoinjs-lib/src/crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { MAINNET_RUN } from '../../bitcoin/testing/header-vectors.ts'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createEsplora } from './esplora.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

type Told = { [name: string]: unknown; nonce: number }

it('headers come oldest first, each with the hash that the server says', async () => {
  const raws = MAINNET_RUN.raws.slice(0, 3)
  const blocks: Told[] = raws.map((raw, index) => {
    const view = new DataView(raw.buffer, raw.byteOffset)
    return {
      id: toHex(hash256(raw).reverse()),
      height: MAINNET_RUN.height + index,
      version: view.getInt32(0, true),
      timestamp: view.getUint32(68, true),
      bits: view.getUint32(72, true),
      nonce: view.getUint32(76, true),
      merkle_root: toHex(raw.slice(36, 68).reverse()),
      previousblockhash: toHex(raw.slice(4, 36).reverse()),
    }
  })
  const height = MAINNET_RUN.height + 2
  const [old, middle, newest] = blocks as [Told, Told, Told]
  const tell = (...told: unknown[]) => {
    server.say({ [`/blocks/${height}`]: asJson(told) })
    return createEsplora('regtest', server.url, createTestAccess()).fetchBlockHeaders(height)
  }
  expect(await tell(newest, middle, old)).toEqual(raws)
  expect(await tell(newest)).toEqual(raws.slice(2))
  // Whoever follows the headers says that no work went into them.
  const idle = raws.slice(2).map(raw => raw.with(76, (raw[76] ?? 0) ^ 1))
  const ids = idle.map(raw => toHex(hash256(raw).reverse()))
  expect(await tell({ ...newest, id: ids[0], nonce: (newest.nonce ^ 1) >>> 0 })).toEqual(idle)
  for (const told of [
    [],
    [old],
    [newest, old],
    Array(101).fill(newest),
    [{ ...newest, nonce: 7 }],
    [{ ...newest, id: '00'.repeat(32) }],
    [{ ...newest, bits: 2 ** 32 }],
    [{ ...newest, previousblockhash: null }],
    [{ ...newest, merkle_root: undefined }],
  ])
    expect(await problemOf(tell(...told))).toMatchObject({ kind: 'nonsense' })

  const tellNewest = (...told: unknown[]) => {
    server.say({ '/blocks': asJson(told) })
    return createEsplora('regtest', server.url, createTestAccess()).fetchNewestHeaders()
  }
  expect(await tellNewest(newest, middle, old)).toEqual({ height, raws })
  for (const told of [[], [null], [{ ...newest, height: -1 }], [newest, old], [newest, newest]])
    expect(await problemOf(tellNewest(...told))).toMatchObject({ kind: 'nonsense' })
})
