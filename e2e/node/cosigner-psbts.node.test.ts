import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECIPIENT } from '../../src/background/testing/funded-wallet.ts'
import { fromBase64, fromHex, toBase64, toHex } from '../../src/bitcoin/bytes.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { startCoreSigners } from '../fixtures/core-signers.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'

// A wallet of Bitcoin Core is the coordinator: it begins payments of an account that it shares with this wallet.

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

type Created = { psbt: string; changepos: number; fee: number }

describe.each(['p2wsh', 'p2sh-p2wsh', 'p2tr'] as const)(
  'a payment of 2 of 3 signers that Bitcoin Core began: %s',
  script => {
    it('is signed here as the second one, finalized by the node and mined; or finalized and sent here', async () => {
      const { worker } = await startOnDevnet(devnet)
      const own = await worker.ui('getCosignerKey', { script })
      const signers = await startCoreSigners(script, own)
      const [hasNoKeys, isBlank] = [false, true]
      await devnet.rpc('createwallet', [`coordinator-${script}`, hasNoKeys, isBlank])
      try {
        await devnet.rpc('importdescriptors', [await signers.requestsOf(0)])
        for (const sats of [60_000, 70_000]) {
          const kind = { p2wsh: 'bech32', 'p2sh-p2wsh': 'p2sh-segwit', p2tr: 'bech32m' }[script]
          await devnet.faucet(await devnet.rpc<string>('getnewaddress', ['', kind]), sats)
        }
        const account = await worker.ui('addDevice', {
          ...{ descriptor: signers.descriptor, name: 'Family' },
        })
        await worker.ui('selectAccount', { accountId: account.id })
        const { balance } = await worker.ui('getOverview', { retry: true })
        expect(balance?.confirmed).toBe('130000')

        const psbt = await begin('0.001')
        const { id, digest, review, toSign, cosigners } = await open(psbt)
        expect(toSign).toBe(2)
        expect(cosigners).toMatchObject({ required: 2, signed: 1 })
        expect(cosigners?.signers.map(({ hasSigned, isOwn }) => [hasSigned, isOwn])).toEqual([
          [true, false],
          [false, false],
          [false, true],
        ])
        const [item] = review.items
        expect(item?.inputs.map(input => input.own)).toEqual([true, true])
        expect(item?.outputs.filter(output => !output.own)).toMatchObject([
          { address: RECIPIENT, sats: '100000' },
        ])
        expect(item?.fee?.certainty).toBe('certain')
        const signed = await worker.ui('signPsbt', { id, digest })
        const { hex, complete } = await devnet.rpc<{ hex: string; complete: boolean }>(
          'finalizepsbt',
          [toBase64(fromHex(signed.psbt))],
        )
        expect(complete).toBe(true)
        const txid = await devnet.rpc<string>('sendrawtransaction', [hex])
        await devnet.rpc('generatetoaddress', [1, RECIPIENT])
        // Devnet hears of it with its own next block.
        await devnet.mine(1)
        const mined = await devnet.rpc<{ vsize: number; confirmations: number }>(
          'getrawtransaction',
          [txid, true],
        )
        expect(mined.confirmations).toBe(2)
        expect(Math.abs((item?.vsize ?? 0) - mined.vsize)).toBeLessThanOrEqual(2)
        const left = 130_000 - 100_000 - Number(item?.fee?.sats)
        const overview = await worker.ui('getOverview', { retry: true })
        expect(overview.balance?.confirmed).toBe(String(left))

        const second = await open(await begin('0.00015'))
        await worker.ui('signPsbt', { id: second.id, digest: second.digest })
        const push = await worker.ui('reviewPsbtPush', { id: second.id })
        expect(push.review.inputs.map(input => input.own)).toEqual([true])
        const sent = await worker.ui('pushPsbt', { id: second.id, digest: push.digest })
        await devnet.mine(1)
        expect(await devnet.rpc('getrawtransaction', [sent.txid, true])).toMatchObject({
          confirmations: 1,
        })
      } finally {
        await devnet.rpc('unloadwallet', [`coordinator-${script}`])
        await signers.stop()
      }

      /** The coordinator’s PSBT (hex) with its own signature. */
      async function begin(btc: string): Promise<string> {
        const created = await devnet.rpc<Created>('walletcreatefundedpsbt', [
          ...[[], [{ [RECIPIENT]: btc }], 0, { fee_rate: 5 }],
        ])
        const { psbt } = await devnet.rpc<{ psbt: string }>('walletprocesspsbt', [
          ...[created.psbt, true, 'DEFAULT', true, false],
        ])
        return toHex(fromBase64(psbt))
      }

      async function open(psbt: string) {
        const { id } = await worker.ui('loadPsbt', { psbt })
        return worker.ui('reviewPsbt', { id })
      }
    })
  },
)
