/** What a page sees of a wallet; any method may be missing. */
export type Provider = {
  [key: string]: unknown
}

export type Account = { address: string; publicKey: string }

export const EVENT_NAMES = [
  'connect',
  'disconnect',
  'accountChanged',
  'accountsChanged',
  'networkChanged',
] as const

/** The object at a dotted path of `window`, or null. */
export function findProvider(path: string): Provider | null {
  let found: unknown = window
  for (const key of path.replace(/^window\./, '').split('.')) {
    if (typeof found !== 'object' || found === null) return null
    found = (found as { [key: string]: unknown })[key]
  }
  return typeof found === 'object' && found !== null ? (found as Provider) : null
}

/** Calls a method by name; throws where the wallet has none of that name. */
export async function callMethod(
  provider: Provider,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  const callable = provider[method]
  if (typeof callable !== 'function') throw new Error(`This wallet has no method ${method}`)
  return await callable.apply(provider, args)
}

/** Listens to every event that a wallet of this kind may send. */
export function listen(
  provider: Provider,
  heard: (event: string, args: readonly unknown[]) => void,
): void {
  if (typeof provider.on !== 'function') return
  for (const event of EVENT_NAMES) {
    provider.on(event, (...args: unknown[]) => heard(event, args))
  }
}

/** The arguments with `$address` and `$publicKey` replaced, at any depth. */
export function fillPlaceholders(value: unknown, account: Account | null): unknown {
  if (value === '$address') return account?.address ?? value
  if (value === '$publicKey') return account?.publicKey ?? value
  if (Array.isArray(value)) return value.map(item => fillPlaceholders(item, account))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, item]) => [key, fillPlaceholders(item, account)]))
}

/** A result as readable text: JSON where it can be, with bigints as digits. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'undefined'
  const spell = (_: string, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)
  return JSON.stringify(value, spell, 2)
}
