/** A demand on a txid: how it begins, and what the digit behind that is at least. */
export interface Bitwork {
  prefix: string
  least: number
}

/** Of a text such as `7777.12`; null for any other. */
export function parseBitwork(text: unknown): Bitwork | null {
  const [, prefix, least] =
    /^([0-9a-f]{1,64})(?:\.(\d{1,2}))?$/.exec(typeof text === 'string' ? text : '') ?? []
  if (prefix === undefined || Number(least ?? 0) > 15) return null
  return { prefix, least: Number(least ?? 0) }
}

/** Whether the txid, as it is written, begins as the demand says. */
export function meetsBitwork(txid: string, { prefix, least }: Bitwork): boolean {
  return (
    txid.startsWith(prefix) &&
    (least === 0 || Number.parseInt(txid[prefix.length] ?? '0', 16) >= least)
  )
}
