import { createContext } from 'react'

/**
 * Where a screen stands. `alone` is any screen of a narrow window, and one below another of a wide window; `first` is one that
 * the navigation at the side leads to; `list` has the details of one of its items beside it.
 */
export type PlaceOfScreen = {
  place: 'alone' | 'first' | 'list' | 'details'
  /** Leaves the list alone on the page; null where a screen is not beside one. */
  close: (() => void) | null
}

export const ALONE: PlaceOfScreen = { place: 'alone', close: null }

export const Pane = createContext<PlaceOfScreen>(ALONE)
