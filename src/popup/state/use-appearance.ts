import { useEffect, useState } from 'react'
import type { Settings } from '../../background/views/settings-views.ts'
import { applyTheme } from '../platform/theme.ts'
import { currentLanguage, loadWords } from '../platform/words.ts'

/** Follows the chosen colours and language while the page is open; gives the language that is loaded. */
export function useAppearance(settings: Settings | null): string {
  const [loaded, setLoaded] = useState(currentLanguage)
  const theme = settings?.theme
  const language = settings?.language
  useEffect(() => {
    if (theme !== undefined) applyTheme(theme)
  }, [theme])
  useEffect(() => {
    if (language !== undefined) void loadWords(language).then(() => setLoaded(currentLanguage()))
  }, [language])
  return loaded
}
