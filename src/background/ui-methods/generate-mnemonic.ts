import { generateMnemonic as generate } from '../../bitcoin/mnemonic.ts'
import { drawRandom } from '../primitives/random-source.ts'
import type { UiMethod } from './ui-context.ts'

/** 128 bits of entropy for 12 words, 256 for 24. */
export const generateMnemonic: UiMethod<'generateMnemonic'> = async ({ random }, { words }) => {
  const entropy = drawRandom(random, words === 24 ? 32 : 16)
  const mnemonic = generate(words, entropy)
  entropy.fill(0)
  return { words: mnemonic }
}
