import type { Network } from '../../bitcoin/network.ts'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { AssetMoveView } from '../views/asset-views.ts'

/** A transaction that an approval to sign showed in full: no signature of ours leaves any of it to others. */
export type ShownTransaction = {
  /** {@link unsignedTxidOf}: the same before and after it is signed. */
  unsignedTxid: string
  network: Network
  /** The account that was asked. */
  accountId: string
  /** Sats, as shown; null when it was not known. */
  fee: string | null
  /** Where what sits on own coins lands, as shown. */
  moves: ShownMove[]
}

/** An asset and its input, and its destination with the output. */
type ShownMove = { what: string; to: string }

export function listOwnMoves(moves: readonly AssetMoveView[]): ShownMove[] {
  return moves
    .filter(({ own }) => own)
    .map(({ asset, input, to, output }) => {
      const key = keyOfAsset(asset)
      const what = asset.kind === 'inscription' ? key : `${asset.amount} ${key}`
      return { what: `${input} ${what}`, to: output === null ? to : `${to} ${output}` }
    })
}

const STORAGE_KEY = 'shown'
const MAX_SHOWN = 200

/** What was approved in this session of the browser, newest last; pushing it needs no second question. */
export function createShownTransactions({ session }: { session: StorageArea }) {
  const inTurn = createMutex()

  /** Only this module writes it. */
  async function load(): Promise<readonly ShownTransaction[]> {
    return ((await session.get(STORAGE_KEY)) as ShownTransaction[] | undefined) ?? []
  }

  return {
    add: (shown: readonly ShownTransaction[]): Promise<void> =>
      inTurn(async () => {
        if (shown.length === 0) return
        const others = (await load()).filter(old => !shown.some(one => isSame(one, old)))
        await session.set({ [STORAGE_KEY]: [...others, ...shown].slice(-MAX_SHOWN) })
      }),

    /**
     * Whether exactly this was shown: the same fee, and each of these moves. A move that was unknown or different then does
     * not count as shown.
     */
    async has(transaction: ShownTransaction): Promise<boolean> {
      const shown = (await load()).find(one => isSame(one, transaction))
      if (shown?.fee !== transaction.fee) return false
      // A destination that is unknown now, because the index does not answer, does not undo what was shown.
      return transaction.moves.every(({ what, to }) =>
        shown.moves.some(move => move.what === what && (move.to === to || to === 'unknown')),
      )
    },
  }
}

export type ShownTransactions = ReturnType<typeof createShownTransactions>

function isSame(a: ShownTransaction, b: ShownTransaction): boolean {
  return a.unsignedTxid === b.unsignedTxid && a.network === b.network && a.accountId === b.accountId
}

/** The txid of a raw transaction without its scriptSigs. Throws InvalidTransactionError. */
export function unsignedTxidOf(raw: Uint8Array): string {
  const transaction = decodeTransaction(raw)
  for (const input of transaction.ins) input.script = new Uint8Array()
  return transaction.getId()
}
