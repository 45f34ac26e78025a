// leather: The Bitcoin requests of Leather, each worked out with operations that the page could have called itself.
// It promises that nothing can be done in these words that could not be done in ours; it never touches a part of the
// wallet.

import { createTranslator, type Translation } from '../requests/translation.ts'
import { getAddresses } from './addresses.ts'
import { sendTransfer, signMessage, signPsbt } from './signing.ts'

/** The manifest's version, put in by the build. */
declare const __SATCHEL_VERSION__: string

const DOCUMENTATION = 'https://leather.gitbook.io/developers'

const translations: { [name: string]: Translation } = {
  getInfo: async () => ({
    version: __SATCHEL_VERSION__,
    platform: 'extension',
    supportedMethods: Object.keys(translations),
  }),
  supportedMethods: async () => ({
    documentation: DOCUMENTATION,
    methods: Object.keys(translations).map(name => ({ name, docsUrl: DOCUMENTATION })),
  }),
  getAddresses,
  signMessage,
  signPsbt,
  sendTransfer,
}

/** Resolves Leather's own results of `leather.<request>`, whose parameters are one object. */
export const leather = createTranslator(
  'leather.',
  name => (Object.hasOwn(translations, name) && translations[name]) || null,
  ['signMessage', 'signPsbt', 'sendTransfer'],
)
