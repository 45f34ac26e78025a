/**
 * English in disguise, for tests and pictures alone: `long` has accents and is two fifths longer, as translations can be;
 * `mirrored` runs from right to left besides. What stays in plain English on a screen is a text that cannot be translated.
 */
export type Pseudo = 'long' | 'mirrored'

type Messages = { [key: string]: { message: string } }

/** What `SATCHEL_WORDS` says; null for the words as they are. */
export function parsePseudo(told: string | undefined): Pseudo | null {
  if (told === undefined || told === '') return null
  if (told === 'long' || told === 'mirrored') return told
  throw new Error(`SATCHEL_WORDS is ${told}, expected long or mirrored`)
}

const ACCENTS: { [letter: string]: string } = {
  ...{ a: 'á', b: 'ƀ', c: 'ç', d: 'ð', e: 'é', f: 'ƒ', g: 'ğ', h: 'ĥ', i: 'í', j: 'ĵ', k: 'ķ' },
  ...{ l: 'ļ', m: 'ɱ', n: 'ñ', o: 'ö', p: 'þ', q: 'ǫ', r: 'ŕ', s: 'š', t: 'ţ', u: 'ü', v: 'ṽ' },
  ...{ w: 'ŵ', x: 'ẋ', y: 'ý', z: 'ž', A: 'Å', B: 'Ɓ', C: 'Ç', D: 'Ð', E: 'É', F: 'Ƒ', G: 'Ğ' },
  ...{ H: 'Ĥ', I: 'Î', J: 'Ĵ', K: 'Ķ', L: 'Ļ', M: 'Ṁ', N: 'Ñ', O: 'Ö', P: 'Þ', Q: 'Ǫ', R: 'Ŕ' },
  ...{ S: 'Š', T: 'Ţ', U: 'Û', V: 'Ṽ', W: 'Ŵ', X: 'Ẋ', Y: 'Ý', Z: 'Ž' },
}

/** Right-to-left override, and its end: letters in the order of a text that runs to the left. */
const [OVERRIDE, END] = ['\u202e', '\u202c']

/** All messages in disguise; `{names}` stay. Those that the manifest names stay as they are, since stores read them. */
export function makePseudo(messages: Messages, pseudo: Pseudo): Messages {
  return Object.fromEntries(
    Object.entries(messages).map(([key, { message }]) => [
      key,
      { message: disguise(message, pseudo) },
    ]),
  )
}

function disguise(message: string, pseudo: Pseudo): string {
  const parts = message.split(/(\{\w+\})/)
  const said = parts.map((part, at) => (at % 2 === 1 ? part : mark(part, pseudo))).join('')
  const letters = parts.filter((_, at) => at % 2 === 0).join('').length
  return `${said}${mark(padding(Math.ceil(letters * 0.4)), pseudo)}`
}

/** In words, which lines can be broken between, as in a translation. */
function padding(length: number): string {
  return ' lorem ipsum dolor'
    .repeat(Math.ceil(length / 18))
    .slice(0, length)
    .trimEnd()
}

function mark(text: string, pseudo: Pseudo): string {
  const accented = text.replace(/[a-zA-Z]/g, letter => ACCENTS[letter] ?? letter)
  return pseudo === 'mirrored' && accented !== '' ? `${OVERRIDE}${accented}${END}` : accented
}
