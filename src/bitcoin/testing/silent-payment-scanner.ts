import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32m } from '@scure/base'
import { Transaction } from '@scure/btc-signer'

/** A receiver of silent payments (BIP-352): private keys of 32 bytes. */
export type Receiver = { scanKey: Uint8Array; spendKey: Uint8Array }

/** An input as a receiver sees it: `txid` in the usual hex. */
export type ScannedInput = {
  txid: string
  vout: number
  scriptPubKey: Uint8Array
  scriptSig: Uint8Array
  witness: readonly Uint8Array[]
}

/** An output that was found: its x-only key, what is added to the spend key for it, and the private key of the two. */
export type FoundOutput = { publicKey: Uint8Array; tweak: Uint8Array; privateKey: Uint8Array }

const { Point } = secp256k1
const { Fn } = Point
type CurvePoint = InstanceType<typeof Point>

const MOST_MATCHES = 2323
const NUMS = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0'

/** The address of a receiver, of a label where one is given; `prefix` is `sp` or `tsp`. */
export function silentAddressOf(receiver: Receiver, prefix: string, label?: number): string {
  const scan = Point.BASE.multiply(toNumber(receiver.scanKey))
  const plain = Point.BASE.multiply(toNumber(receiver.spendKey))
  const spend =
    label === undefined
      ? plain
      : plain.add(Point.BASE.multiply(labelNumber(receiver.scanKey, label)))
  const words = bech32m.toWords(Uint8Array.of(...scan.toBytes(true), ...spend.toBytes(true)))
  return bech32m.encode(prefix, [0, ...words], 1023)
}

/**
 * The outputs of a transaction that pay a receiver, found by BIP-352's scan with other libraries than the wallet's. `outputs` are
 * x-only keys. Null where the transaction is not to be looked at.
 */
export function scan(
  receiver: Receiver,
  inputs: readonly ScannedInput[],
  outputs: readonly Uint8Array[],
  labels: readonly number[] = [],
): { found: FoundOutput[]; tweak: Uint8Array; secret: Uint8Array; sum: Uint8Array } | null {
  if (
    inputs.some(
      ({ scriptPubKey: [first = 0, size = 0, ...rest] }) =>
        first > 0x51 && first <= 0x60 && rest.length === size,
    )
  )
    return null
  const keys = inputs.flatMap(input => publicKeyOfInput(input) ?? [])
  if (keys.length === 0) return null
  const sum = keys.reduce((total, key) => total.add(key), Point.ZERO)
  if (sum.is0()) return null
  const smallest = inputs.map(serializeOutpoint).sort().at(0) ?? ''
  const hash = tagged('BIP0352/Inputs', bytesOf(smallest), sum.toBytes(true))
  const tweak = sum.multiply(toNumber(hash))
  const secret = tweak.multiply(toNumber(receiver.scanKey))
  const spend = Point.BASE.multiply(toNumber(receiver.spendKey))
  const labelled = new Map(
    labels.map(label => {
      const number = labelNumber(receiver.scanKey, label)
      return [hexOf(Point.BASE.multiply(number).toBytes(true)), number]
    }),
  )
  const left = new Set(outputs.map(hexOf))
  const found: FoundOutput[] = []
  while (found.length < MOST_MATCHES) {
    const k = found.length
    const number = toNumber(tagged('BIP0352/SharedSecret', secret.toBytes(true), int32(k)))
    const expected = spend.add(Point.BASE.multiply(number))
    const match = matchOutput(expected, left, labelled)
    if (!match) break
    left.delete(match.output)
    const tweakNumber = Fn.add(number, match.label)
    const privateKey = Fn.add(toNumber(receiver.spendKey), tweakNumber)
    found.push({
      publicKey: bytesOf(match.output),
      tweak: Fn.toBytes(tweakNumber),
      privateKey: Fn.toBytes(privateKey),
    })
  }
  return {
    found,
    tweak: tweak.toBytes(true),
    secret: secret.toBytes(true),
    sum: sum.toBytes(true),
  }
}

