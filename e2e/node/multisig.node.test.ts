import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft, RECIPIENT } from '../../src/background/testing/funded-wallet.ts'
import type { Worker } from '../../src/background/testing/test-wallet.ts'
import { fromHex, toBase64, toHex } from '../../src/bitcoin/bytes.ts'
import { parsePsbt } from '../../src/bitcoin/psbt/psbt.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type CoreSigners, startCoreSigners } from '../fixtures/core-signers.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'

// Three wallets of Bitcoin Core are the signers, each with one key of three. They see PSBTs alone.

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

async function addAccount(descriptor: string): Promise<Worker> {
  const { worker } = await startOnDevnet(devnet)
  const account = await worker.ui('addDevice', { descriptor, name: 'Family' })
  await worker.ui('selectAccount', { accountId: account.id })
  return worker
}

const balanceOf = async (worker: Worker) =>
  (await worker.ui('getOverview', { retry: true })).balance?.confirmed

const pay = async (worker: Worker, sats: string) =>
  worker.ui('planPayment', draft({ recipients: [{ to: RECIPIENT, sats }] }))

/** Three coins on three addresses, of which the wallet gave out each. */
async function receive(worker: Worker, sats: readonly number[]): Promise<string[]> {
  const addresses: string[] = []
  for (const amount of sats) {
    const { address } = await worker.ui('getReceiveAddress', { after: null })
    addresses.push(address)
    await devnet.faucet(address, amount)
    await balanceOf(worker)
  }
  return addresses
}

