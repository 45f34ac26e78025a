import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askPasskey, inPopup, losesPopup, makePasskey, supportsPasskeys } from './passkey.ts'

const SALT = '5c'.repeat(32)
const PRF = new Uint8Array(32).fill(0xab)
const ID = Uint8Array.of(0xc0, 0xff, 0xee)

/** WebAuthn's errors are DOMExceptions. */
const refusal = (name: string) => new DOMException('', name)

type Extensions = { prf?: { enabled?: boolean; results?: { first: BufferSource } } }

function credentialOf(extensions: Extensions) {
  return { rawId: ID.slice().buffer, getClientExtensionResults: () => extensions }
}

const create = vi.fn()
const get = vi.fn()
beforeEach(() => {
  create.mockReset()
  get.mockReset()
  vi.stubGlobal('navigator', { credentials: { create, get } })
  vi.stubGlobal('PublicKeyCredential', class {})
})
afterEach(() => vi.unstubAllGlobals())

describe('a passkey that is made', () => {
  it('is the extension’s own, verifies the person, and gives 32 bytes for the salt', async () => {
    create.mockResolvedValue(
      credentialOf({ prf: { enabled: true, results: { first: PRF.slice() } } }),
    )
    expect(await makePasskey(SALT)).toEqual({ credentialId: 'c0ffee', prf: 'ab'.repeat(32) })
    const [{ publicKey }] = create.mock.calls[0] ?? []
    expect(publicKey.rp).toEqual({ name: 'Satchel' })
    expect(publicKey.user).toMatchObject({ name: 'Satchel', displayName: 'Satchel' })
    expect(publicKey.authenticatorSelection).toEqual({
      residentKey: 'discouraged',
      userVerification: 'required',
    })
    expect(Buffer.from(publicKey.extensions.prf.eval.first).toString('hex')).toBe(SALT)
    expect(get).not.toHaveBeenCalled()
  })

  it('tells nobody who the person is: handle and challenge are random', async () => {
    create.mockImplementation(async () =>
      credentialOf({ prf: { enabled: true, results: { first: PRF.slice() } } }),
    )
    await makePasskey(SALT)
    await makePasskey(SALT)
    const [first, second] = create.mock.calls.map(([{ publicKey }]) => publicKey)
    expect(first.user.id).toHaveLength(32)
    expect(first.user.id).not.toEqual(second.user.id)
    expect(first.challenge).not.toEqual(second.challenge)
  })

  it('is asked once more where the authenticator tells its PRF only then', async () => {
    create.mockResolvedValue(credentialOf({ prf: { enabled: true } }))
    get.mockResolvedValue(credentialOf({ prf: { results: { first: PRF.slice().buffer } } }))
    expect(await makePasskey(SALT)).toEqual({ credentialId: 'c0ffee', prf: 'ab'.repeat(32) })
    const [{ publicKey }] = get.mock.calls[0] ?? []
    expect(publicKey.allowCredentials).toEqual([{ type: 'public-key', id: ID }])
  })

  it.each([{}, { prf: {} }, { prf: { enabled: false } }])(
    'that has no PRF (%j) is refused in words',
    async extensions => {
      create.mockResolvedValue(credentialOf(extensions))
      await expect(makePasskey(SALT)).rejects.toMatchObject({
        problem: 'noPrf',
        message: expect.stringContaining('cannot encrypt'),
      })
      expect(get).not.toHaveBeenCalled()
    },
  )
})

describe('a passkey that is asked', () => {
  it('takes the part of a larger buffer that is its answer', async () => {
    const first = new Uint8Array(64).fill(1).subarray(16, 48)
    get.mockResolvedValue(credentialOf({ prf: { results: { first } } }))
    expect(await askPasskey({ credentialId: 'c0ffee', salt: SALT })).toBe('01'.repeat(32))
    const [{ publicKey }] = get.mock.calls[0] ?? []
    expect(publicKey.userVerification).toBe('required')
  })

  it.each([
    ['NotAllowedError', 'cancelled', 'the prompt was closed'],
    ['AbortError', 'cancelled', 'the prompt was closed'],
    ['SecurityError', 'refused', 'no extension'],
    ['UnknownError', 'failed', 'could not be used'],
  ])('and fails with %s says what happened, in words', async (name, problem, text) => {
    get.mockRejectedValue(refusal(name))
    await expect(askPasskey({ credentialId: 'c0ffee', salt: SALT })).rejects.toMatchObject({
      problem,
      message: expect.stringContaining(text),
    })
  })

  it('and gives nothing, or nothing of a PRF, is refused', async () => {
    get.mockResolvedValue(null)
    const asked = () => askPasskey({ credentialId: 'c0ffee', salt: SALT })
    await expect(asked()).rejects.toMatchObject({ problem: 'failed' })
    get.mockResolvedValue(credentialOf({}))
    await expect(asked()).rejects.toMatchObject({ problem: 'noPrf' })
  })
})

describe('whether there are passkeys', () => {
  const pending = ({ signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

  it('is no where the browser has none, has no PRF, or refuses an extension’s page', async () => {
    get.mockRejectedValue(refusal('SecurityError'))
    expect(await supportsPasskeys()).toBe(false)
    vi.stubGlobal('PublicKeyCredential', {
      getClientCapabilities: async () => ({ 'extension:prf': false }),
    })
    get.mockImplementation(pending)
    expect(await supportsPasskeys()).toBe(false)
    vi.unstubAllGlobals()
    expect(await supportsPasskeys()).toBe(false)
  })

  it('is yes where the question that nobody sees stays open, which is then ended', async () => {
    get.mockImplementation(pending)
    expect(await supportsPasskeys()).toBe(true)
    const [{ mediation, signal }] = get.mock.calls[0] ?? []
    expect([mediation, signal.aborted]).toEqual(['conditional', true])
    vi.stubGlobal('PublicKeyCredential', {
      getClientCapabilities: async () => ({ 'extension:prf': true }),
    })
    expect(await supportsPasskeys()).toBe(true)
  })
})

describe('the toolbar popup', () => {
  beforeEach(() => {
    const stored = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    })
  })
  /** The page is gone before the prompt is answered. */
  const lose = () => void inPopup(() => new Promise(() => {}))

  it('is taken to close at prompts once it was gone twice in a row', async () => {
    expect(losesPopup()).toBe(false)
    lose()
    expect(losesPopup()).toBe(false)
    lose()
    expect(losesPopup()).toBe(true)
  })

  it('is not, where a prompt was answered in between, by a passkey or by cancelling', async () => {
    lose()
    expect(await inPopup(async () => 'prf')).toBe('prf')
    lose()
    await inPopup(() => Promise.reject(new Error('cancelled'))).catch(() => {})
    lose()
    expect(losesPopup()).toBe(false)
  })
})
