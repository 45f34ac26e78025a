import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Ways by which code in a browser can have something sent or loaded, each by the words that it takes in a script, a page or a style,
 * also where a bundler has shortened what is around them. A word that is put together while the code runs is not seen: what holds
 * that up is the policy of the package.
 */
export const WAYS_OUT: { readonly [way: string]: RegExp } = {
  fetch: /(?<![\w$-])fetch(Later)?(?![\w$-])(?! +[a-z])/g,
  XMLHttpRequest: /\bXMLHttpRequest\b/g,
  WebSocket: /\bWebSocket(Stream)?\b/g,
  WebTransport: /\bWebTransport\b/g,
  EventSource: /\bEventSource\b/g,
  WebRTC: /\b(webkit|moz)?RTC[A-Z]\w*Connection\b/g,
  beacon: /\bsendBeacon\b|(?<![\w-])ping=/g,
  worker: /\b(Shared)?Worker\(|\bserviceWorker\b|\.addModule\b/g,
  'another script':
    /\bimportScripts\b|(?<!async )\bimport\((?!\)|\s*(["'`])\.{0,2}\/(?!\/)[^"'`$]*\1\s*\))/g,
  'another program': /\bconnectNative\b|\bsendNativeMessage\b|\bnavigator\s*\??\.\s*connect\b/g,
  tab: /\b(tabs|windows)\s*\??\.\s*(create|update)\b|\bopenWindow\b|\b(window|globalThis|self)\.open\b|(?<![\w$.])open\(\s*["'`]/g,
  place:
    /\blocation\s*(\.\s*href\s*)?=(?!=)|\blocation\s*\.\s*(assign|replace)\b|\bnavigation\s*\.\s*navigate\b/g,
  download: /\.\s*downloads\b|\bsetUninstallURL\b|\bregisterProtocolHandler\b/g,
  push: /\bpushManager\b|\bbackgroundFetch\b/g,
  element:
    /<(img|iframe|frame|script|link|audio|source|track|embed|base|image|use|object(?=\s+\w+=))\b|\.createElement(NS)?\(|\(\s*["'`](img|iframe|frame|script|link|audio|source|track|embed|base|image|use|object)["'`],\s*\{|\bnew (Image|Audio|FontFace)\b|["'`](prefetch|preload|preconnect|dns-prefetch|modulepreload|speculationrules)["'`]/g,
  address:
    /\.\s*(src|srcset|srcdoc|action|formAction|poster|href)\s*=(?!=)|\bsetAttribute(NS)?\((?!\s*(["'`])(?!(src|href|action|poster|data|background|ping|xlink|formaction))[\w-]+\2)|(?<![\w-])(src|srcset|srcDoc|srcSet|poster|formAction)=(?=[{"'])|<form[^>]*\saction=/g,
  HTML: /\b(inner|outer)HTML\b|\binsertAdjacentHTML\b|\bsetHTML(Unsafe)?\b|\bdocument\.write(ln)?\b|\bcreateContextualFragment\b|\bDOMParser\b|dangerouslySetInnerHTML/g,
  'address in a style': /\burl\((?!["']?data:)|@import\b|\bimage-set\(/g,
  'address elsewhere':
    /(?<![\w-])(src|href|action|srcset)=["']?([a-z][\w+.-]*:)?\/\/|\burl\(\s*["']?([a-z]+:)?\/\//g,
  link: /["'`]_blank["'`]/g,
}

type Counts = { readonly [way: string]: number }
type Use = { readonly count: number; readonly why: string }

/** How often a text has each way out that it has. */
export function countWaysOut(text: string): Counts {
  return Object.fromEntries(
    Object.entries(WAYS_OUT)
      .map(([way, pattern]) => [way, [...text.matchAll(pattern)].length] as const)
      .filter(([, count]) => count > 0),
  )
}

/** What may have which way out among the sources, and why. */
export const SOURCE_USES: { readonly [file: string]: { readonly [way: string]: string } } = {
  'chain/access/http.ts': { fetch: 'all requests to servers' },
  'chain/access/live-feed.ts': { WebSocket: 'the connection to a chain server that stays open' },
  'background/background.ts': { tab: 'the first page, and pages that a notification leads to' },
  'background/requests/approval-window.ts': { tab: 'the window with a question, of the extension' },
  'background/requests/panels.ts': { tab: 'brings the window with the panel to the front' },
  'popup/platform/rpc.ts': { tab: 'a page of the extension in a tab' },
  'popup/platform/save-file.ts': {
    element: 'a link that saves a file which the page holds',
    address: 'the same, a blob of the page',
  },
  'popup/ui/pictures/decoder-frame.ts': {
    element: 'the frame that decodes pictures, a page of the extension',
    address: 'the same, by a name that is in the code',
  },
  'popup/ui/skeleton.tsx': {
    element: 'the icon of the extension, from the package',
    address: 'the same',
  },
  'popup/help/help-dialog.tsx': { element: 'the div that the dialog is drawn in' },
  'popup/ui/explorer-link.tsx': { link: 'a transaction at the explorer, by a press' },
  'popup/pages/jobs/job-items.tsx': { link: 'the same' },
  'popup/pages/settings/about.tsx': { link: 'what the wallet is built on, by a press' },
  'lockdown/global-names.ts': {
    fetch: 'a name among those whose prototypes are frozen',
    WebSocket: 'the same',
  },
}

/** Kinds of built files; what is moved from one chunk to another stays within a kind. */
const KINDS: { readonly [kind: string]: RegExp } = {
  worker: /^worker(-later)?\.js$/,
  lockdown: /^lockdown\.js$/,
  pages: /^assets\/.*\.js$/,
  styles: /\.css$/,
  html: /\.html$/,
}

/** What a build may have of which way out, and how often, packages and bundler included. */
export const BUILT_USES: { readonly [kind: string]: { readonly [way: string]: Use } } = {
  worker: {
    fetch: { count: 2, why: 'chain/access/http.ts; a name that lockdown has' },
    WebSocket: { count: 2, why: 'chain/access/live-feed.ts; a name that lockdown has' },
    'another script': {
      count: 4,
      why: 'scripts of the package by their names (worker-loader.js); SES asks whether there is importScripts',
    },
    tab: { count: 8, why: 'pages and windows of the extension' },
    place: { count: 1, why: 'SES, where a page without console is to end: about:blank' },
    address: { count: 1, why: 'the same' },
  },
  lockdown: {
    fetch: { count: 1, why: 'a name among those whose prototypes are frozen' },
    WebSocket: { count: 1, why: 'the same' },
    'another script': { count: 1, why: 'SES asks whether there is importScripts' },
    place: { count: 1, why: 'SES, where a page without console is to end: about:blank' },
    address: { count: 1, why: 'the same' },
  },
  pages: {
    link: { count: 3, why: 'explorer, jobs, about: by a press' },
    tab: { count: 1, why: 'a page of the extension in a tab' },
    place: {
      count: 1,
      why: 'React’s own answer to a navigation that it began; no screen begins one',
    },
    element: {
      count: 44,
      why: 'React makes what screens are made of; Vite loads chunks of the package',
    },
    address: { count: 22, why: 'the same; the file that is saved, and the frame of the decoder' },
    HTML: { count: 18, why: 'React’s dangerouslySetInnerHTML, which no screen uses' },
  },
  styles: { 'address in a style': { count: 3, why: 'the fonts of the package' } },
  html: {
    element: { count: 7, why: 'scripts, styles and icon of the package' },
    address: { count: 5, why: 'the same' },
  },
}

/** What a folder with a built extension has of ways out, by kinds of files; files of no kind under their own names. */
export function countBuiltWays(folder: string): { readonly [kind: string]: Counts } {
  const found: { [kind: string]: { [way: string]: number } } = {}
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|html)$/.test(path)) continue
    const kind = Object.keys(KINDS).find(name => KINDS[name]?.test(path)) ?? path
    for (const [way, count] of Object.entries(
      countWaysOut(readFileSync(join(folder, path), 'utf8')),
    )) {
      found[kind] = { ...found[kind], [way]: (found[kind]?.[way] ?? 0) + count }
    }
  }
  return found
}

/** Throws, with each, where a build has other ways out than {@link BUILT_USES}, or has one more or less often. */
export function assertWaysOut(found: { readonly [kind: string]: Counts }, uses = BUILT_USES): void {
  const faults = [...new Set([...Object.keys(found), ...Object.keys(uses)])].flatMap(kind =>
    Object.keys({ ...found[kind], ...uses[kind] }).flatMap(way => {
      const expected = uses[kind]?.[way]?.count ?? 0
      const count = found[kind]?.[way] ?? 0
      return count === expected ? [] : [`${kind} has ${way} ${count} times, expected ${expected}`]
    }),
  )
  if (faults.length > 0)
    throw new Error(
      `The build can reach the network otherwise (release/ways-out.ts): ${faults.join('; ')}`,
    )
}
