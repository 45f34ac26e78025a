import { Transaction as ScureTransaction } from '@scure/btc-signer'
import { RawPSBTV2 } from '@scure/btc-signer/psbt.js'
import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { describe, expect, it, vi } from 'vitest'
import { equalBytes, fromBase64, fromHex, toHex } from '../bytes.ts'
import { ECDSA_SIGNATURE_SIZE, publicKeyOf, taprootOutputKey } from '../secp256k1.ts'
import { signSpends } from '../signing/input-signature.ts'
import { SIGHASHES } from '../signing/sighash.ts'
import {
  type BuiltInput,
  buildPsbt,
  COSIGNER_KEY,
  FOREIGN_KEY,
  type Lock,
  lockOf,
} from '../testing/psbt-building.ts'
import { bip174Previous } from '../testing/psbt-vectors.ts'
import { PERMISSIVE, type Signed, verifyIndependently } from '../testing/signature-oracle.ts'
import { planBuilt, SIGNER_KEY, SIGNER_PUBLIC_KEY, signBuilt } from '../testing/signing-case.ts'
import { ADDRESS_TYPES } from '../testing/spending.ts'
import bip341 from '../testing/vectors/bip341-wallet.json' with { type: 'json' }
import bitcoinjs from '../testing/vectors/bitcoinjs-psbt.json' with { type: 'json' }
import { parseWif } from '../wif.ts'
import { PsbtRefusedError, planSigning } from './plan.ts'
import { readPrevouts } from './prevouts.ts'
import { encodePsbt, type Psbt, parsePsbt } from './psbt.ts'
import { signPsbt } from './sign.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** Flags of what others may modify (BIP-370). */
const INPUTS = 1
const OUTPUTS = 2
const SINGLE = 4

const MULTISIGS = ['p2sh-multisig', 'p2wsh-multisig', 'p2sh-p2wsh-multisig'] as const
const SIGNABLE = [...ADDRESS_TYPES, 'raw-p2tr', 'leaf', ...MULTISIGS] as const

const own = (type: Lock, more: Partial<BuiltInput> = {}): BuiltInput => ({
  type,
  key: SIGNER_KEY,
  amount: 5_000n,
  proof: 'previous',
  ...more,
})
const outputs = [1_000n, 2_000n].map(amount => ({ type: 'p2tr', amount }) as const)

function askFor(lock: (typeof SIGNABLE)[number], index: number, sighash: number) {
  const type = ADDRESS_TYPES.find(each => each === lock) ?? 'p2tr'
  const disableTweakSigner = lock === 'leaf' || lock === 'raw-p2tr'
  const inputs = [{ index, sighashTypes: [sighash], disableTweakSigner }]
  return { type, inputs, expert: true } as const
}

function signedBy(lock: (typeof SIGNABLE)[number]): Signed {
  const publicKey = SIGNER_PUBLIC_KEY
  const xOnly = publicKey.slice(1)
  const script = lockOf('p2pkh', SIGNER_KEY).script
  const { redeemScript, witnessScript } = lockOf(lock, SIGNER_KEY).fields
  switch (lock) {
    case 'p2tr':
      return { scheme: 'taproot', publicKey: taprootOutputKey(publicKey) }
    case 'raw-p2tr':
      return { scheme: 'taproot', publicKey: xOnly }
    case 'leaf':
      return { scheme: 'taproot', publicKey: xOnly, leaf: fromHex(`20${toHex(xOnly)}ac`) }
    case 'p2pkh':
      return { scheme: 'legacy', publicKey, script }
    case 'p2sh-multisig':
      return { scheme: 'legacy', publicKey, script: redeemScript ?? script }
    default:
      return { scheme: 'v0', publicKey, script: witnessScript ?? script }
  }
}

function signatureOf(transaction: ScureTransaction, index: number): Uint8Array {
  const { partialSig, tapKeySig, tapScriptSig } = transaction.getInput(index)
  return tapKeySig ?? tapScriptSig?.[0]?.[1] ?? partialSig?.[0]?.[1] ?? new Uint8Array()
}

