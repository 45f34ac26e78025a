import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import { App } from './app.tsx'
import { firstState, isInToolbarPopup } from './first-state.ts'
import { parseSurface } from './platform/surface.ts'
import { applyTheme, recallTheme } from './platform/theme.ts'
import { loadWords } from './platform/words.ts'

recallTheme()
const [inPopup, first] = await Promise.all([isInToolbarPopup, firstState])
if (first) applyTheme(first.settings.theme)
await loadWords(first?.settings.language ?? 'auto')
const surface = parseSurface(location.search, inPopup)
document.documentElement.dataset.surface = surface
const root = document.getElementById('root')
if (root) createRoot(root).render(<App surface={surface} first={first} />)
