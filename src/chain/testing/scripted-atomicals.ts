import { createHash } from 'node:crypto'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { type Answer, asJson, type ScriptedServer } from './scripted-server.ts'

export function atomicalsGlobal(changes: object = {}): object {
  return {
    coin: 'Bitcoin',
    network: 'regtest',
    height: 100,
    block_tip: '00'.repeat(32),
    server_time: '2024-07-01T12:00:00.000000',
    atomicals_block_tip: '11'.repeat(32),
    atomical_count: 3,
    atomicals_block_hashes: { 100: '11'.repeat(32) },
    ...changes,
  }
}

/** A confirmed output with nothing on it, as listscripthash reports it. */
export function listedCoin({ txid, vout, height, amount }: Utxo, changes: object = {}): object {
  return { txid, index: vout, vout, height, value: Number(amount), atomicals: {}, ...changes }
}

/** What listscripthash and get say of an Atomical; `changes` are of what they both call the basic information. */
export function atomicalFacts(id: string, changes: object = {}): { [field: string]: unknown } {
  return {
    atomical_id: id,
    atomical_number: 7,
    atomical_ref: 'f00dj2pzsscexwm425fzn09x218n7vaaenzh63bprm16kq4w6k6gi0',
    type: 'NFT',
    confirmed: true,
    mint_info: {
      commit_txid: id.slice(0, 64),
      commit_index: 0,
      commit_height: 80,
      reveal_location_txid: 'ef'.repeat(32),
      reveal_location_index: 0,
      reveal_location_height: 81,
      args: { time: 1_696_000_936 },
    },
    mint_data: { fields: { args: { time: 1_696_000_936 } } },
    ...changes,
  }
}

export function tell(response: unknown): Answer {
  return asJson({ success: true, response })
}

/** How the server says that it cannot answer. */
export function refuse(message: string): Answer {
  return { status: 500, body: JSON.stringify({ success: false, code: 1, message }) }
}

export function pathOf(method: string, ...params: unknown[]): string {
  return `/${method}?${new URLSearchParams({ params: JSON.stringify(params) })}`
}

export const GLOBAL = pathOf('blockchain.atomicals.get_global')
export const BLUEPRINT = '/blockchain.atomicals.validate_tx_blueprint'

export function pathOfFacts(id: string): string {
  return pathOf('blockchain.atomicals.get', id)
}

export function pathOfList(scriptPubKey: Uint8Array): string {
  return pathOf('blockchain.atomicals.listscripthash', electrumHash(scriptPubKey), true)
}

export function pathOfShortList(scriptPubKey: Uint8Array): string {
  return pathOf('blockchain.scripthash.listunspent', electrumHash(scriptPubKey))
}

function electrumHash(scriptPubKey: Uint8Array): string {
  return createHash('sha256').update(scriptPubKey).digest().reverse().toString('hex')
}

/** Lets a server list these coins, which have one script, with these Atomicals. */
export function sayListed(
  server: ScriptedServer,
  coins: readonly (Utxo & { listed?: object })[],
  facts: readonly { [field: string]: unknown }[] = [],
  global: object = atomicalsGlobal(),
): void {
  const [{ scriptPubKey } = { scriptPubKey: new Uint8Array(22) }] = coins
  const atomicals = facts.map(data => {
    const { atomical_id, atomical_number, type } = data
    return [atomical_id, { atomical_id, atomical_number, type, confirmed: 1, data }]
  })
  server.say({
    [GLOBAL]: tell({ global }),
    [pathOfList(scriptPubKey)]: tell({
      global,
      atomicals: Object.fromEntries(atomicals),
      utxos: coins.map(({ listed, ...coin }) => listedCoin(coin, listed)),
    }),
  })
}
