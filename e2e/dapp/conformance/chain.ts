/** A transaction as Esplora reports it. */
export type ChainTransaction = {
  txid: string
  fee: number
  weight: number
  vin: { txid: string; vout: number }[]
  vout: { scriptpubkey: string; scriptpubkey_address?: string; value: number }[]
}

/** Devnet's own view of the chain, against which the wallet's answers are checked. */
export function createChain(url: string) {
  async function ask(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${url}${path}`, init)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const read = async (path: string, init?: RequestInit) => (await ask(path, init)).json()
  const post = (path: string, fields: object) =>
    read(path, { method: 'POST', body: JSON.stringify(fields) })

  return {
    transaction: (txid: string): Promise<ChainTransaction> => read(`/api/tx/${txid}`),
    has: async (txid: string): Promise<boolean> => (await fetch(`${url}/api/tx/${txid}`)).ok,
    mine: () => post('/devnet/mine', { blocks: 1 }),
    /** Where an inscription is; only what is in a block. */
    place: async (id: string): Promise<{ address: string; satpoint: string; number: number }> =>
      read(`/ord/inscription/${id}`, { headers: { accept: 'application/json' } }),
    async content(id: string): Promise<{ type: string; hex: string }> {
      const response = await ask(`/ord/content/${id}`)
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { type: response.headers.get('content-type') ?? '', hex: toHex(bytes) }
    },
    /** Ids of the Atomicals on an output. */
    async atomicalsAt(txid: string, vout: number): Promise<string[]> {
      const { response } = await post('/atomicals/proxy/blockchain.atomicals.at_location', {
        params: [`${txid}i${vout}`],
      })
      return response.atomicals.map(({ atomical_id }: { atomical_id: string }) => atomical_id)
    },
    /** Whole tokens that an address can spend. */
    async available(address: string, ticker: string): Promise<number> {
      const query = new URLSearchParams({ address, ticker })
      const { result } = await read(`/opi/v1/brc20/get_current_balance_of_wallet?${query}`)
      return Number(BigInt(result?.available_balance ?? 0) / 10n ** 18n)
    },
    async isDeployed(ticker: string): Promise<boolean> {
      const query = new URLSearchParams({ ticker })
      return (await fetch(`${url}/opi/v1/brc20/ticker_info?${query}`)).ok
    },
  }
}

export type Chain = ReturnType<typeof createChain>

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Hex of a text in UTF-8. */
export function textToHex(text: string): string {
  return toHex(new TextEncoder().encode(text))
}
