import type { UiMethod } from './ui-context.ts'

export const touch: UiMethod<'touch'> = async ({ wallet }) => {
  await wallet.vault.touch()
  return null
}
