import { describe, expect, it } from 'vitest'
import {
  createWorld,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'

const PRF = '3c'.repeat(31).concat('07')
const OTHER_PRF = '3c'.repeat(31).concat('08')
const CREDENTIAL = '0badcafe'
const INVALID = { code: -32602 }

/** Sets a passkey up as the page in Settings does. */
async function addPasskey({ ui }: Worker): Promise<string> {
  const prepared = await ui('preparePasskey', { password: PASSWORD })
  const salt = prepared.accepted ? prepared.salt : ''
  await ui('addPasskey', { salt, credentialId: CREDENTIAL, prf: PRF })
  return salt
}

describe('a passkey', () => {
  it('is set up with the password, shown in the state, and unlocks a worker that starts anew', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const before = await worker.ui('getState', null)
    expect(before.passkey).toBeNull()
    const salt = await addPasskey(worker)
    await worker.ui('lock', null)
    const next = startWorker(world)
    expect(await next.ui('getState', null)).toMatchObject({
      vault: 'locked',
      passkey: { credentialId: CREDENTIAL, salt, createdAt: world.clock.now },
    })
    expect(await next.ui('unlockWithPasskey', { prf: PRF })).toEqual({ unlocked: true })
    const after = await next.ui('getState', null)
    expect([after.vault, after.accounts]).toEqual(['unlocked', before.accounts])
  })

  it('lets what waits for the unlock go on', async () => {
    const worker = await startUnlocked()
    await addPasskey(worker)
    await worker.ui('lock', null)
    void openPage(worker, 'https://dapp.example').call('connect')
    await nextApproval(worker, 'unlock')
    await worker.ui('unlockWithPasskey', { prf: PRF })
    expect(await nextApproval(worker, 'connect')).toMatchObject({ origin: 'https://dapp.example' })
  })

  it('that is another one leaves the wallet locked, and the password can be tried at once', async () => {
    const worker = await startUnlocked()
    await addPasskey(worker)
    await worker.ui('lock', null)
    for (let times = 0; times < 10; times++)
      expect(await worker.ui('unlockWithPasskey', { prf: OTHER_PRF })).toEqual({
        unlocked: false,
        reason: 'WRONG_PASSKEY',
      })
    expect(await worker.ui('getState', null)).toMatchObject({ vault: 'locked', unlockDelayMs: 0 })
    expect(await worker.ui('unlock', { password: PASSWORD })).toEqual({ unlocked: true })
  })

  it('only unlocks: secrets, another password and its removal still take the password', async () => {
    const { ui } = await startUnlocked()
    await addPasskey({ ui } as Worker)
    await ui('lock', null)
    await ui('unlockWithPasskey', { prf: PRF })
    const { accountId } = await ui('getState', null)
    const refused = { accepted: false, reason: 'WRONG_PASSWORD' }
    expect(await ui('revealPhrase', { password: PRF })).toMatchObject(refused)
    expect(await ui('revealKey', { password: '', accountId: accountId ?? '' })).toMatchObject(
      refused,
    )
    expect(await ui('changePassword', { current: '', next: 'long enough' })).toMatchObject(refused)
    expect(await ui('preparePasskey', { password: '' })).toMatchObject(refused)
    expect(await ui('removePasskey', { password: '' })).toMatchObject({ accepted: false })
    expect((await ui('getState', null)).passkey).not.toBeNull()
  })

  it('is gone once it is removed or the password changed, while the wallet stays open', async () => {
    for (const end of [
      (worker: Worker) => worker.ui('removePasskey', { password: PASSWORD }),
      (worker: Worker) =>
        worker.ui('changePassword', { current: PASSWORD, next: 'another horse battery' }),
    ]) {
      const worker = await startUnlocked()
      await addPasskey(worker)
      expect(await end(worker)).toEqual({ accepted: true })
      expect(await worker.ui('getState', null)).toMatchObject({ vault: 'unlocked', passkey: null })
      await worker.ui('lock', null)
      expect(await worker.ui('unlockWithPasskey', { prf: PRF })).toMatchObject({ unlocked: false })
    }
  })

  it('is not set up where the wallet was locked meanwhile', async () => {
    const worker = await startUnlocked()
    const prepared = await worker.ui('preparePasskey', { password: PASSWORD })
    await worker.ui('lock', null)
    const salt = prepared.accepted ? prepared.salt : ''
    await expect(
      worker.ui('addPasskey', { salt, credentialId: CREDENTIAL, prf: PRF }),
    ).rejects.toMatchObject({ code: 4100 })
    expect((await worker.ui('getState', null)).passkey).toBeNull()
  })

  it.each([
    ['nothing', undefined],
    ['a number', 7],
    ['a byte less', PRF.slice(2)],
    ['a byte more', `${PRF}00`],
    ['capital letters', PRF.toUpperCase()],
    ['no hex', 'zz'.repeat(32)],
    ['a list', [PRF]],
  ])('answer of %s is refused by name, and neither quoted nor logged', async (_, bad) => {
    const worker = await startUnlocked()
    const salt = await addPasskey(worker)
    const prf = bad as string
    for (const refused of [
      worker.ui('unlockWithPasskey', { prf }),
      worker.ui('addPasskey', { salt, credentialId: CREDENTIAL, prf }),
    ]) {
      const error = await refused.catch(refusal => refusal)
      expect(error).toMatchObject({
        ...INVALID,
        message: 'prf: expected 32 bytes in hex, got null',
      })
    }
    expect(worker.logged).toEqual([])
  })

  it.each(['', 'x', 'ABCD', 'abc', '00'.repeat(1024), null])(
    'credential id %s is refused by name',
    async bad => {
      const worker = await startUnlocked()
      const error = await worker
        .ui('addPasskey', { salt: '', credentialId: bad as string, prf: PRF })
        .catch(refusal => refusal)
      expect(error).toMatchObject({ ...INVALID, message: expect.stringMatching(/^credentialId: /) })
    },
  )

  it('puts nothing secret into the log, nor into storage that outlives the browser', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await addPasskey(worker)
    await worker.ui('lock', null)
    await worker.ui('unlockWithPasskey', { prf: OTHER_PRF })
    await worker.ui('unlockWithPasskey', { prf: PRF })
    expect(worker.logged).toEqual([])
    const stored = JSON.stringify([world.local.dump(), world.session.dump()])
    expect(stored).not.toContain(PRF)
    expect(stored).not.toContain(OTHER_PRF)
  })
})
