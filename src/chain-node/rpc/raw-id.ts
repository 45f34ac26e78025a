/**
 * The text of `id` in an object, or in each element of an array, as it is written: `1.50` and 2^53 + 1 do not survive
 * JSON.parse. Where a key is repeated the last one counts, as in JSON.parse. Null where an element has no id.
 *
 * @param text - JSON that has been parsed before
 */
export function readRawIds(text: string): (string | null)[] {
  const start = skipSpace(text, 0)
  if (text[start] === '{') return [readMembers(text, start).id]
  const ids: (string | null)[] = []
  if (text[start] !== '[') return ids
  let at = skipSpace(text, start + 1)
  while (text[at] !== ']') {
    if (text[at] === '{') {
      const { id, end } = readMembers(text, at)
      ids.push(id)
      at = end
    } else {
      ids.push(null)
      at = skipValue(text, at)
    }
    at = skipComma(text, at)
  }
  return ids
}

function readMembers(text: string, open: number): { id: string | null; end: number } {
  let id: string | null = null
  let at = skipSpace(text, open + 1)
  while (text[at] !== '}') {
    const keyEnd = skipString(text, at)
    const key = text.slice(at, keyEnd)
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const valueEnd = skipValue(text, valueStart)
    if (key === '"id"' || (key.includes('\\') && JSON.parse(key) === 'id')) {
      id = text.slice(valueStart, valueEnd)
    }
    at = skipComma(text, valueEnd)
  }
  return { id, end: at + 1 }
}

/** Counts brackets rather than calling itself: nesting may be as deep as the text is long. */
function skipValue(text: string, start: number): number {
  let depth = 0
  let at = start
  do {
    const char = text[at]
    if (char === '"') {
      at = skipString(text, at)
    } else if (char === '{' || char === '[') {
      depth++
      at++
    } else if (char === '}' || char === ']') {
      depth--
      at++
    } else if (depth > 0) {
      at++
    } else {
      at = skipBareword(text, at)
    }
  } while (depth > 0)
  return at
}

function skipString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** A number, true, false or null. */
function skipBareword(text: string, start: number): number {
  let at = start
  while (at < text.length && !' \t\n\r,]}'.includes(text.charAt(at))) at++
  return at
}

function skipComma(text: string, start: number): number {
  const at = skipSpace(text, start)
  return text[at] === ',' ? skipSpace(text, at + 1) : at
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  return at
}
