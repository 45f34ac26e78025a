import type { Network } from '../../bitcoin/network.ts'
import type { InscriptionFacts } from '../../chain/asset-source.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { Sources } from '../settings/servers.ts'

/** What an inscription is by the word of the index, as far as it never changes. */
export type InscriptionTraits = Pick<InscriptionFacts, 'contentType' | 'contentLength'> & {
  /** At most {@link MAX_PARENTS}. */
  parents: readonly InscriptionId[]
  /** Of what it shows; null while nobody has looked at it. */
  digest: string | null
}

type Row = [
  type: string | null,
  length: number | null,
  parents: InscriptionId[],
  digest?: string | null,
]

const KEY = 'inscriptionTraits'

/** Rows of a network; beyond it the oldest are asked for again. */
const MAX_ROWS = 4_000

/** Inscriptions that the index is asked about for one list; the next list goes on. */
const MAX_ASKED = 2_000

const MAX_PARENTS = 8
const MAX_TYPE = 60

/** What indexes said of inscriptions, in session storage, so that no list asks for all of them again. */
export function createInscriptionTraits({ session }: { session: StorageArea }) {
  const inTurn = createMutex()
  return {
    /** Of those that the index knows. One that does not answer costs no list: what it would have said is left out. */
    async load(
      wallet: Pick<Sources, 'assets'>,
      network: Network,
      ids: readonly InscriptionId[],
    ): Promise<ReadonlyMap<InscriptionId, InscriptionTraits>> {
      if (ids.length === 0) return new Map()
      const known = await loadRows(network)
      const missing = [...new Set(ids)].filter(id => !known.has(id)).slice(0, MAX_ASKED)
      const told = missing.length > 0 ? await fetchFacts(wallet, network, missing) : []
      const fresh = new Map(told.map(facts => [facts.id, encode(facts)]))
      if (fresh.size > 0) await store(network, fresh)
      return new Map(
        ids.flatMap(id => {
          const row = fresh.get(id) ?? known.get(id)
          return row ? [[id, decode(row)]] : []
        }),
      )
    },
    /** What is known of a network's inscriptions without a question. */
    recall: async (network: Network): Promise<ReadonlyMap<InscriptionId, InscriptionTraits>> =>
      new Map([...(await loadRows(network))].map(([id, row]) => [id, decode(row)])),
    /** Takes note of what an inscription shows, where it is one that is sorted. */
    async noteContent(network: Network, id: InscriptionId, digest: string): Promise<void> {
      const row = (await loadRows(network)).get(id)
      if (!row || row[3] === digest) return
      const [contentType, contentLength, parents] = row
      await store(network, new Map([[id, [contentType, contentLength, parents, digest]]]))
    },
  }

  async function store(network: Network, fresh: ReadonlyMap<InscriptionId, Row>): Promise<void> {
    await inTurn(async () => {
      const rows = [...new Map([...(await loadRows(network)), ...fresh])].slice(-MAX_ROWS)
      const all = Object(await session.get(KEY))
      await session.set({ [KEY]: { ...all, [network]: Object.fromEntries(rows) } })
    })
  }

  /** Only this module writes it. */
  async function loadRows(network: Network): Promise<ReadonlyMap<InscriptionId, Row>> {
    return new Map(Object.entries<Row>(Object(Object(await session.get(KEY))[network])))
  }
}

async function fetchFacts(
  wallet: Pick<Sources, 'assets'>,
  network: Network,
  ids: readonly InscriptionId[],
): Promise<InscriptionFacts[]> {
  try {
    return [...(await (await wallet.assets(network)).fetchInscriptions(ids)).values()]
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    return []
  }
}

function encode({ contentType, contentLength, parents }: InscriptionFacts): Row {
  return [contentType?.slice(0, MAX_TYPE) ?? null, contentLength, parents.slice(0, MAX_PARENTS)]
}

function decode([contentType, contentLength, parents, digest = null]: Row): InscriptionTraits {
  return { contentType, contentLength, parents, digest }
}
