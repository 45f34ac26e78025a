import { describe, expect, it } from 'vitest'
import { openConnected, psbt, SEGWIT, segwit, TAPROOT, taproot } from './testing/standard-wallet.ts'

describe('bitcoin:signMessage', () => {
  const ways = [
    [taproot, 'bip322-simple', TAPROOT],
    [segwit, 'ecdsa', SEGWIT],
  ] as const
  const encode = (text: string) => new TextEncoder().encode(text)
  const signatureOf = (seed: number) => Uint8Array.from({ length: 65 }, (_, i) => 255 - i * seed)
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

  it.each(ways)('signs a text in the way of the address', async (state, type, from) => {
    const signature = signatureOf(1)
    const { use, account, calls } = openConnected(() => ({ result: base64(signature) }), state)
    const message = encode('\ufeffHallo, Wörld 🐋')
    expect(await use('bitcoin:signMessage', { account, message })).toEqual([
      { signedMessage: message, signature },
    ])
    expect(calls()).toEqual([['signMessage', '\ufeffHallo, Wörld 🐋', { type, from }]])
  })

  it.each(ways)('signs several with one question, in their order', async (state, type, from) => {
    const signatures = [3, 1, 2].map(signatureOf)
    const { use, account, calls } = openConnected(() => ({ result: signatures.map(base64) }), state)
    const texts = ['\ufeffHallo, Wörld 🐋', '', '\ufeffHallo, Wörld 🐋']
    const inputs = texts.map(text => ({ account, message: encode(text) }))
    expect(await use('bitcoin:signMessage', ...inputs)).toEqual(
      inputs.map(({ message }, at) => ({ signedMessage: message, signature: signatures[at] })),
    )
    expect(calls()).toEqual([['signMessages', texts.map(text => ({ text, type, from }))]])
  })

  it('takes a text itself, as MetaMask does, and says which bytes were signed', async () => {
    const signature = signatureOf(1)
    const { use, account, calls } = openConnected(() => ({ result: base64(signature) }))
    expect(await use('bitcoin:signMessage', { account, message: 'Grüße' })).toEqual([
      { signedMessage: encode('Grüße'), signature },
    ])
    expect(calls()).toEqual([['signMessage', 'Grüße', { type: 'bip322-simple', from: TAPROOT }]])
  })

  it('asks nothing for none', async () => {
    const { use, sent, flush } = openConnected(() => ({ result: '' }))
    expect(await use('bitcoin:signMessage')).toEqual([])
    await flush()
    expect(sent).toEqual([])
  })

  it.each([
    ['bytes that are no text', new Uint8Array([0xc3, 0x28]), 'got other bytes'],
    ['a number', 7, 'got number'],
    ['a list of numbers', [7], 'got object'],
    ['null', null, 'got null'],
    ['nothing', undefined, 'got undefined'],
  ])('refuses %s, and asks for none of the messages', async (_, message, got) => {
    const { use, account, sent, flush } = openConnected(() => ({ result: '' }))
    await expect(
      use('bitcoin:signMessage', { account, message: psbt.slice(0, 4) }, { account, message }),
    ).rejects.toMatchObject({
      code: -32602,
      message: `message: expected UTF-8 text in a Uint8Array, ${got}`,
    })
    await flush()
    expect(sent).toEqual([])
  })

  it.each(['signMessage', 'signTransaction'])('refuses bitcoin:%s for no account', async name => {
    const { use, sent, flush } = openConnected(() => ({ result: '' }))
    const inputsToSign = [{ signingIndexes: [0] }]
    await expect(
      use(`bitcoin:${name}`, { message: 'hello', psbt, inputsToSign }),
    ).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('account: expected an account of the wallet, got undefined'),
    })
    await flush()
    expect(sent).toEqual([])
  })

  it.each(['signTransaction', 'signAndSendTransaction'])(
    'bitcoin:%s names what is no PSBT in bytes',
    async name => {
      const { use, account, sent, flush } = openConnected(() => ({ result: '' }))
      const inputsToSign = [{ account, signingIndexes: [0] }]
      const given: [unknown, string][] = [
        ['70736274ff', 'string'],
        [undefined, 'undefined'],
        [null, 'null'],
        [[0x70, 0x73], 'object'],
      ]
      for (const [psbt, kind] of given)
        await expect(use(`bitcoin:${name}`, { psbt, inputsToSign })).rejects.toMatchObject({
          code: -32602,
          message: `psbt: expected a Uint8Array, got ${kind}`,
        })
      await flush()
      expect(sent).toEqual([])
    },
  )

  it.each([1, 2])('of %d passes the refusal of the person on', async count => {
    const { use, account, calls } = openConnected(() => ({ error: { code: 4001, message: 'no' } }))
    const inputs = Array(count).fill({ account, message: encode('m') })
    await expect(use('bitcoin:signMessage', ...inputs)).rejects.toMatchObject({ code: 4001 })
    expect(calls()).toHaveLength(1)
  })
})
