import type { buildDocument } from './document.ts'
import { printType, type SchemaJson } from './typings.ts'

type Param = { name: string; required?: boolean; summary: string; schema: SchemaJson }

type Method = {
  name: string
  summary: string
  description?: string
  params: Param[]
  result: { schema: SchemaJson }
  'x-access': string
  'x-asks': string
  'x-failure-reasons'?: string[]
  'x-extension'?: true
}

/** The operations of the OpenRPC document as Markdown: of each its arguments, what it resolves to, when it asks, how it fails. */
export function printReference(built: ReturnType<typeof buildDocument>): string {
  const document = built as unknown as {
    methods: Method[]
    components: { schemas: { [name: string]: SchemaJson } }
  }
  const { schemas } = document.components
  const resolve = (schema: SchemaJson): SchemaJson =>
    schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? schema)
  return [
    '# Operations of `window.satchel.bitcoin`',
    '',
    'Made by `npm run openrpc`. Types are those of [`satchel.d.ts`](satchel.d.ts); limits of values are in [`openrpc.json`](../../e2e/dapp/openrpc.json), error codes in the [guide](README.md#errors).',
    ...document.methods.flatMap(method => ['', ...printMethod(method, resolve)]),
    '',
  ].join('\n')
}

function printMethod(method: Method, resolve: (schema: SchemaJson) => SchemaJson): string[] {
  const { name, summary, description, params, result } = method
  const { 'x-asks': asks, 'x-access': access, 'x-failure-reasons': reasons = [] } = method
  const rows = params.flatMap(param => [
    printRow(param.name, param.required === true, param.schema, param.summary),
    ...printMembers(param, resolve),
  ])
  const facts = [
    access === 'anyone' ? 'Any page may call it.' : 'The page must be connected.',
    `Asks the person: ${lowerFirst(asks).replace(/\.$/, '')}.`,
    ...(method['x-extension'] ? ['Beyond the specification.'] : []),
    ...(reasons.length > 0 ? [`Reasons of failure: ${reasons.map(code).join(', ')}.`] : []),
  ]
  return [
    `## ${name}`,
    '',
    `Resolves to ${code(printType(result.schema))}. ${[summary, description].filter(Boolean).join(' ')}`,
    '',
    facts.join(' '),
    ...(rows.length > 0 ? ['', '| argument | type | |', '|---|---|---|', ...rows] : []),
  ]
}

/** The members of an argument that is an object, or of the object that it may be beside a text or null. */
function printMembers({ name, schema }: Param, resolve: (schema: SchemaJson) => SchemaJson) {
  const found = resolve(schema)
  const object = [found, ...(found.anyOf ?? []).map(resolve)].find(({ properties }) => properties)
  return Object.entries(object?.properties ?? {}).map(([member, inside]) =>
    printRow(`${name}.${member}`, object?.required?.includes(member) ?? false, inside, null),
  )
}

function printRow(name: string, required: boolean, schema: SchemaJson, summary: string | null) {
  const type = printType(schema).replace(/\{[\s\S]*\}/, 'object')
  const words = [summary, schema.description, required ? null : 'Optional.'].filter(Boolean)
  return `| ${code(name)} | ${code(type).replaceAll('|', '\\|')} | ${words.join(' ')} |`
}

function code(text: string): string {
  return `\`${text.replace(/\s+/g, ' ')}\``
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}