/** The same for a raw transaction; `scriptOf` is the scriptPubKey that an outpoint has. */
export function scanTransaction(
  receiver: Receiver,
  rawTx: Uint8Array,
  scriptOf: (txid: string, vout: number) => Uint8Array,
  labels: readonly number[] = [],
): (FoundOutput & { vout: number; amount: bigint })[] {
  const transaction = Transaction.fromRaw(rawTx, {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  })
  const inputs = Array.from({ length: transaction.inputsLength }, (_, at): ScannedInput => {
    const { txid, index = 0, finalScriptSig, finalScriptWitness } = transaction.getInput(at)
    const name = hexOf(txid ?? new Uint8Array())
    return {
      txid: name,
      vout: index,
      scriptPubKey: scriptOf(name, index),
      scriptSig: finalScriptSig ?? new Uint8Array(),
      witness: finalScriptWitness ?? [],
    }
  })
  const outputs = Array.from({ length: transaction.outputsLength }, (_, vout) => {
    const { script = new Uint8Array(), amount = 0n } = transaction.getOutput(vout)
    return { vout, amount, script }
  })
  const taproot = outputs.filter(({ script }) => script.length === 34 && script[0] === 0x51)
  const keys = taproot.map(({ script }) => script.slice(2))
  return (scan(receiver, inputs, keys, labels)?.found ?? []).flatMap(found => {
    const place = taproot.find(({ script }) => hexOf(script.slice(2)) === hexOf(found.publicKey))
    return place ? [{ ...found, vout: place.vout, amount: place.amount }] : []
  })
}

/** A BIP-340 signature by the key of a found output, whose public key is checked to be that of the output. */
export function signAsReceiver(
  { privateKey, publicKey }: FoundOutput,
  hash: Uint8Array,
  auxRand: Uint8Array,
): Uint8Array {
  if (hexOf(schnorr.getPublicKey(privateKey)) !== hexOf(publicKey))
    throw new Error('scanner: the key found is not that of the output')
  return schnorr.sign(hash, privateKey, auxRand)
}

function matchOutput(
  expected: CurvePoint,
  left: ReadonlySet<string>,
  labelled: ReadonlyMap<string, bigint>,
): { output: string; label: bigint } | null {
  const plain = hexOf(expected.toBytes(true).slice(1))
  if (left.has(plain)) return { output: plain, label: 0n }
  if (labelled.size === 0) return null
  for (const output of left) {
    const even = Point.fromBytes(Uint8Array.of(2, ...bytesOf(output)))
    for (const point of [even, even.negate()]) {
      const difference = point.subtract(expected)
      const label = difference.is0() ? undefined : labelled.get(hexOf(difference.toBytes(true)))
      if (label !== undefined) return { output, label }
    }
  }
  return null
}

function publicKeyOfInput(input: ScannedInput): CurvePoint | null {
  const script = hexOf(input.scriptPubKey)
  const last = input.witness.at(-1)
  if (/^76a914.{40}88ac$/.test(script)) {
    const wanted = script.slice(6, 46)
    for (let from = input.scriptSig.length - 33; from >= 0; from--) {
      const key = input.scriptSig.slice(from, from + 33)
      if (hexOf(ripemd160(sha256(key))) === wanted) return readPoint(key)
    }
    return null
  }
  if (/^a914.{40}87$/.test(script))
    return /^160014.{40}$/.test(hexOf(input.scriptSig)) ? readPoint(last) : null
  if (/^0014.{40}$/.test(script)) return readPoint(last)
  if (!/^5120.{64}$/.test(script) || input.witness.length === 0) return null
  const stack = [...input.witness]
  if (stack.length > 1 && last?.[0] === 0x50) stack.pop()
  if (stack.length > 1 && hexOf(stack.at(-1)?.slice(1, 33) ?? new Uint8Array()) === NUMS)
    return null
  return readPoint(Uint8Array.of(2, ...input.scriptPubKey.slice(2)))
}

function readPoint(key: Uint8Array | undefined): CurvePoint | null {
  if (key?.length !== 33) return null
  try {
    return Point.fromBytes(key)
  } catch {
    return null
  }
}

function labelNumber(scanKey: Uint8Array, label: number): bigint {
  return toNumber(tagged('BIP0352/Label', scanKey, int32(label)))
}

function serializeOutpoint({ txid, vout }: { txid: string; vout: number }): string {
  const index = Buffer.alloc(4)
  index.writeUInt32LE(vout)
  return Buffer.concat([Buffer.from(txid, 'hex').reverse(), index]).toString('hex')
}

function tagged(tag: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return schnorr.utils.taggedHash(tag, ...parts)
}

function int32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return Uint8Array.from(bytes)
}

function toNumber(bytes: Uint8Array): bigint {
  return Fn.fromBytes(bytes)
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}
