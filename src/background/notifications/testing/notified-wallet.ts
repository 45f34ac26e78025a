import { Transaction } from 'bitcoinjs-lib'
import { parseAddress } from '../../../bitcoin/address.ts'
import { fromHex } from '../../../bitcoin/bytes.ts'
import { RECIPIENT, startFunded } from '../../testing/funded-wallet.ts'
import { startWorker, type Worker, type World } from '../../testing/test-wallet.ts'
import type { NotificationChoices } from '../../views/settings-views.ts'

/** An unlocked wallet with a coin, whose person has switched notifications on and allowed them. */
export async function startNotified(choices: Partial<NotificationChoices> = {}) {
  const funded = await startFunded(100_000n)
  const { world, worker } = funded
  world.scripting.allowed.add('notifications')
  await worker.ui('setNotifications', { on: true, ...choices })
  return { ...funded, ...watch(world) }
}

/** What the person sees of notifications in this world. */
export function watch(world: World) {
  return {
    /** The alarm, in a worker that has just started; resolves titles and notes of what was shown since. */
    async wake(worker: Worker = startWorker(world)): Promise<string[]> {
      const before = world.notifications.log.length
      await worker.wallet.notify('look')
      return world.notifications.log
        .slice(before)
        .map(({ title, message }) => `${title} | ${message}`)
    },
  }
}

let coins = 0

/** A coin of somebody else: txid and index. */
export function strangersCoin(): string {
  return `${(++coins).toString(16).padStart(64, 'c')}:0`
}

type Paying = { coin?: string; evicts?: string; change?: bigint }

/** Somebody else's transaction that spends `coin` and pays `sats` to an address; it waits for a block. */
export function payTo(
  world: World,
  address: string,
  sats: bigint,
  { coin = strangersCoin(), evicts, change = 1_000n }: Paying = {},
): string {
  // The fee of a coin that nobody knows cannot be compared: whose place it takes is said.
  if (evicts) world.chain.evict(evicts)
  const [txid = '', vout = '0'] = coin.split(':')
  const transaction = new Transaction()
  transaction.version = 2
  transaction.addInput(fromHex(txid).reverse(), Number(vout), 0xfffffffd)
  transaction.addOutput(parseAddress(address, 'regtest').scriptPubKey, sats)
  transaction.addOutput(parseAddress(RECIPIENT, 'regtest').scriptPubKey, change)
  transaction.setWitness(0, [fromHex('00')])
  return world.chain.receive(transaction.toBuffer())
}
