import type { UiMethod } from './ui-context.ts'

/** Other minutes until the lock count at once, from the person's last sign of life. */
export const changeSettings: UiMethod<'changeSettings'> = async ({ wallet }, patch) => {
  const before = await wallet.settings.load()
  const settings = await wallet.settings.change(patch)
  // Announcing plans the alarm anew.
  if (settings.autoLockMinutes !== before.autoLockMinutes) wallet.announce()
  return settings
}
