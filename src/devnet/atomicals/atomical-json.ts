import { crypto } from 'bitcoinjs-lib'
import { toHex } from '../../bitcoin/bytes.ts'
import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import { toDisplayHash } from '../chain/hex.ts'
import { formatAddress } from '../chain/script.ts'
import type { ExactJson } from '../server/exact-json.ts'
import type { Atomical, AtomicalsIndex } from './atomicals-index.ts'
import { mapToJson, toBase64Json, toMarkedJson } from './cbor-json.ts'
import type { NameCandidate } from './name-ledger.ts'

export type JsonFields = { [key: string]: ExactJson }

const MOST_LOCATIONS = 50
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'

/** What is said of an Atomical beside a location. */
export function describeBriefly({ id, number, type, commit }: Atomical): JsonFields {
  return {
    atomical_id: id,
    atomical_number: number,
    atomical_ref: formatReference(commit.txid),
    type: type.toUpperCase(),
  }
}

/** `blockchain.atomicals.get`. */
export function describeAtomical(index: AtomicalsIndex, atomical: Atomical): JsonFields {
  const { commit, reveal, terms, name, bitwork, parents } = atomical
  const script = Uint8Array.from(reveal.script)
  const isToken = atomical.type === 'ft'
  const sealedAt = index.sealedAt(atomical.id)
  return {
    ...describeBriefly(atomical),
    confirmed: true,
    mint_info: {
      commit_txid: commit.txid,
      commit_index: commit.vout,
      commit_location: atomical.id,
      commit_tx_num: commit.txNum,
      commit_height: commit.height,
      reveal_location_txid: reveal.txid,
      reveal_location_index: 0,
      reveal_location: `${reveal.txid}i0`,
      reveal_location_tx_num: reveal.txNum,
      reveal_location_height: reveal.height,
      reveal_location_header: reveal.header,
      // The server writes this hash in wire order.
      reveal_location_blockhash: toHex(crypto.hash256(Buffer.from(reveal.header, 'hex'))),
      reveal_location_scripthash: doubleHash(script),
      reveal_location_script: toHex(script),
      reveal_location_value: reveal.value,
      args: mapToJson(atomical.args, toBase64Json),
      meta: mapToJson(atomical.meta, toBase64Json),
      ctx: mapToJson(atomical.ctx, toBase64Json),
      ...(name ? { [`$request_${name.kind}`]: name.text } : {}),
      ...(isToken ? {} : { $immutable: atomical.isImmutable }),
      ...(terms?.bitworkc ? { $mint_bitworkc: terms.bitworkc } : {}),
      ...(terms?.bitworkr ? { $mint_bitworkr: terms.bitworkr } : {}),
      ...(bitwork ? { $bitwork: bitwork } : {}),
      ...(parents ? { $parents: mapToJson(parents, toBase64Json) } : {}),
    },
    ...(isToken ? { subtype: atomical.subtype, $max_supply: atomical.maxSupply } : {}),
    ...(terms
      ? {
          $mint_mode: 'fixed',
          $mint_height: terms.height,
          $mint_amount: terms.amount,
          $max_mints: terms.maxMints,
          ...(terms.bitworkc ? { $mint_bitworkc: terms.bitworkc } : {}),
          ...(terms.bitworkr ? { $mint_bitworkr: terms.bitworkr } : {}),
        }
      : {}),
    ...(bitwork ? { $bitwork: bitwork } : {}),
    ...(parents ? { $parents: mapToJson(parents, toBase64Json) } : {}),
    ...describeName(index, atomical),
    ...(sealedAt ? { $sealed: sealedAt.replace(':', 'i') } : {}),
    mint_data: { fields: mapToJson(atomical.payload, toMarkedJson) },
  }
}

