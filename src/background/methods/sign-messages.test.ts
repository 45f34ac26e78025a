import { Verifier } from 'bip322-js'
import { describe, expect, it, vi } from 'vitest'
import type { Response } from '../../provider/envelope.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { dieAfter, SITE, selectedAccount } from '../testing/funded-wallet.ts'
import { startSigner } from '../testing/psbt-site.ts'
import {
  decideAll,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startWorker,
  type World,
} from '../testing/test-wallet.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const MIXED = [
  { text: 'one', type: 'ecdsa' },
  { text: 'two', type: 'bip322-simple' },
  { text: 'Grüße ₿\n', type: 'bip322-simple' },
  { text: 'one', type: 'ecdsa' },
  { text: '' },
]

function signaturesOf(response: Response): string[] {
  if (!('result' in response)) throw new Error(JSON.stringify(response))
  return response.result as string[]
}

function expectSigned(address: string, texts: readonly string[], signatures: readonly string[]) {
  expect(signatures).toHaveLength(texts.length)
  for (const [at, text] of texts.entries()) {
    const signature = signatures[at] ?? ''
    expect(Verifier.verifySignature(address, text, signature), `message ${at}`).toBe(true)
    expect(Verifier.verifySignature(address, `${text}.`, signature), `message ${at}`).toBe(false)
  }
}

describe('signMessages', () => {
  it('asks once about all of them, and gives their signatures in their order', async () => {
    const { worker, page, account, world } = await startSigner('p2wpkh')
    const { shown } = world.window
    const answer = page.call('signMessages', MIXED)
    const { review } = await decideNext(worker, 'approve')
    expect(review).toEqual({
      kind: 'sign-messages',
      messages: MIXED.map(({ text, type = 'ecdsa' }) => ({ message: text, type })),
    })
    const signatures = signaturesOf(await answer)
    const texts = MIXED.map(({ text }) => text)
    expectSigned(account.address, texts, signatures)
    const isEcdsa = signatures.map(signature => Buffer.from(signature, 'base64').length === 65)
    expect(isEcdsa).toEqual([true, false, false, true, true])
    expect(signatures[3]).toBe(signatures[0])
    expect(world.window.shown).toBe(shown + 1)
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('of one message asks what signMessage asks', async () => {
    const { worker, page, account } = await startSigner('p2wpkh')
    const single = page.call('signMessage', 'hello', 'bip322-simple')
    const { review } = await decideNext(worker, 'approve', 'sign-message')
    const { result } = Object(await single)
    const from = account.address
    const answer = page.call('signMessages', [{ text: 'hello', type: 'bip322-simple', from }])
    expect((await decideNext(worker, 'approve')).review).toEqual(review)
    expect(await answer).toMatchObject({ result: [result] })
  })

  it('gives none where the person says no', async () => {
    const { worker, page } = await startSigner('p2wpkh')
    const answer = page.call('signMessages', MIXED)
    await decideNext(worker, 'reject', 'sign-messages')
    expect(await answer).toEqual({
      id: expect.anything(),
      error: { code: 4001, message: 'User rejected the request.' },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('of a locked wallet asks to unlock it and goes on', async () => {
    const { worker, page, account } = await startSigner('p2wpkh')
    await worker.ui('lock', null)
    const answer = page.call('signMessages', [{ text: 'one' }, { text: 'two' }])
    const { review } = await nextApproval(worker, 'unlock')
    expect(review).toMatchObject({ method: 'signMessages' })
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', 'sign-messages')
    expectSigned(account.address, ['one', 'two'], signaturesOf(await answer))
  })

  it('takes as many messages as one question can have, and as much text', async () => {
    const { worker, page } = await startSigner('p2wpkh')
    for (const messages of [
      Array.from({ length: 50 }, (_, at) => ({ text: `${at}` })),
      [{ text: 'a'.repeat(65_535) }, { text: 'b' }],
    ]) {
      const answer = page.call('signMessages', messages)
      await decideNext(worker, 'reject', 'sign-messages')
      expect(await answer).toMatchObject({ error: { code: 4001 } })
    }
  })
})

describe('messages that are not signed', () => {
  const two = [{ text: 'one' }, { text: 'two' }]
  const cases: [string, unknown, string][] = [
    ['no list', undefined, 'messages: expected a list of 1 to 50 messages, got null'],
    ['a text', 'one', 'messages: expected a list of 1 to 50'],
    ['an empty list', [], 'messages: expected a list of 1 to 50'],
    ['too many', Array(51).fill({ text: '' }), 'messages: expected a list of 1 to 50'],
    [
      'too much text in all',
      [{ text: 'a'.repeat(65_535) }, { text: 'bc' }],
      'messages: expected at most 65536 characters in all',
    ],
    ['too long a text', [{ text: 'a'.repeat(65_537) }], 'messages[0].text: expected at most 65536'],
    ['no object', [...two, 7], 'messages[2]: expected an object'],
    ['a hole', [...two, null], 'messages[2].text: expected a string'],
    ['no text', [...two, { type: 'ecdsa' }], 'messages[2].text: expected a string'],
    ['half a character', [{ text: '\ud800' }], 'messages[0].text: expected text without lone'],
    ['an unknown kind', [...two, { text: '', type: 'schnorr' }], 'messages[2].type: expected one'],
    ['a strange address', [{ text: '', from: 7 }], 'messages[0].from: expected a string'],
  ]

  it.each(cases)('(%s) are refused by name, and nobody is asked', async (_, messages, text) => {
    const { page, world } = await startSigner('p2wpkh')
    const { shown } = world.window
    expect(await page.call('signMessages', messages)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(text) },
    })
    expect(world.window.shown).toBe(shown)
  })

  it('because one of them is another address’s', async () => {
    const { page, world } = await startSigner('p2wpkh')
    const { shown } = world.window
    const from = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    expect(await page.call('signMessages', [...two, { text: 'three', from }])).toMatchObject({
      error: { code: 4100, message: `messages[2].from: ${from} is not the connected address.` },
    })
    expect(world.window.shown).toBe(shown)
  })

  it('because one of them is of a kind that the address has not', async () => {
    const { page, world } = await startSigner('p2pkh')
    const { shown } = world.window
    const messages = [...two, { text: 'three', type: 'bip322-simple' }]
    expect(await page.call('signMessages', messages)).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringMatching(/^messages\[2\]\.type: bip322-simple/),
      },
    })
    expect(await page.call('signMessage', 'one', 'bip322-simple')).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringMatching(/^type: bip322-simple needs a segwit/),
      },
    })
    expect(world.window.shown).toBe(shown)
  })
})

