import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import './ui/parts.css'
import './ui/fields.css'
import './ui/notices.css'
import './pages/pages.css'
import { App } from './app.tsx'
import { isToolbarPopup } from './rpc.ts'
import { readSurface } from './surface.ts'

const surface = readSurface(location, await isToolbarPopup())
document.documentElement.dataset.surface = surface.kind
const root = document.getElementById('root')
if (root) createRoot(root).render(<App surface={surface} />)
