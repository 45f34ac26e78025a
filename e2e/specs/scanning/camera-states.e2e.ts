import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import encodeQR from 'qr'
import { afterAll, describe, expect, it } from 'vitest'
import { createPsbtFrames } from '../../../src/bitcoin/qr/part-writer.ts'
import bip174 from '../../../src/bitcoin/testing/vectors/bip174.json' with { type: 'json' }
import { launch, type Wallet } from '../../driver/driver.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import prepared from '../../fixtures/prepared-wallet.json' with { type: 'json' }

const DENIED = 'The browser does not let Satchel use the camera.'
const MISSING = 'No camera was found.'

/** What makes each browser refuse the camera, or have none. */
const SETTINGS = {
  chromium: {
    denied: { args: ['--use-fake-device-for-media-stream', '--deny-permission-prompts'] },
    missing: { args: ['--use-fake-ui-for-media-stream'] },
  },
  firefox: {
    denied: { prefs: { 'permissions.default.camera': 2, 'media.navigator.streams.fake': true } },
    missing: { prefs: { 'media.navigator.permission.disabled': true } },
  },
} as const

async function start(browser: 'chromium' | 'firefox', settings: object): Promise<Wallet> {
  const wallet = await launch({ browser, ...settings })
  const esploraUrl = 'http://127.0.0.1:9/'
  await wallet.restoreWallet({ ...prepared, network: 'regtest', esploraUrl })
  return wallet
}

describe.each(browsersFor('camera-states'))('a camera in %s', browser => {
  it.each([
    ['that the browser refuses', 'denied', [DENIED, 'Allow it in the address bar']],
    ['that is not there', 'missing', [MISSING, 'Choose a file or a picture instead']],
  ] as const)('%s leaves a page that says what to do, and other ways', async (_, kind, texts) => {
    const wallet = await start(browser, SETTINGS[browser][kind])
    try {
      for (const [path, otherWay] of [
        ['scan', 'Choose files'],
        ['psbt', 'Choose files or pictures'],
      ] as const) {
        const screen = await wallet.popup(`src/popup/popup.html#/${path}`)
        await screen.click('button', 'Use the camera')
        for (const text of texts) await screen.waitForText(text)
        await screen.click('button', 'Try again')
        await screen.waitForText(texts[0])
        await screen.find('button', otherWay)
        await screen.close()
      }
    } finally {
      await wallet.close()
    }
  })

  describe('or pictures of its codes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'satchel-pictures-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it('chosen all at once, in any order, are one PSBT; some of them wait for the others', async () => {
      const valid = bip174.psbts.filter(({ verdict }) => verdict === 'valid')
      const [{ psbt } = { psbt: '' }] = valid.toSorted((a, b) => b.psbt.length - a.psbt.length)
      const bytes = Buffer.from(psbt, 'base64')
      const { count, frame } = createPsbtFrames(bytes, { format: 'bbqr', density: 'small' })
      expect(count).toBeGreaterThan(3)
      const pictures = Array.from({ length: count }, (_, at) => {
        const path = join(folder, `${at}.gif`)
        writeFileSync(path, encodeQR(frame(at), 'gif', { scale: 6 }))
        return path
      })
      const wallet = await start(browser, {})
      try {
        const screen = await wallet.popup('src/popup/popup.html#/psbt')
        const choose = async (...paths: string[]) => {
          await screen.find('button', 'Choose files or pictures')
          const input = await screen.page.$('input[type="file"]')
          if (!input) throw new Error('There is no field for files')
          const upload = input as unknown as { uploadFile(...paths: string[]): Promise<void> }
          await upload.uploadFile(...paths)
        }
        const [first = '', ...others] = pictures
        await choose(first)
        await screen.waitForText(`1 of ${count} parts read`)
        await choose(...others.toReversed())
        await screen.find('button', 'Copy base64')
      } finally {
        await wallet.close()
      }
    })
  })
})
