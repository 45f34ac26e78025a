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
import { printTypings } from './typings.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Without what the formatter decides: spaces, and the comma or bar where a list begins or ends. */
const strip = (source: string) =>
  source.replace(/\s+/g, '').replace(/,(?=[)}\]>])|(?<=[:<(=])\|/g, '')

describe('the declarations for dapp authors', () => {
  it('are those of the OpenRPC document (else: npm run openrpc)', () => {
    const { version } = JSON.parse(read('package.json'))
    expect(strip(read('src/provider/satchel.d.ts'))).toBe(
      strip(printTypings(buildDocument(version))),
    )
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
