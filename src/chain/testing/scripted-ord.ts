import type { Utxo } from '../../bitcoin/utxo.ts'
import { type Answer, asJson, type ScriptedServer } from './scripted-server.ts'

/** Fields of ord's JSON that the wallet does not read. */
const UNUSED_OF_OUTPUT = {
  address: null,
  confirmations: 3,
  sat_ranges: [[1_905_530_482_684_727, 1_905_530_482_685_727]],
  script_pubkey: '5120',
  transaction: '',
  some_later_field: { anything: 1 },
}

export function ordStatus(changes: object = {}): object {
  return {
    address_index: true,
    chain: 'regtest',
    height: 100,
    inscription_index: true,
    rune_index: true,
    sat_index: false,
    unrecoverably_reorged: false,
    ...changes,
  }
}

/** A confirmed output with nothing on it, as ord reports it. */
export function ordOutput({ outpoint, amount }: { outpoint: string; amount: bigint }): object {
  return {
    ...UNUSED_OF_OUTPUT,
    indexed: true,
    inscriptions: [],
    outpoint,
    runes: {},
    spent: false,
    value: Number(amount),
  }
}

/** The answer of `/rune/:name`; `entry` are changes within its entry. */
export function ordRune({ entry = {}, ...changes }: { entry?: object; [field: string]: unknown }) {
  return {
    entry: {
      block: 840_000,
      burned: 0,
      divisibility: 2,
      etching: 'ab'.repeat(32),
      mints: 3,
      number: 7,
      premine: 1_000,
      spaced_rune: 'A',
      symbol: '¢',
      terms: { amount: 100, cap: 1_000, height: [840_100, null], offset: [null, 500] },
      timestamp: 1_713_571_767,
      turbo: false,
      ...entry,
    },
    id: '1:1',
    mintable: true,
    parent: null,
    ...changes,
  }
}

export function ordInscription(id: string, changes: object = {}): object {
  return {
    address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    charms: ['vindicated'],
    child_count: 0,
    children: [],
    content_length: 5,
    content_type: 'text/plain;charset=utf-8',
    fee: 322,
    height: 90,
    id,
    metaprotocol: null,
    number: 7,
    parents: [],
    satpoint: `${id.slice(0, 64)}:0:0`,
    timestamp: 1_700_000_000,
    value: 546,
    ...changes,
  }
}

/** Answers with a JSON text as ord does: to exactly this Accept header; anything else gets a page. */
export function ordAnswers(tell: (sent: string) => Answer) {
  return (sent: string, { accept }: { accept?: string | undefined }): Answer =>
    accept === 'application/json' ? tell(sent) : { body: '<!doctype html><title>ord</title>' }
}

/**
 * Lets a server say of these outputs what ord would: `told` by outpoint, as JSON or its text; a list that names another one
 * is not found as a whole.
 */
export function sayOrd(
  server: ScriptedServer,
  told: { [outpoint: string]: object | string },
  status: object = ordStatus(),
): void {
  const find = (key: string) => told[key]
  const write = (entry: object | string) =>
    typeof entry === 'string' ? entry : JSON.stringify(entry)
  const notFound = { status: 404, body: 'output not found' }
  server.say({
    '/status': ordAnswers(() => asJson(status)),
    '/outputs': (sent, { accept, 'content-type': type }) => {
      if (type !== 'application/json') return { status: 415, body: '' }
      return ordAnswers(() => {
        const entries = (JSON.parse(sent) as string[]).map(find)
        if (entries.includes(undefined)) return notFound
        return { body: `[${entries.map(entry => write(entry ?? '')).join(',')}]` }
      })(sent, { accept })
    },
  })
  for (const [outpoint, entry] of Object.entries(told)) {
    const path = `/output/${encodeURIComponent(outpoint)}`
    server.say({ [path]: ordAnswers(() => ({ body: write(entry) })) })
  }
}

/** A coin of some transaction; each number gives another one. */
export function coinAt(
  number: number,
  { amount = 1_000n, height = 90 }: { amount?: bigint; height?: number | null } = {},
): Utxo & { outpoint: string } {
  const txid = number.toString(16).padStart(64, '0')
  return { txid, vout: 1, outpoint: `${txid}:1`, amount, height, scriptPubKey: new Uint8Array(22) }
}
