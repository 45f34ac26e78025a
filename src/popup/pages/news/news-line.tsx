import { Sparkles, X } from 'lucide-react'
import { useEffect } from 'react'
import { call, walletVersion } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { IconButton } from '../../ui/button.tsx'
import { Link } from '../../ui/row.tsx'
import styles from './news.module.css'
import { compareVersions, findNews, shortenVersion } from './news.ts'

/** After an update, one line that leads to what is new, until it is followed or dismissed. */
export function NewsLine({ state, onChanged }: PageProps) {
  const version = walletVersion()
  const { newsUpTo } = state.oneTimeNotices
  const isUpdated = newsUpTo !== null && compareVersions(newsUpTo, version) < 0
  const news = isUpdated ? findNews(version, newsUpTo) : null
  const isQuiet = isUpdated && news === null
  useEffect(() => {
    // A version without news is known at once.
    if (isQuiet) call('dismissNews', null).catch(() => {})
  }, [isQuiet])
  if (news === null) return null
  const dismiss = async () => {
    // Where that fails, the line stays.
    await call('dismissNews', null).catch(() => {})
    await onChanged()
    document.querySelector('h1')?.focus()
  }
  return (
    <div className={styles.line}>
      <Link to="/news">
        <Sparkles size={18} aria-hidden />
        {words('newsTitle', { version: shortenVersion(news.version) })}
      </Link>
      <IconButton label={words('commonDismiss')} onClick={() => void dismiss()}>
        <X size={18} aria-hidden />
      </IconButton>
    </div>
  )
}
