import { describe, expect, it } from 'vitest'
import type { InscriptionTraits } from './inscription-traits.ts'
import { findSpam, type UnaskedArrival } from './spam-rule.ts'

const PNG: InscriptionTraits = {
  ...{ contentType: 'image/png', contentLength: 400, parents: [], digest: null },
}
const arrival = (
  id: string,
  traits: Partial<InscriptionTraits> | undefined = {},
  recipients = 2,
): UnaskedArrival => ({ id, recipients, traits: traits && { ...PNG, ...traits } })

const reasonsOf = (...arrivals: UnaskedArrival[]) => Object.fromEntries(findSpam(arrivals))

describe('what came unasked', () => {
  it.each([
    'text/html',
    'text/html;charset=utf-8',
    'TEXT/HTML',
    'application/xhtml+xml',
    'image/svg+xml',
    'text/javascript',
    'application/javascript',
    'application/x-javascript',
  ])('is possible spam as %s, which runs code elsewhere', contentType => {
    expect(reasonsOf(arrival('a', { contentType }))).toEqual({ a: 'code' })
  })

  it.each(['image/png', 'text/plain', 'application/json', 'video/mp4', 'model/gltf-binary', null])(
    'is none for being %s',
    contentType => {
      expect(reasonsOf(arrival('a', { contentType }))).toEqual({})
    },
  )

  it('is none without a body, whatever its type says', () => {
    expect(reasonsOf(arrival('a', { contentType: 'text/html', contentLength: null }))).toEqual({})
  })

  it('is possible spam where its transaction pays ten or more, and not where it pays nine', () => {
    expect(reasonsOf(arrival('a', {}, 10))).toEqual({ a: 'many-recipients' })
    expect(reasonsOf(arrival('a', {}, 9))).toEqual({})
  })

  it('is possible spam in three copies, and not in two', () => {
    const copies = ['a', 'b', 'c'].map(id => arrival(id, { digest: 'same' }))
    expect(reasonsOf(...copies)).toEqual({
      a: 'same-content',
      b: 'same-content',
      c: 'same-content',
    })
    expect(reasonsOf(...copies.slice(1), arrival('d', { digest: 'other' }))).toEqual({})
  })

  it('is none while nobody has seen its content, or knows what it is', () => {
    expect(reasonsOf(arrival('a'), arrival('b'), arrival('c'))).toEqual({})
    const unknown: UnaskedArrival = { id: 'a', recipients: 1, traits: undefined }
    expect(reasonsOf(unknown)).toEqual({})
    expect(reasonsOf({ ...unknown, recipients: 50 })).toEqual({ a: 'many-recipients' })
  })
})
