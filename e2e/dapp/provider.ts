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

/** What the wallet gave last: the PSBTs of one signing, and the transaction of splitUtxo in hex. */
export type Made = { signed: readonly string[]; split: string | undefined }

/** The arguments with `$address`, `$publicKey`, `$split`, `$signed` and `$signed[1]` (from 0) replaced, at any depth. */
export function fillPlaceholders(
  value: unknown,
  account: Account | null,
  { signed, split }: Made,
): unknown {
  const known: { [name: string]: string | undefined } = {
    $address: account?.address,
    $publicKey: account?.publicKey,
    $split: split,
    $signed: signed[0],
    ...Object.fromEntries(signed.map((psbt, index) => [`$signed[${index}]`, psbt])),
  }
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') return known[part] ?? part
    if (Array.isArray(part)) return part.map(fill)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, fill(item)]))
  }
  return fill(value)
}

/** Asks the server of this page, which sees the chain, for arguments that the account can really sign. */
export async function fetchExample(
  name: string,
  account: Account | null,
  { split = '' }: Made,
): Promise<unknown[]> {
  if (!account) throw new Error('Connect an account first: the example is made for it')
  const response = await fetch(`example/${name}?${new URLSearchParams({ ...account, split })}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as unknown[]
}

/** A result as readable text: JSON where it can be, with bigints as digits. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'undefined'
  const spell = (_: string, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)
  return JSON.stringify(value, spell, 2)
}
