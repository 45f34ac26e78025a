import { Transaction as ScureTransaction } from '@scure/btc-signer'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { createSignatureChecks } from '../signing/signature-checks.ts'
import { buildPsbt } from '../testing/psbt-building.ts'
import { extractTransaction } from './extract.ts'
import { finalizePsbt } from './finalize.ts'
import { planSigning } from './plan.ts'
import { readPrevouts } from './prevouts.ts'
import { parsePsbt, withInputs } from './psbt.ts'
import { signPsbt } from './sign.ts'
import { checkSignatures, isFinal } from './signatures.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const KEY = new Uint8Array(32).fill(7)
const PUBLIC_KEY = publicKeyOf(KEY)
const COUNT = 12
const ALL = Array.from({ length: COUNT }, (_, index) => index)

/** So many inputs of one key that the last of them are verified with tables of its multiples. */
function signMany(addressType: 'p2tr' | 'p2wpkh') {
  const fields = addressType === 'p2tr' ? { tapInternalKey: PUBLIC_KEY.slice(1) } : {}
  const input = { type: addressType, key: KEY, amount: 10_000n, proof: 'both', fields } as const
  const { bytes } = buildPsbt({
    inputs: ALL.map(() => input),
    outputs: [{ type: 'p2wpkh', amount: 100_000n }],
  })
  const psbt = parsePsbt(bytes)
  const prevouts = readPrevouts(psbt, new Map())
  const key = { publicKey: PUBLIC_KEY, addressType }
  const plan = planSigning({ psbt, prevouts, key, inputs: null, expert: false })
  const checks = createSignatureChecks()
  const signed = signPsbt({ psbt, prevouts, plan, privateKey: KEY, addressType, checks })
  return { bytes, prevouts, checks, signed }
}

describe('many inputs of one key', () => {
  it('are signed and finalized in taproot as an independent library does, with the checks of the call and with new ones', () => {
    const { bytes, prevouts, checks, signed } = signMany('p2tr')
    const theirs = ScureTransaction.fromPSBT(bytes)
    theirs.sign(KEY, undefined, new Uint8Array(32))
    theirs.finalize()
    for (const each of [checks, undefined]) {
      const final = finalizePsbt(signed, prevouts, ALL, each)
      expect(toHex(extractTransaction(final))).toBe(toHex(theirs.extract()))
    }
  })

  it('are final with the checks of the call as with new ones, in Native SegWit', () => {
    const { prevouts, checks, signed } = signMany('p2wpkh')
    const final = finalizePsbt(signed, prevouts, ALL, checks)
    expect(final).toEqual(finalizePsbt(signed, prevouts, ALL))
    expect(checkSignatures(final, prevouts).every(({ valid }) => valid)).toBe(true)
  })

  it.each(['p2tr', 'p2wpkh'] as const)(
    'are not final where signatures of %s were exchanged after they were made',
    addressType => {
      const { prevouts, checks, signed } = signMany(addressType)
      const [first, last] = [signed.inputs[0], signed.inputs[COUNT - 1]]
      if (!first || !last) expect.fail('no inputs')
      const pick = ({ tapKeySig, partialSigs }: typeof first) => ({ tapKeySig, partialSigs })
      const exchanged = withInputs(
        signed,
        new Map([
          [0, pick(last)],
          [COUNT - 1, pick(first)],
        ]),
      )
      const finals = finalizePsbt(exchanged, prevouts, ALL, checks).inputs.map(isFinal)
      expect(finals).toEqual(ALL.map(index => index > 0 && index < COUNT - 1))
    },
  )

  it('are not final where the coin is said to hold another amount than was signed', () => {
    for (const addressType of ['p2tr', 'p2wpkh'] as const) {
      const { prevouts, checks, signed } = signMany(addressType)
      const others = prevouts.map(prevout => prevout && { ...prevout, amount: 10_001n })
      const { inputs } = finalizePsbt(signed, others, ALL, checks)
      expect(inputs.some(isFinal)).toBe(false)
    }
  })
})
