import { measureCalls } from './call-figures.ts'
import { measureChainNode } from './chain-node-figures.ts'
import { measureDistance } from './distance-figures.ts'
import type { Figure } from './figure.ts'
import { measureFloods } from './flood-figures.ts'
import { measureGrowth } from './growth/growth-figures.ts'
import { measureImport } from './import-figures.ts'
import { measureInscribing } from './inscribing-figures.ts'
import { measureOrdinals } from './ordinals-figures.ts'
import { measurePageCost } from './page-figures.ts'
import { measurePsbts } from './psbt-figures.ts'
import { measureRunes } from './rune-figures.ts'
import { measureScreens } from './screen-figures.ts'
import { measureBuild, measureStart } from './start-figures.ts'
import { measureTabs } from './tab-figures.ts'
import { measureUse } from './use-figures.ts'
import { measureWallet } from './wallet-figures.ts'

/** What `npm run bench` takes, by the name that takes it alone; the sections after `build` measure what that has made. */
export const SECTIONS: { [name: string]: (root: string) => Promise<Figure[]> } = {
  build: measureBuild,
  page: measurePageCost,
  calls: () => measureCalls('chromium'),
  tabs: measureTabs,
  use: measureUse,
  import: measureImport,
  floods: measureFloods,
  screens: measureScreens,
  wallet: measureWallet,
  psbts: measurePsbts,
  ordinals: measureOrdinals,
  runes: measureRunes,
  inscribing: measureInscribing,
  distance: measureDistance,
  growth: measureGrowth,
  'chain-node': measureChainNode,
  firefox: () => measureCalls('firefox'),
  start: measureStart,
}
