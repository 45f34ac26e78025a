import { parseInscription } from '../../ordinals/inscriptions/inscription.ts'
import { toHex } from '../chain/hex.ts'
import { exactJson } from '../server/exact-json.ts'
import { type Call, HttpError, param, type Route } from '../server/http.ts'
import { describeBlock } from './block-info.ts'
import { describeRecursively, describeRelative } from './inscription-json.ts'
import { parseId, requireInscription } from './inscription-routes.ts'
import type { OrdInscription } from './inscriptions/inscription-ledger.ts'
import { cutPage, notFound, type OrdServer, parsePage } from './ord-call.ts'
import type { OrdIndex } from './ord-index.ts'

/** What inscriptions may ask of the server that shows them. */
export function recursiveRoutes({ network, rpc, get }: OrdServer): Route[] {
  const ofInscription = (call: Call, index: OrdIndex) =>
    requireInscription(index, parseId(param(call, 'id')))
  /** With and without a page number, as ids and as inscriptions. */
  const relatives = (kind: 'children' | 'parents') => {
    const list = (call: Call, index: OrdIndex) => {
      const page = parsePage(call.params.page ?? '0')
      return { page, ...cutPage(ofInscription(call, index)[kind], page) }
    }
    const ids = (call: Call, index: OrdIndex) => {
      const { items, more, page } = list(call, index)
      const isParents = kind === 'parents'
      return exactJson({ ids: items, more, ...(isParents ? { page_index: page } : { page }) })
    }
    const inscriptions = (call: Call, index: OrdIndex) => {
      const { items, more, page } = list(call, index)
      const found: OrdInscription[] = items.flatMap(id => index.inscription(id) ?? [])
      return exactJson({ [kind]: found.map(describeRelative), more, page })
    }
    return [
      get(`/r/${kind}/:id`, ids),
      get(`/r/${kind}/:id/inscriptions`, inscriptions),
      get(`/r/${kind}/:id/inscriptions/:page`, inscriptions),
      get(`/r/${kind}/:id/:page`, ids),
    ]
  }
  const withoutSats = () => {
    throw new HttpError(404, 'this server has no sat index')
  }
  return [
    get('/r/inscription/:id', (call, index) =>
      exactJson(describeRecursively(index, ofInscription(call, index))),
    ),
    ...relatives('children'),
    ...relatives('parents'),
    get('/r/metadata/:id', (call, index) => {
      const { id, fields } = ofInscription(call, index)
      const { metadata } = parseInscription(fields)
      if (!metadata) throw notFound(`inscription ${id} metadata`)
      return exactJson(toHex(metadata))
    }),
    get('/r/blockheight', (_, index) => exactJson(index.height())),
    get('/r/blockhash', (_, index) => exactJson(network.chain.block(index.height())?.hash ?? null)),
    get('/r/blockhash/:height', (call, index) => {
      const height = parsePage(param(call, 'height'))
      const block = height <= index.height() ? network.chain.block(height) : undefined
      if (!block) throw notFound('blockhash')
      return exactJson(block.hash)
    }),
    get('/r/blocktime', (_, index) =>
      exactJson(network.chain.block(index.height())?.timestamp ?? null),
    ),
    {
      method: 'GET',
      path: '/r/blockinfo/:block',
      handle: async call => exactJson(await describeBlock(network, rpc, param(call, 'block'))),
    },
    ...['/r/sat/:sat', '/r/sat/:sat/:page', '/r/sat/:sat/at/:i', '/r/sat/:sat/at/:i/content'].map(
      path => get(path, withoutSats),
    ),
  ]
}
