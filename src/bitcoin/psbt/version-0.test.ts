import { Transaction as ScureTransaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { fromBase64, toHex } from '../bytes.ts'
import { PERMISSIVE } from '../testing/signature-oracle.ts'
import bip370 from '../testing/vectors/bip370.json' with { type: 'json' }
import { encodePsbt, parsePsbt } from './psbt.ts'
import { toVersion0 } from './version-0.ts'

describe('a PSBT of version 2 in version 0', () => {
  const valid = bip370.psbts.flatMap(({ name, verdict, psbt }) =>
    // The other library cannot leave out a required locktime.
    verdict === 'valid' && !/all (?:locktime|PSBTv2) fields/.test(name)
      ? [[name, psbt] as const]
      : [],
  )
  it.each(valid)('is what another library makes of it: %s', (_, base64) => {
    const bytes = fromBase64(base64)
    const converted = parsePsbt(encodePsbt(toVersion0(parsePsbt(bytes))))
    const other = parsePsbt(ScureTransaction.fromPSBT(bytes, PERMISSIVE).toPSBT(0))
    expect(converted.version).toBe(0)
    expect(converted.transaction).toEqual(other.transaction)
    expect(converted.outputs).toEqual(other.outputs)
    const facts = ({ maps }: typeof other) =>
      [...maps.inputs, ...maps.outputs].map(map =>
        map.map(({ key, value }) => `${toHex(key)} ${toHex(value)}`).sort(),
      )
    expect(facts(converted)).toEqual(facts(other))
  })

  it('stays as it is in version 0', () => {
    const psbt = toVersion0(parsePsbt(fromBase64(valid[0]?.[1] ?? '')))
    expect(toVersion0(psbt)).toBe(psbt)
  })
})
