import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** What a part of a screen says, without its marks; parts that stand below each other are apart. */
export function textOf(node: ReactNode): string {
  return renderToStaticMarkup(node)
    .replace(
      /<\/(?:h2|p|li|dt|dd|strong|summary|text)>|<(?:b|span) class="[^"]*_(?:name|sub|note)_[^"]*">/g,
      ' ',
    )
    .replace(/<[^>]*>/g, '')
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
}
