import type { NameProblem } from '../../background/views/payment-views.ts'
import { RpcError } from '../platform/rpc.ts'
import { type WordKey, words } from '../platform/words.ts'

/** The same answer; throws an Error in words for a person where it was that a name cannot be paid, and others as they are. */
export async function nameInWords<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const data = error instanceof RpcError ? error.data : undefined
    if (!isNameProblem(data?.nameProblem)) throw error
    throw new Error(words(NAME_WORDS[data.nameProblem], { name: `₿${data.name}` }))
  }
}

/** Why a name cannot be paid. */
const NAME_WORDS: { [problem in NameProblem]: WordKey } = {
  missing: 'nameMissing',
  unsigned: 'nameUnsigned',
  weak: 'nameWeak',
  expired: 'nameExpired',
  forged: 'nameForged',
  wildcard: 'nameForged',
  endless: 'nameForged',
  'not-a-name': 'nameMalformed',
  'no-server': 'nameNoServer',
  none: 'nameNone',
  several: 'nameSeveral',
  'not-text': 'nameBroken',
  broken: 'nameBroken',
  unpayable: 'nameUnpayable',
  superseded: 'nameSuperseded',
}

function isNameProblem(value: unknown): value is NameProblem {
  return typeof value === 'string' && Object.hasOwn(NAME_WORDS, value)
}
