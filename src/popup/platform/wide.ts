import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 900px)')

/** Whether the page is a tab with room for more than one column: the navigation at the side, tables, details beside a list. */
export function useWide(): boolean {
  return useSyncExternalStore(follow, isWide)
}

function follow(onChange: () => void): () => void {
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}

function isWide(): boolean {
  return wide.matches && document.documentElement.dataset.surface === 'tab'
}
