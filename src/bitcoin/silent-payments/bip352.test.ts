import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, it } from 'vitest'
import { typeOfScript } from '../address.ts'
import { fromHex, toHex, toUtf8 } from '../bytes.ts'
import { publicKeyOf, sumPublicKeys } from '../secp256k1.ts'
import { scan, signAsReceiver, silentAddressOf } from '../testing/silent-payment-scanner.ts'
import {
  RECEIVING_VECTORS,
  SENDING_VECTORS,
  type SendingVector,
} from '../testing/silent-payment-vectors.ts'
import { readInputKey } from './input-key.ts'
import { isSilentPaymentAddress, parseSilentPaymentAddress } from './silent-payment-address.ts'
import { deriveSilentPaymentOutputs, SilentPaymentError } from './silent-payment-outputs.ts'

/** What the published signatures are of, and with. */
const MESSAGE = sha256(toUtf8('message'))
const AUX_RAND = sha256(toUtf8('random auxiliary data'))

describe('the sending vectors of BIP-352', () => {
  it('are all there', () => {
    expect(SENDING_VECTORS).toHaveLength(28)
  })

  it.each(SENDING_VECTORS)('$comment: the addresses hold the keys', ({ receivers }) => {
    for (const { address, scanKey, spendKey } of new Set(receivers)) {
      expect(isSilentPaymentAddress(address)).toBe(true)
      const parsed = parseSilentPaymentAddress(address, 'mainnet')
      expect(parsed).toMatchObject({ address, version: 0 })
      expect([toHex(parsed.scanKey), toHex(parsed.spendKey)]).toEqual([scanKey, spendKey])
    }
  })

  it.each(SENDING_VECTORS)('$comment: the inputs that count', ({ inputs, expected }) => {
    const keys = inputs.flatMap(input => readInputKey(input) ?? [])
    expect(keys.map(toHex)).toEqual(expected.inputKeys)
  })

  const isPayable = ({ expected }: SendingVector) => (expected.outputs[0]?.length ?? 0) > 0

  it.each(SENDING_VECTORS.filter(isPayable))('$comment: the outputs', vector => {
    const { scripts, inputKeySum } = derive(vector)
    const keys = scripts.map(script => toHex(script.subarray(2))).toSorted()
    expect(vector.expected.outputs.map(set => set.toSorted())).toContainEqual(keys)
    expect(scripts.every(script => typeOfScript(script) === 'p2tr')).toBe(true)
    expect(toHex(inputKeySum)).toBe(toHex(publicKeyOf(fromHex(vector.expected.keySum ?? ''))))
    const read = vector.inputs.flatMap(input => readInputKey(input) ?? [])
    expect(sumPublicKeys(read)).toEqual(inputKeySum)
  })

  it.each(SENDING_VECTORS.filter(vector => !isPayable(vector)))('$comment: it fails', vector => {
    const problems: { [comment: string]: SilentPaymentError['problem'] } = {
      'No valid inputs, sender generates no outputs': 'no-input-key',
      'Input keys sum up to zero / point at infinity: sending fails, receiver skips tx': 'key-sum',
      "Maximum per-group recipient limit K_max is exceeded (2324 matches): sending fails, receiver doesn't scan beyond limit":
        'too-many-outputs',
    }
    expect(() => derive(vector)).toThrow(SilentPaymentError)
    expect(() => derive(vector)).toThrow(
      expect.objectContaining({ problem: problems[vector.comment] }),
    )
  })
})

describe('the receiving vectors of BIP-352, which test the scanner that the tests use', () => {
  it('are all there', () => {
    expect(RECEIVING_VECTORS).toHaveLength(29)
  })

  it.each(RECEIVING_VECTORS)('$comment', vector => {
    const { inputs, labels, expected } = vector
    const receiver = { scanKey: fromHex(vector.scanKey), spendKey: fromHex(vector.spendKey) }
    const addresses = [undefined, ...labels].map(label => silentAddressOf(receiver, 'sp', label))
    expect(addresses).toEqual(expected.addresses)
    const scanned = scan(receiver, inputs, vector.outputs.map(fromHex), labels)
    expect(scanned && toHex(scanned.secret)).toBe(expected.secret)
    expect(scanned && toHex(scanned.tweak)).toBe(expected.tweak)
    const found = scanned?.found ?? []
    if (typeof expected.found === 'number') {
      expect(found).toHaveLength(expected.found)
      return
    }
    // The order in which labels are matched is the scanner's own.
    const told = found.map(output => ({
      publicKey: toHex(output.publicKey),
      tweak: toHex(output.tweak),
      signature: toHex(signAsReceiver(output, MESSAGE, AUX_RAND)),
    }))
    expect(sortByKey(told)).toEqual(sortByKey(expected.found))
  })
})

function sortByKey<T extends { publicKey: string }>(outputs: readonly T[]): T[] {
  return outputs.toSorted((a, b) => (a.publicKey < b.publicKey ? -1 : 1))
}

function derive({ inputs, receivers }: SendingVector) {
  return deriveSilentPaymentOutputs(
    inputs.map(input => ({
      ...input,
      privateKey: readInputKey(input) ? input.privateKey : null,
    })),
    receivers.map(({ address }) => parseSilentPaymentAddress(address, 'mainnet')),
  )
}
