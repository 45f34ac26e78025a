import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES } from '../../src/browser/languages.ts'

/** The pictures of `npm run store:pictures`. */
export type PictureName = 'home' | 'approval' | 'gallery' | 'send' | 'wide'

/** What the store says of the wallet in a language, as `listings/<tag>.json` has it beside the name and summary of the manifest. */
export type Listing = {
  readonly intro: string
  readonly featuresTitle: string
  /** By the keys of `claims.json`. */
  readonly features: { readonly [claim: string]: string }
  /** A line with `{languages}`: those that can be chosen in the wallet. */
  readonly languages: string
  readonly limitsTitle: string
  readonly limits: readonly string[]
  /** What stands beside each picture, above the text of a feature. */
  readonly pictures: { readonly [picture in PictureName]: string }
}

/**
 * Most characters that both stores and Edge's take. Names: Edge and addons-linter 45, Chrome 75. Summaries: Chrome 132 (it is the
 * manifest's description), addons.mozilla.org 250. Descriptions: addons.mozilla.org 15,000, Chrome 16,000.
 */
export const MOST_CHARACTERS = { name: 45, summary: 132, description: 15_000 }

/** Languages that the wallet has words in, offered or not, as BCP 47 tags. */
export const STORE_LANGUAGES = [
  ...['en', 'de', 'es', 'fr', 'pt-BR', 'tr', 'vi', 'ru', 'ar', 'zh-CN', 'zh-TW', 'ja', 'ko'],
]

export function readListing(root: string, tag: string): Listing {
  return readJson(join(root, 'release', 'store', 'listings', `${tag}.json`)) as Listing
}

/** The name and the summary, which the stores take from the package itself. */
export function readTitle(root: string, tag: string): { name: string; summary: string } {
  const path = join(root, 'public', '_locales', tag.replace('-', '_'), 'messages.json')
  const words = readJson(path) as { [key: string]: { message: string } | undefined }
  return {
    name: words.extensionName?.message ?? '',
    summary: words.extensionDescription?.message ?? '',
  }
}

/** The long description, plain text that both stores show as it is. */
export function formatDescription(listing: Listing, tag: string): string {
  const list = (lines: readonly string[]) => lines.map(line => `• ${line}`).join('\n')
  return [
    listing.intro,
    `${listing.featuresTitle}\n${list(Object.values(listing.features))}`,
    listing.languages.replace('{languages}', nameLanguages(tag)),
    `${listing.limitsTitle}\n${list(listing.limits)}`,
  ].join('\n\n')
}

/** A text file a language with name, summary and description, to be put into the stores' forms. */
export function writeListings(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const tag of STORE_LANGUAGES) {
    const { name, summary } = readTitle(root, tag)
    const description = formatDescription(readListing(root, tag), tag)
    writeFileSync(join(folder, `${tag}.txt`), `${name}\n\n${summary}\n\n${description}\n`)
  }
}

/** Those that a person can choose, in the words of a language. */
function nameLanguages(tag: string): string {
  const names = new Intl.DisplayNames(tag, { type: 'language' })
  return new Intl.ListFormat(tag).format(LANGUAGES.map(language => names.of(language) ?? language))
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
