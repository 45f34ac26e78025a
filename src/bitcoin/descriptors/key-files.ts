// Key files: what wallets and devices give out so that another wallet watches their addresses, as text that a person pasted, chose
// as a file or showed as a QR code. It promises that a text gives accounts or one error that says what is wrong, in a second;
// it never repeats what could be a secret.

import { InvalidKeyFileError, type KeyFile, toKeyFileError } from './key-candidates.ts'
import { readJsonKeyFile } from './key-file-json.ts'
import { readTextKeyFile } from './key-file-text.ts'

/** Characters of the largest key file: 1 MiB. */
export const MAX_KEY_FILE_LENGTH = 1_048_576

/** To check that each is a point of the curve takes most of the time. */
const MOST_EXTENDED_KEYS = 1_500

const UNDERSTOOD =
  'understood are extended public keys, output descriptors, multisig files, and the exports of Bitcoin Core, Coldcard, Electrum, Keystone, Specter and Sparrow'

/** The accounts of a key file. Throws {@link InvalidKeyFileError}. */
export function parseKeyFile(text: string): KeyFile {
  if (text.length > MAX_KEY_FILE_LENGTH)
    throw new InvalidKeyFileError(
      'too-large',
      `expected at most ${MAX_KEY_FILE_LENGTH} characters, found ${text.length}`,
    )
  const keys = text.match(/[xyzYZtuvUV]pub[1-9A-HJ-NP-Za-km-z]/g)?.length ?? 0
  if (keys > MOST_EXTENDED_KEYS)
    throw new InvalidKeyFileError(
      'too-large',
      `expected at most ${MOST_EXTENDED_KEYS} keys, found ${keys}`,
    )
  const content = text.replace(/^\uFEFF/, '').trim()
  expectReadable(content)
  let file: KeyFile | null
  try {
    const json = parseJson(content)
    file = json === undefined ? readTextKeyFile(content) : readJsonKeyFile(json)
  } catch (error) {
    throw toKeyFileError(error)
  }
  if (file && file.candidates.length > 0) return file
  if (hasSecret(content))
    throw new InvalidKeyFileError(
      'private',
      'it has private keys or a recovery phrase: expected public keys, and nothing else is needed',
    )
  throw new InvalidKeyFileError('unknown', `found ${describe(content)}; ${UNDERSTOOD}`)
}

/** Undefined where a text is no JSON. Electrum adds its changes after a comma to the end of its file. */
function parseJson(text: string): unknown {
  if (!/^(?:\{|\[\s*[{\]])/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON as it stands.
  }
  try {
    const parts: unknown = JSON.parse(`[${text.replace(/,\s*$/, '')}]`)
    return Array.isArray(parts) ? parts[0] : undefined
  } catch {
    return undefined
  }
}

/** Wallets' own files of which nothing can be read: base64 of `BIE1`, `BIE2` and `SPRW1`, and H2's databases. */
function expectReadable(text: string): void {
  if (/^QklFM[Q-Za-v]/.test(text))
    throw new InvalidKeyFileError(
      'encrypted',
      'a wallet of Electrum under a password: expected the master public key of Electrum’s Wallet > Information',
    )
  if (/^(?:U1BSVzE|H:\d+,block)/.test(text))
    throw new InvalidKeyFileError(
      'encrypted',
      'Sparrow’s own wallet file: expected what Sparrow exports as an output descriptor',
    )
}

function hasSecret(text: string): boolean {
  if (/[xyzYZtuvUV]prv[1-9A-HJ-NP-Za-km-z]{50}/.test(text)) return true
  if (/^(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KL9c][1-9A-HJ-NP-Za-km-z]{50,51})$/.test(text)) return true
  return text.length < 300 && /^[a-z]{3,8}(?:\s+[a-z]{3,8}){11,23}$/.test(text)
}

function describe(text: string): string {
  if (text === '') return 'nothing'
  if (/^(?:cHNidP|70736274ff|psbt\xff)/i.test(text)) return 'a PSBT'
  if (/^(?:ur:|B\$)/i.test(text)) return 'a part of an animated QR code'
  if (/^(?:(?:bc|tb|bcrt)1[a-z0-9]{14,90}|[123mn][1-9A-HJ-NP-Za-km-z]{25,34})$/i.test(text))
    return 'an address'
  if (/^(?:\{|\[\s*[{"\]])/.test(text)) return 'JSON without keys that are known'
  return `text of ${text.length} characters`
}
