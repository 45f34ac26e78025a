import type { Translation } from '../requests/translation.ts'
import { getAddresses } from './addresses.ts'
import { sendTransfer, signMessage, signPsbt } from './signing.ts'

/** The manifest's version, put in by the build. */
declare const __SATCHEL_VERSION__: string

const DOCUMENTATION = 'https://leather.gitbook.io/developers'

const requests: { [name: string]: Translation } = {
  getInfo: async () => ({
    version: __SATCHEL_VERSION__,
    platform: 'extension',
    supportedMethods: Object.keys(requests),
  }),
  supportedMethods: async () => ({
    documentation: DOCUMENTATION,
    methods: Object.keys(requests).map(name => ({ name, docsUrl: DOCUMENTATION })),
  }),
  getAddresses,
  signMessage,
  signPsbt,
  sendTransfer,
}

/** Null for a name that is not known. */
export function findRequest(name: string): Translation | null {
  return (Object.hasOwn(requests, name) && requests[name]) || null
}
