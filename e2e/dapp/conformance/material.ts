import type { Account } from '../provider.ts'
import { Failed, NotApplicable } from './outcome.ts'

/** What of a check's kit this uses. */
type Port = {
  account(): Promise<Account>
  resolve<T>(operation: string, args: readonly unknown[]): Promise<T>
  share<T>(key: string, work: () => Promise<T>): Promise<T>
  waitFor(what: string, poll: () => Promise<true | null>): Promise<true>
}

/** What devnet has given to the account before its checks. */
export type Stock = {
  /** Each on an output of its own. */
  inscriptions: string[]
  /** As pages write them, with `-Atomicals`. */
  atomicals: string[]
  /** BRC-20 that the account has 1,000 of. */
  tick: string
  /** Somebody else's address. */
  stranger: string
}

export type PsbtKind = 'pay' | 'pay-all' | 'pay-untweaked' | 'mixed' | 'chain' | 'bogus'

/** What became of each input of a PSBT: its signature's sighash byte (0 where it has none), and whether it is valid. */
export type ReadInput = {
  state: 'unsigned' | 'signed' | 'final'
  sighash: number | null
  /** Null where it was not verified: only taproot key paths are. */
  valid: boolean | null
}

export type ReadPsbt = { txid: string; inputs: ReadInput[] }

export type ReadTransaction = { txid: string; outputs: { sats: number; address: string | null }[] }

/** Arguments that only a server with keys, coins and libraries can make, and its reading of what came back. */
export function createMaterial(kit: Port, devnetUrl: string) {
  let used: string[] = []
  const taken = { inscriptions: 0, atomicals: 0 }

  async function post<T>(path: string, fields: object): Promise<T> {
    const body = JSON.stringify({ ...fields, devnet: devnetUrl })
    const response = await fetch(path, { method: 'POST', body })
    if (response.ok) return (await response.json()) as T
    const words = await response.text()
    if (path === 'prepare' || path === 'psbt') throw new NotApplicable(words)
    throw new Failed(`other libraries cannot read it: ${words}`)
  }

  /** Coins and inscriptions for the account, in the chain that the wallet reads. */
  const stock = (): Promise<Stock> =>
    kit.share('stock', async () => {
      const account = await kit.account()
      if (!/^(bcrt1|[mn2])/.test(account.address))
        throw new NotApplicable('no devnet: the wallet is on another network')
      const made = await post<Stock>('prepare', account)
      await kit
        .waitFor('the coins', async () => {
          const balance = await kit.resolve<{ total?: number }>('getBalance', [])
          return (balance.total ?? 0) >= 1_000_000 ? true : null
        })
        .catch(() => {
          throw new NotApplicable('no devnet: the wallet reads another chain')
        })
      return made
    })

  return {
    stock,
    /** An inscription that no check has moved yet. */
    async takeInscription(): Promise<string> {
      const id = (await stock()).inscriptions[taken.inscriptions++]
      if (id === undefined) throw new NotApplicable('no inscription is left')
      return id
    },
    async takeAtomical(): Promise<string> {
      const id = (await stock()).atomicals[taken.atomicals++]
      if (id === undefined) throw new NotApplicable('no Atomical is left')
      return id
    },
    /** PSBTs in hex, of coins that no other PSBT of this run spends. */
    async psbts(kind: PsbtKind): Promise<[string, ...string[]]> {
      await stock()
      const account = await kit.account()
      const made = await post<{ psbts: [string, ...string[]]; spends: string[] }>('psbt', {
        ...account,
        kind,
        used,
      })
      used = [...used, ...made.spends]
      return made.psbts
    },
    read: (psbt: string) => post<ReadPsbt>('read-psbt', { psbt }),
    /** The transaction of a signed PSBT in hex, completed by another library. */
    finalize: async (psbt: string) => (await post<{ hex: string }>('finalize', { psbt })).hex,
    readTransaction: (hex: string) => post<ReadTransaction>('read-transaction', { hex }),
  }
}

export type Material = ReturnType<typeof createMaterial>

/** Whether a signature of a message is valid, checked with libraries that no wallet here uses; null where the server cannot check it. */
export async function verifyMessage(fields: {
  message: string
  type: string
  address: string
  publicKey: string
  signature: string
}): Promise<boolean | null> {
  const body = JSON.stringify(fields)
  const response = await fetch('verify-message', { method: 'POST', body })
  return response.ok ? ((await response.json()) as { valid: boolean | null }).valid : null
}
