/** A small picture drawn from text, so that an account or a site is recognised at a glance. */
export function Identicon({ text, size }: { text: string; size: number }) {
  const { hue, cells } = drawIdenticon(text)
  return (
    <svg className="identicon" width={size} height={size} viewBox="-1 -1 7 7" aria-hidden="true">
      <rect x="-1" y="-1" width="7" height="7" fill={`hsl(${hue} 45% 88%)`} />
      {cells.map(({ x, y }) => (
        <rect
          key={`${x},${y}`}
          x={x}
          y={y}
          width="1.02"
          height="1.02"
          fill={`hsl(${hue} 55% 38%)`}
        />
      ))}
    </svg>
  )
}

/** A picture of 5 x 5 cells, left and right alike, and its hue in degrees; the same text always gives the same one. */
export type IdenticonCells = { hue: number; cells: { x: number; y: number }[] }

/** Derives the picture from text by FNV-1a; it helps to recognise, it proves nothing. */
export function drawIdenticon(text: string): IdenticonCells {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  // FNV leaves neighbouring texts alike in the high bits: stir once more (the finaliser of MurmurHash3).
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash = (hash ^ (hash >>> 16)) >>> 0
  const cells: IdenticonCells['cells'] = []
  for (let bit = 0; bit < 15; bit += 1) {
    if (((hash >>> bit) & 1) === 0) continue
    const [x, y] = [Math.floor(bit / 5), bit % 5]
    cells.push({ x, y })
    if (x < 2) cells.push({ x: 4 - x, y })
  }
  return { hue: (hash >>> 15) % 360, cells }
}
