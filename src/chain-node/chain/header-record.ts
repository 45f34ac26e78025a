import type { Header } from '../engine/block.ts'

/** A header as the store has it, with the difficulties of all blocks up to it. */
export interface HeaderRecord {
  readonly header: Header
  readonly totalDifficulty: bigint
}

/** JSON, with integers as decimal digits. */
export function encodeHeader({ header, totalDifficulty }: HeaderRecord): Uint8Array {
  const text = JSON.stringify({ ...header, totalDifficulty }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  return Buffer.from(text)
}

export function decodeHeader(bytes: Uint8Array): HeaderRecord {
  const { totalDifficulty, ...fields } = JSON.parse(Buffer.from(bytes).toString('latin1'))
  for (const name of INTEGERS) {
    if (fields[name] !== undefined) fields[name] = BigInt(fields[name])
  }
  return { header: fields, totalDifficulty: BigInt(totalDifficulty) }
}

const INTEGERS = [
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'baseFeePerGas',
  'blobGasUsed',
  'excessBlobGas',
] satisfies (keyof Header)[]
