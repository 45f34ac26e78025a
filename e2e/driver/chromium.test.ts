import { expect, it } from 'vitest'
import { launchChromium } from './chromium.ts'
import { HangError } from './engine.ts'

it('a Chromium that ends as it starts may be started once more', async () => {
  const launching = launchChromium({
    ...{ executablePath: '/bin/true', extensionDir: '', profileDir: '' },
    ...{ headless: true, args: [], isolateFrames: false, prefs: {}, handleSignals: false },
  })
  await expect(launching).rejects.toThrow(HangError)
})
