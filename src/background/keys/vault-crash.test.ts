import { beforeAll, describe, expect, it } from 'vitest'
import { crashAfter, createMemoryArea } from '../../storage/testing/memory-area.ts'
import { crashAtEveryWrite, type Stored } from './testing/crash-at-every-write.ts'
import {
  createTestVault,
  GROWN_SECRET,
  PASSWORD,
  SECRET,
  storeTestVault,
} from './testing/vault-fixture.ts'
import type { Vault } from './vault.ts'
import { COST_FLOOR } from './vault-kdf.ts'

const NEXT = 'another password'
/** Starts anew after the crash: with an empty session as after a browser restart. */
function restart(after: Stored) {
  return createTestVault({ local: createMemoryArea(after.local) })
}

/** Opens by password and then once more, since the first unlock repairs; both must give the same secret. */
async function openTwice(after: Stored, password: string) {
  const { vault, local } = restart(after)
  expect(await vault.unlock(password)).toEqual({ unlocked: true })
  const secret = await vault.open()
  const again = createTestVault({ local: createMemoryArea(local.dump()) })
  expect(await again.vault.unlock(password)).toEqual({ unlocked: true })
  expect(await again.vault.open()).toEqual(secret)
  expect(local.dump()['vault.a']).toEqual(local.dump()['vault.b'])
  return { secret, local }
}

let made: Stored
beforeAll(async () => {
  made = await storeTestVault()
})

describe('a crash between any two storage writes', () => {
  it('of create leaves no wallet at all, or the whole wallet', async () => {
    const seen = new Set<string>()
    const writes = await crashAtEveryWrite(
      { local: {}, session: {} },
      vault => vault.create(SECRET, PASSWORD),
      async (after, finished) => {
        const status = await restart(after).vault.status()
        seen.add(status)
        if (finished) expect(status).toBe('locked')
        if (status === 'none') await restart(after).vault.create(SECRET, PASSWORD)
        else expect((await openTwice(after, PASSWORD)).secret).toEqual(SECRET)
      },
    )
    expect([...seen].sort()).toEqual(['locked', 'none'])
    expect(writes).toBeGreaterThanOrEqual(4)
  })

  it('of update leaves the old or the new secret, also for a worker that died and is still unlocked', async () => {
    const seen = new Set<number>()
    const writes = await crashAtEveryWrite(
      made,
      vault => vault.update(() => GROWN_SECRET),
      async (after, finished) => {
        const { vault } = createTestVault({
          local: createMemoryArea(after.local),
          session: createMemoryArea(after.session),
        })
        const secret = await vault.open()
        seen.add(secret.accounts.length)
        expect(secret).toEqual(secret.accounts.length === 3 ? GROWN_SECRET : SECRET)
        if (finished) expect(secret).toEqual(GROWN_SECRET)
        expect((await openTwice(after, PASSWORD)).secret).toEqual(secret)
        await vault.update(() => GROWN_SECRET)
        expect(await vault.open()).toEqual(GROWN_SECRET)
      },
    )
    expect([...seen].sort()).toEqual([2, 3])
    expect(writes).toBeGreaterThanOrEqual(3)
  })

  it('of changePassword leaves exactly one password that opens, and no copy under the other after that', async () => {
    const seen = new Set<string>()
    const writes = await crashAtEveryWrite(
      made,
      vault => vault.changePassword(PASSWORD, NEXT),
      async (after, finished) => {
        const opens = async (password: string) => {
          const { vault, clock } = restart(after)
          clock.now += 3_600_000
          return (await vault.unlock(password)).unlocked
        }
        expect(await opens(PASSWORD)).toBe(!(await opens(NEXT)))
        const password = (await opens(NEXT)) ? NEXT : PASSWORD
        if (finished) expect(password).toBe(NEXT)
        seen.add(password)
        const { secret, local } = await openTwice(after, password)
        expect(secret).toEqual(SECRET)
        const other = password === NEXT ? PASSWORD : NEXT
        // The worker that died was unlocked, and the next one still is: under whichever key is in force.
        const { vault: unlocked, local: left } = createTestVault({
          local: createMemoryArea(after.local),
          session: createMemoryArea(after.session),
        })
        expect(await unlocked.status()).toBe('unlocked')
        expect(await unlocked.open()).toEqual(SECRET)
        await unlocked.update(() => GROWN_SECRET)
        const changing = unlocked.changePassword(password, 'a third')
        await new Promise(setImmediate)
        expect(await unlocked.open()).toEqual(GROWN_SECRET)
        await changing
        expect(await unlocked.open()).toEqual(GROWN_SECRET)
        const later = { local: left.dump(), session: {} }
        expect((await openTwice(later, 'a third')).secret).toEqual(GROWN_SECRET)
        for (const slot of ['vault.a', 'vault.b']) {
          const alone = { [slot]: local.dump()[slot] }
          expect(await restart({ local: alone, session: {} }).vault.unlock(other)).toMatchObject({
            reason: 'WRONG_PASSWORD',
          })
        }
      },
    )
    expect(seen).toEqual(new Set([PASSWORD, NEXT]))
    expect(writes).toBeGreaterThanOrEqual(5)
  })

  it('of the upgrade at unlock leaves a wallet that opens and is upgraded by the next unlock', async () => {
    const weak = await storeTestVault({ cost: COST_FLOOR })
    const writes = await crashAtEveryWrite(
      { local: weak.local, session: {} },
      vault => vault.unlock(PASSWORD),
      async after => {
        const { secret, local } = await openTwice(after, PASSWORD)
        expect(secret).toEqual(SECRET)
        expect(local.dump()['vault.a']).toMatchObject({ kdf: { memoryKib: 65_536 } })
      },
    )
    expect(writes).toBeGreaterThanOrEqual(6)
  })

  it('of a repair leaves a wallet that opens', async () => {
    const local = { ...made.local, 'vault.a': 'rubble' }
    await crashAtEveryWrite(
      { local, session: {} },
      vault => vault.unlock(PASSWORD),
      async after => {
        expect((await openTwice(after, PASSWORD)).secret).toEqual(SECRET)
      },
    )
  })
})