describe('what is approved', () => {
  /** The digest that the same request of the same page on the same wallet gets. */
  async function digestOf(world: World, messages: unknown): Promise<string> {
    const copy = {
      ...world,
      local: createMemoryArea(world.local.dump()),
      session: createMemoryArea(world.session.dump()),
    }
    const worker = startWorker(copy)
    void openPage(worker, SITE).send('same', 'signMessages', messages)
    return (await nextApproval(worker, 'sign-messages')).digest
  }

  it('covers every message: its text, its kind and its place', async () => {
    const { world } = await startSigner('p2wpkh')
    const [first, second, ...rest] = MIXED
    const other = { text: 'other', type: 'ecdsa' }
    const lists = [
      MIXED,
      [...MIXED.slice(0, -1), other],
      [other, second, ...rest],
      [second, first, ...rest],
      [{ ...first, type: 'bip322-simple' }, second, ...rest],
      [...MIXED, first],
    ]
    const digests = []
    for (const list of lists) digests.push(await digestOf(world, list))
    expect(new Set(digests).size).toBe(lists.length)
    expect(await digestOf(world, MIXED)).toBe(digests[0])
  })
})

describe('a worker that dies while several messages are signed', () => {
  const messages = [{ text: 'one' }, { text: 'two' }, { text: 'three' }]
  const texts = messages.map(({ text }) => text)

  async function prepare() {
    const { world, worker } = await startSigner('p2wpkh')
    const { address } = await selectedAccount(worker)
    return { world, address }
  }

  async function countWrites(): Promise<number> {
    const { world } = await prepare()
    const counting = dieAfter(world, Number.POSITIVE_INFINITY)
    const worker = startWorker(counting)
    const answer = openPage(worker, SITE).send('outer', 'signMessages', messages)
    signaturesOf(await decideAll(worker, 'approve', answer))
    return counting.writes()
  }

  it('at whatever write, leaves them to the next, which asks at most once and answers once and for all', async () => {
    const writes = await countWrites()
    expect(writes).toBeGreaterThan(2)
    for (let moment = 0; moment < writes; moment++) {
      const { world, address } = await prepare()
      const mortal = dieAfter(world, moment)
      const dying = startWorker(mortal)
      void openPage(dying, SITE).send('outer', 'signMessages', messages)
      // Hangs where the worker does.
      void decideAll(dying, 'approve', mortal.died).catch(() => {})
      await mortal.died

      const { shown } = world.window
      const second = startWorker(world)
      const page = openPage(second, SITE)
      const response = await decideAll(
        second,
        'approve',
        page.send('outer', 'signMessages', messages),
      )
      expectSigned(address, texts, signaturesOf(response))
      expect(world.window.shown - shown, `died at ${moment}`).toBeLessThanOrEqual(1)
      // Asked for once more, it is known.
      const after = world.window.shown
      expect(await page.send('outer', 'signMessages', messages)).toEqual(response)
      expect(world.window.shown).toBe(after)
    }
  })
})
