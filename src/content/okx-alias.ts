import { OKX_ALIAS_CHILDREN, type OkxAliasChild } from '../provider/okx-alias.ts'

const CHILDREN: readonly unknown[] = OKX_ALIAS_CHILDREN

/** What the page of this origin is to be told; null where it is to have no alias, as for a record that is malformed. */
export function parseOkxAlias(record: unknown, origin: string): { child: OkxAliasChild } | null {
  const { everywhere, origins, child } = Object(record)
  if (typeof everywhere !== 'boolean' || !Array.isArray(origins)) return null
  if (!CHILDREN.includes(child)) return null
  return everywhere || origins.includes(origin) ? { child } : null
}
