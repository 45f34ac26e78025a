import { equalBytes } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { AssetSource, InscriptionFacts } from '../../chain/asset-source.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { MAX_CONTENT } from '../../ordinals/content/content-view.ts'
import type { SatPoint } from '../../ordinals/flow/sat-flow.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { listOwnScripts, type OwnScriptParts } from '../coins/coins.ts'
import type { Clock } from '../primitives/clock.ts'
import { forEachConcurrently } from '../primitives/concurrency.ts'
import { createMutex } from '../primitives/mutex.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { Sources } from '../settings/servers.ts'
import type { InscriptionDetail, InscriptionProof } from '../views/asset-views.ts'
import {
  decodeBody,
  fetchReveal,
  fetchShownReveal,
  type RevealedInscription,
} from './inscription-reveal.ts'
import { followInscribedSat } from './sat-tracing.ts'
import { createTransactionLookup, TooFarError } from './transaction-lookup.ts'

/** How far an inscription was checked, why not further, and whose content it shows by its reveal. */
export type ProvenInscription = {
  proof: InscriptionProof
  detail: InscriptionDetail['proofDetail']
  delegate: InscriptionId | null
}

/** An inscription, and where it is said to be; null for where the index says. */
export type Claim = { id: InscriptionId; satpoint: SatPoint | null }

/** What was proven of being at a satpoint; null where nobody says where it is. */
export type ProvenClaim = ProvenInscription & { satpoint: SatPoint | null }

/** The parts of the wallet that check inscriptions against the chain. */
export type ProofParts = Pick<Sources, 'chain' | 'assets'> &
  Clock &
  OwnScriptParts & {
    inscriptionProofs: InscriptionProofs
  }

/** What was proven, of which claim: the satpoint and the facts of the index that bear on it, as one text. */
type Row = [network: Network, id: InscriptionId, claim: string, proven: ProvenInscription]

/** What came out of checking what an index said of an inscription. */
type Checked = { facts: InscriptionFacts; satpoint: SatPoint; proven: ProvenInscription }

const ROWS = 'inscriptionProofs'
const MAX_ROWS = 3_000

/** A claim with a longer content type is checked whenever it matters. */
const MAX_CLAIM = 300

/** Inscriptions that are checked at the same time, so that chain server and index are both busy, and how long a person waits for all of them. */
const CONCURRENCY = 8
const TIMEOUT_MS = 20_000

const UNPROVEN: ProvenInscription = {
  proof: 'server',
  detail: { kind: 'unanswered' },
  delegate: null,
}

export type InscriptionProofs = ReturnType<typeof createInscriptionProofs>

/**
 * What came out of checking inscriptions, in local storage. What was verified stays so: the hash of the transaction that holds
 * the coin covers all that it descends from.
 */
export function createInscriptionProofs({
  local,
  isThere = async () => true,
}: {
  local: StorageArea
  /** Whether there is a wallet: of one that was erased nothing is kept. */
  isThere?(): Promise<boolean>
}) {
  const inTurn = createMutex()

  return {
    /** Looks up what was found of a claim before; null when it was not checked, or the index said something else then. */
    async recall(
      network: Network,
    ): Promise<(facts: InscriptionFacts, satpoint: SatPoint) => ProvenInscription | null> {
      const rows = (await load()).filter(row => row[0] === network)
      const known = new Map(rows.map(([, id, claim, proven]) => [`${id} ${claim}`, proven]))
      return (facts, satpoint) => known.get(`${facts.id} ${describeClaim(facts, satpoint)}`) ?? null
    },
    async remember(network: Network, results: readonly Checked[]): Promise<void> {
      const rows = results.flatMap(({ facts, satpoint, proven }): Row[] => {
        const claim = describeClaim(facts, satpoint)
        return claim.length > MAX_CLAIM ? [] : [[network, facts.id, claim, proven]]
      })
      if (rows.length === 0) return
      await inTurn(async () => {
        const keyOf = ([network, id, claim]: Row) => `${network} ${id} ${claim}`
        const fresh = new Set(rows.map(keyOf))
        const others = (await load()).filter(row => !fresh.has(keyOf(row)))
        if (await isThere()) await local.set({ [ROWS]: [...rows, ...others].slice(0, MAX_ROWS) })
      })
    },
  }

  /** Only this module writes the key. */
  async function load(): Promise<readonly Row[]> {
    const stored = await local.get(ROWS)
    return Array.isArray(stored) ? stored : []
  }
}

function describeClaim({ contentType, contentLength }: InscriptionFacts, at: SatPoint): string {
  return `${at.outpoint}:${at.offset} ${contentLength} ${contentType}`
}

/** As {@link proveInscriptions}, of one. */
export async function proveInscription(
  wallet: ProofParts,
  network: Network,
  id: InscriptionId,
  satpoint: SatPoint,
): Promise<ProvenInscription> {
  const proven = await proveInscriptions(wallet, network, [{ id, satpoint }])
  return proven.get(id) ?? UNPROVEN
}

