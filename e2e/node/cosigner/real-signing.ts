import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { p2pkh, RawTx, TaprootControlBlock, type Transaction } from '@scure/btc-signer'
import { taprootTweakPrivKey } from '@scure/btc-signer/utils.js'
import { concatBytes } from '../../../src/bitcoin/bytes.ts'
import { encodePushes } from '../../../src/bitcoin/script.ts'
import { publicKeyOf } from '../../../src/bitcoin/secp256k1.ts'
import { COSIGNER_KEY, FOREIGN_KEY } from '../../../src/bitcoin/testing/psbt-building.ts'
import { hashIndependently, type Signed } from '../../../src/bitcoin/testing/signature-oracle.ts'
import type { Coin } from './coins.ts'
import { ATTACKER_KEYS } from './scripts.ts'
import { type OwnSignature, scriptSigOf, toTransaction } from './signatures.ts'
import type { PlayedTransaction } from './worlds.ts'

type Unlocked = { scriptSig: Uint8Array; witness: Uint8Array[] }

const NOTHING = new Uint8Array()

/** A transaction with all signatures, the attacker's made here and now; as bytes, and its txid follows from them. */
export function signForReal({ inputs, outputs, signatures }: PlayedTransaction): Uint8Array {
  const transaction = toTransaction({ inputs, outputs })
  const prevouts = inputs.map(({ coin }) => ({ scriptPubKey: coin.script, amount: coin.amount }))
  const unlocked = inputs.map(({ coin }, index): Unlocked => {
    const theirs = createSigner(transaction, prevouts, index)
    const [ours] = signatures[index] ?? []
    if (coin.owner === 'foreign') return unlockForeign(coin, theirs)
    return ours ? unlockWith(coin, ours, theirs) : unlockWithout(coin, theirs)
  })
  const segwitFlag = unlocked.some(({ witness }) => witness.length > 0)
  return RawTx.encode({
    ...{ version: 2, lockTime: 0, segwitFlag },
    inputs: inputs.map(({ coin, sequence = 0xfffffffd }, at) => ({
      ...{ txid: Buffer.from(coin.outpoint.txid, 'hex'), index: coin.outpoint.vout, sequence },
      finalScriptSig: unlocked[at]?.scriptSig ?? NOTHING,
    })),
    outputs: outputs.map(({ script, amount }) => ({ script, amount })),
    witnesses: segwitFlag ? unlocked.map(({ witness }) => witness) : undefined,
  })
}

type Signer = ReturnType<typeof createSigner>

/** Signs one input with ALL or DEFAULT. */
function createSigner(
  transaction: Transaction,
  prevouts: Parameters<typeof hashIndependently>[1],
  index: number,
) {
  const digest = (signed: Omit<Signed, 'publicKey'>, type: number) =>
    hashIndependently(transaction, prevouts, index, signed, type)
  return {
    ecdsa(scheme: 'legacy' | 'v0', script: Uint8Array, key: Uint8Array): Uint8Array {
      const options = { prehash: false, lowS: true, format: 'der' } as const
      const signature = secp256k1.sign(digest({ scheme, script } as Signed, 1), key, options)
      return concatBytes(signature, Uint8Array.of(1))
    },
    taproot(key: Uint8Array, leaf?: Uint8Array): Uint8Array {
      return schnorr.sign(digest({ scheme: 'taproot', leaf } as Signed, 0), key)
    },
  }
}

