/** The part of the browser's `idle` that is used. Firefox gives an extension without its permission none. */
export type IdleEvents = {
  onStateChanged: { addListener(listener: (state: string) => void): void }
}

/**
 * Calls `lock` when the system's screen is locked or its screen saver comes, which is also how most systems go to sleep. To be
 * called while the worker starts, so that the event which wakes it finds the listener.
 */
export function followSystemLock(
  idle: IdleEvents | undefined,
  lock: () => Promise<void>,
  report: (error: unknown) => void,
): void {
  idle?.onStateChanged.addListener(state => {
    if (state === 'locked') lock().catch(report)
  })
}
