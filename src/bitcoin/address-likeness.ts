/** What all addresses of a kind begin with: nothing that a person recognises one by. */
const PREFIX = /^(?:bc1|tb1|bcrt1).|^t?sp1.q|^./

/** Characters at each end that people compare, at least; making so many agree costs an attacker little. */
const COMPARED = 3

/**
 * Whether an address is another one than `known` and would pass for it at a glance: the ends are the same, whatever the
 * case of the letters and the kind of the address (address poisoning).
 */
export function looksLike(address: string, known: string): boolean {
  if (kindOf(address) !== kindOf(known)) return false
  const [one, other] = [address, known].map(text => text.toLowerCase().replace(PREFIX, ''))
  if (one === undefined || other === undefined || address === known) return false
  return (
    one.slice(0, COMPARED) === other.slice(0, COMPARED) &&
    one.slice(-COMPARED) === other.slice(-COMPARED)
  )
}

function kindOf(address: string): 'segwit' | 'silent' | 'base58' {
  if (/^(?:bc1|tb1|bcrt1)/i.test(address)) return 'segwit'
  return /^t?sp1/i.test(address) ? 'silent' : 'base58'
}
