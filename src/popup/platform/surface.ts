/** Where the page is shown; the same page serves the toolbar popup, a tab, the panel beside a site, and the approval window. */
export type Surface = 'popup' | 'tab' | 'panel' | 'approval'

/** Reads the surface from the page's own address. */
export function parseSurface(search: string, toolbarPopup: boolean): Surface {
  const named = new URLSearchParams(search)
  if (named.has('approval')) return 'approval'
  if (named.has('panel')) return 'panel'
  return toolbarPopup ? 'popup' : 'tab'
}
