import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import './ui/parts.css'
import './ui/fields.css'
import './ui/notices.css'
import './ui/lists.css'
import './pages/pages.css'
import { App } from './app.tsx'
import { heardWithin, SILENCE_MS } from './heard-within.ts'
import { call, isToolbarPopup } from './rpc.ts'
import { readSurface } from './surface.ts'
import { applyTheme, recallTheme } from './theme.ts'
import { loadWords } from './words.ts'

recallTheme()
const [inPopup, first] = await Promise.all([
  isToolbarPopup(),
  heardWithin(SILENCE_MS, call('getState', null)).catch(() => null),
])
if (first) applyTheme(first.settings.theme)
await loadWords(first?.settings.language ?? 'auto')
const surface = readSurface(location.search, inPopup)
document.documentElement.dataset.surface = surface
const root = document.getElementById('root')
if (root) createRoot(root).render(<App surface={surface} first={first} />)
