import * as ecc from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { networks } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AddressType, addressOfScript } from '../../src/bitcoin/address.ts'
import { toHex } from '../../src/bitcoin/bytes.ts'
import {
  countDescriptorBranches,
  type Descriptor,
  formatDescriptor,
  isRangedDescriptor,
  keySpaceOfDescriptor,
  parseDescriptor,
  pickBranch,
} from '../../src/bitcoin/descriptors/descriptor.ts'
import { InvalidDescriptorError } from '../../src/bitcoin/descriptors/descriptor-checksum.ts'
import {
  type DescriptorOutput,
  deriveOutput,
} from '../../src/bitcoin/descriptors/descriptor-output.ts'
import { parseKeyFile } from '../../src/bitcoin/descriptors/key-files.ts'
import { HARDENED } from '../../src/bitcoin/key-origin.ts'
import { damagedTexts } from '../../src/bitcoin/testing/damaged-texts.ts'
import { type Bitcoind, startBitcoind } from '../../src/devnet/bitcoind/bitcoind.ts'
import { findBitcoind } from '../../src/devnet/bitcoind/bitcoind-binary.ts'
import { RpcError } from '../../src/devnet/bitcoind/rpc.ts'
import { campaign } from '../../testing/campaigns.ts'

// Bitcoin Core's checksums, addresses, scripts and origins; nothing of them is shared with the wallet but the test's keys.

const ADDRESSES = 200
const { count: DAMAGED, seed: SEED } = campaign('damaged descriptors, for the node')
const { fromSeed } = BIP32Factory(ecc)

const A = accountKey(1, "84'/1'/0'")
const B = accountKey(2, "48'/1'/0'/2'")
const C = accountKey(3, "45'")
const PLAIN = toHex(fromSeed(new Uint8Array(32).fill(4)).publicKey)
const UNSPENDABLE = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0'

const KINDS = [
  `pkh(${A}/<0;1>/*)`,
  `wpkh(${A}/<0;1>/*)`,
  `sh(wpkh(${A}/<0;1>/*))`,
  `tr(${A}/<0;1>/*)`,
  `sh(sortedmulti(2,${A}/<0;1>/*,${B}/<0;1>/*))`,
  `wsh(sortedmulti(2,${A}/<0;1>/*,${B}/<0;1>/*,${C}/7/<0;1>/*))`,
  `wsh(multi(1,${B}/<0;1>/*,${PLAIN}))`,
  `sh(wsh(sortedmulti(2,${A}/<0;1>/*,${B}/<0;1>/*)))`,
  `tr(${UNSPENDABLE},sortedmulti_a(2,${A}/<0;1>/*,${B}/<0;1>/*,${C}/<0;1>/*))`,
  `tr(${C}/<0;1>/*,multi_a(2,${B}/<0;1>/*,${A}/<0;1>/*))`,
]

let node: Bitcoind

beforeAll(async () => {
  node = await startBitcoind(await findBitcoind(() => undefined))
})
afterAll(() => node?.stop())

