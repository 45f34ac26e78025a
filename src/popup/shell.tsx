import { type ComponentType, useLayoutEffect, useMemo, useRef } from 'react'
import { navigate } from './platform/route.ts'
import { useWide } from './platform/wide.ts'
import styles from './shell.module.css'
import type { PageProps } from './state/page-props.ts'
import { loadable } from './ui/loadable.tsx'
import { ALONE, Pane, type PlaceOfScreen } from './ui/pane.ts'

const SideNav = loadable(async () => (await import('./pages/home/side-nav.tsx')).SideNav, 'soon')

/** Screens that the navigation at the side leads to, and nothing but the navigation leads away from. */
const FIRST = [
  ...['', 'activity', 'coins', 'inscriptions', 'runes', 'brc20'],
  ...['settings/sites', 'contacts', 'settings'],
]

/** Lists that stay where they are while the details of one of their items stand beside them: `<list>/<item>`. */
const LISTS: { [list: string]: RegExp } = {
  activity: /^activity\/[^/]+$/,
  coins: /^coins\/[^/]+:\d+$/,
}

type ShellProps = PageProps & {
  route: string[]
  /** The screen of a path, and the start screen. */
  pageAt: (route: string[]) => ComponentType<PageProps>
  home: ComponentType<PageProps>
}

/**
 * The screen of the route, and in a wide window what stands beside it: the navigation, and of details the list that they are
 * from. Nothing that a window has keeps its state only while it has one width.
 */
export function Shell({ route, pageAt, home, state, onChanged }: ShellProps) {
  const isWide = useWide()
  useLayoutEffect(() => markWide(isWide), [isWide])
  const path = route.join('/')
  const list = Object.keys(LISTS).find(one => path === one || LISTS[one]?.test(path)) ?? null
  const isSplit = list !== null && path !== list
  // A list that a narrow window has no room for comes back as it was.
  const kept = useRef<string | null>(null)
  if (isWide || list !== kept.current) kept.current = isWide ? list : null
  const List = list !== null && (!isSplit || kept.current === list) ? pageAt([list]) : null
  const Page = list === null || isSplit ? pageAt(route) : null
  const placeOfPage = useMemo((): PlaceOfScreen => {
    if (!isWide) return ALONE
    if (isSplit) return { place: 'details', close: () => navigate(`/${list}`) }
    return { place: FIRST.includes(path) ? 'first' : 'alone', close: null }
  }, [isWide, isSplit, path, list])
  const placeOfList = isSplit ? BESIDE : placeOfPage
  return (
    <div className={isWide ? styles.shell : styles.plain}>
      {isWide ? <SideNav state={state} onChanged={onChanged} path={path} /> : null}
      <div className={isWide ? (isSplit ? styles.split : styles.single) : styles.plain}>
        <div className={styles.plain} hidden={isSplit && !isWide}>
          {List ? (
            <Pane value={placeOfList}>
              <List key={list} state={state} onChanged={onChanged} />
            </Pane>
          ) : null}
        </div>
        {Page ? (
          <Pane value={placeOfPage}>
            <Page key={Page === home ? '' : path} state={state} onChanged={onChanged} />
          </Pane>
        ) : null}
      </div>
    </div>
  )
}

/** For style sheets, until the screen is another one: the locked wallet is narrow. Returns how to take it back. */
function markWide(isWide: boolean): () => void {
  const { dataset } = document.documentElement
  if (isWide) dataset.wide = ''
  return () => {
    delete dataset.wide
  }
}

const BESIDE: PlaceOfScreen = { place: 'list', close: null }
