/** Cuts an address into fours so that it can be compared by eye; joined they are the address. */
export function chunkAddress(address: string): string[] {
  return address.match(/.{1,4}/g) ?? []
}

/** Start and end of an address: "bc1p…k3q9", "bcrt1q…x0aa", "3J98…Nx4w". */
export function shortenAddress(address: string): string {
  const start = /^(?:bc|tb|bcrt)1./i.exec(address)?.[0] ?? address.slice(0, 4)
  return address.length <= start.length + 5 ? address : `${start}…${address.slice(-4)}`
}
