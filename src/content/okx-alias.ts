import { EVERY_TAG, tagOrigin } from '../provider/okx-alias.ts'

/**
 * Whether a hint, of this or another installation, of which each has its key, says that the page of this origin may be one that
 * is to have the aliases. Anyone may have written it; the background decides.
 */
export function isHintAt(origin: string, key: string, tags: unknown): boolean {
  return tags === EVERY_TAG || (Array.isArray(tags) && tags.includes(tagOrigin(key, origin)))
}
