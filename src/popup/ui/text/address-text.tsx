import { chunkAddress } from './address-chunks.ts'

/** A whole address in fours; start and end, which people compare first, stand out. */
export function AddressText({ address }: { address: string }) {
  const chunks = chunkAddress(address)
  return (
    <span className="address">
      {chunks.map((chunk, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place
          key={index}
          className={`chunk${index < 2 || index >= chunks.length - 2 ? ' telling' : ''}`}
        >
          {chunk}
        </span>
      ))}
    </span>
  )
}
