import { parseFields, parseInteger, parseText, refuseOthers } from '../admin/admin-fields.ts'
import { HttpError, json, type Route } from '../server/http.ts'
import { LIE_NAMES, type LieName, type Lies } from './lies.ts'

const MOST_BLOCKS = 1000

/** `GET /devnet/lies`, `POST /devnet/lies` and `/devnet/lies/end`. */
export function lieRoutes(lies: Lies): Route[] {
  return [
    { method: 'GET', path: '/devnet/lies', handle: () => json(lies.list()) },
    {
      method: 'POST',
      path: '/devnet/lies',
      handle(call) {
        const fields = parseFields(call)
        refuseOthers(fields, ['name', 'depth', 'blocks', 'txid'])
        const depth = parseInteger(fields, 'depth', 1, MOST_BLOCKS, 3)
        return json(
          lies.tell({
            name: parseName(fields.name),
            depth,
            blocks: parseInteger(fields, 'blocks', 1, MOST_BLOCKS, depth),
            txid: parseText(fields, 'txid') ?? null,
          }),
        )
      },
    },
    {
      method: 'POST',
      path: '/devnet/lies/end',
      handle(call) {
        refuseOthers(parseFields(call), [])
        lies.end()
        return json(lies.list())
      },
    },
  ]
}

function parseName(value: unknown): LieName {
  const name = LIE_NAMES.find(one => one === value)
  if (!name) throw new HttpError(400, `name: must be one of ${LIE_NAMES.join(', ')}`)
  return name
}
