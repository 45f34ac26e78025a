import { toHex } from '../../bitcoin/bytes.ts'
import { EVERY_TAG, tagOrigin } from '../../provider/okx-alias.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import type { OkxAliasView } from '../views/settings-views.ts'

/** Where local storage holds under which key this installation's hint is. */
const HINT_KEY = 'aliasHint'

/**
 * The hint by which content scripts know whether to ask for aliases. It lies in the one area that they can read, which the
 * browser copies to the person's account: so it has tags instead of sites, and under a random key for each installation,
 * that is the salt of its tags too. Nothing is stored while there are no aliases.
 */
export function createAliasHint(deps: {
  local: StorageArea
  sync: StorageArea
  random: RandomSource
}) {
  const { local, sync, random } = deps
  return {
    /** What is as it should be is left alone: browsers allow few writes a minute. */
    async follow({ everywhere, origins }: OkxAliasView): Promise<void> {
      const known = await local.get(HINT_KEY)
      const isWanted = everywhere || origins.length > 0
      if (!isWanted && typeof known !== 'string') return
      if (!isWanted) {
        await sync.remove(String(known))
        await local.remove(HINT_KEY)
        return
      }
      const key = typeof known === 'string' ? known : `alias.${toHex(random(8))}`
      // Before the hint itself, or a worker that dies in between would leave it behind.
      if (key !== known) await local.set({ [HINT_KEY]: key })
      const tags = new Set(origins.map(origin => tagOrigin(key, origin)))
      const hint = everywhere ? EVERY_TAG : [...tags].sort()
      if (JSON.stringify(await sync.getStored(key)) !== JSON.stringify(hint))
        await sync.set({ [key]: hint })
    },
  }
}

export type AliasHint = ReturnType<typeof createAliasHint>
