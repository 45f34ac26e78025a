import type { EnvelopeFields } from '../../ordinals/inscriptions/envelope.ts'
import { parseInscription } from '../../ordinals/inscriptions/inscription.ts'
import { type Answer, type Call, HttpError } from '../server/http.ts'
import { notFound } from './ord-call.ts'

const CONTENT_POLICY = [
  "default-src 'self' 'unsafe-eval' 'unsafe-inline' data: blob:",
  "default-src *:*/content/ *:*/blockheight *:*/blockhash *:*/blockhash/ *:*/blocktime *:*/r/ 'unsafe-eval' 'unsafe-inline' data: blob:",
].join(', ')
/** What can stand in an HTTP header. */
const HEADER_VALUE = /^[\t\x20-\x7e]+$/

/** The body as it was inscribed, with the type and the encoding that the inscription claims. */
export function serveContent(call: Call, id: string, fields: EnvelopeFields): Answer {
  const { contentType, contentEncoding } = parseInscription(fields)
  if (contentEncoding !== null && !accepts(call, contentEncoding)) {
    throw new HttpError(
      406,
      `inscription content encoding \`${contentEncoding}\` is not acceptable. \`Accept-Encoding\` header: \`${call.headers['accept-encoding'] ?? ''}\``,
    )
  }
  if (!fields.body) throw notFound(`inscription ${id} content`)
  return {
    status: 200,
    type: contentType && HEADER_VALUE.test(contentType) ? contentType : 'application/octet-stream',
    body: Buffer.from(fields.body),
    headers: {
      'content-security-policy': CONTENT_POLICY,
      'cache-control': 'public, max-age=1209600, immutable',
      ...(contentEncoding === null ? {} : { 'content-encoding': contentEncoding }),
    },
  }
}

function accepts({ headers }: Call, encoding: string): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').split(',')
  return accepted.some(value => value.split(';')[0]?.trim() === encoding)
}
