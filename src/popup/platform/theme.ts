import type { Settings } from '../../background/views/settings-views.ts'

/** The one thing kept outside the wallet's storage: it has to be known before the first paint, and says nothing about the person. */
const KEY = 'theme'

/** Colours of the last time, until the settings have been read. */
export function recallTheme(): void {
  show(localStorage.getItem(KEY))
}

/** Takes the chosen colours into use; `system` follows the browser. */
export function applyTheme(theme: Settings['theme']): void {
  localStorage.setItem(KEY, theme)
  show(theme)
}

function show(theme: string | null) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
}
