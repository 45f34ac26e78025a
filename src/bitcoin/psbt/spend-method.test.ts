import { p2ms, p2sh, p2tr, p2wsh, TaprootControlBlock } from '@scure/btc-signer'
import { tapLeafHash } from '@scure/btc-signer/payment.js'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { buildPsbt, COSIGNER_KEY, lockOf } from '../testing/psbt-building.ts'
import { parsePsbt } from './psbt.ts'
import {
  createOpens,
  isRedeemScriptOf,
  isWitnessScriptOf,
  listScriptMethods,
  type Opens,
} from './spend-method.ts'

const KEY = new Uint8Array(32).fill(5)
const publicKey = publicKeyOf(KEY)
const xOnly = publicKey.slice(1)
const OTHER = publicKeyOf(COSIGNER_KEY)

/** Whether the key alone can sign for such an output in such a way. */
const opens =
  (addressType: 'p2tr' | 'p2wpkh') =>
  (scriptPubKey: Uint8Array, how: Parameters<Opens>[0]): boolean =>
    createOpens({ publicKey, addressType })(how, scriptPubKey)

describe('an output is opened', () => {
  it.each(['p2tr', 'p2wpkh'] as const)('by the key of its address alone (%s)', type => {
    expect(opens(type)(lockOf(type, KEY).script, { kind: 'key' })).toBe(true)
    expect(opens(type)(lockOf(type, COSIGNER_KEY).script, { kind: 'key' })).toBe(false)
    const raw = lockOf('raw-p2tr', KEY).script
    expect(opens(type)(raw, { kind: 'key' })).toBe(false)
    expect(opens(type)(raw, { kind: 'raw-taproot' })).toBe(true)
    expect(opens(type)(lockOf('p2tr', KEY).script, { kind: 'raw-taproot' })).toBe(false)
  })

  it('by a leaf that asks for the key, is in the tree, and is named by its hash', () => {
    const script = concatBytes(fromHex('20'), xOnly, fromHex('ac'))
    const output = p2tr(OTHER.slice(1), { script }, undefined, true)
    const [[block] = []] = output.tapLeafScript ?? []
    if (!block) throw new Error('no leaf')
    const leaf = {
      kind: 'leaf' as const,
      script,
      leafHash: tapLeafHash(script),
      controlBlock: TaprootControlBlock.encode(block),
    }
    const opened = opens('p2tr')
    expect(opened(output.script, leaf)).toBe(true)
    expect(opened(lockOf('p2tr', KEY).script, leaf)).toBe(false)
    expect(opened(output.script, { ...leaf, leafHash: new Uint8Array(32) })).toBe(false)
    const foreign = concatBytes(fromHex('20'), OTHER.slice(1), fromHex('ac'))
    expect(
      opened(output.script, { ...leaf, script: foreign, leafHash: tapLeafHash(foreign) }),
    ).toBe(false)
  })

  it('by a script that asks for the key and is the one of its hash', () => {
    const multisig = p2ms(1, [publicKey, OTHER]).script
    const opened = opens('p2wpkh')
    const segwit = { kind: 'script' as const, segwit: true, script: multisig }
    const legacy = { ...segwit, segwit: false }
    const locks = {
      p2wsh: p2wsh(p2ms(1, [publicKey, OTHER])).script,
      nested: p2sh(p2wsh(p2ms(1, [publicKey, OTHER]))).script,
      p2sh: p2sh(p2ms(1, [publicKey, OTHER])).script,
    }
    expect([opened(locks.p2wsh, segwit), opened(locks.nested, segwit)]).toEqual([true, true])
    expect(opened(locks.p2sh, segwit)).toBe(false)
    expect([opened(locks.p2wsh, legacy), opened(locks.nested, legacy)]).toEqual([false, false])
    expect(opened(locks.p2sh, legacy)).toBe(true)
    expect(isRedeemScriptOf(locks.p2sh, multisig)).toBe(true)
    expect(isRedeemScriptOf(locks.p2wsh, multisig)).toBe(false)
    expect(isWitnessScriptOf(locks.nested, multisig)).toBe(true)
    expect(isWitnessScriptOf(locks.p2sh, multisig)).toBe(false)
  })

  it('by no script that only others sign, nor by one of which a signature covers a part', () => {
    const opened = opens('p2wpkh')
    const foreign = lockOf('p2wsh-multisig', new Uint8Array(32).fill(9))
    const script = foreign.fields.witnessScript ?? new Uint8Array()
    expect(opened(foreign.script, { kind: 'script', segwit: true, script })).toBe(false)
    const separated = concatBytes(fromHex('ab21'), publicKey, fromHex('ac'))
    const lock = p2wsh({ type: 'unknown', script: separated } as Parameters<typeof p2wsh>[0]).script
    expect(isWitnessScriptOf(lock, separated)).toBe(true)
    expect(opened(lock, { kind: 'script', segwit: true, script: separated })).toBe(false)
  })
})

describe('the ways that a PSBT suggests', () => {
  const methods = (raw: Record<string, Uint8Array>) => {
    const { bytes } = buildPsbt({
      inputs: [{ type: 'p2wpkh', amount: 1_000n, raw }],
      outputs: [{ type: 'p2wpkh', amount: 900n }],
    })
    const [input] = parsePsbt(bytes).inputs
    return input ? listScriptMethods(input) : []
  }

  it('are its leaves, its witness script and its redeem script, in this order', () => {
    const controlBlock = fromHex(`c0${'11'.repeat(32)}`)
    const found = methods({
      [`15c0${'11'.repeat(32)}`]: fromHex('51c0'),
      '05': fromHex('52'),
      '04': fromHex('53'),
    })
    expect(found).toEqual([
      {
        kind: 'leaf',
        controlBlock,
        script: fromHex('51'),
        leafHash: tapLeafHash(fromHex('51')),
      },
      { kind: 'script', segwit: true, script: fromHex('52') },
      { kind: 'script', segwit: false, script: fromHex('53') },
    ])
  })

  it('are no leaves of a version that no rules are known for (BIP-341)', () => {
    expect(methods({ [`15c2${'11'.repeat(32)}`]: fromHex('51c2') })).toEqual([])
    expect(methods({})).toEqual([])
  })
})
