import { expect, it } from 'vitest'
import { METHOD_NAMES } from '../../src/provider/method-names.ts'
import { CARD_GROUPS } from './method-cards.ts'

it('has a card for each operation of the provider, and for nothing else', () => {
  const methods = CARD_GROUPS.flatMap(({ cards }) => cards.map(({ method }) => method))
  expect(methods.toSorted()).toEqual(METHOD_NAMES.toSorted())
})
