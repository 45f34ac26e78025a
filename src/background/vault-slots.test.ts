import { beforeAll, describe, expect, it } from 'vitest'
import { createMemoryArea } from '../storage/testing/memory-area.ts'
import { createTestVault, GROWN_SECRET, PASSWORD, SECRET } from './testing/vault-fixture.ts'

const DAMAGED = { unlocked: false, reason: 'DAMAGED', retryAfterMs: 0 }

/** Records of revision 1, then 2 with a third account, then 3 under a new password. */
const revisions: unknown[] = []

beforeAll(async () => {
  const { vault, local } = createTestVault()
  const remember = () => revisions.push(local.dump()['vault.a'])
  await vault.create(SECRET, PASSWORD)
  remember()
  await vault.update(GROWN_SECRET)
  remember()
  await vault.changePassword(PASSWORD, 'new')
  remember()
})

/** `r` a revision (0 for damage, undefined for an empty slot). */
function vaultOf(pointer: unknown, a: number | undefined, b: number | undefined) {
  const slot = (key: string, r: number | undefined) =>
    r === undefined ? {} : { [key]: r === 0 ? 'rubble' : revisions[r - 1] }
  const current = pointer === undefined ? {} : { 'vault.current': pointer }
  const local = createMemoryArea({ ...current, ...slot('vault.a', a), ...slot('vault.b', b) })
  return createTestVault({ local }).vault
}

describe('of two slots and a pointer', () => {
  const at = (slot: string, revision: number) => ({ slot, revision })

  it.each<[string, unknown, number | undefined, number | undefined, number]>([
    ['the pointed record is the one in force', at('a', 1), 1, 2, 2],
    ['and not the later one that was never pointed at', at('b', 1), 2, 1, 2],
    ['a lost pointer leaves the later of two sound records', undefined, 1, 2, 3],
    ['a lost pointer leaves the only record ever written', undefined, 1, undefined, 2],
    ['a pointer to another revision counts as lost', at('a', 9), 1, 2, 3],
    ['a damaged record gives way to a later one', at('a', 1), 0, 2, 3],
    ['a damaged record gives way to its copy', at('b', 2), 2, 0, 3],
  ])('%s', async (_, pointer, a, b, accounts) => {
    const vault = vaultOf(pointer, a, b)
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect((await vault.open()).accounts).toHaveLength(accounts)
  })

  it.each<[string, unknown, number | undefined, number | undefined]>([
    ['an older record does not stand in for a damaged newer one', at('b', 2), 1, 0],
    ['a record under the old password does not stand in for the new', at('b', 3), 2, 0],
    ['nor where the newer one is gone', at('b', 3), 2, undefined],
    ['with the pointer lost and one slot damaged nobody knows which is newer', undefined, 1, 0],
    ['the same with the slots the other way round', 'rubble', 0, 1],
    ['both damaged is damaged', at('a', 1), 0, 0],
    ['a pointer to nothing is damaged', at('a', 1), undefined, undefined],
  ])('%s', async (_, pointer, a, b) => {
    expect(await vaultOf(pointer, a, b).unlock(PASSWORD)).toEqual(DAMAGED)
  })

  it('nothing at all is no wallet', async () => {
    expect(await vaultOf(undefined, undefined, undefined).status()).toBe('none')
  })

  it('the old password is gone from both once it was changed', async () => {
    const { vault, local } = createTestVault()
    await vault.create(SECRET, PASSWORD)
    await vault.changePassword(PASSWORD, 'new')
    const { 'vault.a': a, 'vault.b': b } = local.dump()
    expect(a).toEqual(b)
  })
})
