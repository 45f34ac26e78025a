import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONTEXT, CONTEXT_HASH } from '../../../e2e/openrpc/example-values.ts'
import {
  keyMaterialOf,
  referenceContextHash,
} from '../../bitcoin/testing/context-hash-reference.ts'
import type { ProviderError } from '../../provider/errors.ts'
import { parsers } from '../../provider/methods.ts'
import {
  ABANDON_MNEMONIC,
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  type Worker,
} from '../testing/test-wallet.ts'

const SITE = 'https://vault.babylon.example'
const OTHER = 'https://other.example'
const APP = 'babylon-btc-vault'
const ASK = 'derive-context-hash'

/** Of the Bitcoin wiki's page on the import format: the same key for mainnet and for the test networks. */
const WIF_KEY = '0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d'
const TEST_WIF = 'cMzLdeGd5vEqxB8B6VFQoRopQ3sLAAvEzDAoQgvX54xwofSWj1fx'

/** One field is wrong in each. */
const BAD_PARAMS: readonly (readonly [unknown[], string])[] = [
  [[], 'appName: expected a string, got undefined'],
  [[null, '00'], 'appName: expected a string, got null'],
  [[['app'], '00'], 'appName: expected a string, got an array of 1'],
  [['', '00'], 'appName: expected 1 to 64 of a-z, 0-9 and hyphens, got the string ""'],
  [
    ['Babylon', '00'],
    'appName: expected 1 to 64 of a-z, 0-9 and hyphens, got the string "Babylon"',
  ],
  [['my app', '00'], 'appName: expected 1 to 64 of a-z'],
  [['my_app', '00'], 'appName: expected 1 to 64 of a-z'],
  [['app\n', '00'], 'appName: expected 1 to 64 of a-z'],
  [['bäbylon', '00'], 'appName: expected 1 to 64 of a-z'],
  [['a'.repeat(65), '00'], 'appName: expected at most 64 characters, got a string of 65'],
  [[APP], 'context: expected a string, got undefined'],
  [[APP, 7], 'context: expected a string, got the number 7'],
  [
    [APP, ''],
    'context: expected at least one byte in lower-case hex without 0x, got the string ""',
  ],
  [[APP, '0'], 'context: expected at least one byte'],
  [[APP, '0x00'], 'context: expected at least one byte'],
  [[APP, 'DEADBEEF'], 'context: expected at least one byte'],
  [[APP, 'deadbeeg'], 'context: expected at least one byte'],
  [[APP, '00\n'], 'context: expected at least one byte'],
  [[APP, ' 00'], 'context: expected at least one byte'],
  [[APP, '00'.repeat(1025)], 'context: expected at most 2048 characters, got a string of 2050'],
]

/** What the specification says for the account in use, by the second implementation. */
async function expectedOf(
  { ui }: Worker,
  networkName: string,
  keyMaterial = keyMaterialOf(ABANDON_MNEMONIC),
) {
  const { accounts, accountId } = await ui('getState', null)
  const publicKey = accounts.find(({ id }) => id === accountId)?.publicKey ?? ''
  return referenceContextHash({
    keyMaterial,
    appName: APP,
    networkName,
    publicKey,
    context: CONTEXT,
  })
}

describe('deriveContextHash', () => {
  it('shows who asks for what, and gives what the specification says once it is approved', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answer = page.call('deriveContextHash', APP, CONTEXT)
    const approval = await decideNext(worker, 'approve', ASK)
    expect(approval).toMatchObject({ origin: SITE, account: { source: 'seed' } })
    expect(approval.review).toEqual({
      kind: ASK,
      appName: APP,
      context: CONTEXT,
      isNameInHost: true,
    })
    const { result } = Object(await answer)
    expect(result).toBe(await expectedOf(worker, 'bitcoin-regtest'))
  })

  it('gives the same account of the same words the published example on mainnet', async () => {
    const worker = await startUnlocked()
    await worker.ui('selectNetwork', { network: 'mainnet' })
    const page = await connectPage(worker, SITE)
    const answer = page.call('deriveContextHash', APP, CONTEXT)
    await decideNext(worker, 'approve', ASK)
    expect(await answer).toMatchObject({ result: CONTEXT_HASH })
    expect(await expectedOf(worker, 'bitcoin-mainnet')).toBe(CONTEXT_HASH)
  })

  it('gives another secret on every network and for every account, and the same one again', async () => {
    const worker = await startUnlocked()
    const names = { regtest: 'regtest', signet: 'signet', testnet4: 'testnet', mainnet: 'mainnet' }
    const { accounts } = await worker.ui('getState', null)
    const seen: unknown[] = []
    let tab = 1
    for (const { id } of accounts) {
      await worker.ui('selectAccount', { accountId: id })
      for (const [network, name] of Object.entries(names)) {
        await worker.ui('selectNetwork', { network: network as keyof typeof names })
        const page = await connectPage(worker, SITE, tab++)
        for (let time = 0; time < 2; time++) {
          const answer = page.call('deriveContextHash', APP, CONTEXT)
          await decideNext(worker, 'approve', ASK)
          const { result } = Object(await answer)
          expect(result).toBe(await expectedOf(worker, `bitcoin-${name}`))
          seen.push(result)
        }
      }
    }
    expect(accounts.length).toBeGreaterThan(1)
    expect(new Set(seen).size).toBe(accounts.length * 4)
  })

  it('makes it of the key for an account of an imported key, and shows that it does', async () => {
    const worker = await startUnlocked()
    await worker.ui('importWif', { wif: TEST_WIF, addressType: 'p2wpkh', name: 'Key' })
    const { accounts } = await worker.ui('getState', null)
    const id = accounts.find(({ source }) => source === 'key')?.id ?? ''
    await worker.ui('selectAccount', { accountId: id })
    const page = await connectPage(worker, SITE)
    const answer = page.call('deriveContextHash', APP, CONTEXT)
    const approval = await decideNext(worker, 'approve', ASK)
    expect(approval.account).toMatchObject({ id, source: 'key' })
    expect(await answer).toMatchObject({
      result: await expectedOf(worker, 'bitcoin-regtest', WIF_KEY),
    })
  })

  it('warns where the beginning of the name is nowhere in the host', async () => {
    const worker = await startUnlocked()
    for (const [origin, appName, isNameInHost] of [
      ['https://babylon.example', 'my-app', false],
      ['https://babylon.example:8443', 'babylon', true],
      ['https://babylonlabs.example', 'the-babylon-vault', false],
      ['https://vault.example', APP, false],
      ['https://example.com', 'a-b-c', false],
      ['https://xn--bbylon-bua.example', APP, false],
    ] as const) {
      const page = await connectPage(worker, origin)
      const answer = page.call('deriveContextHash', appName, CONTEXT)
      const { review } = await decideNext(worker, 'reject', ASK)
      expect(review, origin).toMatchObject({ appName, isNameInHost })
      expect(await answer).toMatchObject({ error: { code: 4001 } })
    }
  })
})