describe('the node and the wallet read a descriptor alike', () => {
  it.each(KINDS)('its text and checksum: %s', async text => {
    for (const branch of [0, 1]) {
      const ours = formatDescriptor(pickBranch(parseDescriptor(text), branch))
      const info = await node.rpc<{ descriptor: string; checksum: string; isrange: boolean }>(
        'getdescriptorinfo',
        [ours.split('#')[0]],
      )
      expect(ours).toBe(info.descriptor)
      expect(ours.split('#')[1]).toBe(info.checksum)
    }
  })

  it.each(KINDS)(`${ADDRESSES} addresses of both branches: %s`, async text => {
    const descriptor = parseDescriptor(text)
    for (const branch of [0, 1]) {
      const theirs = await node.rpc<string[]>('deriveaddresses', [
        formatDescriptor(pickBranch(descriptor, branch)),
        [0, ADDRESSES - 1],
      ])
      const ours = theirs.map((_, index) =>
        addressOfScript(deriveOutput(descriptor, { branch, index }).scriptPubKey, 'regtest'),
      )
      expect(ours).toEqual(theirs)
      expect(theirs.length).toBe(ADDRESSES)
    }
  })

  it('the scripts and the origins of the keys, for each kind', async () => {
    const isWithoutKeys = true
    await node.rpc('createwallet', ['watched', isWithoutKeys, true])
    const { rpc, close } = await node.openWallet('watched')
    const descriptors = KINDS.map(parseDescriptor)
    const imports = descriptors.flatMap(descriptor =>
      [0, 1].map(branch => ({
        desc: formatDescriptor(pickBranch(descriptor, branch)),
        timestamp: 'now',
        range: [0, 20],
        internal: branch === 1,
      })),
    )
    const answers = await rpc<{ success: boolean }[]>('importdescriptors', [imports])
    expect(answers.every(({ success }) => success)).toBe(true)
    for (const descriptor of descriptors)
      for (const place of [
        { branch: 0, index: 0 },
        { branch: 1, index: 13 },
      ]) {
        const output = deriveOutput(descriptor, place)
        const address = addressOfScript(output.scriptPubKey, 'regtest')
        const info = await rpc<AddressInfo>('getaddressinfo', [address])
        expect(info.solvable).toBe(true)
        expect(originsOf(output)).toEqual(originsIn(info.desc))
        expect(scriptsOf(output)).toEqual(scriptsIn(info))
      }
    close()
  })

  it('its list of descriptors is four accounts of the wallet that it is of', async () => {
    await node.rpc('createwallet', ['own'])
    const { rpc, close } = await node.openWallet('own')
    const list = await rpc<{ descriptors: { desc: string }[] }>('listdescriptors')
    const { format, candidates } = parseKeyFile(JSON.stringify(list))
    expect(format).toBe('bitcoin-core')
    expect(candidates.map(one => one.addressType).sort()).toEqual([
      'p2pkh',
      'p2sh-p2wpkh',
      'p2tr',
      'p2wpkh',
    ])
    expect(candidates.map(one => [one.name, one.hasAssumedBranches])).toEqual(
      candidates.map(() => ['own', false]),
    )
    const branches = candidates.flatMap(({ descriptor }) =>
      [0, 1].map(branch => formatDescriptor(pickBranch(parseDescriptor(descriptor), branch))),
    )
    expect(branches.sort()).toEqual(list.descriptors.map(({ desc }) => desc).sort())
    // The wallet's own addresses, and those that it gets change to.
    for (const { descriptor, addressType } of candidates) {
      const type = addressType && CORE_TYPES[addressType]
      const parsed = parseDescriptor(descriptor)
      for (const [branch, method] of ['getnewaddress', 'getrawchangeaddress'].entries()) {
        const address = await rpc<string>(method, branch === 0 ? ['', type] : [type])
        const { scriptPubKey } = deriveOutput(parsed, { branch, index: 0 })
        expect(addressOfScript(scriptPubKey, 'regtest')).toBe(address)
      }
    }
    const isPrivate = true
    const secret = JSON.stringify(await rpc('listdescriptors', [isPrivate]))
    expect(() => parseKeyFile(secret)).toThrow(/found a private one/)
    close()
  })
})

const CORE_TYPES: { [type in AddressType]: string } = {
  p2pkh: 'legacy',
  'p2sh-p2wpkh': 'p2sh-segwit',
  p2wpkh: 'bech32',
  p2tr: 'bech32m',
}

// What one accepts and the other does not would be a wallet of which the two have different addresses.
describe(`${DAMAGED} damaged descriptors`, () => {
  it(
    'are read by the wallet as the node reads them, or refused by both, or are of kinds or a network that one of them does not have',
    async () => {
      const texts = KINDS.flatMap(text => [text, formatDescriptor(parseDescriptor(text))])
      const seen = { both: 0, neither: 0, otherKind: 0, otherNetwork: 0 }
      for (const text of fc.sample(damagedTexts(texts), { numRuns: DAMAGED, seed: SEED })) {
        const ours = attemptParse(text)
        const theirs = await readByNode(text)
        if (theirs && ours instanceof InvalidDescriptorError && isLeftOut(ours, text))
          seen.otherKind++
        else if (!theirs && ours instanceof InvalidDescriptorError) seen.neither++
        else if (!theirs && isOfMainnet(ours)) seen.otherNetwork++
        else {
          seen.both++
          if (!theirs || ours instanceof InvalidDescriptorError)
            expect.fail(`read by ${theirs ? 'the node' : 'the wallet'} alone: ${text}`)
          const branches = Array.from({ length: countDescriptorBranches(ours) }, (_, branch) =>
            formatDescriptor(pickBranch(ours, branch)),
          )
          expect(branches).toEqual(theirs)
          await expectAddress(ours, branches)
        }
      }
      console.info(JSON.stringify({ seed: SEED, ...seen }))
      expect(seen.both).toBeGreaterThan(DAMAGED / 30)
      expect(seen.otherKind).toBeLessThan(DAMAGED / 5)
    },
    Math.max(120_000, 20 * DAMAGED),
  )
})

