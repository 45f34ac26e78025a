import { type Route, text } from '../server/http.ts'
import { notFound, type OrdServer, page } from './ord-call.ts'
import { formatRuneName, minimumName } from './runes/rune-name.ts'

/** `/status`, and what is known of blocks as bare text. */
export function statusRoutes({ network, get }: OrdServer): Route[] {
  const started = Date.now()
  return [
    get('/status', (call, index) => {
      const { blessed, cursed, lostSats } = index.counts()
      const height = index.height()
      const uptime = Date.now() - started
      return page(call, {
        address_index: true,
        blessed_inscriptions: blessed,
        chain: 'regtest',
        cursed_inscriptions: cursed,
        height,
        initial_sync_time: { secs: 0, nanos: 0 },
        inscription_index: true,
        inscriptions: blessed + cursed,
        json_api: true,
        lost_sats: lostSats,
        minimum_rune_for_next_block: formatRuneName(minimumName(height + 1)),
        rune_index: true,
        runes: index.runeCount(),
        sat_index: index.hasSats,
        started: new Date(started).toISOString(),
        transaction_index: false,
        unrecoverably_reorged: false,
        uptime: { secs: Math.floor(uptime / 1000), nanos: (uptime % 1000) * 1_000_000 },
      })
    }),
    get('/blockheight', (_, index) => text(String(index.height()))),
    get('/blockhash', (_, index) => text(network.chain.block(index.height())?.hash ?? '')),
    get('/blockhash/:height', ({ params }, index) => {
      const height = Number(params.height)
      const block = height <= index.height() ? network.chain.block(height) : undefined
      if (!block) throw notFound('blockhash')
      return text(block.hash)
    }),
    get('/blocktime', (_, index) =>
      text(String(network.chain.block(index.height())?.timestamp ?? 0)),
    ),
  ]
}
