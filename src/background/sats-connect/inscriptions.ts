import { invalidParams } from '../../provider/errors.ts'
import {
  MAX_IDS,
  MAX_PAGE,
  parseIds,
  type SiteInscription,
} from '../../provider/inscription-params.ts'
import { parseIndex, parseOptions } from '../../provider/params.ts'
import type { Call } from '../requests/translation.ts'
import { parseAddressParam } from './addresses.ts'
import type { SatsConnectRequest } from './request.ts'

/** A page of the inscriptions of the connected address; of a longer page than there is the most that there is. */
export const getInscriptions: SatsConnectRequest = async ({ call }, params) => {
  const given = parseOptions('params', params)
  const offset = parseIndex('offset', given.offset, Number.MAX_SAFE_INTEGER)
  const limit = Math.min(parseIndex('limit', given.limit, Number.MAX_SAFE_INTEGER), MAX_PAGE)
  const { total, list } = await listInscriptions(call, offset, limit)
  return { total, limit, offset, inscriptions: list.map(describe) }
}

/** A page of inscriptions alone: NFTs of Atomicals come behind all of them, and other wallets' requests do not know those. */
export async function listInscriptions(call: Call, offset: number, limit: number) {
  const { total, list } = await call('getInscriptions', offset, limit)
  const inscriptions = list.filter(({ inscriptionId }) => !inscriptionId.endsWith('-Atomicals'))
  const isEnd = inscriptions.length < list.length && (inscriptions.length > 0 || offset === 0)
  return { total: isEnd ? offset + inscriptions.length : total, list: inscriptions }
}

/** Sends inscriptions, each to its own address, in one transaction. */
export const sendInscriptions: SatsConnectRequest = async ({ call, requireAccount }, params) => {
  const { transfers } = parseOptions('params', params)
  if (!Array.isArray(transfers) || transfers.length === 0 || transfers.length > MAX_IDS)
    throw invalidParams('transfers', transfers, `a list of 1 to ${MAX_IDS} transfers`)
  const read = Array.from(transfers, (transfer: unknown, at) =>
    parseOptions(`transfers[${at}]`, transfer),
  )
  const to = read.map(({ address }, at) => parseAddressParam(`transfers[${at}].address`, address))
  const data = parseIds(
    'transfers',
    read.map(({ inscriptionId }) => inscriptionId),
  )
  if (read.length === 1) return { txid: await call('sendInscription', to[0], data[0]) }
  const { address: from } = await requireAccount('transferNft')
  return { txid: (await call('transferNft', { from, to, data })).txhash }
}

function describe(inscription: SiteInscription) {
  const { inscriptionId, address, contentType, timestamp, offset, genesisTransaction, output } =
    inscription
  return {
    ...{ inscriptionId, address, contentType, timestamp, offset, genesisTransaction, output },
    inscriptionNumber: String(inscription.inscriptionNumber),
    postage: String(inscription.outputValue),
    contentLength: String(inscription.contentLength),
  }
}
