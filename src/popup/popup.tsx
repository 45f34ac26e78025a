import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import { App } from './app/app.tsx'
import { call, isToolbarPopup } from './app/rpc.ts'
import { parseSurface } from './app/surface.ts'
import { applyTheme, recallTheme } from './app/theme.ts'
import { loadWords } from './app/words.ts'
import { TIMEOUT_MS, withTimeout } from './state/with-timeout.ts'

recallTheme()
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
