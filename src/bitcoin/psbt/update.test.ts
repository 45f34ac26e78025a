import { Transaction as ScureTransaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import {
  AWAY_KEY,
  AWAY_ORIGIN,
  AWAY_PUBLIC_KEY,
  redeemScriptOf,
  sendAway,
} from '../testing/away-signing.ts'
import { buildPsbt, FOREIGN_KEY } from '../testing/psbt-building.ts'
import { ADDRESS_TYPES } from '../testing/spending.ts'
import { readPrevouts } from './prevouts.ts'
import { encodePsbt, parsePsbt } from './psbt.ts'
import { updatePsbt } from './update.ts'

const NONE = { prevouts: [null], previous: new Map() }

describe('a PSBT for a signer that has nothing else', () => {
  it.each(ADDRESS_TYPES)('of %s says which key signs, and proves each amount', type => {
    const { sent, previous } = sendAway(type)
    const read = ScureTransaction.fromPSBT(encodePsbt(sent))
    const { path } = AWAY_ORIGIN
    const origin = { fingerprint: 0xd34db33f, path }
    for (let at = 0; at < read.inputsLength; at++) {
      const input = read.getInput(at)
      const prevout = input.nonWitnessUtxo?.outputs[0]
      expect(previous.size).toBe(2)
      expect(prevout?.amount).toBe(50_000n + BigInt(at))
      expect(input.witnessUtxo).toEqual(type === 'p2pkh' ? undefined : prevout)
      expect(input.redeemScript).toEqual(redeemScriptOf(type))
      expect(input.bip32Derivation).toEqual(
        type === 'p2tr' ? undefined : [[AWAY_PUBLIC_KEY, origin]],
      )
      const xOnly = AWAY_PUBLIC_KEY.slice(1)
      expect(input.tapInternalKey).toEqual(type === 'p2tr' ? xOnly : undefined)
      expect(input.tapBip32Derivation).toEqual(
        type === 'p2tr' ? [[xOnly, { hashes: [], der: origin }]] : undefined,
      )
    }
  })

  it.each(ADDRESS_TYPES)(
    'of %s says that the change is the signer’s, and nothing of the others’',
    type => {
      const read = ScureTransaction.fromPSBT(encodePsbt(sendAway(type).sent))
      const change = read.getOutput(1)
      expect(change.bip32Derivation?.[0]?.[0] ?? change.tapInternalKey).toEqual(
        type === 'p2tr' ? AWAY_PUBLIC_KEY.slice(1) : AWAY_PUBLIC_KEY,
      )
      expect(change.redeemScript).toEqual(redeemScriptOf(type))
      const { bip32Derivation, tapBip32Derivation, tapInternalKey } = read.getOutput(0)
      expect([bip32Derivation, tapBip32Derivation, tapInternalKey]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    },
  )

  it('keeps what others wrote, and adds nothing twice', () => {
    const { sent, prevouts, previous, key } = sendAway('p2wpkh')
    expect(encodePsbt(updatePsbt(sent, { prevouts, previous, keys: [key] }))).toEqual(
      encodePsbt(sent),
    )
  })

  it('says nothing of keys to inputs of others', () => {
    const built = buildPsbt({
      inputs: [{ type: 'p2wpkh', key: FOREIGN_KEY, amount: 5_000n, proof: 'witness' }],
      outputs: [{ type: 'p2tr', amount: 1_000n }],
    })
    const psbt = parsePsbt(built.bytes)
    const key = { publicKey: AWAY_PUBLIC_KEY, addressType: 'p2wpkh', origin: AWAY_ORIGIN } as const
    const prevouts = readPrevouts(psbt, new Map())
    expect(encodePsbt(updatePsbt(psbt, { ...NONE, prevouts, keys: [key] }))).toEqual(built.bytes)
  })

  it('names the key of a leaf, with the leaf that it signs', () => {
    const key = { publicKey: AWAY_PUBLIC_KEY, addressType: 'p2tr', origin: AWAY_ORIGIN } as const
    const built = buildPsbt({
      inputs: [{ type: 'leaf', key: AWAY_KEY, amount: 5_000n, proof: 'witness' }],
      outputs: [{ type: 'p2tr', amount: 1_000n }],
    })
    const psbt = parsePsbt(built.bytes)
    const prevouts = readPrevouts(psbt, new Map())
    const updated = updatePsbt(psbt, { ...NONE, prevouts, keys: [key] })
    const { tapBip32Derivation } = ScureTransaction.fromPSBT(encodePsbt(updated)).getInput(0)
    expect(tapBip32Derivation?.[0]?.[0]).toEqual(key.publicKey.slice(1))
    expect(tapBip32Derivation?.[0]?.[1].hashes).toHaveLength(1)
  })
})
