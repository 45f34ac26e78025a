import { RawTx, RawWitness, TaprootControlBlock } from '@scure/btc-signer'
import { RawPSBTV0, RawPSBTV2 } from '@scure/btc-signer/psbt.js'
import { Psbt as BitcoinjsPsbt } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../bytes.ts'
import { mutations, randomPsbts } from '../testing/random-psbts.ts'
import { InvalidPsbtError } from './maps.ts'
import { encodePsbt, type Psbt, type PsbtInput, parsePsbt, unsignedTransaction } from './psbt.ts'

// Pure JavaScript curves are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** Why scure refuses what we read: each is a property of keys or of fields of other BIPs that no signature rests on. */
const ONLY_SCURE_REFUSES = [
  // We look at the form of a key; whether it is a point shows when a signature is verified, which is when it matters.
  /square root|bad point|not on curve|point/i,
  // Fields of BIP-353, BIP-373, BIP-375 and BIP-376 are unknown to us and passed on as they are.
  /MuSig2 key/,
  /DNSSEC/,
  /Unexpected end of buffer|finish: Reader/,
  // A key type of more than 53 bits is unknown like any other.
  /MAX_SAFE_INTEGER/,
  // BIP-32 says what a depth of zero means; we only compare the depth with the path.
  /GlobalXPUB/,
  // A witness without items is no witness; we read the input as not final, as Bitcoin Core does.
  /empty finalScriptWitness/,
]

/** Why we refuse what scure reads. */
const SCURE_READS = [
  /expected an amount of 0 to 2100000000000000 sats/,
  /the outputs hold \d+ sats/,
  /it spends [0-9a-f]{64}:\d+, as input \d+ does/,
  // BIP-66.
  /expected a signature of 9 to 73 bytes/,
  // The empty map that bitcoinjs-lib adds when there are no inputs or no outputs.
  /PSBT: expected no more bytes, found 1$/,
]

/** Why we refuse what bitcoinjs-lib reads, which knows neither BIP-370 nor all of BIP-174. */
const BITCOINJS_READS = [
  ...SCURE_READS,
  /not expected in a PSBT of version 0/,
  /PSBT_GLOBAL_VERSION/,
  /PSBT_IN_(?:NON_WITNESS_UTXO|FINAL_SCRIPTWITNESS|SIGHASH_TYPE|RIPEMD160|SHA256|HASH160|HASH256)/,
  /PSBT_(?:GLOBAL|IN|OUT)_(?:PROPRIETARY|XPUB|TAP_BIP32_DERIVATION|BIP32_DERIVATION|TAP_TREE)/,
  /PSBT_IN_TAP_LEAF_SCRIPT: expected a control block/,
  // It reads beyond the end as if there were nothing, stops before the end, and takes sizes in any form.
  /expected \d+ more bytes, found/,
  /expected no more bytes, found/,
  /expected the shortest form of a compact size/,
  /key: /,
]

