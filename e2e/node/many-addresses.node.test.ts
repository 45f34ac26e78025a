import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textDraft } from '../../src/background/inscribing/testing/job-world.ts'
import { draft, RECIPIENT } from '../../src/background/testing/funded-wallet.ts'
import type { Worker } from '../../src/background/testing/test-wallet.ts'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { fromBase64, fromHex, toBase64, toHex } from '../../src/bitcoin/bytes.ts'
import { parseKeyFile } from '../../src/bitcoin/descriptors/key-files.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'

// Bitcoin Core's own wallet has used the addresses, and says what they hold: of that Satchel gets the extended public key alone.

const KINDS = {
  p2tr: 'bech32m',
  p2wpkh: 'bech32',
  'p2sh-p2wpkh': 'p2sh-segwit',
  p2pkh: 'legacy',
} as const satisfies { [type in AddressType]: string }

/** Unused addresses before each that is paid, in turn. */
const GAPS = [0, 0, 1, 3, 0, 19, 0, 2, 7, 0, 0, 1]

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

/** Pays `count` addresses of a branch of the node's wallet, with gaps, none longer than 19. */
async function payAddresses(method: string, params: string[], count: number): Promise<void> {
  for (let used = 0; used < count; used++) {
    for (let at = 0; at < (GAPS[used % GAPS.length] ?? 0); at++) await devnet.rpc(method, params)
    const address = await devnet.rpc<string>(method, params)
    await devnet.faucet(address, 10_000 + used, false)
  }
}

const toSats = (btc: number) => String(Math.round(btc * 1e8))

async function restore(descriptor: string): Promise<Worker> {
  const { worker } = await startOnDevnet(devnet)
  const account = await worker.ui('addDevice', { descriptor, name: 'Savings' })
  await worker.ui('selectAccount', { accountId: account.id })
  return worker
}

async function balance(worker: Worker): Promise<string | undefined> {
  return (await worker.ui('getOverview', { retry: true })).balance?.confirmed
}

describe('an account restored from its extended public key', () => {
  it.each(['p2wpkh', 'p2tr', 'p2sh-p2wpkh', 'p2pkh'] as const)(
    'has what Bitcoin Core’s wallet has on 60 used addresses, and pays from them: %s',
    async type => {
      const count = type === 'p2wpkh' ? 60 : 12
      await devnet.rpc('createwallet', [`savings-${type}`])
      try {
        await payAddresses('getnewaddress', ['', KINDS[type]], count)
        await payAddresses('getrawchangeaddress', [KINDS[type]], 5)
        await devnet.mine(1)
        const keys = JSON.stringify(await devnet.rpc('listdescriptors'))
        const found = parseKeyFile(keys).candidates.find(one => one.addressType === type)
        const worker = await restore(found?.descriptor ?? '')
        expect(await balance(worker)).toBe(toSats(await devnet.rpc<number>('getbalance')))
        const { entries } = await worker.ui('getActivity', { offset: 0, limit: 100 })
        expect(entries).toHaveLength(count + 5)

        const recipients = [{ to: RECIPIENT, sats: '95000' }]
        const plan = await worker.ui('planPayment', draft({ recipients }))
        const { planId, digest, review } = plan
        expect(review.inputs.length).toBeGreaterThan(9)
        const { task } = await worker.ui('getDeviceTask', { planId, digest })
        const [{ psbt } = { psbt: '' }] = task.tasks
        const signed = await devnet.rpc<{ psbt: string }>('walletprocesspsbt', [
          ...[toBase64(fromHex(psbt)), true, 'DEFAULT', true, false],
        ])
        const returned = JSON.stringify([toHex(fromBase64(signed.psbt))])
        const { txid } = await worker.ui('confirmPayment', { planId, digest, returned })
        await devnet.mine(1)
        expect(await devnet.rpc('gettransaction', [txid])).toMatchObject({ confirmations: 1 })
        const change = review.outputs.at(-1)?.address ?? ''
        expect(await devnet.rpc('getaddressinfo', [change])).toMatchObject({
          ...{ ismine: true, ischange: true },
        })
        expect(await balance(worker)).toBe(toSats(await devnet.rpc<number>('getbalance')))

        const inscribed = await worker.ui('planInscribe', textDraft(['from many'], { feeRate: 2 }))
        const { planId: id, digest: seen } = inscribed
        const handed = await worker.ui('getInscribeTask', { planId: id, digest: seen })
        const [commit = { psbt: '' }] = handed.task?.tasks ?? []
        const base64 = toBase64(fromHex(commit.psbt))
        // What holds the leaf is nobody's, and the change tells whose key it has.
        const { outputs } = await devnet.rpc<{ outputs: object[] }>('decodepsbt', [base64])
        const derivations = type === 'p2tr' ? 'taproot_bip32_derivs' : 'bip32_derivs'
        expect(outputs.map(output => derivations in output)).toEqual([false, true])
        const back = await devnet.rpc<{ psbt: string }>('walletprocesspsbt', [
          ...[base64, true, 'DEFAULT', true, false],
        ])
        await worker.ui('confirmInscribe', {
          ...{ planId: id, digest: seen },
          returned: JSON.stringify([toHex(fromBase64(back.psbt))]),
        })
        await devnet.mine(1)
        const next = inscribed.review.commit?.outputs[1]?.address ?? ''
        expect(next).not.toBe(change)
        expect(await devnet.rpc('getaddressinfo', [next])).toMatchObject({
          ...{ ismine: true, ischange: true },
        })
        expect(await balance(worker)).toBe(toSats(await devnet.rpc<number>('getbalance')))
      } finally {
        await devnet.rpc('unloadwallet', [`savings-${type}`])
      }
    },
  )
})