/**
 * Checks inscriptions against the chain server, by id: that the reveal carries what the index says and serves, and that the
 * inscribed sat went to where it is said to be. What takes longer than a person waits is left as the server's word. Throws
 * BackendUnavailableError when the index does not answer.
 */
export async function proveInscriptions(
  wallet: ProofParts,
  network: Network,
  claims: readonly Claim[],
): Promise<ReadonlyMap<InscriptionId, ProvenClaim>> {
  const index = await wallet.assets(network)
  const facts = await index.fetchInscriptions(claims.map(({ id }) => id))
  const recall = await wallet.inscriptionProofs.recall(network)
  const own = await listOwnScripts(wallet, network)
  const ownScripts = own.map(({ scriptPubKey }) => scriptPubKey)
  const until = wallet.now() + TIMEOUT_MS
  const proven = new Map<InscriptionId, ProvenClaim>()
  const checked: Checked[] = []
  const shared = { known: new Map(), bytes: 0 }
  await forEachConcurrently(claims, CONCURRENCY, async ({ id, satpoint: claimed }) => {
    const told = facts.get(id)
    const satpoint = claimed ?? told?.satpoint ?? null
    const before = told && satpoint && recall(told, satpoint)
    const isVerified = before?.proof === 'verified'
    const found = isVerified ? before : told && satpoint ? await prove(told, satpoint) : UNPROVEN
    proven.set(id, { ...found, satpoint })
  }).finally(() => wallet.inscriptionProofs.remember(network, checked))
  return proven

  async function prove(told: InscriptionFacts, satpoint: SatPoint): Promise<ProvenInscription> {
    try {
      const lookup = createTransactionLookup(await wallet.chain(network), wallet.now, {
        ...{ until, shared },
      })
      const result = await checkClaim(lookup, index, ownScripts, told, satpoint)
      checked.push({ facts: told, satpoint, proven: result })
      return result
    } catch (error) {
      if (error instanceof BackendUnavailableError || error instanceof TooFarError) return UNPROVEN
      throw error
    }
  }
}

async function checkClaim(
  lookup: ReturnType<typeof createTransactionLookup>,
  index: AssetSource,
  ownScripts: readonly Uint8Array[],
  facts: InscriptionFacts,
  satpoint: SatPoint,
): Promise<ProvenInscription> {
  const servedAsked = fetchServed(index, facts.id)
  const reveal = await fetchReveal(lookup, facts.id, ownScripts)
  if (!reveal) return contradicted({ kind: 'not-in-reveal' }, null)
  const { delegate } = reveal.inscription
  const shown = await fetchShownReveal(lookup, reveal, ownScripts)
  const carries = await compareContent(servedAsked, facts, reveal, shown)
  if (carries === false) return contradicted({ kind: 'other-content' }, delegate)
  if (carries === null) return { proof: 'server', detail: null, delegate }

  const trace = await followInscribedSat(lookup, reveal, satpoint.outpoint).catch(error => {
    if (error instanceof BackendUnavailableError) return { kind: 'unanswered' } as const
    throw error
  })
  if (trace.kind !== 'found') return { proof: 'revealed', detail: trace, delegate }
  const { outpoint, offset } = trace.satpoint
  if (outpoint !== satpoint.outpoint || offset !== satpoint.offset)
    return contradicted({ kind: 'elsewhere', outpoint }, delegate)
  return { proof: 'verified', detail: { kind: 'followed', hops: trace.hops }, delegate }
}

/** Whether the chain carries what the index says and serves; null where that cannot be told. */
async function compareContent(
  servedAsked: Promise<Uint8Array | null>,
  { contentType, contentLength }: InscriptionFacts,
  reveal: RevealedInscription,
  shown: RevealedInscription,
): Promise<boolean | null> {
  if (!reveal.covered || !shown.covered) return null
  const { inscription } = reveal
  // With a delegate, indexes differ in whose type they tell.
  const types = [inscription.contentType, shown.inscription.contentType]
  const lengths = [inscription.contentLength, shown.inscription.contentLength]
  if (!types.includes(contentType) || !lengths.includes(contentLength)) return false
  const bytes = await decodeBody(shown, MAX_CONTENT)
  if (!bytes) return null
  const served = await servedAsked
  return !served || equalBytes(served, bytes)
}

/** What is shown in full is the reveal's own, so an index that serves nothing takes nothing from the proof. */
async function fetchServed(index: AssetSource, id: InscriptionId): Promise<Uint8Array | null> {
  return (await nullIfUnanswered(index.fetchContent(id, MAX_CONTENT)))?.bytes ?? null
}

function contradicted(
  detail: InscriptionDetail['proofDetail'],
  delegate: InscriptionId | null,
): ProvenInscription {
  return { proof: 'contradicted', detail, delegate }
}
