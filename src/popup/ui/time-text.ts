/** How long ago, in few words: "just now", "5 min ago", "3 h ago", else the local date. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  return new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
