import { describe, expect, it } from 'vitest'
import { METHOD_NAMES, type MethodName } from '../../src/provider/method-names.ts'
import { rowsOf } from '../fixtures/specification/specification.ts'
import type { Description } from './description.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { EVENTS } from './event-descriptions.ts'
import type { Schema } from './json-schema.ts'

/** What an operation takes: names in order, or those of the members of its one object. */
function listNames(cell: string): { isObject: boolean; names: string[]; optional: string[] } {
  const isObject = cell.startsWith('one object:')
  const text = cell.replace(/^one object: /, '')
  if (text === 'none') return { isObject, names: [], optional: [] }
  // What stands in brackets tells of the argument before it.
  const parts = text.replace(/\([^()]*\)/g, '').split(/,(?![^[]*\])/)
  const found = parts.map(part => ({
    name: /[a-zA-Z]+/.exec(part)?.[0] ?? '',
    isOptional: part.trim().startsWith('['),
  }))
  return {
    isObject,
    names: found.map(({ name }) => name),
    optional: found.flatMap(({ name, isOptional }) => (isOptional ? name : [])),
  }
}

function argumentsOf(name: string): Description['args'] {
  return DESCRIPTIONS[name as MethodName].args
}

function membersOf(schema: Schema | undefined): { [name: string]: Schema } {
  return schema?.properties ?? {}
}

/** Names that clients of today send, and the specification's: arguments go by their place. */
const RENAMED: { readonly [name: string]: string } = {
  psbtHex: 'psbt',
  psbtHexs: 'psbts',
}

/** Required by the specification, and not by the wallet: `type` has a default there too, `tid` has no meaning. */
const NOT_REQUIRED = ['inscribe.type', 'inscribe.tid']

describe('the specification', () => {
  const operations = rowsOf('Endpoints')

  it('has the operations of the document but for those that are marked as extensions', () => {
    const specified = METHOD_NAMES.filter(name => DESCRIPTIONS[name].specified)
    expect(operations.map(([name]) => name)).toEqual(specified)
  })

  it.each(operations)('names the arguments of %s as the document does', (operation, cell) => {
    const { isObject, names, optional } = listNames(cell ?? '')
    const args = argumentsOf(operation ?? '')
    if (!isObject) {
      expect(args.map(({ name }) => name)).toEqual(names.map(name => RENAMED[name] ?? name))
      expect(args.flatMap(({ name, required }) => (required ? [] : name))).toEqual(optional)
      return
    }
    expect(args).toHaveLength(1)
    const [argument] = args
    expect(Object.keys(membersOf(argument?.schema))).toEqual(expect.arrayContaining(names))
    const required = names.filter(
      name => !optional.includes(name) && !NOT_REQUIRED.includes(`${operation}.${name}`),
    )
    expect(argument?.schema.required).toEqual(expect.arrayContaining(required))
    for (const name of optional) expect(argument?.schema.required).not.toContain(name)
  })

  it('has the defaults of the document in its table of limits', () => {
    const limits = rowsOf('Limits')
    expect(limits).toHaveLength(6)
    for (const [item = '', value = ''] of limits) {
      const [, operation = '', name = ''] = /^(\w+) (\w+) default$/.exec(item) ?? []
      const args = argumentsOf(operation)
      const inside = args.map(({ schema }) => schema.anyOf?.[0] ?? schema)
      const schema =
        args.find(argument => argument.name === name)?.schema ??
        inside.map(one => membersOf(one)[name]).find(one => one !== undefined)
      const expected = value.replace(/ \(.*\)$/, '')
      expect(String(schema?.default), item).toBe(expected)
    }
  })

  it('has the members of sendPsbt items, toSignInputs entries and inscription items', () => {
    for (const [heading, operation, members] of [
      ['sendPsbt item', 'sendPsbt', (args: Description['args']) => args[0]?.schema.items],
      [
        'Inscription item (input of mint)',
        'mint',
        (args: Description['args']) => args[0]?.schema.properties?.inscriptions?.items,
      ],
      [
        'toSignInputs entry (PSBT signing)',
        'signPsbt',
        (args: Description['args']) =>
          args[1]?.schema.anyOf?.[0]?.properties?.toSignInputs?.anyOf?.[0]?.items,
      ],
    ] as const) {
      const schema = members(argumentsOf(operation))
      for (const [name = ''] of rowsOf(heading))
        expect(Object.keys(membersOf(schema)), heading).toContain(name)
    }
  })

  it('has the types of mint', () => {
    const types = rowsOf('Mint type values').map(([type]) => Number(type))
    const [argument] = argumentsOf('mint')
    expect(argument?.schema.properties?.type?.enum?.toSorted()).toEqual(types.toSorted())
  })

  it('has the events of the document but for the extensions', () => {
    const events = rowsOf('Events').map(([name]) => name)
    const specified = Object.entries(EVENTS).flatMap(([name, event]) =>
      event.specified ? name : [],
    )
    expect(specified).toEqual(events)
  })

  it('has the members of results', () => {
    for (const [heading, operation, members] of [
      ['Balance', 'getBalance', (schema: Schema) => schema],
      ['Inscription', 'getInscriptions', (schema: Schema) => schema.properties?.list?.items],
      ['Mint result object', 'mint', (schema: Schema) => schema],
    ] as const) {
      const names = rowsOf(heading).map(([name]) => name)
      const schema = members(DESCRIPTIONS[operation].result.schema)
      expect(schema?.required, heading).toEqual(names)
    }
  })
})
