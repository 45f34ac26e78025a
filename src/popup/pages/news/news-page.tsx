import { Sparkles } from 'lucide-react'
import { useEffect } from 'react'
import { goBack } from '../../platform/route.ts'
import { call, walletVersion } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { Empty } from '../../ui/empty.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import styles from './news.module.css'
import { compareVersions, findNews, shortenVersion } from './news.ts'

/** What is new in this version, or in the last one that had news; from then on the start screen tells of it no more. */
export function NewsPage({ state, onChanged }: PageProps) {
  const version = walletVersion()
  const news = findNews(version)
  const { newsUpTo } = state.oneTimeNotices
  const isUntold = newsUpTo !== null && compareVersions(newsUpTo, version) < 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each visit
  useEffect(() => {
    // Where that fails, the line stays on the start screen.
    if (isUntold) call('dismissNews', null).then(onChanged, () => {})
  }, [])
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      {news === null ? (
        <>
          <Title>{words('newsTitle', { version: shortenVersion(version) })}</Title>
          <Empty icon={<Sparkles size={20} aria-hidden />} title={words('newsNone')} />
        </>
      ) : (
        <>
          <Title>{words('newsTitle', { version: shortenVersion(news.version) })}</Title>
          <ul className={styles.news}>
            {news.items.map(({ Icon, title, note }) => (
              <li key={title}>
                <span className={styles.icon}>
                  <Icon size={20} aria-hidden />
                </span>
                <div>
                  <h2>{words(title)}</h2>
                  <p className={textStyles.muted}>{words(note)}</p>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </Screen>
  )
}