function unlockForeign({ kind, script, fields }: Coin, sign: Signer): Unlocked {
  const key = FOREIGN_KEY
  const publicKey = publicKeyOf(key)
  const code = p2pkh(publicKey).script
  const pair = (scheme: 'legacy' | 'v0', inner: Uint8Array) => [
    NOTHING,
    sign.ecdsa(scheme, inner, FOREIGN_KEY),
    sign.ecdsa(scheme, inner, COSIGNER_KEY),
  ]
  const redeem = encodePushes(fields.redeemScript ? [fields.redeemScript] : [])
  switch (kind) {
    case 'p2tr':
      return { scriptSig: NOTHING, witness: [sign.taproot(taprootTweakPrivKey(key))] }
    case 'raw-p2tr':
      return { scriptSig: NOTHING, witness: [sign.taproot(key)] }
    case 'told-leaf':
      return {
        scriptSig: NOTHING,
        witness: [sign.taproot(taprootTweakPrivKey(key, fields.tapMerkleRoot))],
      }
    case 'leaf':
      return {
        scriptSig: NOTHING,
        witness: leafPath({ fields }, leaf => [sign.taproot(key, leaf)]),
      }
    case 'p2wpkh':
    case 'p2sh-p2wpkh':
      return { scriptSig: redeem, witness: [sign.ecdsa('v0', code, key), publicKey] }
    case 'p2pkh':
      return { scriptSig: encodePushes([sign.ecdsa('legacy', code, key), publicKey]), witness: [] }
    case 'p2pk':
      return { scriptSig: encodePushes([sign.ecdsa('legacy', script, key)]), witness: [] }
    case 'multisig':
      return { scriptSig: pushAll(pair('legacy', script)), witness: [] }
    case 'p2sh-multisig': {
      const { redeemScript = NOTHING } = fields
      return { scriptSig: pushAll([...pair('legacy', redeemScript), redeemScript]), witness: [] }
    }
    case 'p2wsh-multisig':
    case 'p2sh-p2wsh-multisig': {
      const { witnessScript = NOTHING } = fields
      return { scriptSig: redeem, witness: [...pair('v0', witnessScript), witnessScript] }
    }
    default:
      // Everybody's to spend.
      return { scriptSig: NOTHING, witness: [] }
  }
}

/** A coin of ours, or a script with our key, with our signature and what it needs beside. */
function unlockWith(coin: Coin, ours: OwnSignature, sign: Signer): Unlocked {
  const { signed, kind, fields } = coin
  const { bytes } = ours
  if (!signed) return { scriptSig: NOTHING, witness: [] }
  if (signed.scheme === 'taproot') {
    if (!signed.leaf) return { scriptSig: NOTHING, witness: [bytes] }
    const theirs = (leaf: Uint8Array) =>
      kind === 'joint-leaf' ? [sign.taproot(FOREIGN_KEY, leaf)] : []
    return { scriptSig: NOTHING, witness: leafPath({ fields }, leaf => [...theirs(leaf), bytes]) }
  }
  if (!/-of-/.test(kind)) {
    const witness = signed.scheme === 'v0' ? [bytes, signed.publicKey] : []
    return { scriptSig: scriptSigOf(coin, ours), witness }
  }
  const { scheme, script } = signed
  const needed = Number(/(\d)-of-/.exec(kind)?.[1])
  const stack = [NOTHING, ...(needed > 1 ? [sign.ecdsa(scheme, script, FOREIGN_KEY)] : []), bytes]
  return spendScript(coin, [...stack, script])
}

/** A script with our key that others open. */
function unlockWithout(coin: Coin, sign: Signer): Unlocked {
  const { signed, kind, fields } = coin
  if (kind === 'bait-leaf') {
    const key = taprootTweakPrivKey(FOREIGN_KEY, fields.tapMerkleRoot)
    return { scriptSig: NOTHING, witness: [sign.taproot(key)] }
  }
  if (kind === 'hidden-leaf') {
    const { hidden } = coin
    const witness = hidden
      ? leafPath({ fields: { tapLeafScript: [hidden] } }, leaf => [sign.taproot(FOREIGN_KEY, leaf)])
      : []
    return { scriptSig: NOTHING, witness }
  }
  if (!signed || signed.scheme === 'taproot') throw new Error(`${kind} is not open`)
  const { scheme, script } = signed
  const keys = /2-of-3/.test(kind) ? ATTACKER_KEYS : [FOREIGN_KEY]
  return spendScript(coin, [NOTHING, ...keys.map(key => sign.ecdsa(scheme, script, key)), script])
}

function spendScript({ kind, scriptSig }: Coin, stack: Uint8Array[]): Unlocked {
  if (kind.startsWith('p2sh-') && !kind.startsWith('p2sh-p2wsh'))
    return { scriptSig: pushAll(stack), witness: [] }
  return { scriptSig, witness: stack }
}

function leafPath(
  { fields: { tapLeafScript } }: Pick<Coin, 'fields'>,
  sign: (leaf: Uint8Array) => Uint8Array[],
): Uint8Array[] {
  const [[controlBlock, versioned] = []] = tapLeafScript ?? []
  if (!controlBlock || !versioned) throw new Error('no leaf')
  const leaf = versioned.slice(0, -1)
  return [...sign(leaf), leaf, TaprootControlBlock.encode(controlBlock)]
}

/** An empty push is OP_0. */
function pushAll(stack: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    ...stack.map(each => (each.length === 0 ? Uint8Array.of(0) : encodePushes([each]))),
  )
}
