import { type Bitcoind, startBitcoind } from '../../src/devnet/bitcoind/bitcoind.ts'
import { findBitcoind } from '../../src/devnet/bitcoind/bitcoind-binary.ts'
import type { Screen } from './screen.ts'

/** Bitcoin Core as the device with the keys: a node of its own that knows no block and no coin, and sees PSBTs alone. */
export type CoreDevice = {
  /** What it exports of its accounts: the JSON of `listdescriptors`. */
  exportKeys(): Promise<string>
  /** The first address of a kind. */
  firstAddress(kind: 'bech32' | 'bech32m' | 'p2sh-segwit' | 'legacy'): Promise<string>
  /** The PSBT (base64) with its signatures, final if asked. */
  sign(psbt: string, final?: boolean): Promise<string>
  stop(): Promise<void>
}

export async function startCoreDevice(): Promise<CoreDevice> {
  const node: Bitcoind = await startBitcoind(await findBitcoind(() => undefined))
  await node.rpc('createwallet', ['device'])
  const { rpc, close } = await node.openWallet('device')
  return {
    exportKeys: async () => JSON.stringify(await rpc('listdescriptors')),
    firstAddress: kind => rpc<string>('getnewaddress', ['', kind]),
    async sign(psbt, final = false) {
      const isSigned = true
      const hasOrigins = true
      const signed = await rpc<{ psbt: string }>('walletprocesspsbt', [
        ...[psbt, isSigned, 'DEFAULT', hasOrigins, final],
      ])
      return signed.psbt
    },
    async stop() {
      close()
      await node.stop()
    },
  }
}

/** Presses the button that copies what is to go to the device, and takes what the page hands to the clipboard: headless browsers have none. */
export async function copyFromScreen({ page, click }: Screen): Promise<string> {
  await page.evaluate(() => {
    Object.defineProperty(navigator.clipboard, 'writeText', {
      configurable: true,
      value: async (text: string) => {
        document.body.dataset.copied = text
      },
    })
  })
  await click('button', 'Copy text')
  return page.evaluate(() => document.body.dataset.copied ?? '')
}