describe('signPsbt', () => {
  it.each(SIGNABLE)('adds one signature to %s and changes nothing else', lock => {
    const isTaproot = signedBy(lock).scheme === 'taproot'
    for (const sighash of SIGHASHES.filter(type => type > 0 || isTaproot))
      for (const version of [0, 2] as const) {
        const foreign = own('p2wpkh', { key: FOREIGN_KEY, raw: { f0: fromHex('aa') } })
        const built = buildPsbt({
          inputs: [foreign, own(lock, { sighash })],
          outputs,
          version,
          modifiable: SINGLE,
        })
        const { bytes, other } = signBuilt(built, askFor(lock, 1, sighash))
        const signature = signatureOf(other, 1)
        expect(
          verifyIndependently(other, built.prevouts, 1, signedBy(lock), sighash, signature),
        ).toBe(true)
        expect(signature).toHaveLength(isTaproot ? (sighash ? 65 : 64) : ECDSA_SIGNATURE_SIZE)
        const { maps } = parsePsbt(bytes)
        const before = parsePsbt(built.bytes).maps
        const isOld = (entry: { key: Uint8Array }) =>
          before.inputs[1]?.some(({ key }) => equalBytes(key, entry.key))
        expect(maps.inputs[1]).toHaveLength((before.inputs[1]?.length ?? 0) + 1)
        expect(maps.inputs[1]?.filter(isOld)).toEqual(before.inputs[1])
        expect(maps).toEqual({ ...before, inputs: [before.inputs[0], maps.inputs[1]] })
      }
  })

  it.each(MULTISIGS)('makes %s complete with the signature of another wallet', lock => {
    for (const oursFirst of [true, false]) {
      const built = buildPsbt({ inputs: [own(lock, { amount: 5_000n })], outputs })
      const cosign = (bytes: Uint8Array) => {
        const transaction = ScureTransaction.fromPSBT(bytes)
        transaction.signIdx(COSIGNER_KEY, 0)
        return transaction
      }
      const ours = (bytes: Uint8Array) => signBuilt({ ...built, bytes }, askFor(lock, 0, 1)).bytes
      const signed = oursFirst
        ? cosign(ours(built.bytes))
        : ScureTransaction.fromPSBT(ours(cosign(built.bytes).toPSBT()))
      signed.finalize()
      expect(signed.isFinal).toBe(true)
    }
  })

  it('makes what another wallet finalizes, of all the kinds at once', () => {
    const locks = ['p2tr', 'p2tr', 'leaf'] as const
    const inputs = locks.map(lock =>
      own(lock, lock === 'p2tr' ? { fields: { tapInternalKey: SIGNER_PUBLIC_KEY.slice(1) } } : {}),
    )
    const { other } = signBuilt(buildPsbt({ inputs, outputs }), {
      type: 'p2tr',
      inputs: locks.map((_, index) => ({ index })),
    })
    other.finalize()
    expect(other.isFinal).toBe(true)
  })

  it('checks once more what it is told to sign, against the key and the previous outputs', () => {
    const built = buildPsbt({ inputs: [own('p2tr'), own('p2wpkh')], outputs })
    const { psbt, prevouts, plan } = planBuilt(built, { type: 'p2tr' })
    const { plan: v0Plan } = planBuilt(built, { type: 'p2wpkh' })
    const sign = (changed: Partial<Parameters<typeof signPsbt>[0]>) => () =>
      signPsbt({ psbt, prevouts, plan, privateKey: SIGNER_KEY, addressType: 'p2tr', ...changed })
    expect(sign({})).not.toThrow()
    const claimed = prevouts.map(prevout => prevout && { ...prevout, proof: 'claimed' as const })
    const [first = null, second = null] = prevouts
    const [spend] = plan
    if (!spend) throw new Error('no plan')
    for (const changed of [
      { privateKey: FOREIGN_KEY },
      { addressType: 'p2wpkh' as const },
      { plan: [{ ...spend, index: 1 }] },
      { plan: [{ ...spend, how: { kind: 'raw-taproot' as const } }] },
      { prevouts: [second, first] },
      { prevouts: [first, null] },
      { prevouts: claimed, plan: v0Plan, addressType: 'p2wpkh' as const },
      { psbt: { ...psbt, outputs: [] }, plan: [{ ...spend, sighash: 3 as const }] },
    ])
      expect(sign(changed)).toThrow(PsbtRefusedError)
  })

  it('gives the same signatures again, and others with other randomness', () => {
    const built = buildPsbt({ inputs: [own('p2tr')], outputs })
    const planned = planBuilt(built, { type: 'p2tr' })
    const sign = (auxRand?: Uint8Array) =>
      toHex(
        encodePsbt(
          signPsbt({
            ...planned,
            privateKey: SIGNER_KEY,
            addressType: 'p2tr',
            ...(auxRand && { auxRand }),
          }),
        ),
      )
    expect(sign()).toBe(sign())
    expect(sign(new Uint8Array(32).fill(1))).not.toBe(sign())
  })
})

