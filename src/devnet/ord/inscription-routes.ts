import { parseInscriptionId } from '../../ordinals/inscription-id.ts'
import { exactJson } from '../server/exact-json.ts'
import { HttpError, param, type Route } from '../server/http.ts'
import { serveContent } from './content.ts'
import { describeInscription } from './inscription-json.ts'
import type { OrdInscription } from './inscriptions/inscription-ledger.ts'
import {
  cutPage,
  notFound,
  type OrdServer,
  PAGE_SIZE,
  page,
  parsePage,
  parseTexts,
  requireJson,
} from './ord-call.ts'
import type { OrdIndex } from './ord-index.ts'

/** Inscriptions one by one, in lists, and their content. */
export function inscriptionRoutes({ get, post }: OrdServer): Route[] {
  return [
    get('/inscription/:key', (call, index) =>
      page(call, describeInscription(index, findByKey(index, param(call, 'key')))),
    ),
    get('/inscription/:key/:child', (call, index) => {
      const key = param(call, 'key')
      const child = findByKey(index, key).children[parsePage(param(call, 'child'))]
      if (child === undefined) throw notFound(`inscription ${key}`)
      return page(call, describeInscription(index, requireInscription(index, child)))
    }),
    post('/inscriptions', (call, index) => {
      requireJson(call)
      return exactJson(
        parseTexts(call).map(id =>
          describeInscription(index, requireInscription(index, parseId(id))),
        ),
      )
    }),
    post('/missing', (call, index) => {
      requireJson(call)
      return exactJson(parseTexts(call).filter(id => !index.inscription(parseId(id))))
    }),
    get('/inscriptions', (call, index) => page(call, listNewest(index, 0))),
    get('/inscriptions/:page', (call, index) =>
      page(call, listNewest(index, parsePage(param(call, 'page')))),
    ),
    get('/inscriptions/block/:height', (call, index) =>
      page(call, listBlock(index, parsePage(param(call, 'height')), 0)),
    ),
    get('/inscriptions/block/:height/:page', (call, index) =>
      page(
        call,
        listBlock(index, parsePage(param(call, 'height')), parsePage(param(call, 'page'))),
      ),
    ),
    get('/content/:id', (call, index) => {
      const inscription = requireInscription(index, parseId(param(call, 'id')))
      const { delegate } = inscription
      const served = delegate === null ? inscription : index.inscription(delegate)
      if (!served) throw notFound(`delegate ${inscription.id}`)
      return serveContent(call, inscription.id, served.fields)
    }),
    get('/r/undelegated-content/:id', (call, index) => {
      const { id, fields } = requireInscription(index, parseId(param(call, 'id')))
      return serveContent(call, id, fields)
    }),
  ]
}

/** Throws HttpError for what is no inscription id. */
export function parseId(text: string): string {
  if (!parseInscriptionId(text)) throw new HttpError(400, `Invalid URL: invalid inscription ID`)
  return text
}

export function requireInscription(index: OrdIndex, id: string): OrdInscription {
  const inscription = index.inscription(id)
  if (!inscription) throw notFound(`inscription ${id}`)
  return inscription
}

/** By id or number; names of sats need an index of sats. */
function findByKey(index: OrdIndex, key: string): OrdInscription {
  if (/^[a-z]{1,11}$/.test(key)) throw notFound('sat index required')
  const inscription = index.inscription(/^-?\d{1,10}$/.test(key) ? Number(key) : parseId(key))
  if (!inscription) throw notFound(`inscription ${key}`)
  return inscription
}

function listNewest(index: OrdIndex, page: number) {
  const { blessed, cursed } = index.counts()
  const last = blessed + cursed - 1 - page * PAGE_SIZE
  const ids = Array.from(
    { length: Math.max(0, Math.min(PAGE_SIZE, last + 1)) },
    (_, i) => index.idAt(last - i) ?? '',
  )
  return { ids, more: last >= PAGE_SIZE, page_index: page }
}

function listBlock(index: OrdIndex, height: number, page: number) {
  const { items, more } = cutPage(index.revealedAt(height), page)
  return { ids: items, more, page_index: page }
}
