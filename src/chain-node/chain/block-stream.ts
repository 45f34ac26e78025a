/** Most bytes of one block: far above what any chain makes, and far below what memory holds. */
const MAX_BLOCK = 2 ** 27

/**
 * Divides a stream of RLP lists, one after the other as geth exports blocks, into the lists. Throws where it is something
 * else, names the place in bytes, and never waits for more of a list than `MAX_BLOCK`.
 */
export async function* splitBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  let position = 0
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    for (let size = measureList(rest, position); size !== null && size <= rest.length; ) {
      yield new Uint8Array(rest.subarray(0, size))
      rest = rest.subarray(size)
      position += size
      size = measureList(rest, position)
    }
  }
  if (rest.length > 0) {
    throw new Error(`The file ends within the block that begins at byte ${position}.`)
  }
}

/** Bytes of the RLP list that begins here, with its prefix; null where its length is not here yet. */
function measureList(bytes: Buffer, position: number): number | null {
  const first = bytes[0]
  if (first === undefined) return null
  if (first < 0xc0) {
    throw new Error(
      `There is no block at byte ${position} of the file: an RLP list begins with a byte from 0xc0 on, found 0x${first.toString(16).padStart(2, '0')}.`,
    )
  }
  if (first < 0xf8) return 1 + first - 0xc0
  const lengthOfLength = first - 0xf7
  if (bytes.length < 1 + lengthOfLength) return null
  const length = Number(BigInt(`0x${bytes.toString('hex', 1, 1 + lengthOfLength)}`))
  if (length > MAX_BLOCK) {
    throw new Error(
      `The block at byte ${position} of the file says that it has ${length} bytes, and ${MAX_BLOCK} is the most.`,
    )
  }
  return 1 + lengthOfLength + length
}
