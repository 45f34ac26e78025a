import type { Screen } from './screen.ts'

/** As the page of the settings does, without the browser's own question. */
export async function setHttpSite(screen: Screen, origin: string, on: boolean): Promise<void> {
  const ask = (params: object) => Object(globalThis).chrome.runtime.sendMessage(params)
  await screen.evaluate(ask, { ui: 'setHttpSite', params: { origin, on } })
}

/** Runs in the page. */
export async function connectSatchel(): Promise<string> {
  return (await Object(globalThis).satchel.bitcoin.connect()).address
}

/** Runs in the background. */
export async function listScripts(): Promise<unknown[]> {
  type Script = { js: string[]; matches: string[] }
  type Scripting = { getRegisteredContentScripts(): Promise<Script[]> }
  const { chrome } = globalThis as unknown as { chrome: { scripting: Scripting } }
  const scripts = await chrome.scripting.getRegisteredContentScripts()
  return scripts.map(({ js, matches }) => [js.join(), matches])
}

/** Runs in `chrome://extensions`. */
export function updateAccess(change: object): Promise<void> {
  type Private = { updateExtensionConfiguration(change: object): Promise<void> }
  const { chrome } = globalThis as unknown as { chrome: { developerPrivate: Private } }
  return chrome.developerPrivate.updateExtensionConfiguration(change)
}

/** Has the browser's own question answered with no; gives what was asked for. */
export async function answerNo(screen: Screen) {
  await screen.evaluate(() => {
    const scope = Object(globalThis)
    scope.asked = []
    scope.chrome.permissions.request = (
      { origins }: { origins: string[] },
      respond?: (given: boolean) => void,
    ) => {
      scope.asked.push(origins)
      return respond ? respond(false) : Promise.resolve(false)
    }
  })
  return () => screen.evaluate(() => Object(globalThis).asked as string[][])
}
