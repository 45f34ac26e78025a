import type { ExactJson } from '../server/exact-json.ts'
import { describeAtomical, type JsonFields } from './atomical-json.ts'
import type { Atomical, AtomicalsIndex } from './atomicals-index.ts'
import type { AtomicalsCoin } from './coin-set.ts'

const NAME_FIELDS = ['container', 'realm'] as const

/** `listscripthash`: coins with Atomicals, or all of them where it is verbose. */
export function listScripthash(
  index: AtomicalsIndex,
  scripthash: string,
  isVerbose: boolean,
): JsonFields {
  const coins = index.coinsOf(scripthash)
  const listed = coins.filter(coin => isVerbose || holdingsOf(index, coin).length > 0)
  const sums = sumHoldings(index, coins)
  return {
    atomicals: Object.fromEntries(
      [...sums].map(([atomical, confirmed]) => [
        atomical.id,
        describeListed(index, atomical, confirmed),
      ]),
    ),
    utxos: listed.map(coin => describeCoin(index, coin)),
  }
}

/** A confirmed coin. */
export function describeCoin(index: AtomicalsIndex, coin: AtomicalsCoin): JsonFields {
  return {
    txid: coin.txid,
    index: coin.vout,
    vout: coin.vout,
    height: coin.height,
    value: coin.value,
    atomicals: Object.fromEntries(
      holdingsOf(index, coin).map(({ id, amount }): [string, ExactJson] => [id, amount]),
    ),
  }
}

/** `get_ft_balances_scripthash`. */
export function listTokenBalances(index: AtomicalsIndex, scripthash: string): JsonFields {
  const sums = [...sumHoldings(index, index.coinsOf(scripthash))]
  const balances = sums
    .filter(([{ type }]) => type === 'ft')
    .map(([atomical, confirmed]): [string, ExactJson] => {
      const { $ticker } = describeAtomical(index, atomical)
      return [atomical.id, { id: atomical.id, ticker: $ticker ?? null, confirmed }]
    })
  return { balances: Object.fromEntries(balances) }
}

/** `get_nft_balances_scripthash`; an NFT counts the sats of its coin. */
export function listNftBalances(index: AtomicalsIndex, scripthash: string): JsonFields {
  const sums = [...sumHoldings(index, index.coinsOf(scripthash))]
  const balances = sums
    .filter(([{ type }]) => type === 'nft')
    .map(([atomical, confirmed]): [string, ExactJson] => {
      const facts = describeAtomical(index, atomical)
      const told = ['$bitwork', '$parents', '$full_realm_name'].concat(
        NAME_FIELDS.flatMap(kind => [`$request_${kind}`, `$${kind}`]),
      )
      return [
        atomical.id,
        {
          id: atomical.id,
          ...pick(facts, ['subtype']),
          ...Object.fromEntries(
            Object.entries(pick(facts, told)).map(([key, value]) => [key.slice(1), value]),
          ),
          confirmed,
        },
      ]
    })
  return { balances: Object.fromEntries(balances) }
}

/** With what an Atomical's name adds, under names without the `$`. */
function describeListed(index: AtomicalsIndex, atomical: Atomical, confirmed: bigint): JsonFields {
  const data = describeAtomical(index, atomical)
  const kind = atomical.name?.kind
  const isGranted = kind !== undefined && data[`$${kind}`] !== undefined
  const told = [
    `$request_${kind}_status`,
    `$request_${kind}`,
    ...(isGranted ? [`$${kind}`] : []),
    ...(isGranted && kind === 'realm' ? ['$full_realm_name'] : []),
    ...(isGranted && kind !== 'ticker' ? [] : [`$${kind}_candidates`]),
  ]
  return {
    atomical_id: atomical.id,
    atomical_number: atomical.number,
    type: atomical.type.toUpperCase(),
    confirmed,
    data,
    ...(kind === undefined
      ? {}
      : {
          ...pick(data, ['subtype']),
          ...Object.fromEntries(
            Object.entries(pick(data, told)).map(([key, value]) => [key.slice(1), value]),
          ),
        }),
  }
}

function sumHoldings(
  index: AtomicalsIndex,
  coins: readonly AtomicalsCoin[],
): Map<Atomical, bigint> {
  const sums = new Map<Atomical, bigint>()
  for (const { id, amount } of coins.flatMap(coin => holdingsOf(index, coin))) {
    const atomical = index.atomical(id)
    if (atomical) sums.set(atomical, (sums.get(atomical) ?? 0n) + amount)
  }
  return sums
}

function holdingsOf(index: AtomicalsIndex, { txid, vout }: AtomicalsCoin) {
  return index.holdings(`${txid}:${vout}`)
}

function pick(fields: JsonFields, names: readonly string[]): JsonFields {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = fields[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}
