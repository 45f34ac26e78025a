import { describe, expect, it } from 'vitest'
import { parsePaymentLink } from '../bitcoin/bip321.ts'
import { fromHex } from '../bitcoin/bytes.ts'
import { parseRecords } from './dns-message.ts'
import { findInstructions, parsePaymentName } from './payment-name.ts'
import { ROOT_ANCHORS } from './root-anchors.ts'
import bip353 from './testing/vectors/bip353.json' with { type: 'json' }
import { verifyTexts } from './verify-text.ts'

/** Verifies the value of a PSBT_OUT_DNSSEC_PROOF at noon of a day. */
async function resolve(proof: string, day: string) {
  const bytes = fromHex(proof)
  const length = bytes[0] ?? 0
  const name = parsePaymentName(new TextDecoder().decode(bytes.subarray(1, 1 + length)))
  if (name === null) throw new Error('a name was expected')
  const now = Date.parse(`${day}T12:00:00Z`) / 1000
  const records = parseRecords(bytes.subarray(1 + length))
  const proven = await verifyTexts(name.domainName, records, { anchors: ROOT_ANCHORS, now })
  return { ...proven, link: parsePaymentLink(findInstructions(proven.texts)), now }
}

describe('a proof of BIP-353', () => {
  it.each(bip353.valid)('says what $name is', async ({ proof, day, address, offer }) => {
    const { link, validUntil, now } = await resolve(proof, day)
    expect(link.addresses).toEqual([address.toLowerCase()])
    expect(link.otherInstructions).toEqual(offer === null ? [] : ['lno'])
    // The least TTL of its records is half a minute.
    expect(validUntil).toBe(now + 30)
  })
  it.each(bip353.invalid)('is refused as $problem: $name', async ({ proof, day, problem }) => {
    await expect(resolve(proof, day)).rejects.toMatchObject({ problem })
  })
})
