import type { Method } from '../requests/method.ts'

/** 33-byte compressed public key in hex. */
export const getPublicKey: Method<'getPublicKey'> = {
  access: 'connected',
  answer: async ({ account }) => account?.publicKey,
}
