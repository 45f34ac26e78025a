import { Verifier } from 'bip322-js'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { readShown } from '../inscribing/testing/device-answers.ts'
import { createDevice, startOnDevice } from '../testing/device-wallet.ts'
import { nextApproval, type Worker } from '../testing/test-wallet.ts'

const TEXTS = ['hello', 'Grüße ₿\n']

describe('texts that a site has signed by an account whose key is on a device', () => {
  it.each(['p2tr', 'p2wpkh'] as const)(
    'are signed there in one round, and prove the address to an independent library: %s',
    async type => {
      const { world, worker, device, account, page } = await startOnDevice(type)
      const messages = TEXTS.map(text => ({ text, type: 'bip322-simple' }))
      const answer = page.call('signMessages', messages)
      await decide(worker, await nextApproval(worker, 'sign-messages'))
      const asked = await nextApproval(worker, 'sign-on-device')
      const review = readShown(asked.review)
      expect(review.tasks.map(({ message, pays }) => [message, pays])).toEqual(
        TEXTS.map(text => [text, []]),
      )
      // BIP-322: the PSBT says the text, so that a signer can show it.
      for (const [at, { psbt }] of review.tasks.entries()) {
        const said = parsePsbt(fromHex(psbt)).genericSignedMessage ?? new Uint8Array()
        expect(new TextDecoder().decode(said)).toBe(TEXTS[at])
      }
      await decide(worker, asked, device.signAll(review))
      const { result: signatures } = (await answer) as { result: string[] }
      for (const [at, text] of TEXTS.entries())
        expect(Verifier.verifySignature(account.address, text, signatures[at] ?? '')).toBe(true)
      expect(world.chain.broadcasts).toEqual([])
    },
  )

  it('have the prefix of BIP-322 where a site asks for that form', async () => {
    const { worker, device, account, page } = await startOnDevice('p2wpkh')
    const answer = page.call('signMessage', 'hello', 'bip322')
    await decide(worker, await nextApproval(worker, 'sign-message'))
    const asked = await nextApproval(worker, 'sign-on-device')
    await decide(worker, asked, device.signAll(readShown(asked.review)))
    const { result } = (await answer) as { result: string }
    expect(result.slice(0, 3)).toBe('smp')
    expect(Verifier.verifySignature(account.address, 'hello', result.slice(3))).toBe(true)
  })

  it('are not given out where another text, or another key, has signed', async () => {
    const { worker, device, page } = await startOnDevice('p2tr')
    const sign = async (text: string) => {
      const answer = page.call('signMessage', text, 'bip322-simple')
      await decide(worker, await nextApproval(worker, 'sign-message'))
      const asked = await nextApproval(worker, 'sign-on-device')
      return { answer, asked, review: readShown(asked.review) }
    }
    const other = await sign('other')
    const returned = device.signAll(other.review)
    await worker.ui('decide', {
      ...{ key: other.asked.key, digest: other.asked.digest, decision: 'reject' },
    })
    expect(await other.answer).toMatchObject({ error: { code: 4001 } })
    const { asked, review } = await sign('hello')
    await expect(decide(worker, asked, returned)).rejects.toMatchObject({
      data: { problem: 'OTHER_TRANSACTION' },
    })
    const stranger = createDevice(new Uint8Array(32).fill(0x78))
    await expect(decide(worker, asked, stranger.signAll(review))).rejects.toMatchObject({
      data: { problem: 'NOT_SIGNED' },
    })
  })

  it.each([
    ['p2wpkh', 'ecdsa'],
    ['p2tr', 'ecdsa'],
    ['p2sh-p2wpkh', 'bip322'],
    ['p2pkh', 'bip322'],
    ['p2sh-p2wpkh', 'bip322-simple'],
  ] as const)(
    'are refused before anybody is asked where no PSBT gives it: %s, %s',
    async (type, how) => {
      const { worker, page } = await startOnDevice(type)
      expect(await page.call('signMessage', 'hello', how)).toMatchObject({
        error: { message: expect.stringContaining('BIP-322'), data: { reason: 'DEVICE_CANNOT' } },
      })
      expect(await worker.ui('getApproval', null)).toBeNull()
    },
  )
})

function decide(worker: Worker, { key, digest }: { key: string; digest: string }, input?: string) {
  const decision = 'approve' as const
  return worker.ui('decide', { key, digest, decision, ...(input !== undefined && { input }) })
}
