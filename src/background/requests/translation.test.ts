import { describe, expect, it } from 'vitest'
import type { Request } from '../../provider/envelope.ts'
import { invalidParams, ProviderError, unauthorized } from '../../provider/errors.ts'
import type { ServedRequest } from './page-message.ts'
import type { PagePort } from './pages.ts'
import type { Translator } from './router.ts'
import {
  createTranslator,
  joinTranslators,
  type Translation,
  withInputNames,
  withNames,
} from './translation.ts'

const PORT: PagePort = { origin: 'https://site.example', tabId: 1, frameId: 0, post() {} }
const ADDRESS = { address: 'bcrt1qexample' }

const request = (method: string, changes: Partial<Request> = {}): Request => ({
  ...{ id: 'r', method, params: [1, 2] },
  ...changes,
})

/** A translator of `other.` whose operation `pay` does this, and what the wallet is asked by it. */
function open(
  pay: Translation,
  {
    answer = () => ({ result: ADDRESS }),
    mayAsk = true,
    isOpen = () => true,
  }: {
    answer?: (
      served: ServedRequest,
    ) => { result: unknown } | { error: { code: number; message: string; data?: object } }
    mayAsk?: boolean
    isOpen?: () => boolean
  } = {},
) {
  const served: ServedRequest[] = []
  const translator = createTranslator('other.', async name => (name === 'pay' ? pay : null), [
    'pay',
  ])
  const connected: unknown[] = []
  const deps = {
    serve: async (_: PagePort, inner: ServedRequest) => {
      served.push(inner)
      return answer(inner)
    },
    mayAsk: async () => mayAsk,
    isOpen,
    withinLimit: <T>(work: () => Promise<T>) => work(),
    readConnected: async (...of: unknown[]) => {
      connected.push(of)
      return { account: { id: 'one' }, network: 'signet' }
    },
  } as unknown as Parameters<Translator['translate']>[2]
  const translate = (asked = request('other.pay')) => translator.translate(PORT, asked, deps)
  return { served, connected, translator, translate }
}

describe('a request in another wallet’s words', () => {
  it('is recognised by its prefix, and known by its name', async () => {
    const { translator, translate } = open(async () => 1)
    expect(translator.handles(request('other.pay'))).toBe(true)
    expect(translator.handles(request('pay'))).toBe(false)
    expect(translator.handles(request('x.other.pay'))).toBe(false)
    expect(translator.needsGrant(request('other.pay'))).toBe(true)
    expect(translator.needsGrant(request('other.look'))).toBe(false)
    await expect(translate(request('other.look'))).rejects.toMatchObject({
      ...{ code: -32601, message: expect.stringContaining('look') },
    })
  })

  it('becomes calls of the wallet with ids of their own, in their order', async () => {
    const { served, translate } = open(async ({ call, origin }, params) => {
      await call('getAccounts')
      await call('signMessage', 'hello', params[1])
      return origin
    })
    expect(await translate()).toBe(PORT.origin)
    expect(served).toStrictEqual([
      { id: 'r/0', method: 'getAccounts', params: [], purpose: 'getAccounts' },
      { id: 'r/1', method: 'signMessage', params: ['hello', 2], purpose: 'signMessage' },
    ])
  })

  it('for one network alone becomes calls for that one', async () => {
    const { served, translate, connected } = open(async ({ call, on, readConnected }) => {
      await call('getAccounts')
      await on('mainnet').call('getAccounts')
      await on('regtest').readConnected()
      await readConnected()
    })
    await translate(request('other.pay', { network: 'signet' }))
    expect(served.map(({ network }) => network)).toEqual(['signet', 'livenet'])
    expect(connected).toEqual([
      [PORT, 'regtest'],
      [PORT, 'signet'],
    ])
  })

  it('has the person unlock the wallet for its own purpose, and only a site that may ask', async () => {
    const pay: Translation = ({ requireAccount }) => requireAccount('signPsbt')
    const { served, translate } = open(pay)
    expect(await translate(request('other.pay', { network: 'signet' }))).toBe(ADDRESS)
    expect(served).toStrictEqual([
      { id: 'r/0', method: 'connect', params: [], purpose: 'signPsbt', network: 'signet' },
    ])
    const stranger = open(pay, { mayAsk: false })
    await expect(stranger.translate()).rejects.toMatchObject({ code: 4100 })
    expect(stranger.served).toEqual([])
  })

  it('fails as its call does', async () => {
    const error = { code: -32000, message: 'no', data: { reason: 'COINS_HELD' } }
    const { translate } = open(({ call }) => call('getAccounts'), { answer: () => ({ error }) })
    const thrown = await translate().catch((caught: unknown) => caught)
    expect(thrown).toBeInstanceOf(ProviderError)
    expect(thrown).toMatchObject(error)
    const bare = open(({ call }) => call('getAccounts'), {
      answer: () => ({ error: { code: 4001, message: 'no' } }),
    })
    await expect(bare.translate()).rejects.toMatchObject({ code: 4001, data: undefined })
  })

  it('asks nothing more once its page has left', async () => {
    let isOpen = true
    const { served, translate } = open(
      async ({ call }) => {
        await call('getAccounts')
        isOpen = false
        await call('signMessage')
      },
      { isOpen: () => isOpen },
    )
    await expect(translate()).rejects.toMatchObject({ code: 4001 })
    expect(served).toHaveLength(1)
  })

  it('does what takes servers long within the limit of its site', async () => {
    const { translate } = open(({ withinLimit }) => withinLimit(async () => 7))
    expect(await translate()).toBe(7)
  })
})

