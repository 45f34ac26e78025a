type Manifest = { readonly [key: string]: unknown }

/** Something that a manifest asks the browser for; `kind` in the words of `PERMISSIONS.md`. */
export type Power = { name: string; kind: string }
/** A row of `PERMISSIONS.md`: why the wallet has a power, and which file uses it by which name. */
export type Explanation = Power & { browser: string; reason: string; path: string; use: string }

const KINDS: { readonly [key: string]: string } = {
  permissions: 'permission',
  optional_permissions: 'optional permission',
  host_permissions: 'host permission',
  optional_host_permissions: 'optional host permission',
}

/** All that a manifest asks for, content scripts among it, each once. */
export function listPowers(manifest: Manifest): Power[] {
  const named = Object.entries(KINDS).flatMap(([key, kind]) =>
    ((manifest[key] ?? []) as string[]).map(name => ({ name, kind })),
  )
  const scripts = (manifest.content_scripts ?? []) as { matches: string[] }[]
  const matches = new Set(scripts.flatMap(script => script.matches))
  return [...named, ...[...matches].map(name => ({ name, kind: 'content script' }))]
}

/** The rows of `PERMISSIONS.md`. Throws for a row of another form. */
export function readExplanations(text: string): Explanation[] {
  return [...text.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => {
    const [name = '', kind = '', browser = '', reason = '', use = '', ...more] = row.split(' | ')
    const [, path, called] = /^`([^`]+)`: `([^`]+)`$/.exec(use) ?? []
    if (path === undefined || called === undefined || more.length > 0) {
      throw new Error(
        `PERMISSIONS.md has the row ${row}, expected five columns and \`file\`: \`use\``,
      )
    }
    return { name: name.replaceAll('`', ''), kind, browser, reason, path, use: called }
  })
}

/** What is wrong with the rows for a browser's manifest, a sentence each. */
export function listGaps(
  rows: readonly Explanation[],
  manifest: Manifest,
  browser: string,
): string[] {
  const describe = ({ name, kind }: Power) => `${kind} ${name}`
  const explained = rows.filter(row => row.browser === 'both' || row.browser === browser)
  const asked = new Set(listPowers(manifest).map(describe))
  const known = explained.map(describe)
  return [
    ...[...asked].filter(power => !known.includes(power)).map(power => `${power} has no row`),
    ...known.filter(power => !asked.has(power)).map(power => `${power} is not in the manifest`),
    ...known
      .filter((power, at) => known.indexOf(power) !== at)
      .map(power => `${power} has two rows`),
  ]
}
