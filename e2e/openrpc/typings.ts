import type { buildDocument } from './document.ts'

/** The part of a JSON Schema that decides a type. */
export type SchemaJson = {
  $ref?: string
  description?: string
  type?: string
  enum?: readonly unknown[]
  anyOf?: readonly SchemaJson[]
  items?: SchemaJson
  properties?: { [name: string]: SchemaJson }
  required?: readonly string[]
  additionalProperties?: false | SchemaJson
}

type Param = { name: string; required?: boolean; summary?: string; schema: SchemaJson }

type Document = {
  methods: { name: string; summary: string; params: Param[]; result: { schema: SchemaJson } }[]
  components: { schemas: { [name: string]: SchemaJson } }
  'x-events': { name: string; summary: string; params: Param[] }[]
  'x-properties': { name: string; summary: string; schema: SchemaJson }[]
}

/**
 * The OpenRPC document as TypeScript declarations: one type a schema, the provider, its events, and `window.satchel`.
 * Limits of values (lengths, ranges, patterns) are not in them.
 */
export function printTypings(built: ReturnType<typeof buildDocument>): string {
  const document = built as unknown as Document
  const types = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${printDoc(schema.description)}export type ${name} = ${printType(schema)}`,
  )
  const methods = document.methods.map(
    ({ name, summary, params, result }) =>
      `${printDoc(summary)}${name}(${params.map(printParam).join(', ')}): Promise<${printType(result.schema)}>`,
  )
  const properties = document['x-properties'].map(
    ({ name, summary, schema }) => `${printDoc(summary)}readonly ${name}: ${printType(schema)}`,
  )
  const events = document['x-events'].map(
    ({ name, summary, params }) =>
      `${printDoc(summary)}${name}: [${params.map(param => `${param.name}: ${printType(param.schema)}`).join(', ')}]`,
  )
  return `// Made from the wallet's OpenRPC document by \`npm run openrpc\`. Take it into your project as it is.

${types.join('\n\n')}

/** \`window.satchel.bitcoin\`. Every operation rejects with a {@link SatchelError}. */
export interface SatchelProvider {
${[...methods, ...properties].join('\n')}
/** Calls the handler at each event of this name, until \`removeListener\`. */
on<E extends keyof SatchelEvents>(event: E, handler: (...args: SatchelEvents[E]) => void): this
removeListener<E extends keyof SatchelEvents>(
  event: E,
  handler: (...args: SatchelEvents[E]) => void,
): this
}

/** What a handler of each event is called with. */
export interface SatchelEvents {
${events.join('\n')}
}

/** The codes are in the table of the guide; \`data.reason\` names a known failure (-32000). */
export interface SatchelError extends Error {
  code: number
  data?: { reason?: string; [key: string]: unknown }
}

declare global {
  interface Window {
    satchel?: { bitcoin: SatchelProvider }
  }
}
`
}

function printParam({ name, required, schema }: Param): string {
  return `${name}${required === true ? '' : '?'}: ${printType(schema)}`
}

/** The type of a schema's values; a component by its name. */
export function printType(schema: SchemaJson): string {
  const { $ref, anyOf, items, properties, additionalProperties } = schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (schema.enum !== undefined) return schema.enum.map(printLiteral).join(' | ')
  if (properties !== undefined) return printMembers(properties, schema.required ?? [])
  if (anyOf !== undefined) return [...new Set(anyOf.map(printType))].join(' | ')
  if (items !== undefined) return printList(printType(items))
  if (additionalProperties) return `{ [name: string]: ${printType(additionalProperties)} }`
  if (schema.type === undefined) return 'unknown'
  return schema.type === 'integer' ? 'number' : schema.type
}

function printLiteral(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function printList(item: string): string {
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function printMembers(
  properties: { [name: string]: SchemaJson },
  required: readonly string[],
): string {
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${printDoc(schema.description)}${name}${required.includes(name) ? '' : '?'}: ${printType(schema)}`,
  )
  return `{\n${members.join('\n')}\n}`
}

function printDoc(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text} */\n`
}
