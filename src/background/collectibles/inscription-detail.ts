import type { Network } from '../../bitcoin/network.ts'
import { type InscriptionId, parseInscriptionId } from '../../ordinals/inscription-id.ts'
import { invalidParams } from '../../provider/errors.ts'
import { explorerUrlOf } from '../activity/explorer.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { Servers } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type { InscriptionDetail } from '../views/asset-views.ts'
import { type ProofParts, type ProvenInscription, proveInscription } from './inscription-proofs.ts'
import { describeInscription, loadHeldInscriptions, placeOf } from './inscriptions.ts'

/** Characters of a text that an inscription names its protocol with. */
const MAX_METAPROTOCOL = 200

/** An inscription of an account, checked against the chain server. Throws -32602 for one that is not there, BackendUnavailableError. */
export async function fetchInscriptionDetail(
  wallet: CoinParts & ProofParts & { servers: Pick<Servers, 'urls'> },
  account: AccountView,
  network: Network,
  id: InscriptionId,
): Promise<InscriptionDetail> {
  const { held } = await loadHeldInscriptions(wallet, account, network)
  const one = held.find(({ asset }) => asset.id === id)
  const known = one && (await describeInscription(wallet, network, one))
  if (!known) throw invalidParams('id', id, 'an inscription of this account')
  const { view, facts } = known
  const satpoint = placeOf(one, facts)
  const { proof, detail, delegate } = satpoint
    ? await proveInscription(wallet, network, id, satpoint)
    : misplaced(facts.satpoint.outpoint)
  const reveal = parseInscriptionId(id)?.txid ?? ''
  return {
    ...view,
    proof,
    proofDetail: detail,
    delegate,
    address: account.address,
    reveal,
    explorerUrl: explorerUrlOf((await wallet.servers.urls(network)).chain, network, reveal),
    parents: [...facts.parents],
    charms: [...facts.charms],
    metaprotocol: facts.metaprotocol?.slice(0, MAX_METAPROTOCOL) ?? null,
  }
}

/** The index itself has it elsewhere, though it said that it is on the coin. */
function misplaced(outpoint: string): ProvenInscription {
  return { proof: 'contradicted', detail: { kind: 'elsewhere', outpoint }, delegate: null }
}
