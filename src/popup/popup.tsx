import { createRoot } from 'react-dom/client'
import { assertLockdown } from '../lockdown/assert-lockdown.ts'
import './ui/tokens.css'
import './ui/base.css'
import { App } from './app.tsx'
import { call, isToolbarPopup } from './platform/rpc.ts'
import { parseSurface } from './platform/surface.ts'
import { applyTheme, recallTheme } from './platform/theme.ts'
import { TIMEOUT_MS, withTimeout } from './platform/with-timeout.ts'
import { loadWords } from './platform/words.ts'

assertLockdown()
recallTheme()
// What is most likely wanted comes while the background is asked.
loadWords('auto').catch(() => {})
const [inPopup, first] = await Promise.all([
  isToolbarPopup(),
  withTimeout(TIMEOUT_MS, call('getState', null)).catch(() => null),
])
if (first) applyTheme(first.settings.theme)
await loadWords(first?.settings.language ?? 'auto')
const surface = parseSurface(location.search, inPopup)
document.documentElement.dataset.surface = surface
const root = document.getElementById('root')
if (root) createRoot(root).render(<App surface={surface} first={first} />)
