import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { type WordKey, words } from './words.ts'

/** What the browser is asked for of a passkey that was set up: hex, nothing of it secret. */
type KnownPasskey = { credentialId: string; salt: string }

type Problem = 'cancelled' | 'noPrf' | 'refused' | 'failed'

const WORDS: { [problem in Problem]: WordKey } = {
  cancelled: 'passkeyCancelled',
  noPrf: 'passkeyNoPrf',
  refused: 'passkeyNone',
  failed: 'passkeyFailed',
}

/** The browser gave no answer of a passkey; the message is for the person. */
export class PasskeyError extends Error {
  override name = 'PasskeyError'
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(words(WORDS[problem]), options)
    this.problem = problem
  }
}

/** As screens of authenticators name it. */
const NAME = 'Satchel'
const PROMPT_MS = 120_000
const PROBE_MS = 300

/** ES256, EdDSA, and RS256, which is all that some Windows Hello have (COSE). Nothing is ever signed that counts. */
const ALGORITHMS = [-7, -8, -257]

/**
 * Whether this browser lets a page of an extension use passkeys with PRF (WebAuthn Level 3), as far as it says so before it is asked.
 * Shows nothing to the person.
 */
export async function supportsPasskeys(): Promise<boolean> {
  if (!('PublicKeyCredential' in globalThis)) return false
  const capabilities = await PublicKeyCredential.getClientCapabilities?.().catch(() => null)
  if (capabilities?.['extension:prf'] === false) return false
  return !(await isRefused())
}

/**
 * Firefox takes no extension's page for a relying party: it throws SecurityError at once, whatever its capabilities say. A request with
 * conditional mediation tells without a prompt.
 */
async function isRefused(): Promise<boolean> {
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(), PROBE_MS)
  try {
    await navigator.credentials.get({
      mediation: 'conditional',
      signal: end.signal,
      publicKey: { challenge: drawBytes(32) },
    })
    return false
  } catch (error) {
    return nameOf(error) === 'SecurityError'
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Has the person make a passkey, and gives its credential id and what its PRF gives for `salt` (32 bytes in hex). Authenticators that tell that
 * only of a passkey that is there are asked a second time. Throws {@link PasskeyError}.
 */
export async function makePasskey(salt: string): Promise<{ credentialId: string; prf: string }> {
  const made = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: drawBytes(32),
        // Without an id it is the extension itself: no website and no other extension can ask for it.
        rp: { name: NAME },
        user: { id: drawBytes(32), name: NAME, displayName: NAME },
        pubKeyCredParams: ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
        attestation: 'none',
        timeout: PROMPT_MS,
        extensions: { prf: { eval: { first: ownBytes(salt) } } },
      },
    }),
  )
  const credentialId = toHex(new Uint8Array(made.rawId))
  const { prf } = made.getClientExtensionResults()
  if (prf?.results) return { credentialId, prf: readPrf(prf) }
  if (prf?.enabled !== true) throw new PasskeyError('noPrf')
  return { credentialId, prf: await askPasskey({ credentialId, salt }) }
}

/** What the PRF of a passkey gives for its salt: 32 bytes in hex, after the browser has asked the person. Throws {@link PasskeyError}. */
export async function askPasskey({ credentialId, salt }: KnownPasskey): Promise<string> {
  const asserted = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: drawBytes(32),
        allowCredentials: [{ type: 'public-key', id: ownBytes(credentialId) }],
        // The PRF gives something else without it.
        userVerification: 'required',
        timeout: PROMPT_MS,
        extensions: { prf: { eval: { first: ownBytes(salt) } } },
      },
    }),
  )
  return readPrf(asserted.getClientExtensionResults().prf)
}

async function ask(question: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await question()
    if (credential !== null && 'rawId' in credential) return credential as PublicKeyCredential
  } catch (cause) {
    throw new PasskeyError(PROBLEMS[nameOf(cause)] ?? 'failed', { cause })
  }
  throw new PasskeyError('failed')
}

/** By the names of WebAuthn's errors. Browsers do not tell a closed prompt from a passkey that is not at hand. */
const PROBLEMS: { [name: string]: Problem } = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  SecurityError: 'refused',
}

function readPrf(prf: AuthenticationExtensionsPRFOutputs | undefined): string {
  const first = prf?.results?.first
  if (first === undefined) throw new PasskeyError('noPrf')
  const bytes = ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
    : new Uint8Array(first)
  const hex = toHex(bytes)
  bytes.fill(0)
  return hex
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : ''
}

function drawBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

function ownBytes(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(fromHex(hex))
}

const LOST_KEY = 'passkey.lost'

/**
 * Whether the toolbar popup was gone twice in a row before the browser's prompt was answered: there, a tab has to ask. A press
 * beside the prompt closes it as well, so that once says nothing.
 */
export function losesPopup(): boolean {
  return Number(localStorage.getItem(LOST_KEY)) >= 2
}

/** Runs a prompt in the toolbar popup, and notes whether the popup outlived it. */
export async function inPopup<T>(prompt: () => Promise<T>): Promise<T> {
  localStorage.setItem(LOST_KEY, String(Number(localStorage.getItem(LOST_KEY)) + 1))
  try {
    return await prompt()
  } finally {
    localStorage.removeItem(LOST_KEY)
  }
}