/** What `get_location` and `get_state` add. */
export function describeLocations(index: AtomicalsIndex, id: AtomicalId): JsonFields {
  const places = index.places(id)
  const locations = places
    .flatMap(outpoint => {
      const coin = index.coin(outpoint)
      if (!coin) return []
      const script = Uint8Array.from(coin.script)
      const address = formatAddress(script)
      return {
        location: outpoint.replace(':', 'i'),
        txid: coin.txid,
        index: coin.vout,
        scripthash: doubleHash(script),
        value: coin.value,
        script: toHex(script),
        ...(address === undefined ? {} : { address }),
        atomicals_at_location: index.holdings(outpoint).map(holding => holding.id),
        tx_num: coin.txNum,
      }
    })
    .slice(0, MOST_LOCATIONS)
    .sort((a, b) => b.tx_num - a.tx_num)
  return {
    location_info_obj: { locations },
    location_info: locations,
    location_counts: places.length,
  }
}

/** What `get_state` adds: what the mint gave beside its arguments. */
export function describeState({ payload }: Atomical): JsonFields {
  const latest = mapToJson(payload, toMarkedJson)
  delete latest.args
  delete latest.$a
  return { state: { latest } }
}

/** What `get_ft_info` adds. */
export function describeSupply(index: AtomicalsIndex, { id, terms }: Atomical): JsonFields {
  const places = index.places(id)
  const scripts = places.map(outpoint => toHex(index.coin(outpoint)?.script ?? new Uint8Array()))
  const supply = places
    .flatMap(outpoint => index.holdings(outpoint))
    .reduce((sum, holding) => (holding.id === id ? sum + holding.amount : sum), 0n)
  return {
    ...(terms ? { dft_info: { mint_count: index.mints(id) } } : { ft_info: {} }),
    location_summary: { unique_holders: new Set(scripts).size, circulating_supply: supply },
  }
}

/** The hash of a script that the server gives for a location: SHA-256 twice, unlike Electrum's. */
export function doubleHash(script: Uint8Array): string {
  return toDisplayHash(crypto.hash256(Uint8Array.from(script)))
}

/** The name that it has, or asks for, and how that stands. */
function describeName(index: AtomicalsIndex, { id, name }: Atomical): JsonFields {
  if (!name) return {}
  const { kind, text } = name
  const holder = index.names.holder(kind, text, index.height())
  const isHolder = holder?.id === id
  const isGranted = isHolder && holder.isSettled
  const candidates = index.names.list(kind, text).map(describeCandidate)
  const subtype =
    kind === 'ticker' ? {} : { subtype: isGranted ? kind : (`request_${kind}` as const) }
  return {
    ...subtype,
    [`$${kind}_candidates`]: candidates,
    [`$request_${kind}_status`]: describeStanding(
      isHolder,
      holder?.isSettled === true,
      holder?.id ?? '',
    ),
    [`$request_${kind}`]: text,
    ...(isGranted ? { [`$${kind}`]: text } : {}),
    ...(isGranted && kind === 'realm' ? { $full_realm_name: text } : {}),
  }
}

function describeStanding(isHolder: boolean, isSettled: boolean, holder: AtomicalId): JsonFields {
  if (isSettled) {
    return isHolder
      ? { status: 'verified', verified_atomical_id: holder, note: 'The name is its own.' }
      : { status: 'claimed_by_other', claimed_by_atomical_id: holder, note: 'Another was first.' }
  }
  return isHolder
    ? {
        status: 'pending_candidate',
        pending_candidate_atomical_id: holder,
        note: 'An earlier commit can still be revealed.',
      }
    : {
        status: 'pending_claimed_by_other',
        pending_claimed_by_atomical_id: holder,
        note: 'Another was first.',
      }
}

function describeCandidate({ id, txNum, commitHeight, revealHeight }: NameCandidate): JsonFields {
  return {
    tx_num: txNum,
    atomical_id: id,
    txid: id.slice(0, 64),
    commit_height: commitHeight,
    reveal_location_height: revealHeight,
  }
}

/** The commit's txid in Crockford's base 32, and always `i0`. */
function formatReference(txid: string): string {
  const bits = [...Buffer.from(txid, 'hex')]
    .map(byte => byte.toString(2).padStart(8, '0'))
    .join('')
    .padEnd(260, '0')
  const digits = bits.match(/.{5}/g) ?? []
  return `${digits.map(digit => CROCKFORD[Number.parseInt(digit, 2)]).join('')}i0`
}
