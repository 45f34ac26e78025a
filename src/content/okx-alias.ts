import { EVERY_TAG, tagOrigin } from '../provider/okx-alias.ts'

/**
 * Whether the page of this origin may be one that is to have the aliases, by hints of this and other installations, of
 * which each has its key. Anyone may have written them; the background decides.
 */
export function mayHaveAliases(hints: unknown, origin: string): boolean {
  return Object.entries(Object(hints)).some(
    ([key, tags]) =>
      tags === EVERY_TAG || (Array.isArray(tags) && tags.includes(tagOrigin(key, origin))),
  )
}
