import { createPush, readRawTransaction } from '../psbts/push.ts'

/** Broadcasts a signed transaction. */
export const pushTx = createPush<'pushTx'>(async (_, { rawTx }) =>
  readRawTransaction('rawTx', rawTx),
)
