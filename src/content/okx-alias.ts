/** Whether the page of this origin is to have the aliases; not where the stored record is malformed. */
export function wantsAliases(record: unknown, origin: string): boolean {
  const { everywhere, origins } = Object(record)
  if (typeof everywhere !== 'boolean' || !Array.isArray(origins)) return false
  return everywhere || origins.includes(origin)
}
