/** Where the page is shown; the same page serves the toolbar popup, a tab, and the approval window. */
export type Surface = 'popup' | 'tab' | 'approval'

/** Reads the surface from the page's own address. */
export function parseSurface(search: string, toolbarPopup: boolean): Surface {
  if (new URLSearchParams(search).has('approval')) return 'approval'
  return toolbarPopup ? 'popup' : 'tab'
}
