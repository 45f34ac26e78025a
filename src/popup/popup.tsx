import { createRoot } from 'react-dom/client'
import './ui/styles/tokens.css'
import './ui/styles/base.css'
import { App, preload } from './app.tsx'
import { firstState, isInToolbarPopup } from './first-state.ts'
import { parseSurface } from './platform/surface.ts'
import { applyTheme, recallTheme } from './platform/theme.ts'
import { loadWords } from './platform/words.ts'

recallTheme()
void open()

// Awaited in a function, not in the module: a chunk of another language's words imports what this one exports, and would wait for
// it to be evaluated while it waits for the words.
async function open(): Promise<void> {
  const [inPopup, first] = await Promise.all([isInToolbarPopup, firstState])
  if (first) applyTheme(first.settings.theme)
  const surface = parseSurface(location.search, inPopup)
  await Promise.all([loadWords(first?.settings.language ?? 'auto'), preload({ surface, first })])
  document.documentElement.dataset.surface = surface
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<App surface={surface} first={first} />)
}
