import type { BumpKind, BumpObstacle } from '../../src/background/views/payment-views.ts'
import { SHOP } from './fixtures/activity.ts'
import { OPEN, planOf, pressReview, TXID } from './fixtures/payment-form.ts'
import { reviewOf } from './fixtures/payments.ts'
import { type Answers, failing, type Shot, silent, value } from './shot.ts'

const PREVIOUS = { txid: TXID, fee: '470' }

function bump(
  kind: BumpKind,
  name: string,
  changes: Partial<Shot> & { with?: Answers } = {},
): Shot {
  const { with: answers, ...rest } = changes
  const option = { leastFeeRate: 6.21, why: null }
  return {
    name: `bump-${kind}${name === '' ? '' : `-${name}`}`,
    path: `/bump/${TXID}/${kind}`,
    answers: {
      ...OPEN,
      getBumpOptions: value({ 'speed-up': option, child: option, cancel: option }),
      ...answers,
    },
    ...rest,
  }
}

function obstacle(why: BumpObstacle): Shot {
  const option = { leastFeeRate: null, why }
  return bump('speed-up', why.toLowerCase().replaceAll('_', '-'), {
    with: { getBumpOptions: value({ 'speed-up': option, child: option, cancel: option }) },
  })
}

export const shots: Shot[] = [
  bump('speed-up', ''),
  bump('child', ''),
  bump('cancel', ''),
  bump('speed-up', 'loading', { with: { getBumpOptions: silent } }),
  bump('speed-up', 'unknown', {
    with: { getBumpOptions: failing(-32000, 'HTTP 503', { reason: 'BACKEND_UNAVAILABLE' }) },
  }),
  bump('speed-up', 'too-low', {
    act: async screen => {
      await screen.click('radio', 'Custom*')
      await screen.fill('textbox', 'Fee rate*', '2')
    },
  }),
  bump('speed-up', 'review', {
    with: {
      planBump: value(
        planOf(
          reviewOf(
            { inputs: [3_000_000], recipients: [{ address: SHOP, sats: 1_020_000 }], fee: 1_930 },
            { purpose: 'speed-up', previous: PREVIOUS, warnings: [] },
          ),
        ),
      ),
    },
    act: pressReview,
  }),
  bump('child', 'review', {
    with: {
      planBump: value(
        planOf(
          reviewOf(
            { inputs: [250_000], recipients: [], fee: 1_930 },
            {
              purpose: 'child',
              previous: PREVIOUS,
              warnings: [{ kind: 'spends-unconfirmed', inputs: [0] }],
            },
          ),
        ),
      ),
    },
    act: pressReview,
  }),
  bump('cancel', 'review', {
    with: {
      planBump: value(
        planOf(
          reviewOf(
            { inputs: [3_000_000], recipients: [], fee: 1_930 },
            { purpose: 'cancel', previous: PREVIOUS, warnings: [] },
          ),
        ),
      ),
    },
    act: pressReview,
  }),
  obstacle('CONFIRMED'),
  obstacle('HAS_CHILDREN'),
  obstacle('NOT_OURS'),
  obstacle('NO_OWN_OUTPUT'),
  obstacle('COINS_HELD'),
  obstacle('INSUFFICIENT_FUNDS'),
  obstacle('ENDED'),
]
