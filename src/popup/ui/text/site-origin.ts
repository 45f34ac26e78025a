/** What a person should know of an origin before trusting it. */
export type SiteOrigin = {
  /** Host and port, as in the address bar; the whole origin when it is not a web origin. */
  host: string
  origin: string
  /** Plain http: anyone on the way can change the page. */
  unencrypted: boolean
  /** On this computer. */
  local: boolean
  /** Letters outside ASCII (punycode), which can imitate another name. */
  international: boolean
}

/** Takes an origin apart; hosts come in their ASCII form, so look-alike letters show as xn--. */
export function describeOrigin(origin: string): SiteOrigin {
  let url: URL
  try {
    url = new URL(origin)
  } catch {
    return { host: origin, origin, unencrypted: true, local: false, international: false }
  }
  const labels = url.hostname.split('.')
  const local =
    labels.at(-1) === 'localhost' ||
    url.hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(url.hostname)
  return {
    host: url.host === '' ? origin : url.host,
    origin,
    unencrypted: url.protocol !== 'https:',
    local,
    international: labels.some(label => label.startsWith('xn--')),
  }
}
