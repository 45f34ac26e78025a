import { canSign } from '../../../src/background/accounts/accounts.ts'
import { SITE } from '../../../src/background/testing/funded-wallet.ts'
import { trySigning } from '../../../src/background/testing/psbt-site.ts'
import {
  connectPage,
  createWorld,
  openPage,
  startUnlocked,
} from '../../../src/background/testing/test-wallet.ts'
import { fromHex } from '../../../src/bitcoin/bytes.ts'
import { ADDRESS_TYPES } from '../../../src/bitcoin/testing/spending.ts'
import type { OwnAccount } from './coins.ts'

/** A wallet with an account of each address type, and a page to which each of them is connected. */
export async function openStage() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  for (const addressType of ADDRESS_TYPES) {
    const { accounts } = await worker.ui('getState', null)
    if (!accounts.some(account => account.addressType === addressType))
      await worker.ui('addAccount', { addressType, name: addressType })
  }
  const state = await worker.ui('getState', null)
  const accounts: OwnAccount[] = []
  for (const view of state.accounts.filter(canSign)) {
    const { id, address, addressType, publicKey } = view
    accounts.push({ id, address, addressType, publicKey: fromHex(publicKey) })
    await worker.ui('selectAccount', { accountId: id })
    await connectPage(worker, SITE, 1 + accounts.length)
  }
  const page = openPage(worker, SITE)
  let isExpert = false
  let selected: string | null = null

  return {
    world,
    accounts,
    /** As if no request had come before. */
    async forget(): Promise<void> {
      await world.local.set({ openSignatures: {} })
      world.clock.now += 1_000
    },
    async ask(
      account: OwnAccount,
      expert: boolean,
      psbts: readonly { hex: string; options: object }[],
    ) {
      if (selected !== account.id) {
        await worker.ui('selectAccount', { accountId: account.id })
        selected = account.id
      }
      if (isExpert !== expert) {
        const { settings } = await worker.ui('getState', null)
        await worker.ui('changeSettings', {
          expert: { ...settings.expert, anySighash: expert },
        })
        isExpert = expert
      }
      const [first] = psbts
      return psbts.length === 1 && first
        ? trySigning({ worker, page }, 'signPsbt', first.hex, first.options)
        : trySigning(
            { worker, page },
            'signPsbts',
            psbts.map(({ hex }) => hex),
            psbts.map(({ options }) => options),
          )
    },
  }
}

export type Stage = Awaited<ReturnType<typeof openStage>>
