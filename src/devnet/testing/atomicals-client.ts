import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import { electrumHash } from '../atomicals/coin-set.ts'
import type { MintAnswer, MintRequest } from '../atomicals/mint-routes.ts'
import { parseAddress } from '../chain/script.ts'
import type { Client } from './devnet-client.ts'

/** What a coin holds, by id: units of a token, the sats of an NFT's coin. */
export type HeldAtomicals = Record<AtomicalId, number>

/** Asks devnet's Atomicals proxy, and has it mint, for `address` unless another is given. Mints are mined. */
export function createAtomicalsClient(client: Client, address: string) {
  const scripthashOf = (of: string): string => {
    const script = parseAddress(of)
    if (!script) throw new Error(`${of} is not a regtest address`)
    return electrumHash(script)
  }

  /** The whole answer with its status. */
  async function call(method: string, ...params: readonly unknown[]) {
    const path = `/atomicals/proxy/${method}`
    const { status, body } = await client.post(path, { params })
    return { status, ...JSON.parse(body) }
  }

  /** The response; throws where there is none. */
  async function ask(method: string, ...params: readonly unknown[]) {
    const { status, response, message } = await call(method, ...params)
    if (status !== 200) throw new Error(`${method}: ${status} ${message}`)
    return response
  }

  async function mint(request: MintRequest): Promise<MintAnswer> {
    const { status, body } = await client.post('/devnet/atomicals/mint', { address, ...request })
    if (status !== 200) throw new Error(`mint: ${status} ${body}`)
    return JSON.parse(body)
  }

  return {
    call,
    ask,
    mint,
    /** An NFT with a picture of any type. */
    mintImage: (name: string, contentType: string, bytes: Uint8Array, sats = 546) =>
      mint({
        kind: 'nft',
        sats,
        files: [{ name, contentType, base64: Buffer.from(bytes).toString('base64') }],
      }),
    mintRealm: (realm: string) => mint({ kind: 'nft', realm }),
    /** All units of a new token on one output. */
    mintToken: (ticker: string, sats: number) => mint({ kind: 'ft', ticker, sats }),
    /** A token that others mint. */
    deployToken: (ticker: string, mintAmount: number, maxMints: number) =>
      mint({ kind: 'dft', ticker, mintAmount, maxMints }),
    /** One mint of such a token. */
    mintUnits: (ticker: string) => mint({ kind: 'dmt', ticker }),
    scripthashOf,
    /** The Atomicals on an outpoint, `txid:vout`. */
    async heldAt(outpoint: string): Promise<HeldAtomicals> {
      const { atomicals } = await ask(
        'blockchain.atomicals.at_location',
        outpoint.replace(':', 'i'),
      )
      const list = atomicals as { atomical_id: string; value: number }[]
      return Object.fromEntries(list.map(({ atomical_id, value }) => [atomical_id, value]))
    },
    /** Coins of an address with Atomicals, by outpoint. */
    async coinsOf(of = address): Promise<Record<string, HeldAtomicals>> {
      const { utxos } = await ask('blockchain.atomicals.listscripthash', scripthashOf(of))
      const list = utxos as { txid: string; vout: number; atomicals: HeldAtomicals }[]
      return Object.fromEntries(
        list.map(({ txid, vout, atomicals }) => [`${txid}:${vout}`, atomicals]),
      )
    },
  }
}

export type AtomicalsClient = ReturnType<typeof createAtomicalsClient>
