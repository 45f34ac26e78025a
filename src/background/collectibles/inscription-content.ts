import type { Network } from '../../bitcoin/network.ts'
import type { InscriptionContent } from '../../chain/asset-source.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { describeContent, MAX_CONTENT, placeholder } from '../../ordinals/content/content-view.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { listOwnScripts, type OwnScriptParts } from '../coins/coins.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Sources } from '../settings/servers.ts'
import type { ContentView } from '../views/asset-views.ts'
import { fetchRevealedContent } from './inscription-reveal.ts'
import { createTransactionLookup, TooFarError } from './transaction-lookup.ts'

/** The parts of the wallet that load what an inscription shows. */
export type ContentParts = Pick<Sources, 'chain' | 'assets'> & Clock & OwnScriptParts

/**
 * What can be shown of an inscription, a placeholder if need be. In full it is what the reveal itself carries, where the
 * chain server has it and the wallet can read its encoding; else what the index serves.
 */
export async function fetchContentView(
  wallet: ContentParts,
  network: Network,
  id: InscriptionId,
  { preview }: { preview: boolean },
): Promise<ContentView> {
  try {
    const content =
      (preview ? null : await fetchProven(wallet, network, id)) ??
      (await (await wallet.assets(network)).fetchContent(id, MAX_CONTENT))
    return content ? describeContent(content, preview) : await explainAbsence(wallet, network, id)
  } catch (error) {
    if (error instanceof BackendUnavailableError) return placeholder('unanswered')
    throw error
  }
}

/** Null where the chain server does not answer, or has nothing that can be proven and read. */
async function fetchProven(
  wallet: ContentParts,
  network: Network,
  id: InscriptionId,
): Promise<InscriptionContent | null> {
  try {
    const lookup = createTransactionLookup(await wallet.chain(network), wallet.now)
    const own = await listOwnScripts(wallet, network)
    const scripts = own.map(({ scriptPubKey }) => scriptPubKey)
    return await fetchRevealedContent(lookup, id, scripts, MAX_CONTENT)
  } catch (error) {
    if (error instanceof BackendUnavailableError || error instanceof TooFarError) return null
    throw error
  }
}

async function explainAbsence(
  wallet: ContentParts,
  network: Network,
  id: InscriptionId,
): Promise<ContentView> {
  const facts = (await (await wallet.assets(network)).fetchInscriptions([id])).get(id)
  return placeholder(facts?.contentLength ? 'too-large' : 'empty')
}
