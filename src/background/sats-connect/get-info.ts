import { SATS_CONNECT_NAMES } from '../../provider/sats-connect-names.ts'
import type { SatsConnectRequest } from './request.ts'

/** The manifest's version, put in by the build. */
declare const __SATCHEL_VERSION__: string

/** What anybody may know of the wallet, connected or not. WBIP004 is how pages find it. */
export const getInfo: SatsConnectRequest = async () => ({
  version: __SATCHEL_VERSION__,
  platform: 'web',
  methods: [...SATS_CONNECT_NAMES],
  supports: ['WBIP004'],
})
