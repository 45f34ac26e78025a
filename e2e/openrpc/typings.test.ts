import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { METHOD_NAMES, type MethodName } from '../../src/provider/method-names.ts'
import type {
  Account,
  MintResult,
  SatchelError,
  SatchelEvents,
  SatchelProvider,
} from '../../src/provider/satchel.d.ts'
import { buildDocument } from './document.ts'
import { printReference } from './reference.ts'
import { printTypings } from './typings.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const document = buildDocument(version)

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Without what the formatter decides: spaces, and the comma or bar where a list begins or ends. */
const strip = (source: string) =>
  source.replace(/\s+/g, '').replace(/,(?=[)}\]>])|(?<=[:<(=])\|/g, '')

describe('the declarations for dapp authors', () => {
  it('are those of the OpenRPC document (else: npm run openrpc)', () => {
    expect(strip(read('src/provider/satchel.d.ts'))).toBe(strip(printTypings(document)))
  })

  it('have every operation, and no other', () => {
    const declared = read('src/provider/satchel.d.ts').matchAll(/^ {2}(\w+)\(/gm)
    const names = [...declared].map(([, name]) => name)
    expect(names).toEqual(METHOD_NAMES)
    expectTypeOf<MethodName>().toEqualTypeOf<
      Exclude<keyof SatchelProvider, 'on' | 'removeListener' | 'selectedAccount'>
    >()
  })

  it('take the calls of a dapp, and refuse wrong ones', () => {
    expectTypeOf<NonNullable<Window['satchel']>['bitcoin']>().toEqualTypeOf<SatchelProvider>()
    const use = async (wallet: SatchelProvider) => {
      expectTypeOf(await wallet.connect()).toEqualTypeOf<Account>()
      expectTypeOf(await wallet.sendBitcoin('address', 20_000, { feeRate: 2.5 })).toBeString()
      expectTypeOf(
        await wallet.mint({ type: 61, from: '', inscriptions: [{ body: 'text' }] }),
      ).toEqualTypeOf<MintResult>()
      wallet.on('accountsChanged', ([address]) =>
        expectTypeOf(address).toEqualTypeOf<string | undefined>(),
      )
      // @ts-expect-error: no such event
      wallet.on('chainChanged', () => undefined)
      // @ts-expect-error: a recipient is missing
      await wallet.sendBitcoin(20_000)
      // @ts-expect-error: 63 is no type of an inscription
      await wallet.mint({ type: 63, from: '', inscriptions: [] })
    }
    expectTypeOf(use).returns.resolves.toBeVoid()
    expectTypeOf<SatchelEvents['disconnect']>().toEqualTypeOf<[]>()
    expectTypeOf<SatchelError['code']>().toBeNumber()
  })
})

describe('the reference for dapp authors', () => {
  it('is that of the OpenRPC document (else: npm run openrpc)', () => {
    expect(read('src/provider/OPERATIONS.md')).toBe(printReference(document))
  })

  it('describes every operation and each member of its arguments', () => {
    const sections = read('src/provider/OPERATIONS.md').split(/^## /m).slice(1)
    expect(sections.map(section => section.split('\n')[0])).toEqual(METHOD_NAMES)
    const send = sections.find(section => section.startsWith('send\n')) ?? ''
    const named = [...send.matchAll(/^\| `([\w.]+)`/gm)].map(([, name]) => name)
    expect(named).toEqual(
      ['', '.from', '.to', '.value', '.satBytes', '.memo', '.memoPos'].map(end => `payment${end}`),
    )
  })
})
