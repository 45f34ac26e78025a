import { beforeAll, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { crashAtEveryWrite, type Stored } from './testing/crash-at-every-write.ts'
import { createTestVault, GROWN_SECRET, PASSWORD, SECRET } from './testing/vault-fixture.ts'
import type { Vault } from './vault.ts'

const NEXT = 'another password'
const FIRST = { credentialId: 'aa'.repeat(16), prf: '11'.repeat(31).concat('a0') }
const SECOND = { credentialId: 'bb'.repeat(16), prf: '22'.repeat(31).concat('b0') }

async function addPasskey(vault: Vault, passkey: typeof FIRST) {
  const prepared = await vault.preparePasskey(PASSWORD)
  if (prepared.accepted) await vault.addPasskey({ salt: prepared.salt, ...passkey })
}

/** What opens after a restart of the browser. */
async function listKeys(after: Stored): Promise<string[]> {
  const opens: string[] = []
  for (const [name, open] of [
    ['first', (vault: Vault) => vault.unlockWithPasskey(FIRST.prf)],
    ['second', (vault: Vault) => vault.unlockWithPasskey(SECOND.prf)],
    [PASSWORD, (vault: Vault) => vault.unlock(PASSWORD)],
    [NEXT, (vault: Vault) => vault.unlock(NEXT)],
  ] as const) {
    const { vault, clock } = createTestVault({ local: createMemoryArea(after.local) })
    clock.now += 3_600_000
    if ((await open(vault)).unlocked) opens.push(name)
  }
  return opens
}

let made: Stored
beforeAll(async () => {
  const { vault, local, session } = createTestVault()
  await vault.create(SECRET, PASSWORD)
  await addPasskey(vault, FIRST)
  made = { local: local.dump(), session: session.dump() }
})

it('a crash while another passkey is set up leaves the old one or the new one, and the password', async () => {
  const seen = new Set<string>()
  const writes = await crashAtEveryWrite(
    made,
    vault => addPasskey(vault, SECOND),
    async (after, finished) => {
      const opens = (await listKeys(after)).join()
      if (finished) expect(opens).toBe(`second,${PASSWORD}`)
      seen.add(opens)
    },
  )
  expect([...seen].sort()).toEqual([`first,${PASSWORD}`, `second,${PASSWORD}`])
  expect(writes).toBeGreaterThanOrEqual(4)
})

it('a crash while the password is changed leaves no passkey with the new one, nor both passwords', async () => {
  const seen = new Set<string>()
  await crashAtEveryWrite(
    made,
    vault => vault.changePassword(PASSWORD, NEXT),
    async (after, finished) => {
      const opens = (await listKeys(after)).join()
      if (finished) expect(opens).toBe(NEXT)
      seen.add(opens)
    },
  )
  // The area of the tests dies between two keys of one call too, which browsers store together or not at all.
  expect([...seen].sort()).toEqual([NEXT, PASSWORD, `first,${PASSWORD}`])
})

it('a crash while an account is added leaves the passkey with the wallet of before or after', async () => {
  const seen = new Set<number>()
  await crashAtEveryWrite(
    made,
    vault => vault.update(() => GROWN_SECRET),
    async after => {
      expect(await listKeys(after)).toEqual(['first', PASSWORD])
      const { vault } = createTestVault({ local: createMemoryArea(after.local) })
      await vault.unlockWithPasskey(FIRST.prf)
      seen.add((await vault.open()).accounts.length)
    },
  )
  expect([...seen].sort()).toEqual([2, 3])
})

it('a crash while a passkey unlocks leaves what was there, locked or unlocked', async () => {
  const seen = new Set<string>()
  await crashAtEveryWrite(
    { local: made.local, session: {} },
    vault => vault.unlockWithPasskey(FIRST.prf),
    async after => {
      expect(await listKeys(after)).toEqual(['first', PASSWORD])
      const session = createMemoryArea(after.session)
      const { vault } = createTestVault({ local: createMemoryArea(after.local), session })
      seen.add(await vault.status())
    },
  )
  expect([...seen].sort()).toEqual(['locked', 'unlocked'])
})
