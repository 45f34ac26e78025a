export const NAME = 'Satchel'

/** The satchel of `public/icons/satchel.svg`, in fewer words. */
const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M22 19v-4a8 8 0 0 1 8-8h4a8 8 0 0 1 8 8v4" fill="none" stroke="#7d2f08" stroke-width="6"/><rect x="3" y="17" width="58" height="42" rx="10" fill="#c5540f"/><path d="M3 27a10 10 0 0 1 10-10h38a10 10 0 0 1 10 10c0 11-10 17-29 17S3 38 3 27z" fill="#9a3c0a"/><path d="M27 17h10v32H27z" fill="#fff3e4"/></svg>'

/** A data URI, as wallet lists of pages show it. */
export const ICON = `data:image/svg+xml;base64,${btoa(MARK)}` as const
