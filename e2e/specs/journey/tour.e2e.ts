import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../../../src/devnet/start-devnet.ts'
import { runTour } from '../../commands/tour.ts'
import { launch, type Wallet } from '../../driver/driver.ts'
import { startDappServer } from '../../fixtures/dapp-server.ts'
import { fundDemoWallet } from '../../fixtures/demo-wallet.ts'
import { browsersFor } from '../../fixtures/flows.ts'

describe.each(browsersFor('tour'))('what `npm start` shows without a display, in %s,', browser => {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-tour-'))
  let devnet: Devnet
  let playground: Awaited<ReturnType<typeof startDappServer>>
  let wallet: Wallet
  afterAll(async () => {
    await wallet?.close()
    await playground?.stop()
    await devnet?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is all right to its end', async () => {
    devnet = await startDevnet()
    const assets = await fundDemoWallet(devnet)
    playground = await startDappServer({ devnet })
    wallet = await launch({ browser })
    await runTour({ wallet, devnet, playgroundUrl: playground.url, assets, folder })
    expect(readdirSync(folder).length).toBeGreaterThan(20)
  }, 300_000)
})
