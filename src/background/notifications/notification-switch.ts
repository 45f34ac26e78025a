/** Local storage: what the person chose. */
export const NOTIFICATIONS_KEY = 'notifications'

/** Whether notifications are switched on, by what is stored; the rest is read only then. */
export function areOn(stored: unknown): boolean {
  return Object(stored).on === true
}
