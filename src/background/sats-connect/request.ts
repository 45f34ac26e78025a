import type { TranslationContext } from '../requests/translation.ts'

/** Translates one request of sats-connect; see `Translation` for what it may rely on. */
export type SatsConnectRequest = (context: TranslationContext, params: unknown) => Promise<unknown>
