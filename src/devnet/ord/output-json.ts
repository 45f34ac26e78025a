import { toHex } from '../chain/hex.ts'
import { formatAddress } from '../chain/script.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { LOST_OUTPOINT, UNBOUND_OUTPOINT } from './inscriptions/satpoint.ts'
import type { OrdIndex } from './ord-index.ts'
import { formatSpacedName } from './runes/rune-name.ts'

/**
 * ord's `/output`, or null where neither the chain nor the mempool has it. Confirmations, and whether it is spent (in the
 * mempool too), are the node's word; the rest is the index's, which forgets what a block spent.
 */
export function describeOutput(network: LocalNetwork, index: OrdIndex, outpoint: string) {
  const seen = lookUp(network, outpoint)
  if (!seen) return null
  const known = index.output(outpoint)
  return {
    address: formatAddress(seen.script) ?? null,
    confirmations: seen.confirmations,
    indexed: seen.isSpecial || (known !== undefined && !known.spent),
    ...describeHoldings(index, outpoint),
    outpoint,
    sat_ranges: index.satRanges(outpoint),
    script_pubkey: toHex(seen.script),
    spent: seen.spent,
    transaction: outpoint.slice(0, 64),
    value: seen.value,
  }
}

export function describeHoldings(index: OrdIndex, outpoint: string) {
  const piles = index.piles(outpoint).map(({ entry, amount }) => {
    const { rune, spacers, divisibility, symbol } = entry
    return [formatSpacedName(rune, spacers), { amount, divisibility, symbol }] as const
  })
  return {
    inscriptions: index.output(outpoint)?.inscriptions.map(({ id }) => id) ?? [],
    runes: Object.fromEntries(piles),
  }
}

function lookUp({ chain, pool }: LocalNetwork, outpoint: string) {
  if (outpoint === LOST_OUTPOINT || outpoint === UNBOUND_OUTPOINT) {
    const nothing = { script: new Uint8Array(), value: 0n, confirmations: 0, spent: false }
    return { ...nothing, isSpecial: true }
  }
  const [txid = '', vout] = outpoint.split(':')
  const confirmed = chain.transaction(txid)
  const record = confirmed?.record ?? pool().get(txid)?.record
  const output = record?.tx.outs[Number(vout)]
  if (!output) return null
  const confirmations = confirmed ? chain.height() - confirmed.block.height + 1 : 0
  const isSpent = pool().spender(outpoint) || (confirmed && !chain.coin(outpoint))
  return { ...output, confirmations, spent: Boolean(isSpent), isSpecial: false }
}
