import { encodeRlp } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitBlocks } from './block-stream.ts'

const lists = fc.array(
  fc
    .array(fc.uint8Array({ maxLength: 400 }), { maxLength: 5 })
    .map(items => Buffer.from(encodeRlp(items.map(bytes => `0x${hex(bytes)}`)).slice(2), 'hex')),
  { maxLength: 6 },
)

describe('splitBlocks', () => {
  it('gives the lists of a stream, however it is divided', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 700 }), async (blocks, size) => {
        const found = await collect(splitBlocks(divide(Buffer.concat(blocks), size)))
        expect(found.map(hex)).toEqual(blocks.map(hex))
      }),
    )
  })

  it('says where the file ends within a block', async () => {
    const blocks = Buffer.from('c3010203c20102', 'hex')
    const found: string[] = []
    const reading = (async () => {
      for await (const block of splitBlocks(divide(blocks.subarray(0, 6), 4)))
        found.push(hex(block))
    })()
    await expect(reading).rejects.toThrow('The file ends within the block that begins at byte 4.')
    expect(found).toEqual(['c3010203'])
    for (const text of ['f9', 'f901', 'ff']) {
      await expect(collect(splitBlocks(divide(Buffer.from(text, 'hex'), 9)))).rejects.toThrow(
        'The file ends within the block that begins at byte 0.',
      )
    }
  })

  it('says where something else than a block begins', async () => {
    const bytes = Buffer.concat([Buffer.from('c101', 'hex'), Buffer.from('text')])
    await expect(collect(splitBlocks(divide(bytes, 100)))).rejects.toThrow(
      'There is no block at byte 2 of the file: an RLP list begins with a byte from 0xc0 on, found 0x74.',
    )
  })

  it('does not wait for a block of impossible length', async () => {
    const bytes = Buffer.from('ff7fffffffffffffff00', 'hex')
    await expect(collect(splitBlocks(divide(bytes, 100)))).rejects.toThrow('is the most')
  })
})

async function* divide(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function collect(blocks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const found: Uint8Array[] = []
  for await (const block of blocks) found.push(block)
  return found
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
