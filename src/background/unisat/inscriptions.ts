import { DEFAULT_PAGE, MAX_PAGE } from '../../provider/inscription-params.ts'
import { parseIndex } from '../../provider/params.ts'
import type { Translation } from '../requests/translation.ts'
import { listInscriptions } from '../sats-connect/inscriptions.ts'

/** A page of the inscriptions of the connected address; of a longer page than there is the most that there is. */
export const getInscriptions: Translation = async ({ call }, [cursor, size]) => {
  const offset = parseIndex('cursor', cursor ?? 0, Number.MAX_SAFE_INTEGER)
  const limit = parseIndex('size', size ?? DEFAULT_PAGE, Number.MAX_SAFE_INTEGER)
  return listInscriptions(call, offset, Math.min(limit, MAX_PAGE))
}

/** The amount is the person's to say, so the answer names the inscription and not what it holds. */
export const inscribeTransfer: Translation = async ({ call, requireAccount }, [ticker, amount]) => {
  const { address: from } = await requireAccount('inscribe')
  const reveal = await call('inscribe', { from, tick: ticker, amt: amount })
  return { inscriptionId: `${reveal}i0`, ticker }
}
