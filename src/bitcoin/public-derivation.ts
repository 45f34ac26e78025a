// BIP-32 where public keys alone are wanted, many at once: a search for used addresses asks for hundreds.

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, toUtf8 } from './bytes.ts'
import { HARDENED, parseKeyPath } from './key-origin.ts'

const { Point } = secp256k1
const { Fn } = Point
type Point = InstanceType<typeof Point>

type PrivateNode = { privateKey: Uint8Array; chainCode: Uint8Array }
type PublicNode = { point: Point; publicKey: Uint8Array; chainCode: Uint8Array }

/**
 * Gives the 33-byte public key of each path below the master key of a seed that it is asked for, deriving what paths have in common
 * once. Behind the last hardened step no private key is used: what follows from public keys needs no constant time, which takes thrice
 * as long.
 */
export function createPublicKeys(seed: Uint8Array): (path: string) => Uint8Array {
  const master = readNode(hmac(sha512, toUtf8('Bitcoin seed'), seed))
  const privateNodes = new Map<string, PrivateNode>([['', master]])
  const publicNodes = new Map<string, PublicNode>()

  return path => {
    const steps = parseKeyPath(path)
    if (!steps) throw new Error(`derivation: ${path} is no path`)
    const hardened = steps.findLastIndex(step => step >= HARDENED) + 1
    return Uint8Array.from(publicNodeAt(steps, hardened).publicKey)
  }

  function publicNodeAt(steps: readonly number[], hardened: number): PublicNode {
    const name = steps.join('/')
    const known = publicNodes.get(name)
    if (known) return known
    const node =
      steps.length === hardened
        ? toPublic(privateNodeAt(steps))
        : derivePublic(publicNodeAt(steps.slice(0, -1), hardened), steps.at(-1) ?? 0)
    publicNodes.set(name, node)
    return node
  }

  function privateNodeAt(steps: readonly number[]): PrivateNode {
    const name = steps.join('/')
    const known = privateNodes.get(name)
    if (known) return known
    const node = derivePrivate(privateNodeAt(steps.slice(0, -1)), steps.at(-1) ?? 0)
    privateNodes.set(name, node)
    return node
  }
}

/** Derives a key of nobody's: the first time takes the curve's tables and the compiler 0.2 s, which may pass before somebody waits for it. */
export function prepareCurve(): void {
  createPublicKeys(new Uint8Array(16))("m/86'/0'/0'/0/0")
}

/** BIP-32’s CKDpriv. */
function derivePrivate(parent: PrivateNode, step: number): PrivateNode {
  const { privateKey, chainCode } = parent
  const head =
    step >= HARDENED ? concatBytes(Uint8Array.of(0), privateKey) : toPublic(parent).publicKey
  const made = hmac(sha512, chainCode, concatBytes(head, toBytes(step)))
  const { privateKey: tweak, chainCode: code } = readNode(made)
  const sum = Fn.create(Fn.fromBytes(tweak) + Fn.fromBytes(privateKey))
  if (sum === 0n) throw new Error('derivation: the key is zero')
  return { privateKey: Fn.toBytes(sum), chainCode: code }
}

/** BIP-32’s CKDpub. */
function derivePublic({ point, publicKey, chainCode }: PublicNode, step: number): PublicNode {
  const made = hmac(sha512, chainCode, concatBytes(publicKey, toBytes(step)))
  const { privateKey: tweak, chainCode: code } = readNode(made)
  const child = Point.BASE.multiplyUnsafe(Fn.fromBytes(tweak)).add(point)
  return { point: child, publicKey: child.toBytes(), chainCode: code }
}

function toPublic({ privateKey, chainCode }: PrivateNode): PublicNode {
  const point = Point.BASE.multiply(Fn.fromBytes(privateKey))
  return { point, publicKey: point.toBytes(), chainCode }
}

/** Throws where the first half is no private key, which no seed is known for. */
function readNode(made: Uint8Array): PrivateNode {
  const [privateKey, chainCode] = [made.slice(0, 32), made.slice(32)]
  if (!Fn.isValidNot0(Fn.fromBytes(privateKey))) throw new Error('derivation: no key')
  return { privateKey, chainCode }
}

function toBytes(step: number): Uint8Array {
  return Uint8Array.of(step >>> 24, step >>> 16, step >>> 8, step)
}