describe('storage that does not keep what it is given', () => {
  it('fails the change and leaves the old wallet in force', async () => {
    for (const mutate of [
      (vault: Vault) => vault.update(() => GROWN_SECRET),
      (vault: Vault) => vault.changePassword(PASSWORD, NEXT),
    ]) {
      const real = createMemoryArea(made.local)
      let garbled = 0
      const local = {
        ...real,
        async set(entries: { [key: string]: unknown }) {
          const [key] = Object.keys(entries)
          // The first record that is written comes out garbled.
          if (key?.match(/^vault\.[ab]$/) && garbled++ === 0) return real.set({ [key]: 'garbled' })
          return real.set(entries)
        },
      }
      const { vault } = createTestVault({ local, session: createMemoryArea(made.session) })
      await expect(mutate(vault)).rejects.toThrow('could not be written')
      expect(await vault.open()).toEqual(SECRET)
      expect((await openTwice({ local: real.dump(), session: {} }, PASSWORD)).secret).toEqual(
        SECRET,
      )
    }
  })

  it('fails create and leaves room for another try', async () => {
    for (const spoil of [() => ({}), (key: string) => ({ [key]: 'garbled' })]) {
      const real = createMemoryArea()
      const set = (entries: object) => real.set(spoil(Object.keys(entries)[0] ?? ''))
      const { vault } = createTestVault({ local: { ...real, set } })
      await expect(vault.create(SECRET, PASSWORD)).rejects.toThrow('could not be written')
      expect(await vault.status()).toBe('none')
      const { vault: second } = createTestVault({ local: real })
      await second.create(SECRET, PASSWORD)
      expect(await second.open()).toEqual(SECRET)
    }
  })

  it('and tears the very write that a crash interrupts, costs neither the old nor the new wallet', async () => {
    const { 'vault.b': _, ...withoutSpare } = made.local
    for (const mutate of [
      (vault: Vault) => vault.update(() => GROWN_SECRET),
      (vault: Vault) => vault.changePassword(PASSWORD, NEXT),
    ]) {
      for (const before of [made.local, withoutSpare, { ...made.local, 'vault.b': 'rubble' }]) {
        for (let writes = 0; writes < 6; writes++) {
          let torn: string | undefined
          const crash = crashAfter(writes)
          const local = createMemoryArea(before, key => {
            // The one that is torn is the first that does not get through.
            torn ??= key
            crash()
            torn = undefined
          })
          await mutate(
            createTestVault({ local, session: createMemoryArea(made.session) }).vault,
          ).catch(() => {})
          const after = { ...local.dump(), ...(torn && { [torn]: 'rubble' }) }
          const opened = []
          for (const password of [PASSWORD, NEXT]) {
            const { vault, clock } = restart({ local: after, session: {} })
            // Where the count of failures was torn, its wait starts when it is first read.
            await vault.unlockDelayMs()
            clock.now += 3_600_000
            if ((await vault.unlock(password)).unlocked) opened.push(password)
          }
          expect(opened, `${writes} writes, ${torn} torn`).toHaveLength(1)
        }
      }
    }
  })
})
