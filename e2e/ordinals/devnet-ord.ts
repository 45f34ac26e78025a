import type { Devnet } from '../../src/devnet/start-devnet.ts'

/** What devnet is to inscribe; the body is text unless given in hex. */
export type InscribeOrder = {
  contentType?: string
  body?: string
  bodyHex?: string
  /** Sats of the output. */
  postage?: number
  /** Which sat of it. */
  offset?: number
  flaw?: string
  /** On the sat of this inscription, which is on devnet's own address. */
  onto?: string
  items?: readonly { contentType?: string; body?: string; bodyHex?: string; offset?: number }[]
  /** All items on one output. */
  together?: boolean
}

/** Where an inscription is by devnet's index. */
export type Place = {
  number: number
  address: string | null
  satpoint: string
  value: number | null
  charms: string[]
}

/** Inscribes to an address, or for null to devnet's own, in a block of its own; resolves the ids. */
export async function inscribe(
  devnet: Devnet,
  address: string | null,
  order: InscribeOrder = {},
): Promise<string[]> {
  const { ids } = await post<{ ids: string[] }>(devnet, 'inscribe', {
    contentType: 'text/plain;charset=utf-8',
    body: 'hello',
    ...order,
    ...(address !== null && { address }),
  })
  await devnet.mine()
  return ids
}

/** Puts all of a new rune on one output of an address; resolves its name. */
export async function etch(
  devnet: Devnet,
  address: string,
  order: { name: string; amount: string; symbol?: string; postage?: number; onto?: string },
): Promise<{ name: string; outpoint: string }> {
  const answer = await post<{ name: string; outpoint: string }>(devnet, 'etch', {
    ...order,
    address,
  })
  await devnet.mine()
  return answer
}

export async function whereIs(devnet: Devnet, id: string): Promise<Place> {
  return read<Place>(devnet, `inscription/${id}`)
}

/** What devnet's index serves as the content of an inscription. */
export async function contentOf(
  devnet: Devnet,
  id: string,
): Promise<{ type: string | null; body: Buffer }> {
  const answer = await fetch(`${devnet.url}/ord/content/${id}`)
  if (!answer.ok) throw new Error(`content of ${id}: ${answer.status} ${await answer.text()}`)
  return {
    type: answer.headers.get('content-type'),
    body: Buffer.from(await answer.arrayBuffer()),
  }
}

/** Inscriptions and runes of an output by devnet's index. */
export async function holdingsOf(
  devnet: Devnet,
  outpoint: string,
): Promise<{ inscriptions: string[]; runes: { [name: string]: { amount: number } } }> {
  return read(devnet, `output/${outpoint}`)
}

async function post<T>(devnet: Devnet, path: string, fields: object): Promise<T> {
  const body = JSON.stringify(fields)
  const answer = await fetch(`${devnet.url}/devnet/${path}`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function read<T>(devnet: Devnet, path: string): Promise<T> {
  const answer = await fetch(`${devnet.url}/ord/${path}`, {
    headers: { accept: 'application/json' },
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
