import type { SiteInscription } from '../../provider/inscription-params.ts'
import { withFixedAddresses } from '../accounts/fixed-addresses.ts'
import {
  type InscriptionListParts,
  listAddressedInscriptions,
} from '../collectibles/inscriptions.ts'
import { listSiteAtomicals } from '../collectibles/site-atomicals.ts'
import type { Method } from '../requests/method.ts'
import type { InscriptionView } from '../views/asset-views.ts'

/** A page of what is on the connected account’s fixed addresses: its inscriptions, and the NFTs of Atomicals behind them. */
export const getInscriptions: Method<'getInscriptions', InscriptionListParts> = {
  access: 'connected',
  asksServers: true,
  answer: async ({ wallet, account: connected, network }, { cursor, size }) => {
    if (!connected) return undefined
    const account = withFixedAddresses(connected)
    const range = { offset: cursor, limit: size }
    const { total, inscriptions } = await listAddressedInscriptions(wallet, account, network, range)
    const offset = Math.max(cursor - total, 0)
    const limit = Math.max(Math.min(size, cursor + size - total), 0)
    const atomicals = await listSiteAtomicals(wallet, account, network, { offset, limit })
    const list = inscriptions.map(({ view, address }) => describe(view, address))
    return { total: total + atomicals.total, list: [...list, ...atomicals.list] }
  },
}

function describe(view: InscriptionView, address: string): SiteInscription {
  const { id, outpoint, offset } = view
  return {
    inscriptionId: id,
    inscriptionNumber: view.number,
    address,
    outputValue: Number(view.sats),
    contentLength: view.contentLength ?? 0,
    contentType: view.contentType ?? '',
    timestamp: Math.floor(view.at / 1000),
    offset: Number(offset),
    output: outpoint,
    genesisTransaction: id.slice(0, 64),
    location: `${outpoint}:${offset}`,
  }
}
