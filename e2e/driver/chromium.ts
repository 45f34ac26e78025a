import puppeteer, { type CDPSession, ProtocolError } from 'puppeteer-core'
import { endBrowser } from './end-browser.ts'
import { type Engine, HangError, type LaunchSettings, poll, retryHang, within } from './engine.ts'

const START_TIMEOUT = 20_000
/** For what takes a browser less than a second on a quiet machine. */
const ANSWER_TIMEOUT = 30_000

/** Starts Chromium with the unpacked extension. Throws a HangError where it ends as it starts, as it does now and then under load. */
export async function launchChromium(settings: LaunchSettings): Promise<Engine> {
  const args = [
    '--enable-unsafe-extension-debugging',
    '--disable-gpu',
    '--disable-quic',
    '--no-default-browser-check',
    '--disable-component-update',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...settings.args,
  ]
  const launching = puppeteer.launch({
    executablePath: settings.executablePath,
    headless: settings.headless,
    userDataDir: settings.profileDir,
    pipe: true,
    enableExtensions: true,
    protocolTimeout: 240_000,
    handleSIGINT: settings.handleSignals,
    handleSIGTERM: settings.handleSignals,
    handleSIGHUP: settings.handleSignals,
    defaultViewport: null,
    // A worker that a debugger is attached to is paused when it restarts, and never idles out.
    targetFilter: target => target.type() !== 'service_worker',
    ignoreDefaultArgs: settings.isolateFrames,
    args: settings.isolateFrames ? listIsolatingArgs(args, settings) : args,
  })
  const browser = await launching.catch(error => {
    if (!(error instanceof ProtocolError)) throw error
    throw new HangError(`Chromium ended as it started: ${error.message}`)
  })
  try {
    const installing = browser.installExtension(settings.extensionDir)
    const id = await within('to install the extension', ANSWER_TIMEOUT, installing)
    const extensionUrl = `chrome-extension://${id}/`
    const [firstPage] = await within('its tabs', ANSWER_TIMEOUT, browser.pages())
    if (!firstPage) throw new Error('Chromium opened without a tab')
    const root = await browser.target().createCDPSession()
    const tab = await within('its first tab', ANSWER_TIMEOUT, firstPage.createCDPSession())
    const worker = describeWorker(root, tab, extensionUrl)
    // Installing starts it; a worker that was installed in an earlier run may have to be asked.
    await poll('the background worker', 5_000, worker.target).catch(worker.start)

    return {
      name: 'chromium',
      browser,
      extensionUrl,
      async openTab(url, size) {
        const page = await retryHang(() => within('a new tab', ANSWER_TIMEOUT, browser.newPage()))
        if (settings.headless)
          await within('the size of a tab', ANSWER_TIMEOUT, page.setViewport(size))
        await page.goto(url)
        return page
      },
      async extensionPages() {
        const pages = await within('its tabs', ANSWER_TIMEOUT, browser.pages())
        return pages
          .map(page => ({ page, url: page.url() }))
          .filter(({ url }) => url.startsWith(extensionUrl))
      },
      async evaluateInFrame(page, ending, expression) {
        const frames = page.frames().filter(frame => frame.url().endsWith(ending))
        const [frame] = frames
        if (!frame || frames.length > 1) throw new Error(`${frames.length} frames of ${ending}`)
        return frame.evaluate(expression)
      },
      isBackgroundRunning: async () => (await worker.target()) !== null,
      killBackground: worker.stop,
      evaluateInBackground: worker.evaluate,
      sidebar: null,
    }
  } catch (error) {
    await endBrowser(browser)
    throw error
  }
}

/** All arguments, puppeteer's own without the one that keeps sandboxed frames in the process of the page around them. */
function listIsolatingArgs(args: string[], { headless, profileDir }: LaunchSettings): string[] {
  return puppeteer
    .defaultArgs({ args, headless, userDataDir: profileDir, enableExtensions: true })
    .map(argument => argument.replace(',IsolateSandboxedIframes', ''))
}

function describeWorker(root: CDPSession, tab: CDPSession, scope: string) {
  const target = async () => {
    const { targetInfos } = await root.send('Target.getTargets', {
      filter: [{ type: 'service_worker' }],
    })
    return targetInfos.find(info => info.url.startsWith(scope)) ?? null
  }

  let status = ''
  let isInstalled = false
  let hasStopped = false
  tab.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    const version = versions.find(version => version.scriptURL.startsWith(scope))
    if (!version) return
    status = version.runningStatus
    isInstalled = version.status === 'activated'
    hasStopped ||= status === 'stopped'
  })

  const start = async () => {
    const running = await target()
    if (running) return running
    status = ''
    await tab.send('ServiceWorker.enable')
    let askedAt = 0
    // `running` is told when the script has been evaluated; the target is there before.
    await poll('the background worker to run', START_TIMEOUT, async () => {
      if (status === 'running') return true
      if (Date.now() - askedAt < 1000) return null
      askedAt = Date.now()
      // Not awaited: Chromium does not answer while the worker is being installed.
      tab.send('ServiceWorker.startWorker', { scopeURL: scope }).catch(() => {})
      return null
    })
    await tab.send('ServiceWorker.disable')
    return await poll('the background worker to be listed', START_TIMEOUT, target)
  }

  const sessions = new Set<string>()
  const detach = async (sessionId: string) => {
    sessions.delete(sessionId)
    // The worker may be gone by now, and its session with it.
    await root.send('Target.detachFromTarget', { sessionId }).catch(() => {})
  }

  const stop = async () => {
    // A worker that is debugged would wait for the debugger when it starts again.
    await Promise.all([...sessions].map(detach))
    if ((await target()) === null) return
    isInstalled = false
    await tab.send('ServiceWorker.enable')
    // Stopped before that, it may never be registered, and nothing starts it again.
    await poll('the background worker to be installed', START_TIMEOUT, async () =>
      isInstalled ? true : null,
    )
    hasStopped = false
    await tab.send('ServiceWorker.stopAllWorkers')
    // A page that is connected may have woken the next worker by the time this one is seen to stop.
    await poll('the background worker to stop', 10_000, async () =>
      hasStopped || (await target()) === null ? true : null,
    )
    await tab.send('ServiceWorker.disable')
  }

  const evaluate = async (expression: string): Promise<unknown> => {
    const { targetId } = await start()
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true })
    const session = root.connection()?.session(sessionId)
    if (!session) throw new Error('Chromium gave no session for the background worker')
    sessions.add(sessionId)
    try {
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })
      if (exceptionDetails) {
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      }
      return result.value
    } finally {
      await detach(sessionId)
    }
  }

  return { target, start, stop, evaluate }
}