describe('several translators', () => {
  const only = (name: string): Translator => ({
    handles: ({ method }) => method.startsWith(name),
    needsGrant: ({ method }) => method.endsWith('grant'),
    translate: async () => name,
  })
  const joined = joinTranslators(only('a'), only('b'), only('ab'))
  const deps = {} as Parameters<Translator['translate']>[2]

  it('have the first translate that handles a request', async () => {
    expect(joined.handles(request('ab.x'))).toBe(true)
    expect(await joined.translate(PORT, request('ab.x'), deps)).toBe('a')
    expect(await joined.translate(PORT, request('b.x'), deps)).toBe('b')
    expect([joined.needsGrant(request('b.grant')), joined.needsGrant(request('b.x'))]).toEqual([
      true,
      false,
    ])
  })

  it('leave alone what none handles', async () => {
    expect(joined.handles(request('c.grant'))).toBe(false)
    expect(joined.needsGrant(request('c.grant'))).toBe(false)
    expect(await joined.translate(PORT, request('c.x'), deps)).toBeUndefined()
  })
})

describe('an error in the page’s own words', () => {
  const failing = (error: unknown) => () => Promise.reject(error)
  const messageOf = async (run: Promise<unknown>) => {
    const error = await run.catch((caught: unknown) => caught)
    return (error as Error).message
  }

  it('names the parameter as the page does, and keeps its facts', async () => {
    const cause = new ProviderError(-32000, 'psbt: no: really', { data: { reason: 'TOO_LARGE' } })
    const run = withNames({ psbt: 'psbtHex' }, failing(cause))
    await expect(run).rejects.toMatchObject({
      ...{ code: -32000, message: 'psbtHex: no: really', data: { reason: 'TOO_LARGE' }, cause },
    })
    const bare = await withNames({ psbt: 'psbtHex' }, failing(invalidParams('psbt', 1, 'x'))).catch(
      (error: unknown) => error,
    )
    expect(bare).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^psbtHex: expected x/),
    })
  })

  it('stays as it is where it is of no parameter that has another name, or no word of ours', async () => {
    for (const error of [invalidParams('psbts', 1, 'x'), unauthorized(), new TypeError('psbt: x')])
      await expect(withNames({ psbt: 'psbtHex' }, failing(error))).rejects.toBe(error)
    await expect(withNames({}, failing(invalidParams('toString', 1, 'x')))).rejects.toMatchObject({
      message: expect.stringMatching(/^toString: /),
    })
    expect(await withNames({ psbt: 'psbtHex' }, async () => 5)).toBe(5)
  })

  it('names the inputs as the page does', async () => {
    const named = (field: string) =>
      messageOf(
        withInputNames(
          'inputsToSign',
          at => (at === 3 ? undefined : `inputsToSign[${at * 10}]`),
          failing(new ProviderError(-32602, `${field}: no`)),
        ),
      )
    expect(await named('options.toSignInputs')).toBe('inputsToSign: no')
    expect(await named('options.toSignInputs[12]')).toBe('inputsToSign[120]: no')
    expect(await named('options.toSignInputs[2].index')).toBe('inputsToSign[20]: no')
    expect(await named('options.toSignInputs[2].address')).toBe('inputsToSign[20]: no')
    for (const field of [
      'options.toSignInputs[3]',
      'options.toSignInputs[2].sighashTypes',
      'x.options.toSignInputs[2]',
      'options.toSignInputs[2].index.more',
      'options.toSignInputs[]',
      'optionsxtoSignInputs[2]',
      'psbt',
    ])
      expect(await named(field)).toBe(`${field}: no`)
  })
})