function attemptParse(text: string): Descriptor | InvalidDescriptorError {
  try {
    return parseDescriptor(text)
  } catch (error) {
    if (error instanceof InvalidDescriptorError) return error
    throw error
  }
}

/** The node is one of a test network. */
function isOfMainnet(ours: Descriptor | InvalidDescriptorError): boolean {
  return !(ours instanceof InvalidDescriptorError) && keySpaceOfDescriptor(ours) === 'mainnet'
}

/** The descriptors of the branches; null where the node refuses the text. */
async function readByNode(text: string): Promise<string[] | null> {
  try {
    const info = await node.rpc<{ descriptor: string; multipath_expansion?: string[] }>(
      'getdescriptorinfo',
      [text],
    )
    return info.multipath_expansion ?? [info.descriptor]
  } catch (error) {
    if (error instanceof RpcError) return null
    throw error
  }
}

/** Other scripts, hardened steps, uncompressed keys, private keys, and numbers with a plus sign or many zeros. */
function isLeftOut({ problem, position }: InvalidDescriptorError, text: string): boolean {
  const place = text.slice(position)
  if (problem === 'unsupported' || problem === 'private') return true
  return /^(?:\[[^\]]*\])?04[0-9a-f]{128}|^\+\d|^0{2,}\d*/.test(place)
}

async function expectAddress(descriptor: Descriptor, branches: readonly string[]): Promise<void> {
  const isRanged = isRangedDescriptor(descriptor)
  for (const [branch, text] of branches.entries()) {
    const [address] = await node.rpc<string[]>(
      'deriveaddresses',
      isRanged ? [text, [0, 0]] : [text],
    )
    const { scriptPubKey } = deriveOutput(descriptor, { branch, index: 0 })
    expect(addressOfScript(scriptPubKey, 'regtest')).toBe(address)
  }
}

type AddressInfo = {
  solvable: boolean
  desc: string
  hex?: string
  embedded?: { scriptPubKey: string; hex?: string; isscript: boolean }
}

/** An account's key of a test network with its origin. */
function accountKey(seed: number, path: string): string {
  const master = fromSeed(new Uint8Array(32).fill(seed), networks.testnet)
  const xpub = master.derivePath(path).neutered().toBase58()
  return `[${toHex(master.fingerprint)}/${path.replaceAll("'", 'h')}]${xpub}`
}

/** Each key, x-only, with fingerprint and path; the node writes them into the descriptor that it gives of an address. */
function originsIn(descriptor: string): string[] {
  return [...descriptor.matchAll(/\[([0-9a-f]{8}(?:\/\d+h?)*)\](?:0[23])?([0-9a-f]{64})/g)]
    .map(([, origin, key]) => `${key} ${origin}`)
    .sort()
}

function originsOf({ keys }: DescriptorOutput): string[] {
  return keys
    .map(({ publicKey, origin: { fingerprint, path } }) => {
      const steps = path.map(step => (step >= HARDENED ? `${step - HARDENED}h` : step))
      return `${toHex(publicKey).slice(2)} ${[fingerprint, ...steps].join('/')}`
    })
    .sort()
}

/** Redeem script and witness script, null where there is none. */
function scriptsIn({ hex, embedded, desc }: AddressInfo): (string | null)[] {
  if (desc.startsWith('wsh(')) return [null, hex ?? null]
  if (desc.startsWith('sh(wsh(')) return [hex ?? null, embedded?.hex ?? null]
  return [desc.startsWith('sh(') ? (hex ?? null) : null, null]
}

function scriptsOf({ redeemScript, witnessScript }: DescriptorOutput): (string | null)[] {
  return [redeemScript && toHex(redeemScript), witnessScript && toHex(witnessScript)]
}
