/** Where the page is shown; the same page serves the toolbar popup, a tab, and the approval window. */
export type Surface =
  | { kind: 'popup' | 'tab'; start: 'create' | 'import' | null }
  | { kind: 'approval' }

/** Reads the surface from the page's own address. */
export function readSurface(
  { search, hash }: { search: string; hash: string },
  toolbarPopup: boolean,
): Surface {
  if (new URLSearchParams(search).has('approval')) return { kind: 'approval' }
  const start = hash === '#create' ? 'create' : hash === '#import' ? 'import' : null
  return { kind: toolbarPopup ? 'popup' : 'tab', start }
}
