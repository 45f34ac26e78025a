import { fromHex, toHex } from '../bytes.ts'

/** One map after the other; records as hex of key and value. */
export function rawPsbt(...maps: readonly (readonly (readonly [string, string])[])[]): Uint8Array {
  const encoded = maps.map(map => map.map(record => record.map(sized).join('')).join(''))
  return fromHex(`70736274ff${encoded.map(map => `${map}00`).join('')}`)
}

/** With its length before it: in one byte, or from 253 on in two behind `fd`. */
export function sized(hex: string): string {
  const length = hex.length / 2
  const [low, high] = [length & 0xff, length >> 8]
  const size = length < 0xfd ? [length] : [0xfd, low, high]
  return toHex(Uint8Array.from(size)) + hex
}

/** A transaction of inputs that spend outputs 0, 1 … of one transaction and of outputs with these amounts. */
export function unsignedHex(vouts: readonly number[], amounts: readonly bigint[]): string {
  const little = (value: bigint, bytes: number) =>
    toHex(Uint8Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 255n)))
  const inputs = vouts.map(vout => `${'ab'.repeat(32)}${little(BigInt(vout), 4)}00fdffffff`)
  const outputs = amounts.map(amount => `${little(amount, 8)}0151`)
  const count = (list: readonly unknown[]) => little(BigInt(list.length), 1)
  return `02000000${count(inputs)}${inputs.join('')}${count(outputs)}${outputs.join('')}00000000`
}
