import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { createDevice, type Device, startOnDevice } from '../testing/device-wallet.ts'
import { REGTEST, SECOND_RECIPIENT } from '../testing/funded-wallet.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'
import { credit, sendDraft, TRANSFER } from './testing/delivery-world.ts'
import { readChain } from './testing/job-world.ts'

/** What a courier hands in for each task. */
type Forge = (device: Device, review: SignOnDeviceReview) => string[]

const signed = (device: Device, { tasks }: SignOnDeviceReview) =>
  tasks.map(({ psbt }) => toHex(device.sign(psbt).toPSBT(0)))

/** The PSBT changed before the device signs it, as a courier does who is on the way there. */
function onTheWay(at: number, change: (psbt: Transaction) => void): Forge {
  return (device, { tasks }) =>
    tasks.map(({ psbt }, task) => {
      if (task !== at) return toHex(device.sign(psbt).toPSBT(0))
      const transaction = Transaction.fromPSBT(fromHex(psbt))
      change(transaction)
      return toHex(device.sign(toHex(transaction.toPSBT(0))).toPSBT(0))
    })
}

/** A transfer of tokens, whose commit and delivery the device signs in one round. */
async function startSending() {
  const started = await startOnDevice('p2wpkh', 90_000n)
  credit(started)
  const { worker } = started
  const { planId, digest } = await worker.ui('planBrc20Send', sendDraft())
  const { task } = await worker.ui('getInscribeTask', { planId, digest })
  if (!task) throw new Error('no task')
  const confirm = (answers: readonly string[]) =>
    worker.ui('confirmInscribe', { planId, digest, returned: JSON.stringify(answers) })
  return { ...started, task, confirm }
}

const FORGERIES: [string, Forge][] = [
  ['nothing', () => []],
  ['one of the two', (device, review) => signed(device, review).slice(0, 1)],
  ['the two in the other order', (device, review) => signed(device, review).reverse()],
  ['the commit twice', (device, review) => signed(device, review).flatMap((_, __, [a]) => a ?? [])],
  ['what went out, unsigned', (_, { tasks }) => tasks.map(({ psbt }) => psbt)],
  [
    'the signatures of another device',
    (_, review) => signed(createDevice(new Uint8Array(32).fill(0x78)), review),
  ],
  [
    'a commit that pays a leaf less',
    onTheWay(0, psbt => psbt.updateOutput(0, { amount: 600n }, true)),
  ],
  [
    'a commit that pays somebody else’s leaf',
    onTheWay(0, psbt => psbt.updateOutput(0, { script: fromHex(`5120${'79'.repeat(32)}`) }, true)),
  ],
  [
    'a commit that pays one more',
    onTheWay(0, psbt => psbt.addOutputAddress(SECOND_RECIPIENT, 700n, REGTEST)),
  ],
  [
    'a commit with another sequence',
    onTheWay(0, psbt => psbt.updateInput(0, { sequence: 0xffffffff }, true)),
  ],
  [
    'a commit that is signed for any outputs',
    onTheWay(0, psbt => psbt.updateInput(0, { sighashType: 2 }, true)),
  ],
  [
    'a delivery to somebody else',
    onTheWay(1, psbt => psbt.updateOutput(0, { script: fromHex(`0014${'79'.repeat(20)}`) }, true)),
  ],
  ['a delivery of another coin', onTheWay(1, psbt => psbt.updateInput(0, { index: 1 }, true))],
  ['bytes that are no PSBT', (_, { tasks }) => tasks.map(() => '70736274ff00')],
]

describe('what comes back from a device for a commit and a delivery', () => {
  it.each(FORGERIES)(
    'is refused where it is %s, and nothing is stored or sent',
    async (_, forge) => {
      const { world, worker, device, task, confirm } = await startSending()
      let answers: string[]
      try {
        answers = forge(device, task)
      } catch {
        // The other library refuses to sign it.
        answers = ['00', '00']
      }
      await expect(confirm(answers)).rejects.toMatchObject({ code: -32602 })
      expect(world.chain.broadcasts).toEqual([])
      expect(await worker.wallet.jobs.list()).toEqual([])
      // What is right is taken afterwards.
      await confirm(signed(device, task))
      expect(readChain(world).texts).toEqual([TRANSFER])
    },
  )

  it('is refused with any of its bytes changed, or the very same is sent', async () => {
    const random = createSeededRandom(20_261_126)
    const seen = { refused: 0, taken: 0 }
    let started = await startSending()
    for (let run = 0; run < 150; run++) {
      const { world, device, task, confirm } = started
      const right = signed(device, task)
      const at = run % 2
      const bytes = fromHex(right[at] ?? '')
      const place = random.below(bytes.length)
      bytes[place] = (bytes[place] ?? 0) ^ (1 + random.below(255))
      const isTaken = await confirm(right.map((hex, k) => (k === at ? toHex(bytes) : hex))).then(
        () => true,
        () => false,
      )
      seen[isTaken ? 'taken' : 'refused']++
      if (!isTaken) {
        expect(world.chain.broadcasts).toEqual([])
        continue
      }
      expect(readChain(world).texts).toEqual([TRANSFER])
      const [commit = '', , delivery = ''] = world.chain.broadcasts
      expect([commit, delivery]).toEqual(right.map(hex => txidOf(hex)))
      started = await startSending()
    }
    expect(Math.min(seen.refused, seen.taken)).toBeGreaterThan(0)
  }, 120_000)
})

function txidOf(psbt: string): string {
  const transaction = Transaction.fromPSBT(fromHex(psbt))
  transaction.finalize()
  return transaction.id
}
