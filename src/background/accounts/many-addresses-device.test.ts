import { describe, expect, it } from 'vitest'
import { textDraft } from '../inscribing/testing/job-world.ts'
import { addDevice, createDevice } from '../testing/device-wallet.ts'
import { draft, outputsOf, RECIPIENT, readBroadcast } from '../testing/funded-wallet.ts'
import { createWorld, fund, startUnlocked } from '../testing/test-wallet.ts'

describe('an account of many addresses on a device', () => {
  it.each(['p2wpkh', 'p2sh-p2wpkh', 'p2tr'] as const)(
    'inscribes with the coins of several, in one round: %s',
    async type => {
      const world = createWorld()
      const worker = await startUnlocked(world)
      const device = createDevice()
      const account = await addDevice(worker, device, type)
      for (const [branch, index] of [
        [0, 2],
        [1, 1],
      ] as const)
        fund(world, device.addressAt(type, branch, index), 1_300n)
      const { planId, digest } = await worker.ui('planInscribe', textDraft(['cold']))
      const { task } = await worker.ui('getInscribeTask', { planId, digest })
      expect(task?.tasks).toHaveLength(1)
      const returned = task ? device.signAll(task) : ''
      await worker.ui('confirmInscribe', { planId, digest, returned })
      const [commit, reveal] = world.chain.broadcasts.map(txid => readBroadcast(world, txid))
      expect(commit?.inputsLength).toBe(2)
      expect(reveal && outputsOf(reveal)[0]?.address).toBe(account.address)
    },
  )

  it('pays with change that the device finds as its own', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const device = createDevice()
    await addDevice(worker, device, 'p2wpkh')
    for (const [branch, index] of [
      [0, 0],
      [0, 7],
      [1, 1],
    ] as const)
      fund(world, device.addressAt('p2wpkh', branch, index), 30_000n)
    const recipients = [{ to: RECIPIENT, sats: '80000' }]
    const { planId, digest } = await worker.ui('planPayment', draft({ recipients }))
    const { task } = await worker.ui('getDeviceTask', { planId, digest })
    expect(task.tasks[0]?.pays).toEqual([expect.objectContaining({ address: RECIPIENT })])
    const returned = device.signAll(task)
    const { txid } = await worker.ui('confirmPayment', { planId, digest, returned })
    const sent = readBroadcast(world, txid)
    expect(sent.inputsLength).toBe(3)
    expect(outputsOf(sent)[1]?.address).toBe(device.addressAt('p2wpkh', 1, 2))
  })
})
