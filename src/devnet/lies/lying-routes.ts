import { toHex } from '../chain/hex.ts'
import { formatBlock } from '../esplora/format.ts'
import type { BlockJson } from '../esplora/shapes.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { type Answer, type Call, HttpError, json, param, type Route, text } from '../server/http.ts'
import type { Lies, ShownBlocks } from './lies.ts'
import { headerOf } from './made-blocks.ts'

const BLOCKS_PAGE = 10

/** What a route answers while some blocks are shown in the place of others; null for what it would answer anyway. */
type LyingAnswer = (call: Call, shown: ShownBlocks) => Answer | Promise<Answer> | null

/** Esplora's routes, which tell what devnet is asked to tell in the place of what is so. */
export function lieInRoutes(network: LocalNetwork, lies: Lies, routes: readonly Route[]): Route[] {
  const lying: { [route: string]: LyingAnswer } = {
    '/blocks': (_, shown) => json(listBlocks(shown, shown.tip)),
    '/blocks/:start': (call, shown) =>
      json(listBlocks(shown, Math.min(Number(param(call, 'start')), shown.tip))),
    '/blocks/tip/height': (_, shown) => text(String(shown.tip)),
    '/blocks/tip/hash': (_, shown) => text(blockAt(shown, shown.tip)?.id ?? ''),
    '/block-height/:height': (call, shown) => {
      const block = blockAt(shown, Number(param(call, 'height')))
      if (!block) throw new HttpError(404, 'Block not found')
      return text(block.id)
    },
    '/block/:hash': (call, shown) => {
      const block = findMade(shown, call)
      return block && json(block)
    },
    '/block/:hash/header': (call, shown) => {
      const block = findMade(shown, call)
      return block && text(toHex(headerOf(block)))
    },
  }

  return routes.map(route => ({
    ...route,
    async handle(call) {
      const seen = { ...call, staleBlocks: Math.max(call.staleBlocks, lies.lateBlocks()) }
      const shown = lies.shownBlocks()
      const lie = shown && lying[route.path]?.(seen, shown)
      if (lie) return lie
      if (route.path === '/tx/:txid/merkle-proof') return proveOrLie(route, seen)
      const answer = await route.handle(seen)
      if (route.method === 'POST' && route.path === '/tx' && lies.find('kept-broadcast'))
        network.keepBack(String(answer.body))
      return showInFork(answer)
    },
  }))

  async function proveOrLie(route: Route, call: Call): Promise<Answer> {
    const txid = param(call, 'txid')
    const forked = lies.find('private-fork')
    const inFork = forked?.txid === txid ? forkedBlock() : undefined
    if (inFork) return json({ block_height: inFork.height, merkle: [], pos: 0 })
    const other = lies.find('other-proof')
    if (!other || (other.txid !== null && other.txid !== txid)) return route.handle(call)
    const confirmed = network.chain.transaction(txid)
    const all = confirmed?.block.transactions ?? []
    const next = all[((confirmed?.position ?? 0) + 1) % all.length]
    return route.handle({ ...call, params: { txid: next?.txid ?? txid } })
  }

  /** A transaction of a fork is in its first block wherever it is told of. */
  function showInFork(answer: Answer): Answer {
    const txid = lies.find('private-fork')?.txid
    const block = forkedBlock()
    if (!txid || !block || answer.type !== 'application/json') return answer
    const status = {
      ...{ confirmed: true, block_height: block.height },
      ...{ block_hash: block.id, block_time: block.timestamp },
    }
    const body = JSON.stringify(JSON.parse(String(answer.body)), (_, value) =>
      value?.txid === txid && value.status ? { ...value, status } : value,
    )
    return { ...answer, body }
  }

  function forkedBlock(): BlockJson | undefined {
    const { at } = lies.shownBlocks() ?? {}
    return at?.values().next().value
  }

  function blockAt(shown: ShownBlocks, height: number): BlockJson | null {
    const there = height <= shown.tip ? network.chain.block(height) : undefined
    return shown.at.get(height) ?? (there ? formatBlock(there) : null)
  }

  function listBlocks(shown: ShownBlocks, newest: number): BlockJson[] {
    const heights = Array.from({ length: BLOCKS_PAGE }, (_, at) => newest - at)
    return heights.flatMap(height => blockAt(shown, height) ?? [])
  }

  function findMade({ at }: ShownBlocks, call: Call): BlockJson | null {
    const hash = param(call, 'hash')
    return [...at.values()].find(({ id }) => id === hash) ?? null
  }
}
