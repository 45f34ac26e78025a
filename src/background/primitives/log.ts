/** The wallet's own log: what a page is told is "Internal error", the rest is for the person who opens the worker's console. */
export function log(message: string, error: unknown): void {
  console.error(message, error)
}
