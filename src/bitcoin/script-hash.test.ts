import { expect, it } from 'vitest'
import { fromHex } from './bytes.ts'
import { scriptHashOf } from './script-hash.ts'

it('is that of Electrum’s documentation for the address of the first block', () => {
  const script = fromHex('76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac')
  expect(scriptHashOf(script)).toBe(
    '8b01df4e368ea28f8dc0423bcf7a4923e3a12d307c875e47a0cfbf90b5c39161',
  )
})
