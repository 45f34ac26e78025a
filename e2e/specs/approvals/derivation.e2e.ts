import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  BIP32_VECTORS,
  BIP84_VECTORS,
  BIP86_VECTORS,
} from '../../../src/bitcoin/testing/bip-vectors.ts'
import { BIP39_VECTORS } from '../../../src/bitcoin/testing/bip39-vectors.ts'
import type { Dapp, Wallet } from '../../driver/driver.ts'
import { launch } from '../../driver/driver.ts'
import { startDappServer } from '../../fixtures/dapp-server.ts'
import { browsersFor } from '../../fixtures/flows.ts'

const SOURCE = fileURLToPath(new URL('../../../src/bitcoin', import.meta.url))

/** The wallet's own modules, called in a page of the browser under test. */
const ENTRY = `
import { encodeAddress } from '${SOURCE}/address.ts'
import { fromHex, toHex } from '${SOURCE}/bytes.ts'
import { deriveKey } from '${SOURCE}/derivation.ts'
import { generateMnemonic, mnemonicToSeed } from '${SOURCE}/mnemonic.ts'
window.derivation = {
  derive(seed, path) {
    const { privateKey, publicKey } = deriveKey(fromHex(seed), path)
    return { privateKey: toHex(privateKey), publicKey: toHex(publicKey) }
  },
  addressOf: (publicKey, type, network) => encodeAddress(fromHex(publicKey), type, network),
  seedOf: async (mnemonic, passphrase) => toHex(await mnemonicToSeed(mnemonic, passphrase)),
  mnemonicOf: (words, entropy) => generateMnemonic(words, fromHex(entropy)).join(' '),
}
`

type Derivation = {
  derive(seed: string, path: string): { privateKey: string; publicKey: string }
  addressOf(publicKey: string, type: string, network: string): string
  seedOf(mnemonic: string, passphrase: string): Promise<string>
  mnemonicOf(words: number, entropy: string): string
}

describe.each(browsersFor('derivation'))('in %s', browser => {
  let wallet: Wallet
  let server: Awaited<ReturnType<typeof startDappServer>>
  let dapp: Dapp

  beforeAll(async () => {
    const script = await bundleDerivation()
    const page = `<!doctype html><title>Derivation</title><script>${script}</script>`
    server = await startDappServer({ pages: { '/derivation.html': page } })
    wallet = await launch({ browser })
    dapp = await wallet.openDapp(`${server.url}derivation.html`)
  })
  afterAll(async () => {
    await wallet?.close()
    await server?.stop()
  })

  it('BIP-32 derives the published keys', async () => {
    expect(BIP32_VECTORS).toHaveLength(17)
    const derived = await dapp.evaluate(
      chains => {
        const { derive } = Object(window).derivation as Derivation
        return chains.map(({ seed, path }) => derive(seed, path))
      },
      BIP32_VECTORS.map(({ seed, path }) => ({ seed, path })),
    )
    const published = BIP32_VECTORS.map(({ privateKey, publicKey }) => ({ privateKey, publicKey }))
    expect(derived).toEqual(published)
  })

  it('BIP-39 makes the published phrases and seeds', async () => {
    for (const [words, entropy, mnemonic, seed] of BIP39_VECTORS) {
      const made = await dapp.evaluate(
        async (count, hex) => {
          const { mnemonicOf, seedOf } = Object(window).derivation as Derivation
          const phrase = mnemonicOf(count, hex)
          return { phrase, seed: await seedOf(phrase, 'TREZOR') }
        },
        words,
        entropy,
      )
      expect(made).toEqual({ phrase: mnemonic, seed })
    }
  })

  it('BIP-84 and BIP-86 give the published addresses', async () => {
    const vectors = [...BIP84_VECTORS, ...BIP86_VECTORS]
    expect(vectors).toHaveLength(6)
    for (const { mnemonic, path, type, network, address } of vectors) {
      const derived = await dapp.evaluate(
        async (phrase, at, kind, chain) => {
          const { addressOf, derive, seedOf } = Object(window).derivation as Derivation
          return addressOf(derive(await seedOf(phrase, ''), at).publicKey, kind, chain)
        },
        mnemonic,
        path,
        type,
        network,
      )
      expect(derived).toBe(address)
    }
  })

  it('the wallet itself shows BIP-86’s and BIP-84’s first address for their phrase', async () => {
    const [first] = BIP86_VECTORS
    const [segwit] = BIP84_VECTORS
    await wallet.importWallet({ words: first?.mnemonic ?? '', password: 'correct horse battery' })
    const page = await wallet.openDapp(`${server.url}derivation.html`)
    for (const [name, address] of [
      ['Account 1 Taproot', first?.address],
      ['Account 2 Native', segwit?.address],
    ] as const) {
      await wallet.chooseAccount(name)
      const connecting = page.request('connect')
      await (await wallet.nextApproval()).approve()
      expect(await connecting).toMatchObject({ result: { address } })
      await wallet.waitForNoApproval()
    }
  })
})

/** The modules as the extension's build compiles them, as one script. */
async function bundleDerivation(): Promise<string> {
  const entry = '\0derivation'
  const output = await build({
    configFile: false,
    root: SOURCE,
    logLevel: 'silent',
    plugins: [
      {
        name: 'derivation-entry',
        resolveId: id => (id === 'derivation-entry' ? entry : undefined),
        load: id => (id === entry ? ENTRY : undefined),
      },
    ],
    build: {
      write: false,
      target: ['chrome120', 'firefox140'],
      rollupOptions: { input: 'derivation-entry', output: { format: 'iife' } },
    },
  })
  const [chunk] = [output].flat().flatMap(result => ('output' in result ? result.output : []))
  if (chunk?.type !== 'chunk') throw new Error('No bundle')
  return chunk.code.replaceAll('</script', '<\\/script')
}
