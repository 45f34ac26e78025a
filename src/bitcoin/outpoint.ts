/** Which output of which transaction; `txid` in the usual (reversed) hex. */
export type Outpoint = { txid: string; vout: number }

/** `txid:vout`. */
export function formatOutpoint({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`
}

/** Reads `txid:vout`; throws on anything else. */
export function parseOutpoint(text: string): Outpoint {
  const match = /^([0-9a-f]{64}):(0|[1-9]\d{0,9})$/.exec(text)
  if (!match?.[1] || !match[2] || Number(match[2]) > 0xffffffff)
    throw new Error(`outpoint: expected txid:vout, got "${text}"`)
  return { txid: match[1], vout: Number(match[2]) }
}
