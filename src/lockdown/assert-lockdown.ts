/** Throws where lockdown.ts has not been evaluated, so that no page and no worker goes on without it. */
export function assertLockdown(): void {
  if (Object.isFrozen(Object.prototype) && Object.isFrozen(crypto)) return
  throw new Error('The extension was started without lockdown')
}
