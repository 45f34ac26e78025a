import type { UiMethod } from './ui-context.ts'

export const getOkxAlias: UiMethod<'getOkxAlias'> = ({ wallet }) => wallet.okxAlias.load()
