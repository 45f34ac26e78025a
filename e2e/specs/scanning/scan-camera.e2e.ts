import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPsbtFrames, type FrameFormat } from '../../../src/bitcoin/qr/part-writer.ts'
import { launch } from '../../driver/driver.ts'
import { type CameraFaults, writeCameraVideo } from '../../fixtures/camera-video.ts'
import { browsersFor, isLong } from '../../fixtures/flows.ts'
import prepared from '../../fixtures/prepared-wallet.json' with { type: 'json' }

const FRAMES_PER_SECOND = 6

type Case = { name: string; bytes: number; format: FrameFormat; faults?: CameraFaults }

const CASES: Case[] = [
  { name: '2 kB in UR', bytes: 2_000, format: 'ur' },
  { name: '20 kB in BBQr', bytes: 20_000, format: 'bbqr' },
  {
    name: '2 kB in UR, blurred, askew, each third code missing',
    bytes: 2_000,
    format: 'ur',
    faults: { blur: 2, skew: 0.08, gapEach: 3 },
  },
  ...(isLong
    ? ([
        { name: '20 kB in UR', bytes: 20_000, format: 'ur' },
        { name: '100 kB in UR', bytes: 100_000, format: 'ur' },
      ] as const)
    : []),
]

const folder = mkdtempSync(join(tmpdir(), 'satchel-camera-'))

describe.each(browsersFor('scan-camera'))('codes before a camera in %s', browser => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(CASES)(
    'a PSBT of $name is read',
    async ({ name, bytes, format, faults = {} }) => {
      const psbt = makePsbt(bytes)
      const { count, frame } = createPsbtFrames(psbt, { format, density: 'large' })
      // Three times as many: who misses some sees mixed parts instead.
      const texts = Array.from({ length: Math.ceil(count * (faults.gapEach ? 3 : 1.5)) }, (_, i) =>
        frame(i),
      )
      const video = join(folder, `${createHash('sha256').update(name).digest('hex')}.y4m`)
      writeCameraVideo(video, texts, { framesPerSecond: FRAMES_PER_SECOND, faults })
      const wallet = await launch({
        browser,
        args: [
          '--use-fake-device-for-media-stream',
          '--use-fake-ui-for-media-stream',
          `--use-file-for-fake-video-capture=${video}`,
        ],
      })
      try {
        await wallet.restoreWallet({
          ...prepared,
          network: 'regtest',
          esploraUrl: 'http://127.0.0.1:9/',
        })
        const screen = await wallet.popup('src/popup/popup.html#/scan')
        await screen.click('button', 'Use the camera')
        const start = performance.now()
        await screen.waitForText('A partially signed transaction (PSBT) was read.', 180_000)
        const seconds = (performance.now() - start) / 1000
        const shown = count / FRAMES_PER_SECOND
        process.stdout.write(
          `${name}: ${count} parts in ${seconds.toFixed(1)} s, of which showing takes ${shown.toFixed(1)} s\n`,
        )
        const read = await screen.valueOf('textbox', 'What was read')
        expect(read).toBe(Buffer.from(psbt).toString('base64'))
      } finally {
        await wallet.close()
      }
    },
    300_000,
  )
})

/** Bytes that cannot be packed, after a PSBT's magic: the reader does not look further. */
function makePsbt(length: number): Uint8Array {
  const psbt = new Uint8Array(length)
  for (let at = 0; at < length; at += 32)
    psbt.set(
      createHash('sha256')
        .update(`${at}`)
        .digest()
        .subarray(0, length - at),
      at,
    )
  psbt.set([0x70, 0x73, 0x62, 0x74, 0xff])
  return psbt
}
