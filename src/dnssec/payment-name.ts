import { type DomainName, encodeDomainName, parseDomainName } from './domain-name.ts'

/** A name to be paid (BIP-353). */
export type PaymentName = {
  /** `user@domain`, in lower case and without the ₿. */
  text: string
  /** Where its instructions are in the DNS. */
  domainName: DomainName
}

/** Texts of a name that do not say whom to pay. */
export class InvalidInstructionsError extends Error {
  override name = 'InvalidInstructionsError'
  readonly problem: 'none' | 'several' | 'not-text'
  constructor(problem: InvalidInstructionsError['problem']) {
    super(`payment instructions: ${problem}`)
    this.problem = problem
  }
}

/** Reads `₿user@domain` or `user@domain`; null for what is no such name, those with other than plain letters among them. */
export function parsePaymentName(text: string): PaymentName | null {
  const [, user = '', domain = ''] = /^₿?([^@₿]+)@([^@₿]+)$/.exec(text.trim()) ?? []
  const [labels, zone] = [parseDomainName(user), parseDomainName(domain)]
  if (labels === null || zone === null) return null
  const domainName = [...labels, 'user', '_bitcoin-payment', ...zone]
  if (encodeDomainName(domainName).length > 255) return null
  return { text: `${user}@${domain}`.toLowerCase(), domainName }
}

/** The one `bitcoin:` link among the texts of a name; throws {@link InvalidInstructionsError}. */
export function findInstructions(texts: readonly Uint8Array[]): string {
  const links = texts.filter(text =>
    /^bitcoin:/i.test(String.fromCharCode(...text.subarray(0, 'bitcoin:'.length))),
  )
  const [link] = links
  if (link === undefined) throw new InvalidInstructionsError('none')
  if (links.length > 1) throw new InvalidInstructionsError('several')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(link)
  } catch {
    throw new InvalidInstructionsError('not-text')
  }
}
