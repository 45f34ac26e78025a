import { fromHex } from '../../bitcoin/bytes.ts'
import type { KnownLeaf } from '../../ordinals/inscriptions/commit-recovery.ts'
import { commitmentOf, parseRuneName } from '../../ordinals/runes/rune-name.ts'
import { invalidParams } from '../../provider/errors.ts'
import { MAX_ITEMS } from '../../provider/inscribe-params.ts'
import { parseFeeRateParam, parseString } from '../../provider/params.ts'
import {
  type CommitRefundParts,
  planCommitRefund,
  takeCommitRefund,
} from '../inscribing/commit-refund.ts'
import { parseDraftItems, parseMetadata } from '../inscribing/inscribe-items.ts'
import type { CommitRefundDraft } from '../views/inscribe-views.ts'
import { parseInscriptionIdParam, parseTxid } from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

/** A file is given as it is and as it would be compressed: either may have been inscribed. */
const MAX_CANDIDATES = 2 * MAX_ITEMS

/** Letters and spacers of a rune's name. */
const LONGEST_NAME = 60

/**
 * The money of commits of which this wallet has no record, as after a restore from the phrase. `planCommitRefund` signs nothing; only
 * `takeCommitRefund` does, exactly what was shown.
 */
export const commitRefundMethods = {
  async planCommitRefund({ wallet, random }, draft) {
    return planCommitRefund(wallet, random, {
      txid: draft.txid === null ? null : parseTxid(draft.txid),
      leaves: parseLeaves(draft),
      feeRate: draft.feeRate === null ? null : parseFeeRateParam('feeRate', draft.feeRate),
    })
  },

  async takeCommitRefund({ wallet }, { planId, digest }) {
    const shown = parseString('digest', digest, 64)
    return takeCommitRefund(wallet, parseString('planId', planId, 64), shown)
  },
} satisfies UiMethodsOf<CommitRefundParts>

function parseLeaves({ items, leafHashes, ...rest }: CommitRefundDraft): KnownLeaf[] {
  if (!Array.isArray(items) || items.length > MAX_CANDIDATES)
    throw invalidParams('items', items, `a list of at most ${MAX_CANDIDATES}`)
  if (!Array.isArray(leafHashes) || leafHashes.length > MAX_ITEMS)
    throw invalidParams('leafHashes', leafHashes, `a list of at most ${MAX_ITEMS}`)
  const parent = rest.parent === null ? null : parseInscriptionIdParam(rest.parent)
  const metadata = parseMetadata(rest.metadata)
  const rune = rest.rune === null ? null : parseCommitment(rest.rune)
  const contents = items.flatMap(item => parseDraftItems([item], parent))
  const leaves = [
    ...contents.map(
      ({ content }): KnownLeaf => ({
        kind: 'content',
        content: {
          ...content,
          ...(metadata !== null && { metadata }),
          ...(parent !== null && { parents: [parent] }),
          ...(rune !== null && { rune }),
        },
      }),
    ),
    ...leafHashes.map((hash, at): KnownLeaf => ({ kind: 'leaf-hash', hash: parseHash(hash, at) })),
    ...(rune === null ? [] : [{ kind: 'rune' as const, commitment: rune }]),
  ]
  if (leaves.length === 0)
    throw invalidParams('items', items, 'what was to be inscribed, the hash of its leaf, or a rune')
  return leaves
}

function parseHash(value: unknown, at: number): Uint8Array {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value))
    return fromHex(value.toLowerCase())
  throw invalidParams(`leafHashes[${at}]`, value, '32 bytes in hex')
}

function parseCommitment(value: unknown): Uint8Array {
  const name = parseRuneName(parseString('rune', value, LONGEST_NAME))
  if (name === null) throw invalidParams('rune', value, 'letters from A to Z, with • between some')
  return commitmentOf(name.rune)
}
