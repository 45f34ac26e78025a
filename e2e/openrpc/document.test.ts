import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as metaSchemas from '@open-rpc/meta-schema'
import { Ajv } from 'ajv'
import draft7 from 'ajv/dist/refs/json-schema-draft-07.json'
import { describe, expect, it } from 'vitest'
import { createPipe } from '../../src/content/pipe.ts'
import { createProvider } from '../../src/inpage/provider.ts'
import { createWalletChannel } from '../../src/inpage/wallet-channel.ts'
import type { BackgroundMessage } from '../../src/provider/envelope.ts'
import { METHOD_NAMES, type MethodName } from '../../src/provider/method-names.ts'
import type { Description } from './description.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { buildDocument, listCodes } from './document.ts'
import { RULES } from './json-schema.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

const { version } = readJson('package.json')
const document = JSON.parse(JSON.stringify(buildDocument(version)))

/** Every object inside, itself among them. */
function listObjects(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(listObjects)
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside]
}

function resolve(ref: string): unknown {
  if (!ref.startsWith('#/')) throw new Error(`${ref} leads out of the document`)
  return ref
    .slice(2)
    .split('/')
    .reduce((value, step) => Object(value)[step], document)
}

function dereference(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(dereference)
  if ('$ref' in value) return dereference(resolve(String(value.$ref)))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, dereference(one)]))
}

/** What takes schemas, by the official description of draft 7. */
function createValidator() {
  const ajv = new Ajv({ strict: false, logger: false })
  // The official document refers to a copy of draft 7 at an address; it is not to be fetched.
  const { $ref } = draft7.properties
  const copy = {
    allOf: [{ $ref: 'http://json-schema.org/draft-07/schema#' }],
    definitions: { JSONSchemaObject: { properties: { $ref } } },
  }
  for (const end of ['', '/']) ajv.addSchema(copy, `https://meta.json-schema.tools${end}`)
  // The official document names the same copy as what describes itself.
  const { $schema: _, ...schema } = Object(metaSchemas).openrpcDocument
  return ajv.compile(schema)
}

describe('the OpenRPC document', () => {
  it('is one by the official schema', () => {
    const isValid = createValidator()
    isValid(document)
    expect(isValid.errors ?? []).toEqual([])
  })

  it('would not be one with a method without a name, or with a schema that is none', () => {
    const isValid = createValidator()
    const [first, ...rest] = document.methods
    expect(isValid({ ...document, methods: [{ ...first, name: '' }, ...rest] })).toBe(false)
    const result = { name: 'x', schema: { type: 'text' } }
    expect(isValid({ ...document, methods: [{ ...first, result }, ...rest] })).toBe(false)
  })

  it('has every operation once, in the order of the table', () => {
    const names = document.methods.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...METHOD_NAMES])
  })

  it('refers only to what it has, and has nothing that it does not refer to', () => {
    const refs = listObjects(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? $ref : []))
    expect(refs.length).toBeGreaterThan(100)
    for (const ref of refs) expect(resolve(ref), ref).toBeTypeOf('object')
    for (const name of Object.keys(document.components.schemas))
      expect(refs).toContain(`#/components/schemas/${name}`)
  })

  it('says with its references exactly what the descriptions say, which are held against the parsers', () => {
    for (const { name, params, result } of document.methods) {
      const description: Description = DESCRIPTIONS[name as MethodName]
      const { args } = JSON.parse(JSON.stringify(description))
      expect(params.map(dereference)).toEqual(args)
      expect(dereference(result)).toEqual(JSON.parse(JSON.stringify(description.result)))
    }
  })

  it('explains each keyword of its own, and uses each that it explains', () => {
    const schemas = [document.methods, document.components.schemas, document['x-events']]
    const used = new Set(listObjects(schemas).flatMap(Object.keys))
    const known = Object.keys(RULES)
    expect(known.filter(keyword => !used.has(keyword))).toEqual([])
    const others = ['x-access', 'x-asks', 'x-failure-reasons', 'x-events', 'x-extension']
    const own = [...used].filter(keyword => keyword.startsWith('x-'))
    expect(own.filter(keyword => !known.includes(keyword) && !others.includes(keyword))).toEqual([])
  })

  it('says no code twice of one operation, as OpenRPC wants it', () => {
    for (const { name, errors } of document.methods) {
      const codes = errors.map(({ $ref }: { $ref: string }) => Object(resolve($ref)).code)
      expect(new Set(codes).size, name).toBe(codes.length)
    }
  })

  it('marks what the specification does not have', () => {
    const extensions = document.methods.filter((method: object) => 'x-extension' in method)
    expect(extensions.map(({ name }: { name: string }) => name)).toEqual([
      'disconnect',
      'switchNetwork',
      'sendTransfer',
      'deriveContextHash',
      'signMessages',
      'getRunes',
      'sendRunes',
      'mintRune',
      'etchRune',
      'estimateMintRune',
      'estimateEtchRune',
    ])
  })

  it('is what the playground serves; `npm run openrpc` writes it', () => {
    expect(readJson('e2e/dapp/openrpc.json')).toEqual(document)
  })
})

describe('the codes of an operation', () => {
  const codesOf = (name: MethodName) => listCodes(DESCRIPTIONS[name])

  it.each(METHOD_NAMES)('have what %s gets once the wallet was updated', name => {
    const toPage: BackgroundMessage[] = []
    const pipe = createPipe({
      connect: () => {
        throw new Error('Extension context invalidated.')
      },
      isAlive: () => false,
      toPage: message => toPage.push(message),
      now: () => 0,
      runLater: () => undefined,
      afterTurn: () => undefined,
    })
    pipe.fromPage(JSON.stringify({ id: 'one', method: name, params: [] }))
    expect(toPage).toMatchObject([{ id: 'one', error: { code: 4900 } }])
    expect(codesOf(name)).toContain(4900)
  })

  it.each(METHOD_NAMES)('have what %s says of an argument that JSON cannot say', async name => {
    const provider = createProvider(createWalletChannel({ post: () => undefined }))
    const call = provider[name] as (...args: unknown[]) => Promise<unknown>
    const ignored = DESCRIPTIONS[name].args.map(() => null)
    await expect(call(...ignored, Number.NaN)).rejects.toMatchObject({ code: -32602 })
    expect(codesOf(name)).toContain(-32602)
  })
})

describe('what ships', () => {
  it('imports nothing of the descriptions', () => {
    const files = readdirSync(join(ROOT, 'src'), { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map(entry => join(entry.parentPath, entry.name))
    const importers = files.filter(
      path =>
        !/\.test\.tsx?$|\/testing\/|\/provider\/openrpc\//.test(path) &&
        /from '[^']*\/openrpc\//.test(readFileSync(path, 'utf8')),
    )
    expect(files.length).toBeGreaterThan(100)
    expect(importers).toEqual([])
  })
})
