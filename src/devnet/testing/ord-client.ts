import type {
  EtchAnswer,
  EtchRequest,
  InscribeAnswer,
  InscribeRequest,
  MintRuneAnswer,
  MintRuneRequest,
} from '../ord/inscribe-routes.ts'
import type { Devnet } from '../start-devnet.ts'
import type { Client, Reply } from './devnet-client.ts'

const JSON_ONLY = { accept: 'application/json' }

/** Asks devnet's ord, and has it make inscriptions and runes, for `address` unless another is given. */
export function createOrdClient(devnet: Devnet, client: Client, address: string) {
  const ask = (path: string): Promise<Reply> =>
    client.request(`/ord${path}`, { headers: JSON_ONLY })

  async function admin<Answer>(path: string, request: object): Promise<Answer> {
    const { status, body } = await client.post(`/devnet/${path}`, request)
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    return JSON.parse(body)
  }

  /** Broadcasts. */
  const broadcastInscription = (request: InscribeRequest) =>
    admin<InscribeAnswer>('inscribe', { address, ...request })

  /** Makes it on devnet's own address, and mines it. */
  async function inscribeAtHome(request: InscribeRequest): Promise<InscribeAnswer> {
    const made = await admin<InscribeAnswer>('inscribe', request)
    await devnet.mine(1)
    return made
  }

  return {
    ask,
    async get(path: string): Promise<Record<string, unknown>> {
      const { status, body } = await ask(path)
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
      return JSON.parse(body)
    },
    async post(path: string, value: unknown) {
      const headers = { ...JSON_ONLY, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(value) }
      const { status, body } = await client.request(`/ord${path}`, init)
      return { status, body: status === 200 ? JSON.parse(body) : body }
    },
    broadcastInscription,
    /** Broadcasts. */
    mintRune: (request: MintRuneRequest) =>
      admin<MintRuneAnswer>('mint-rune', { address, ...request }),
    inscribeAtHome,
    /** Mines it. */
    inscribe: (request: InscribeRequest) => inscribeAtHome({ address, ...request }),
    etch: (request: Omit<EtchRequest, 'address'>) =>
      admin<EtchAnswer>('etch', { address, ...request }),
  }
}

export type OrdClient = ReturnType<typeof createOrdClient>
