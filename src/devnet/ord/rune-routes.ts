import { HttpError, param, type Route } from '../server/http.ts'
import { notFound, type OrdServer, page, parsePage } from './ord-call.ts'
import type { OrdIndex } from './ord-index.ts'
import { mintableAmount, type RuneEntry } from './runes/rune-entry.ts'
import { formatSpacedName, parseSpacedName } from './runes/rune-name.ts'

/** Of `/runes`, where other lists have 100 (`runes_paginated` in ord). */
const RUNES_A_PAGE = 50

/** `/rune`, by name (spacers or not), id or number; `/runes`, the newest first, in pages of 50. */
export function runeRoutes({ get }: OrdServer): Route[] {
  return [
    get('/rune/:rune', (call, index) => {
      const text = param(call, 'rune')
      const entry = index.rune(readKey(text))
      if (!entry) throw notFound(`rune ${text}`)
      const parent = `${entry.etching}i0`
      return page(call, {
        entry: describeEntry(entry),
        id: entry.id,
        mintable: mintableAmount(entry, index.height() + 1) !== null,
        parent: index.inscription(parent) ? parent : null,
      })
    }),
    get('/runes', (call, index) => page(call, listRunes(index, 0))),
    get('/runes/:page', (call, index) =>
      page(call, listRunes(index, parsePage(param(call, 'page')))),
    ),
  ]
}

function listRunes(index: OrdIndex, at: number) {
  const newest = index.runeCount() - 1 - at * RUNES_A_PAGE
  const numbers = Array.from({ length: RUNES_A_PAGE }, (_, place) => newest - place)
  const more = newest >= RUNES_A_PAGE
  return {
    entries: numbers.flatMap(number => {
      const entry = number < 0 ? undefined : index.rune({ number })
      return entry ? [[entry.id, describeEntry(entry)] as const] : []
    }),
    more,
    prev: at === 0 ? null : at - 1,
    next: more ? at + 1 : null,
  }
}

function readKey(text: string): Parameters<OrdIndex['rune']>[0] {
  if (/^\d+:\d+$/.test(text)) return { id: text }
  if (/^\d+$/.test(text)) return { number: Number(text) }
  const name = parseSpacedName(text)
  if (!name) throw new HttpError(400, `Invalid URL: cannot parse rune ${text}`)
  return { rune: name.rune }
}

function describeEntry({ id, rune, spacers, terms, ...entry }: RuneEntry) {
  return {
    ...entry,
    spaced_rune: formatSpacedName(rune, spacers),
    terms: terms && {
      amount: terms.amount,
      cap: terms.cap,
      height: [terms.height.start, terms.height.end],
      offset: [terms.offset.start, terms.offset.end],
    },
  }
}
