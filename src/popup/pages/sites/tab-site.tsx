import { useEffect } from 'react'
import { connectPanel, findWindowId, subscribeToTabs } from '../../platform/panel.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useQuery } from '../../state/use-query.ts'
import { classNames } from '../../ui/class-names.ts'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import { Link } from '../../ui/row.tsx'
import pillStyles from '../../ui/styles/pill.module.css'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import styles from './tab-site.module.css'

/** What changes whether a site is connected: grants, and the account and network in use. */
const KEYS = ['sites', 'network', 'accounts.selected']

/** Above the panel's screens: the site in the tab beside it, and whether it is connected. */
export function TabSite() {
  const { answer: windowId } = useQuery(findWindowId, '', [])
  return windowId === null ? null : <SiteOf windowId={windowId} />
}

function SiteOf({ windowId }: { windowId: number }) {
  const { answer, retry } = useQuery(() => call('getTabSite', { windowId }), `${windowId}`, KEYS)
  useEffect(() => subscribeToTabs(retry), [retry])
  useEffect(() => connectPanel(windowId, retry), [windowId, retry])
  const origin = answer?.origin ?? null
  if (origin === null) {
    return (
      <p className={classNames(styles.site, styles.none)} role="status">
        {answer === null ? '' : words('panelNoSite')}
      </p>
    )
  }
  const inside = (
    <>
      <Identicon text={origin} size={20} />
      <span className={styles.host}>{describeOrigin(origin).host}</span>
      <span className={classNames(pillStyles.pill, answer?.isConnected && pillStyles.own)}>
        {words(answer?.isConnected ? 'panelConnected' : 'panelNotConnected')}
      </span>
    </>
  )
  return (
    <div role="status" className={styles.site}>
      {answer?.isConnected ? (
        <Link to={`/settings/sites/of/${encodeURIComponent(origin)}`} className={styles.link}>
          {inside}
        </Link>
      ) : (
        inside
      )}
    </div>
  )
}
