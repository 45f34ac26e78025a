import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import type { PsbtView } from '../../../background/views/psbt-views.ts'
import {
  inscription,
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  psbtOf,
} from '../../testing/psbt-building.ts'
import { textOf } from '../../testing/text-of.ts'
import { hasManyRecipients, listRecipients, PsbtRecipients } from './psbt-recipients.tsx'

/** BIP-173's example key and the Taproot example of BIP-350. */
const SELLER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const MARKET = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'

const say = (view: PsbtView) => textOf(createElement(PsbtRecipients, { view }))

describe('who is paid by a PSBT', () => {
  it('is told with amount, name and the whole address, before any detail is opened', () => {
    const view = psbtOf(
      [ownInput(6_000_000), otherInput(546)],
      [
        ownOutput(546),
        otherOutput(5_000_000, { address: SELLER }),
        otherOutput(125_000, { address: MARKET, name: 'Market' }),
        ownOutput(870_000),
      ],
    )
    expect(say(view)).toBe(
      `Who is paid 5,000,000 sats to ${SELLER} 125,000 sats to Market ${MARKET}`,
    )
  })
  it('is told by the whole script where there is no address', () => {
    const script = `5121${'02'.repeat(33)}51ae`
    const unknown = otherOutput(40_000, { address: null, kind: 'unknown', script })
    expect(say(psbtOf([ownInput(50_000)], [unknown]))).toBe(
      `Who is paid 40,000 sats to A script without an address ${script}`,
    )
  })
  it('names what an output carries away', () => {
    const view = psbtOf([ownInput(546)], [otherOutput(546)], { assets: [inscription('1')] })
    expect(say(view)).toMatch(/Carries Inscription 1201$/)
  })
  it('is nobody where all comes back, or goes to a note', () => {
    const note = otherOutput(9_000, { address: null, kind: 'data', script: '6a00' })
    const view = psbtOf([ownInput(50_000)], [ownOutput(40_000), otherOutput(0), note])
    expect(say(view)).toBe('')
  })
  it('is no address that others can still exchange, only the amount', () => {
    const view = psbtOf(
      [ownInput(50_000, { sighash: 'single-anyone' })],
      [ownOutput(10_000), otherOutput(39_000, { open: true })],
    )
    expect(say(view)).toBe(
      'Who is paid Others can still change who gets 0.00039 BTC (39,000 sats).',
    )
  })
  it('is of two hundred the largest amounts first, and all the others in a part that opens', () => {
    const outputs = Array.from({ length: 200 }, (_, index) => otherOutput(1_000 + index))
    const view = psbtOf([ownInput(1_000_000)], [...outputs, otherOutput(700_000)])
    expect(hasManyRecipients(view)).toBe(true)
    expect(listRecipients(view)).toHaveLength(201)
    expect(say(view)).toMatch(
      /^Who is paid: 201 recipients, largest first 700,000 sats to .* 1,199 sats to .* 195 more recipients$/,
    )
  })
  it('is told whole up to seven', () => {
    const outputs = Array.from({ length: 7 }, (_, index) => otherOutput(1_000 + index))
    const text = say(psbtOf([ownInput(10_000)], outputs))
    expect(text.match(/sats to/g)).toHaveLength(7)
    expect(text).toMatch(/^Who is paid 1,000 sats to/)
  })
})
