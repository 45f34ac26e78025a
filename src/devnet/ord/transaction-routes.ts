import { type Envelope, parseEnvelopes } from '../../ordinals/inscriptions/envelope.ts'
import { decipherRunestone } from '../../ordinals/runes/runestone.ts'
import { toHex } from '../chain/hex.ts'
import { rawHex, spentOutpoint, type TransactionRecord } from '../chain/transaction-record.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { exactJson } from '../server/exact-json.ts'
import { HttpError, param, type Route } from '../server/http.ts'
import { notFound, type OrdServer, page } from './ord-call.ts'
import { formatSpacedName } from './runes/rune-name.ts'
import { describeRunestone } from './runes/runestone-json.ts'

/** Transactions of the chain and the mempool: as they are, and what of inscriptions and runes is in them. */
export function transactionRoutes({ network, get }: OrdServer): Route[] {
  return [
    get('/tx/:txid', (call, index) => {
      const record = requireTransaction(network, param(call, 'txid'))
      const etched = index.etchedBy(record.txid)
      return page(call, {
        chain: 'regtest',
        etching: etched ? formatSpacedName(etched.rune, etched.spacers) : null,
        inscription_count: listEnvelopes(record).filter((_, i) =>
          index.inscription(`${record.txid}i${i}`),
        ).length,
        transaction: describeTransaction(record),
        txid: record.txid,
      })
    }),
    get('/decode/:txid', call => {
      const record = requireTransaction(network, param(call, 'txid'))
      return page(call, {
        inscriptions: listEnvelopes(record).map(describeEnvelope),
        runestone: describeRunestone(decipherRunestone(record.tx.outs.map(({ script }) => script))),
      })
    }),
    get('/r/tx/:txid', call => exactJson(rawHex(requireTransaction(network, param(call, 'txid'))))),
  ]
}

function requireTransaction({ chain, pool }: LocalNetwork, txid: string): TransactionRecord {
  if (!/^[0-9a-f]{64}$/i.test(txid)) throw new HttpError(400, `Invalid URL: cannot parse ${txid}`)
  const record = chain.transaction(txid)?.record ?? pool().get(txid)?.record
  if (!record) throw notFound(`transaction ${txid}`)
  return record
}

function listEnvelopes({ tx }: TransactionRecord): Envelope[] {
  return parseEnvelopes(tx.ins.map(({ witness }) => witness))
}

/** As the `bitcoin` crate writes it. */
function describeTransaction({ tx }: TransactionRecord) {
  return {
    version: tx.version,
    lock_time: tx.locktime,
    input: tx.ins.map(input => ({
      previous_output: spentOutpoint(input),
      script_sig: toHex(input.script),
      sequence: input.sequence,
      witness: input.witness.map(toHex),
    })),
    output: tx.outs.map(({ value, script }) => ({ value, script_pubkey: toHex(script) })),
  }
}

/** Bytes are lists of numbers there. */
function describeEnvelope({ input, offset, fields, pushnum, stutter, ...flaws }: Envelope) {
  const list = (bytes: Uint8Array | null) => bytes && [...bytes]
  return {
    input,
    offset,
    payload: {
      body: list(fields.body),
      content_encoding: list(fields.contentEncoding),
      content_type: list(fields.contentType),
      delegate: list(fields.delegate),
      duplicate_field: flaws.duplicateField,
      incomplete_field: flaws.incompleteField,
      metadata: list(fields.metadata),
      metaprotocol: list(fields.metaprotocol),
      parents: fields.parents.map(parent => [...parent]),
      pointer: list(fields.pointer),
      properties: list(fields.properties),
      property_encoding: list(fields.propertyEncoding),
      rune: list(fields.rune),
      unrecognized_even_field: flaws.unrecognizedEvenField,
    },
    pushnum,
    stutter,
  }
}
