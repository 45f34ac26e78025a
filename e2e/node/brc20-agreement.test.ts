import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toUtf8 } from '../../src/bitcoin/bytes.ts'
import { parseBrc20 } from '../../src/devnet/ord/brc20/brc20-inscription.ts'
import { parseTokenAmount } from '../../src/devnet/ord/brc20/token-amount.ts'
import { parseBrc20Operation } from '../../src/ordinals/brc20/brc20-operation.ts'
import { campaign } from '../../testing/campaigns.ts'

/** Texts of which many are almost BRC-20. */
const value = fc.oneof(
  fc.constantFrom('0', '1', '1000', '1.5', '1.50', '.5', '1.', '-1', '18446744073709551616', ''),
  fc.constantFrom('deploy', 'mint', 'transfer', 'ordi', 'pizza', 'abc', 'éé', 'true', 'brc-20'),
  fc.constantFrom(1, true, null),
)
/** What may stand around an operation; the first five mean nothing in JSON. */
const space = fc.constantFrom('', ' ', '\t', '\n', '\r', '\v', '\f', '\u00a0', '\u2028')
const fields = fc.record(
  {
    p: fc.constantFrom('brc-20', 'brc-20', 'brc-20', 'BRC-20'),
    op: fc.constantFrom('deploy', 'mint', 'transfer'),
    tick: fc.constantFrom('ordi', 'OXBT', 'pizza', '🍊', 'abc', 'Six-by', 'six_by'),
    salt: fc.constantFrom('00ff', '', 'xyz', '0', 'AB'),
    max: fc.oneof(fc.constantFrom('21', '0', '1.5'), value),
    lim: fc.oneof(fc.constantFrom('1', '0.5'), value),
    dec: fc.oneof(fc.constantFrom('0', '1', '18', '19'), value),
    amt: fc.oneof(fc.constantFrom('1', '0.5'), value),
    self_mint: fc.constantFrom('true', 'false', 'True'),
  },
  { requiredKeys: ['p', 'op', 'tick'] },
)
const operation = fc
  .tuple(space, fields, space)
  .map(([before, one, behind]) => `${before}${JSON.stringify(one)}${behind}`)
const contentType = fc.constantFrom('text/plain;charset=utf-8', 'application/json', 'text/html')

function accepts(type: string, text: string): boolean {
  try {
    parseBrc20Operation(type, text)
    return true
  } catch {
    return false
  }
}

/** What the ledger reads at once, and the amount with the most digits that a token can have. */
function counts(type: string, text: string): boolean {
  const fields = { contentType: toUtf8(type), body: toUtf8(text) }
  const request = parseBrc20(fields as Parameters<typeof parseBrc20>[0])
  if (!request || request.op === 'deploy') return request !== null
  if (request.op === 'predeploy') return false
  return Boolean(parseTokenAmount(request.amt, 18))
}

/** Stricter than the ledger by design: there the field would mean nothing. */
function isSelfMintOfFour(text: string): boolean {
  const { op, tick, self_mint } = JSON.parse(text.trim())
  return op === 'deploy' && self_mint === 'true' && new TextEncoder().encode(tick).length === 4
}

describe('what the wallet inscribes as BRC-20', () => {
  it('is what the ledger of devnet, which was written apart, counts', () => {
    fc.assert(
      fc.property(contentType, operation, (type, text) => {
        fc.pre(!isSelfMintOfFour(text))
        expect([text, accepts(type, text)]).toEqual([text, counts(type, text)])
      }),
      { numRuns: campaign('BRC-20 operations').count },
    )
  })
})
