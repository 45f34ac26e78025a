import { fromHex } from '../../bitcoin/bytes.ts'
import { parseEnvelopes } from '../../ordinals/inscriptions/envelope.ts'
import type { EnvelopeContent } from '../../ordinals/inscriptions/envelope-script.ts'
import type { Inscribing, Reveal } from '../../ordinals/inscriptions/inscribing.ts'
import { parseInscription } from '../../ordinals/inscriptions/inscription.ts'
import { type ContentParts, fetchContentView } from '../collectibles/inscription-content.ts'
import type { ContentView } from '../views/asset-views.ts'
import type { InscribeItemView } from '../views/inscribe-views.ts'
import { describeItem, loadPreview } from './inscribe-review.ts'
import type { JobRecord } from './job-record.ts'
import { findCommit, findLanded, listSpenders } from './job-state.ts'
import type { Jobs } from './jobs.ts'
import { decodeInscribing } from './stored-inscribing.ts'

/** What a signing was built from. */
export async function loadInscribing(
  wallet: { jobs: Pick<Jobs, 'loadBytes'> },
  job: JobRecord,
  attempt: number,
): Promise<Inscribing> {
  const { inscribing } = (await wallet.jobs.loadBytes(job, attempt)) ?? {}
  if (!inscribing) throw new Error(`Job ${job.id} lost what it was built from`)
  return decodeInscribing(inscribing)
}

/** Items as they are shown, with the fees of these reveals of theirs. */
export function viewItems(
  wallet: ContentParts,
  { network }: JobRecord,
  { reveals }: Inscribing,
  items: readonly number[],
  fees: readonly Pick<Reveal, 'fee' | 'vsize'>[],
): Promise<InscribeItemView[]> {
  return Promise.all(
    listInscribed(reveals, items).map(async (item, at) => {
      const leaf = reveals[item]?.leaf
      const content = leaf ? readLeaf(leaf) : {}
      const { fee, vsize } = fees[at] ?? { fee: 0n, vsize: 0 }
      return describeItem(
        content,
        await loadPreview(wallet, network, content),
        { fee, vsize },
        null,
      )
    }),
  )
}

/** Those of the items that inscribe something: an etching alone does not. */
function listInscribed(reveals: readonly Reveal[], items: readonly number[]): number[] {
  return items.filter(item => {
    const leaf = reveals[item]?.leaf
    return leaf !== undefined && parseEnvelopes([[leaf, new Uint8Array()]]).length > 0
  })
}

/** What can be shown of an item: what was signed, and once that is put away, what the index has. */
export async function loadItemContent(
  wallet: ContentParts & { jobs: Pick<Jobs, 'loadBytes'> },
  job: JobRecord,
  item: number,
): Promise<ContentView> {
  const commit = findCommit(job)
  const { inscribing } = (await wallet.jobs.loadBytes(job, commit.attempt)) ?? {}
  const leaf = inscribing?.reveals[item]?.leaf
  if (leaf !== undefined) return loadPreview(wallet, job.network, readLeaf(fromHex(leaf)))
  const landed = findLanded(job, listSpenders(job, commit.txid, item))
  const txid = landed?.txid ?? job.revealTxids[item] ?? ''
  return fetchContentView(wallet, job.network, `${txid}i0`, { preview: false })
}

/** The content of a leaf of ours; nothing of one without an inscription. */
export function readLeaf(leaf: Uint8Array): EnvelopeContent {
  // In a witness, the script comes before the control block.
  const [envelope] = parseEnvelopes([[leaf, new Uint8Array()]])
  if (!envelope) return {}
  const { contentType, contentEncoding, delegate, metadata } = parseInscription(envelope.fields)
  return {
    ...(contentType !== null && { contentType }),
    ...(envelope.fields.body && { body: envelope.fields.body }),
    ...(contentEncoding !== null && { contentEncoding }),
    ...(delegate !== null && { delegate }),
    ...(metadata !== null && { metadata }),
  }
}