describe('a PSBT with fields of every kind', () => {
  it('says the same to scure-btc-signer', () => {
    fc.assert(
      fc.property(randomPsbts, ({ bytes, version }) => {
        const psbt = parsePsbt(bytes)
        expect(toHex(encodePsbt(psbt))).toBe(toHex(bytes))
        expect(psbt.version).toBe(version)
        expect(ourView(psbt)).toEqual(scureView(bytes, version))
      }),
      { numRuns: 60 },
    )
  })

  it('says the same to bitcoinjs-lib', () => {
    fc.assert(
      fc.property(
        randomPsbts.filter(({ version }) => version === 0),
        ({ bytes }) => {
          const theirs = BitcoinjsPsbt.fromBuffer(bytes)
          const psbt = parsePsbt(bytes)
          expect(unsignedTransaction(psbt).toHex()).toBe(
            toHex(theirs.data.globalMap.unsignedTx.toBuffer()),
          )
          expect(psbt.inputs.map(viewOfInput)).toEqual(
            theirs.data.inputs.map((input, i) => ({
              txid: toHex(Uint8Array.from(theirs.txInputs[i]?.hash ?? []).reverse()),
              vout: theirs.txInputs[i]?.index,
              sequence: theirs.txInputs[i]?.sequence,
              previous: hexOf(input.nonWitnessUtxo),
              coin: input.witnessUtxo
                ? `${input.witnessUtxo.value} ${toHex(input.witnessUtxo.script)}`
                : null,
              signatures: (input.partialSig ?? []).map(
                ({ pubkey, signature }) => `${toHex(pubkey)} ${toHex(signature)}`,
              ),
              sighash: input.sighashType ?? null,
              scripts: [hexOf(input.redeemScript), hexOf(input.witnessScript)],
              finalScriptSig: hexOf(input.finalScriptSig) || null,
              finalWitness: hexOf(input.finalScriptWitness),
              tapKeySig: hexOf(input.tapKeySig),
              tapScriptSigs: (input.tapScriptSig ?? []).map(({ pubkey, leafHash, signature }) =>
                [pubkey, leafHash, signature].map(toHex).join(' '),
              ),
              leaves: (input.tapLeafScript ?? []).map(({ controlBlock, script, leafVersion }) =>
                [toHex(controlBlock), toHex(script), leafVersion].join(' '),
              ),
              tapKeys: [hexOf(input.tapInternalKey), hexOf(input.tapMerkleRoot)],
            })),
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a damaged PSBT', () => {
  it('is read back byte for byte or refused as invalid, at once', () => {
    fc.assert(
      fc.property(
        randomPsbts,
        fc.array(mutations, { minLength: 40, maxLength: 40 }),
        ({ bytes }, edits) => {
          for (const edit of edits) {
            const damaged = edit(bytes)
            const refusal = refusalOf(damaged)
            if (refusal === null) expect(toHex(encodePsbt(parsePsbt(damaged)))).toBe(toHex(damaged))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is refused by us and not by others, or by others and not by us, only for known reasons', () => {
    fc.assert(
      fc.property(
        randomPsbts,
        fc.array(mutations, { minLength: 10, maxLength: 10 }),
        (built, edits) => {
          for (const edit of edits) {
            const damaged = edit(built.bytes)
            const ours = refusalOf(damaged)
            const scure = errorOf(() => scureCoder(built.version).decode(damaged))
            if (ours === null && scure !== null) expectOneOf(scure, ONLY_SCURE_REFUSES)
            if (ours !== null && scure === null) expectOneOf(ours, SCURE_READS)
            if (built.version === 2) continue
            const bitcoinjs = errorOf(() => BitcoinjsPsbt.fromBuffer(damaged))
            if (ours !== null && bitcoinjs === null) expectOneOf(ours, BITCOINJS_READS)
            // What we read bitcoinjs-lib reads too, but for version 2, which it does not know.
            if (ours === null && bitcoinjs !== null)
              expect(bitcoinjs).toMatch(/Only one UNSIGNED_TX allowed/)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

function ourView(psbt: Psbt) {
  return {
    version: psbt.transaction.version,
    inputs: psbt.inputs.map(viewOfInput),
    outputs: psbt.outputs.map(({ scriptPubKey, amount }) => `${amount} ${toHex(scriptPubKey)}`),
  }
}

function viewOfInput(input: PsbtInput) {
  return {
    txid: input.txid,
    vout: input.vout,
    sequence: input.sequence,
    previous: hexOf(input.nonWitnessUtxo),
    coin: input.witnessUtxo
      ? `${input.witnessUtxo.amount} ${toHex(input.witnessUtxo.scriptPubKey)}`
      : null,
    signatures: input.partialSigs.map(
      ({ publicKey, signature }) => `${toHex(publicKey)} ${toHex(signature)}`,
    ),
    sighash: input.sighashType,
    scripts: [hexOf(input.redeemScript), hexOf(input.witnessScript)],
    finalScriptSig: hexOf(input.finalScriptSig),
    finalWitness:
      input.finalScriptWitness && hexOf(RawWitness.encode([...input.finalScriptWitness])),
    tapKeySig: hexOf(input.tapKeySig),
    tapScriptSigs: input.tapScriptSigs.map(({ publicKey, leafHash, signature }) =>
      [publicKey, leafHash, signature].map(toHex).join(' '),
    ),
    leaves: input.tapLeafScripts.map(({ controlBlock, script, leafVersion }) =>
      [toHex(controlBlock), toHex(script), leafVersion].join(' '),
    ),
    tapKeys: [hexOf(input.tapInternalKey), hexOf(input.tapMerkleRoot)],
  }
}

function scureCoder(version: 0 | 2) {
  return version === 0 ? RawPSBTV0 : RawPSBTV2
}

function scureView(bytes: Uint8Array, version: 0 | 2) {
  const { global, inputs, outputs } = scureCoder(version).decode(bytes)
  const unsigned = global.unsignedTx
  return {
    version: unsigned?.version ?? global.txVersion,
    inputs: inputs.map((input, i) => ({
      txid: hexOf(unsigned?.inputs[i]?.txid ?? input.txid),
      vout: unsigned?.inputs[i]?.index ?? input.index,
      sequence: unsigned?.inputs[i]?.sequence ?? input.sequence,
      previous: input.nonWitnessUtxo ? toHex(RawTx.encode(input.nonWitnessUtxo)) : null,
      coin: input.witnessUtxo
        ? `${input.witnessUtxo.amount} ${toHex(input.witnessUtxo.script)}`
        : null,
      signatures: (input.partialSig ?? []).map(
        ([key, signature]) => `${toHex(key)} ${toHex(signature)}`,
      ),
      sighash: input.sighashType ?? null,
      scripts: [hexOf(input.redeemScript), hexOf(input.witnessScript)],
      finalScriptSig: hexOf(input.finalScriptSig) || null,
      finalWitness: input.finalScriptWitness
        ? toHex(RawWitness.encode(input.finalScriptWitness))
        : null,
      tapKeySig: hexOf(input.tapKeySig),
      tapScriptSigs: (input.tapScriptSig ?? []).map(([{ pubKey, leafHash }, signature]) =>
        [pubKey, leafHash, signature].map(toHex).join(' '),
      ),
      leaves: (input.tapLeafScript ?? []).map(([block, script]) =>
        [toHex(TaprootControlBlock.encode(block)), toHex(script.slice(0, -1)), script.at(-1)].join(
          ' ',
        ),
      ),
      tapKeys: [hexOf(input.tapInternalKey), hexOf(input.tapMerkleRoot)],
    })),
    outputs: outputs.map((output, i) => {
      const { amount, script } = unsigned?.outputs[i] ?? output
      return `${amount} ${hexOf(script)}`
    }),
  }
}

/** The independent libraries keep a final script that is empty, which is none for us: `|| null`. */
function hexOf(bytes: Uint8Array | null | undefined): string | null {
  return bytes ? toHex(bytes) : null
}

function refusalOf(bytes: Uint8Array): string | null {
  try {
    parsePsbt(bytes)
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidPsbtError)
    return error instanceof Error ? error.message : ''
  }
}

function errorOf(run: () => unknown): string | null {
  try {
    run()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function expectOneOf(message: string, reasons: readonly RegExp[]) {
  expect(
    reasons.some(reason => reason.test(message)),
    message,
  ).toBe(true)
}
