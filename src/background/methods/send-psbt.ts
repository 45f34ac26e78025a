import { assertNothingNew } from '../coins/spent-assets.ts'
import type { PushParts } from '../psbts/push.ts'
import { approveAt, prepareBatch, type SignedBatch, sendBatch } from '../psbts/send-batch.ts'
import { askAlways, assertConnected, type Method } from '../requests/method.ts'

/**
 * Broadcasts signed transactions that depend on each other, parents first, and resolves the txid of each or null, in the
 * order given. One question for all of them, unless all are clean.
 */
export const sendPsbt: Method<'sendPsbt', PushParts> = {
  access: 'connected',
  mayNotAsk: true,
  answer: askAlways,
  ask: async (context, { items, from }) => {
    assertConnected(context, from)
    const { wallet, origin } = context
    const { review, batch, own } = await context.once('batch', async () => {
      wallet.pushLimit.take(origin, items.length)
      return prepareBatch(context, items)
    })
    if (review.items.some(({ clean }) => !clean)) await context.approve(review)
    const approved = async () => {
      await assertNothingNew(context, own)
      return approveAt(wallet.now(), batch)
    }
    return sendBatch(wallet, await context.once('signed', approved))
  },
  finish: (wallet, { signed }) => (signed ? sendBatch(wallet, signed as SignedBatch) : null),
}
