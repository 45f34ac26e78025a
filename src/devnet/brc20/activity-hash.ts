import { createHash } from 'node:crypto'
import type { Brc20Event } from '../ord/brc20/brc20-event.ts'
import type { Brc20Ledger } from '../ord/brc20/brc20-ledger.ts'
import { formatFixed } from '../ord/brc20/token-amount.ts'

/** OPI's fingerprints of a block's events and of all events up to it, by which indexers are compared (`set_block_hashes`). */
export function hashActivity(ledger: Brc20Ledger, height: number) {
  let cumulative = ''
  let block = ''
  for (let at = 0; at <= height; at++) {
    const lines = ledger.eventsAt(at).map(event => describeEvent(event, ledger))
    block = sha256(lines.join('|'))
    cumulative = at === 0 ? block : sha256(cumulative + block)
  }
  return { cumulative, block }
}

function describeEvent(event: Brc20Event, ledger: Brc20Ledger): string {
  if (event.type === 'predeploy-inscribe')
    return [event.type, event.id, event.script, event.hash, event.height].join(';')
  const decimals = ledger.token(event.tick)?.decimals ?? 0
  const show = (amount: bigint) => formatFixed(amount, decimals)
  const { type, id, script, tick, originalTick } = event
  const parts = () => {
    switch (event.type) {
      case 'deploy-inscribe':
        return [
          tick,
          originalTick,
          show(event.max),
          event.decimals,
          show(event.limit),
          event.selfMint,
        ]
      case 'mint-inscribe':
        return [tick, originalTick, show(event.amount), event.parent ?? '']
      case 'transfer-inscribe':
        return [tick, originalTick, show(event.amount)]
      case 'transfer-transfer':
        return [event.to ?? '', tick, originalTick, show(event.amount)]
    }
  }
  return [type, id, script, ...parts()].join(';')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
