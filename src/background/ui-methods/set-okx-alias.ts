import type { UiMethod } from './ui-context.ts'

/** Pages that are open keep what they have until they are loaded again. */
export const setOkxAlias: UiMethod<'setOkxAlias'> = ({ wallet }, change) =>
  'everywhere' in change
    ? wallet.okxAlias.setEverywhere(change.everywhere)
    : wallet.okxAlias.setSite(change.origin, change.on)