describe('deriveContextHash is refused', () => {
  it('with 4100 to a page that is not connected, and opens no window', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await connectPage(worker, SITE)
    const shown = world.window.shown
    const page = openPage(worker, OTHER)
    expect(await page.call('deriveContextHash', APP, CONTEXT)).toMatchObject({
      error: { code: 4100 },
    })
    expect(world.window.shown).toBe(shown)
  })

  it('with 4001 when the person rejects, and is asked anew the next time', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    for (let time = 0; time < 2; time++) {
      const answer = page.call('deriveContextHash', APP, CONTEXT)
      await decideNext(worker, 'reject', ASK)
      expect(await answer).toMatchObject({
        error: { code: 4001, message: 'User rejected the request.' },
      })
    }
  })

  it('with 4100 that says so for an account that is only watched', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    const { id } = await worker.ui('watchAddress', { address, name: 'Cold' })
    await worker.ui('selectAccount', { accountId: id })
    expect(await page.call('deriveContextHash', APP, CONTEXT)).toMatchObject({
      error: { code: 4100, message: expect.stringContaining('only watched') },
    })
  })

  it('with 4100 when the account or the network was switched while it asked', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const { accounts, accountId } = await worker.ui('getState', null)
    const other = accounts.find(({ id }) => id !== accountId)?.id ?? ''
    const switches = [
      () => worker.ui('selectAccount', { accountId: other }),
      () => worker.ui('selectNetwork', { network: 'signet' }),
    ]
    for (const change of switches) {
      const answer = page.call('deriveContextHash', APP, CONTEXT)
      await nextApproval(worker, ASK)
      await change()
      expect(await answer).toMatchObject({ error: { code: 4100 } })
      await worker.ui('selectAccount', { accountId: accountId ?? '' })
    }
  })

  it('for a digest of other parameters', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const first = page.call('deriveContextHash', APP, '00')
    const shown = await decideNext(worker, 'reject', ASK)
    await first
    const second = page.call('deriveContextHash', APP, '01')
    const { key } = await nextApproval(worker, ASK)
    await expect(
      worker.ui('decide', { key, digest: shown.digest, decision: 'approve' }),
    ).rejects.toThrow()
    await decideNext(worker, 'reject', ASK)
    expect(await second).toMatchObject({ error: { code: 4001 } })
  })

  it('with -32602 that says what is wrong, and opens no window', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const shown = world.window.shown
    for (const [params, message] of BAD_PARAMS)
      expect(await page.call('deriveContextHash', ...params), message).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(message) },
      })
    expect(world.window.shown).toBe(shown)
  })

  it('for nothing that is canonical, up to the largest', () => {
    const hex = fc
      .uint8Array({ minLength: 1, maxLength: 1024 })
      .map(bytes => Buffer.from(bytes).toString('hex'))
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{1,64}$/), hex, (appName, context) => {
        expect(parsers.deriveContextHash([appName, context])).toEqual({ appName, context })
      }),
    )
    const largest = { appName: '-'.repeat(64), context: 'ff'.repeat(1024) }
    expect(parsers.deriveContextHash([largest.appName, largest.context])).toEqual(largest)
  })

  it('for any other text, by the name of the field', () => {
    const other = fc.string({ unit: 'binary' }).filter(text => !/^[a-z0-9-]{1,64}$/.test(text))
    fc.assert(
      fc.property(other, text => {
        expect(codeAndField([text, '00'])).toEqual([-32602, 'appName'])
        if (!/^(?:[0-9a-f]{2})+$/.test(text))
          expect(codeAndField([APP, text])).toEqual([-32602, 'context'])
      }),
    )
  })
})

function codeAndField(params: unknown[]): unknown {
  try {
    return parsers.deriveContextHash(params)
  } catch (error) {
    const { code, message } = error as ProviderError
    return [code, message.split(':')[0]]
  }
}

describe('a locked wallet that is asked to deriveContextHash', () => {
  it('asks to be unlocked, says what for, and goes on', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    await worker.ui('lock', null)
    const answer = page.call('deriveContextHash', APP, CONTEXT)
    expect(await nextApproval(worker)).toMatchObject({
      review: { kind: 'unlock', method: 'deriveContextHash' },
    })
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', ASK)
    expect(await answer).toMatchObject({ result: await expectedOf(worker, 'bitcoin-regtest') })
  })
})
