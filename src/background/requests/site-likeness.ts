import { KNOWN_SITES } from './known-sites.ts'

/**
 * Small letters that look like a Latin one, which stands first: all of Latin, Greek, Cyrillic and Armenian that host names may
 * have, from Unicode's confusables.txt (Unicode licence, https://www.unicode.org/Public/security/latest/confusables.txt).
 */
const ALIKE =
  'aɑαа cᴄс dԁ eꬲеҽ fꬵꞙẝք gɡᶃƍց hһհ iıɪɩιіꙇӏ jϳј lǀ nոռ oᴏᴑꬽοσоօ pρр qԛգզ rꭇꭈᴦг sꜱƽѕ uꞟᴜꭎꭒʋυս vᴠνѵ wɯᴡѡԝա xх yɣᶌʏỿꭚγуү zᴢ'

/** What is no pair there but read alike in a host name: small capitals, digits, and the bar of an l. */
const READ_ALIKE = 'bв kкκ mм hн tтτ o0 l1ӏ'

const CONFUSABLE: { [letter: string]: string } = Object.fromEntries(
  [ALIKE, READ_ALIKE].flatMap(table =>
    table
      .split(' ')
      .flatMap(group => [...group.slice(1)].map(letter => [letter, group.slice(0, 1)])),
  ),
)

/** Shorter names are a letter away from too many words. */
const SHORTEST = 5

/**
 * The known site that a host could be taken for, or null: by letters that look alike, one letter more, less, changed or
 * swapped, another ending, the known name with a word, or as a part of another site's name. A site is never taken for itself,
 * nor one of its own subdomains for it.
 */
export function findLookAlike(
  host: string,
  used: readonly string[] = [],
  shipped: readonly string[] = KNOWN_SITES,
): string | null {
  const site = nameOf(host)
  const known = [...new Set([...used, ...shipped].map(nameOf))]
  if (/^\[|^[\d.]+$|(?:^|\.)localhost$/.test(site)) return null
  if (known.some(one => site === one || site.endsWith(`.${one}`) || one.endsWith(`.${site}`)))
    return null
  return known.find(one => looksLike(site, one)) ?? null
}

function looksLike(site: string, known: string): boolean {
  const name = known.split('.').at(-2) ?? ''
  if (name.length < SHORTEST) return skeletonOf(site) === skeletonOf(known)
  const labels = site.split('.').slice(0, -1)
  const knownSkeleton = skeletonOf(name)
  return labels.some(label => {
    const skeleton = skeletonOf(label)
    return (
      skeleton === knownSkeleton ||
      isOneEditAway(skeleton, knownSkeleton) ||
      skeleton.split('-').includes(knownSkeleton)
    )
  })
}

/** Lower case, without `www.` and the dot that may end a name in the DNS. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/^www\.(?=.+\.)/, '')
    .replace(/\.$/, '')
}

/** The same for names that are read alike. */
function skeletonOf(name: string): string {
  return name
    .split('.')
    .map(label => (label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label))
    .join('.')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/./gu, letter => CONFUSABLE[letter] ?? letter)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

/** One letter put in, left out or changed, or two neighbours swapped. */
function isOneEditAway(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const [restA, restB] = [a.slice(start), b.slice(start)]
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  )
}

/** RFC 3492, without what follows `xn--`; malformed text is given as it is. */
function decodePunycode(text: string): string {
  const cut = text.lastIndexOf('-')
  const output = cut > 0 ? [...text.slice(0, cut)] : []
  let [n, i, bias] = [128, 0, 72]
  for (let at = cut > 0 ? cut + 1 : 0; at < text.length; ) {
    const before = i
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(text[at++] ?? '')
      if (digit < 0 || i > 0x10ffff * 64) return text
      const value = digit < 10 ? digit + 26 : digit - 10
      i += value * weight
      const threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias
      if (value < threshold) break
      weight *= 36 - threshold
    }
    const size = output.length + 1
    let delta = Math.floor((i - before) / (before === 0 ? 700 : 2))
    delta += Math.floor(delta / size)
    let k = 0
    for (; delta > 455; k += 36) delta = Math.floor(delta / 35)
    bias = k + Math.floor((36 * delta) / (delta + 38))
    n += Math.floor(i / size)
    i %= size
    if (n > 0x10ffff) return text
    output.splice(i++, 0, String.fromCodePoint(n))
  }
  return output.join('')
}