describe.each(['p2wsh', 'p2tr', 'p2sh-p2wsh'] as const)(
  'an account of 2 of 3 signers: %s',
  kind => {
    let signers: CoreSigners

    beforeAll(async () => {
      signers = await startCoreSigners(kind)
    })
    afterAll(() => signers?.stop())

    it('receives to fresh addresses, pays with two signatures, and its change is change to each signer', async () => {
      const worker = await addAccount(signers.descriptor)
      const addresses = await receive(worker, [40_000, 50_000, 60_000])
      const expected = await signers.rpc('deriveaddresses', [signers.branch(0), [1, 3]])
      expect(addresses).toEqual(expected)
      expect(await balanceOf(worker)).toBe('150000')

      const { planId, digest, review } = await pay(worker, '95000')
      const begun = await worker.ui('getCosigning', { planId, digest })
      expect(begun).toMatchObject({ required: 2, signed: 0 })
      const change = review.outputs.at(-1)?.address ?? ''
      for (const signer of [0, 1, 2])
        expect(await signers.describe(signer, change)).toMatchObject({
          ismine: true,
          ischange: true,
        })

      const one = await signers.sign(2, begun.psbt)
      const half = await worker.ui('addCosignature', { planId, digest, returned: one })
      expect(half.signed).toBe(1)
      expect(half.signers.map(({ hasSigned }) => hasSigned)).toEqual([false, false, true])
      await expect(worker.ui('sendCosigned', { planId, digest })).rejects.toThrow('enough')

      const two = await signers.sign(0, half.psbt, { final: true })
      const whole = await worker.ui('addCosignature', { planId, digest, returned: two })
      expect(whole.signed).toBe(2)
      expect(whole.signers.map(({ hasSigned }) => hasSigned)).toEqual([true, false, true])
      const { txid } = await worker.ui('sendCosigned', { planId, digest })
      await devnet.mine(1)
      const mined = await devnet.rpc<{ confirmations: number; vsize: number }>(
        'getrawtransaction',
        [...[txid, true]],
      )
      expect(mined.confirmations).toBe(1)
      expect(review.vsize - mined.vsize).toBeGreaterThanOrEqual(0)
      expect(review.vsize - mined.vsize).toBeLessThanOrEqual(review.inputs.length)
      expect(await worker.ui('listCosignings', null)).toEqual([])
      const left = 150_000 - 95_000 - Number(review.fee)
      expect(await balanceOf(worker)).toBe(String(left))
      const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
      expect(entries[0]).toMatchObject({ txid, kind: 'sent' })
    })

    it('bumps the fee of a payment, round the signers again', async () => {
      const worker = await addAccount(signers.descriptor)
      await receive(worker, [70_000])
      const first = await sign(worker, await pay(worker, '20000'), [0, 1])
      const options = await worker.ui('getBumpOptions', { txid: first })
      const feeRate = (options['speed-up'].leastFeeRate ?? 0) + 3
      const bump = await worker.ui('planBump', { txid: first, kind: 'speed-up', feeRate })
      const second = await sign(worker, bump, [1, 2])
      await devnet.mine(1)
      expect(await devnet.rpc('getrawtransaction', [second, true])).toMatchObject({
        confirmations: 1,
      })
    })

    it('takes no foreign signature, no other output, no other sighash and nothing twice', async () => {
      const worker = await addAccount(signers.descriptor)
      await receive(worker, [80_000])
      const { planId, digest } = await pay(worker, '10000')
      const { psbt } = await worker.ui('getCosigning', { planId, digest })
      const refused = async (returned: string) =>
        worker.ui('addCosignature', { planId, digest, returned }).then(
          () => 'taken',
          error => error.data?.problem,
        )
      expect(await refused(psbt)).toBe('NOTHING_NEW')
      const signed = await signers.sign(0, psbt)
      // The recipient’s amount, a sat more.
      const altered = signed.replace('1027000000000000', '1127000000000000')
      expect(altered).not.toBe(signed)
      expect(await refused(altered)).toBe('OTHER_TRANSACTION')
      expect(await refused(await signers.sign(0, psbt, { sighash: 'ALL|ANYONECANPAY' }))).toBe(
        'OTHER_SIGHASH',
      )
      const { partialSigs, tapScriptSigs } = parsePsbt(fromHex(signed)).inputs[0] ?? {}
      const signature = toHex(
        partialSigs?.[0]?.signature ?? tapScriptSigs?.[0]?.signature ?? fromHex(''),
      )
      const wrong =
        signature.slice(0, 40) + (signature[40] === '0' ? '1' : '0') + signature.slice(41)
      expect(await refused(signed.replace(signature, wrong))).toBe('BAD_SIGNATURE')
      const half = await worker.ui('addCosignature', { planId, digest, returned: signed })
      expect(half.signed).toBe(1)
      expect(await refused(signed)).toBe('NOTHING_NEW')
    })

    it('is taken by the node whatever the order in which how many signers sign', async () => {
      const worker = await addAccount(signers.descriptor)
      await receive(worker, [30_000, 31_000])
      const orders = [
        [0, 1],
        [1, 0],
        [2, 1],
        [0, 2],
        [2, 0, 1],
      ]
      for (const order of orders) {
        const { planId, digest } = await pay(worker, '45000')
        let { psbt } = await worker.ui('getCosigning', { planId, digest })
        const original = psbt
        for (const [at, signer] of order.entries()) {
          // By turns the PSBT as it went out at first, and with the signatures so far.
          const returned = await signers.sign(signer, at % 2 === 0 ? original : psbt)
          psbt = (await worker.ui('addCosignature', { planId, digest, returned })).psbt
        }
        const base64 = toBase64(fromHex(psbt))
        const { hex, complete } = await devnet.rpc<{ hex: string; complete: boolean }>(
          'finalizepsbt',
          [base64],
        )
        expect(complete).toBe(true)
        expect(await devnet.rpc('testmempoolaccept', [[hex]])).toMatchObject([{ allowed: true }])
        await worker.ui('dropCosigning', { planId })
      }
      const { planId, digest } = await pay(worker, '45000')
      await sign(worker, { planId, digest }, [2, 0, 1])
    })

    async function sign(
      worker: Worker,
      { planId, digest }: { planId: string; digest: string },
      order: readonly number[],
    ): Promise<string> {
      let { psbt } = await worker.ui('getCosigning', { planId, digest })
      for (const signer of order) {
        const returned = await signers.sign(signer, psbt)
        psbt = (await worker.ui('addCosignature', { planId, digest, returned })).psbt
      }
      return (await worker.ui('sendCosigned', { planId, digest })).txid
    }
  },
)
