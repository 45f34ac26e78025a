/** One sat: how far it lies, counted from 0, inside which output (`txid:vout`). */
export type SatPoint = { outpoint: string; offset: bigint }

/** The output that receives a sat and how far inside it; sats past the last output are the miner's. */
export type SatLanding = { output: number; offset: bigint } | 'fee'

/**
 * Where sats at these places of a transaction's inputs land, in the order of `assets`; `inputs` and `outputs` are sats.
 * Ordinal theory deals the sats of all inputs, first in first out, to the outputs in their order.
 * Inputs behind the last asset may be missing. Throws on an asset that lies in no input.
 */
export function flowSats<T extends { input: number; offset: bigint }>({
  inputs,
  outputs,
  assets,
}: {
  inputs: readonly bigint[]
  outputs: readonly bigint[]
  assets: readonly T[]
}): { asset: T; to: SatLanding }[] {
  let before = 0n
  const ranges = inputs.map(value => {
    const start = before
    before += value
    return { start, value }
  })
  const moves = assets.map(asset => {
    const { start, value } = ranges[asset.input] ?? { start: 0n, value: 0n }
    if (asset.offset < 0n || asset.offset >= value)
      throw new Error(`sat flow: input ${asset.input} holds no sat ${asset.offset}`)
    return { asset, place: start + asset.offset, to: 'fee' as SatLanding }
  })

  const waiting = moves.toSorted((a, b) => (a.place < b.place ? -1 : Number(a.place > b.place)))
  let next = 0
  let start = 0n
  for (const [output, value] of outputs.entries()) {
    const end = start + value
    for (let move = waiting[next]; move && move.place < end; move = waiting[++next])
      move.to = { output, offset: move.place - start }
    start = end
  }
  return moves.map(({ asset, to }) => ({ asset, to }))
}
