/** Throws where a PNG has another size than is wanted, or is transparent somewhere, which Chrome’s store refuses. */
export function assertPicture(
  name: string,
  png: Uint8Array,
  wanted: { width: number; height: number },
): void {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  // The header of a PNG: width, height, bits and colour type, of which 2 is red, green and blue alone.
  const [width, height, colours] = [view.getUint32(16), view.getUint32(20), view.getUint8(25)]
  if (width !== wanted.width || height !== wanted.height)
    throw new Error(`${name} is ${width} × ${height}, expected ${wanted.width} × ${wanted.height}`)
  if (colours !== 2) throw new Error(`${name} has the colour type ${colours}, expected 2`)
}
