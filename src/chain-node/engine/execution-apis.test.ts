import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import { createStateMemory } from '../testing/state-memory.ts'
import type { Header } from './block.ts'
import { createEngine } from './ethereumjs-engine.ts'
import { readGenesis } from './genesis.ts'
import { decodeRlp, isRlpList } from './rlp.ts'
import { createRules } from './rules.ts'

const VECTORS = new URL('../../../../shared/vectors/execution-apis/', import.meta.url)

describe.skipIf(!existsSync(VECTORS))('createEngine (execution-apis chain)', () => {
  it('executes all blocks, of all forks, to the head', async () => {
    const rules = await createRules(readGenesis(readJson('genesis.json')))
    const memory = createStateMemory()
    const hashes = new Map<bigint, Hex>()
    const engine = await createEngine(rules, memory.source, number => {
      const hash = hashes.get(number)
      return hash === undefined ? null : Uint8Array.from(Buffer.from(hash.slice(2), 'hex'))
    })
    const genesis = await engine.createGenesis()
    memory.store(genesis.writes)
    let head: Header = genesis.block.header
    hashes.set(0n, head.hash)
    let count = 0
    for (const rlp of splitBlocks(readFileSync(new URL('chain.rlp', VECTORS)))) {
      const block = engine.decodeBlock(rlp)
      const executed = await engine.executeBlock(head, block)
      memory.store(executed.writes)
      expect(executed.block.header.hash).toBe(block.header.hash)
      expect(executed.block.rlp).toEqual(Uint8Array.from(rlp))
      head = block.header
      hashes.set(head.number, head.hash)
      count++
    }
    const [state] = readJson('headfcu.json').params
    expect(head.hash).toBe(state.headBlockHash)
    expect(count).toBe(54)
  })
})

function readJson(name: string) {
  return JSON.parse(readFileSync(new URL(name, VECTORS), 'utf8'))
}

function splitBlocks(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const head = bytes[at] as number
    const size = head - 0xf7
    const length =
      head < 0xf8
        ? 1 + head - 0xc0
        : 1 +
          size +
          Number(`0x${Buffer.from(bytes.subarray(at + 1, at + 1 + size)).toString('hex')}`)
    blocks.push(bytes.subarray(at, at + length))
    at += length
  }
  return blocks.filter(block => isRlpList(decodeRlp(block)))
}
