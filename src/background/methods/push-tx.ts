import { createPush, parseRawTransaction } from '../psbts/push.ts'

/** Broadcasts a signed transaction. */
export const pushTx = createPush<'pushTx'>(async (_, { rawTx }) =>
  parseRawTransaction('rawTx', rawTx),
)
