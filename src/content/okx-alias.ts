import { OKX_ALIAS_CHILDREN, type OkxAliasChild } from '../provider/okx-alias.ts'

const CHILDREN: readonly unknown[] = OKX_ALIAS_CHILDREN

/** The message for the page of this origin; null where it gets no alias, also where the stored record is malformed. */
export function parseOkxAlias(record: unknown, origin: string): { child: OkxAliasChild } | null {
  const { everywhere, origins, child } = Object(record)
  if (typeof everywhere !== 'boolean' || !Array.isArray(origins)) return null
  if (!CHILDREN.includes(child)) return null
  return everywhere || origins.includes(origin) ? { child } : null
}
