import { invalidParams } from './errors.ts'
import { parseString } from './params.ts'

export const MAX_APP_NAME = 64

/** Characters of hex: 1024 bytes. */
export const MAX_CONTEXT = 2048

/** As the specification has them: what is not canonical is refused, since another spelling would be another secret. */
export function parseDeriveContextHash([appName, context]: readonly unknown[]) {
  return { appName: parseAppName(appName), context: parseContext(context) }
}

function parseAppName(value: unknown): string {
  const text = parseString('appName', value, MAX_APP_NAME)
  if (/^[a-z0-9-]+$/.test(text)) return text
  throw invalidParams('appName', value, `1 to ${MAX_APP_NAME} of a-z, 0-9 and hyphens`)
}

function parseContext(value: unknown): string {
  const text = parseString('context', value, MAX_CONTEXT)
  if (/^(?:[0-9a-f]{2})+$/.test(text)) return text
  throw invalidParams('context', value, 'at least one byte in lower-case hex without 0x')
}