describe('BIP-370', () => {
  it.each([
    [1, INPUTS | OUTPUTS, 0],
    [1, INPUTS | OUTPUTS | SINGLE, SINGLE],
    [2, INPUTS | OUTPUTS, OUTPUTS],
    [3, INPUTS | OUTPUTS, SINGLE],
    [0x81, INPUTS | OUTPUTS, INPUTS],
    [0x82, INPUTS | OUTPUTS, INPUTS | OUTPUTS],
    [0x83, INPUTS | OUTPUTS, INPUTS | SINGLE],
    [0x83, INPUTS, INPUTS | SINGLE],
  ])(
    'a signature with sighash %i turns the modifiable flags %i into %i',
    (sighash, modifiable, after) => {
      const inputs = [own('p2wpkh', { sighash })]
      const built = buildPsbt({ inputs, outputs, version: 2, modifiable })
      const { bytes } = signBuilt(built, askFor('p2wpkh', 0, sighash))
      expect(RawPSBTV2.decode(bytes).global.txModifiable).toBe(after)
    },
  )

  it('lets each of several signatures take away what it fixes', () => {
    const inputs = [0x83, 0x81].map(sighash => own('p2tr', { sighash }))
    const built = buildPsbt({ inputs, outputs, version: 2, modifiable: INPUTS | OUTPUTS })
    const asked = [0x83, 0x81].map((type, index) => ({ index, sighashTypes: [type] }))
    const { bytes } = signBuilt(built, { type: 'p2tr', inputs: asked })
    expect(RawPSBTV2.decode(bytes).global.txModifiable).toBe(INPUTS | SINGLE)
  })
})

describe('BIP-174', () => {
  const signers = bitcoinjs.bip174.signer.slice(0, 2)

  it('signs its PSBTs with its keys, byte for byte but for signatures of another size', () => {
    expect(signers).toHaveLength(2)
    let equal = 0
    for (const { psbt, result, keys } of signers) {
      const signed = keys.reduce(
        (sofar, { inputToSign, WIF }) => signWith(sofar, inputToSign, parseWif(WIF, 'testnet4')),
        parsePsbt(fromBase64(psbt)),
      )
      const theirs = parsePsbt(fromBase64(result))
      const other = ScureTransaction.fromPSBT(encodePsbt(signed), PERMISSIVE)
      const prevouts = readPrevouts(signed, bip174Previous()).flatMap(prevout => prevout ?? [])
      for (const [index, { partialSigs, witnessScript, redeemScript }] of signed.inputs.entries()) {
        const [ours, ...rest] = partialSigs
        const [expected] = theirs.inputs[index]?.partialSigs ?? []
        if (!ours || !expected) throw new Error('a signature is missing')
        expect(rest).toEqual([])
        expect(ours.publicKey).toEqual(expected.publicKey)
        const script = witnessScript ?? redeemScript ?? new Uint8Array()
        const scheme = witnessScript ? 'v0' : 'legacy'
        for (const { publicKey, signature } of [ours, expected])
          expect(
            verifyIndependently(
              other,
              prevouts,
              index,
              { scheme, publicKey, script },
              1,
              signature,
            ),
          ).toBe(true)
        if (expected.signature.length !== ECDSA_SIGNATURE_SIZE) continue
        expect(toHex(ours.signature)).toBe(toHex(expected.signature))
        equal++
      }
      const withoutSignatures = ({ maps }: Psbt) =>
        maps.inputs.map(map => map.filter(({ key }) => key[0] !== 2))
      expect(withoutSignatures(signed)).toEqual(withoutSignatures(theirs))
    }
    expect(equal).toBeGreaterThan(0)
  })

  function signWith(psbt: Psbt, index: number, privateKey: Uint8Array): Psbt {
    const prevouts = readPrevouts(psbt, bip174Previous())
    const addressType = 'p2wpkh'
    const plan = planSigning({
      psbt,
      prevouts,
      key: { publicKey: publicKeyOf(privateKey), addressType },
      inputs: [{ index, sighashTypes: null, disableTweakSigner: false }],
      expert: false,
    })
    return signPsbt({ psbt, prevouts, plan, privateKey, addressType })
  }
})

describe('BIP-341', () => {
  it('gives the signatures of its wallet vectors', () => {
    const { keyPathSpending } = bip341
    let count = 0
    for (const { given, inputSpending } of keyPathSpending)
      for (const { given: input, intermediary, expected } of inputSpending) {
        const transaction = Transaction.fromBuffer(fromHex(given.rawUnsignedTx))
        const prevouts = given.utxosSpent.map(({ scriptPubKey, amountSats }) => ({
          scriptPubKey: fromHex(scriptPubKey),
          amount: BigInt(amountSats),
        }))
        const sighash = SIGHASHES.find(known => known === input.hashType) ?? 0
        const sign = (kind: 'key' | 'raw-taproot', privateKey: string) =>
          signSpends({
            transaction,
            prevouts,
            spends: [{ index: input.txinIndex, sighash, how: { kind } }],
            addressType: 'p2tr',
            privateKey: fromHex(privateKey),
          }).map(toHex)
        expect(sign('raw-taproot', intermediary.tweakedPrivkey)).toEqual(expected.witness)
        if (input.merkleRoot === null)
          expect(sign('key', input.internalPrivkey)).toEqual(expected.witness)
        count++
      }
    expect(count).toBe(7)
  })
})
