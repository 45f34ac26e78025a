import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft, RECIPIENT } from '../../src/background/testing/funded-wallet.ts'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { parseKeyFile } from '../../src/bitcoin/descriptors/key-files.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { provision } from '../commands/provision.ts'
import { payOnCore, signAll, startOnCore } from '../fixtures/core-account.ts'
import { type ElectrumDevice, startElectrumDevice } from '../fixtures/electrum-device.ts'

// The device is Electrum's command line, which nobody here wrote and which is offline; devnet's node judges what comes of it.

/** What is missing and how it can be had; null where Electrum is there, or could be installed. */
const missing = findOut()

/** Seeds of Electrum's own tests (`test_mnemonic.py` and `test_wallet_vertical.py`, MIT licence), and the first as a key of nested addresses. */
const SECRETS: [AddressType, string][] = [
  ['p2wpkh', 'wild father tree among universe such mobile favorite target dynamic credit identify'],
  ['p2pkh', 'cram swing cover prefer miss modify ritual silly deliver chunk behind inform able'],
  [
    'p2sh-p2wpkh',
    'uprv8wnFPLUZPPr7omzMoVaGzgLRVhfcfGRqAofpy39cTdZYdAW7u2rhbKVrjAJxPKzBL85t1eAdkqthNu3foYoNGAuQK1Hwq5ZsGoYzfFdZCEe',
  ],
]

let devnet: Devnet

beforeAll(async () => {
  if (missing === null) devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

describe.each(SECRETS)('an account of Electrum’s wallet, %s,', (addressType, secret) => {
  let device: ElectrumDevice

  beforeAll(async () => {
    if (missing === null) device = await startElectrumDevice(secret)
  })
  afterAll(() => device?.stop())
  const needed = missing === null ? {} : { skip: true, meta: { skipReason: missing } }

  it(
    'is connected by the wallet file or its master key, and has its addresses',
    needed,
    async () => {
      const { worker, account } = await startOnCore({ devnet, device }, addressType)
      const [first, second] = await device.addresses('receiving')
      expect(account.address).toBe(first)
      // The coins of this test are on the first.
      await worker.ui('getCoins', null)
      expect((await worker.ui('getReceiveAddress', { after: null })).address).toBe(second)
      const { candidates } = parseKeyFile(await device.masterKey())
      const found = candidates.find(candidate => candidate.addressType === addressType)
      const keyIn = (descriptor: string | null | undefined) => /tpub\w+/.exec(descriptor ?? '')?.[0]
      expect(keyIn(found?.descriptor)).toBe(keyIn(account.descriptor))
      expect(keyIn(account.descriptor)).toMatch(/^tpub/)
    },
  )

  it(
    'pays with coins of several addresses, and raises the fee; the node takes both',
    needed,
    async () => {
      const { worker } = await startOnCore({ devnet, device }, addressType)
      const [, , third = ''] = await device.addresses('receiving')
      await devnet.faucet(third, 70_000n)
      await devnet.mine(1)
      const recipients = [{ to: RECIPIENT, sats: '210000' }]
      const plan = await worker.ui('planPayment', draft({ recipients }))
      const txid = await payOnCore(device, worker, plan)
      const bump = await worker.ui('planBump', { txid, kind: 'speed-up', feeRate: 12 })
      const replaced = await payOnCore(device, worker, bump)
      await devnet.mine(1)
      const { confirmations, vin } = await devnet.rpc<{ confirmations?: number; vin: unknown[] }>(
        'getrawtransaction',
        [replaced, true],
      )
      expect(confirmations).toBe(1)
      expect(vin.length).toBeGreaterThan(2)
    },
  )

  it('is refused what it signed of another payment', needed, async () => {
    const { worker } = await startOnCore({ devnet, device }, addressType)
    const first = await worker.ui('planPayment', draft({}))
    const second = await worker.ui(
      'planPayment',
      draft({ recipients: [{ to: RECIPIENT, sats: '20001' }] }),
    )
    const { planId, digest } = first
    const { task } = await worker.ui('getDeviceTask', {
      ...{ planId: second.planId, digest: second.digest },
    })
    const returned = await signAll(device, task)
    await expect(worker.ui('confirmPayment', { planId, digest, returned })).rejects.toMatchObject({
      code: -32602,
      data: { problem: 'OTHER_TRANSACTION' },
    })
  })
})

function findOut(): string | null {
  try {
    provision(['electrum'])
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
