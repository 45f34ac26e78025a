import { toHex } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { DustError, type Payment } from '../../bitcoin/payments/payment.ts'
import { type AssetKey, atomicalOfKey, keyOfAsset } from '../../ordinals/asset-key.ts'
import {
  buildTransfer,
  MixedTokensError,
  SharedCoinError,
  StrayRunesError,
} from '../../ordinals/transfers/transfer.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import { locateAssets, type MovableCoin, renewCoins } from '../coins/asset-coins.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { type Coin, type CoinParts, type Coins, loadCoins, ofAsker } from '../coins/coins.ts'
import { type ProofParts, proveInscriptions } from '../collectibles/inscription-proofs.ts'
import type { AssetMoveView, InscriptionProof } from '../views/asset-views.ts'
import { assertServerAgrees } from './atomicals-check.ts'
import {
  buildWithCheckedInputs,
  describePlan,
  loadCoinsAndFeeRate,
  type Plan,
  type PlanningParts,
  parseAddressParam,
} from './payment-plan.ts'
import { planOutdated } from './plan-checks.ts'

/** Inscriptions and Atomicals NFTs to move, as it is asked by a site or in our own pages; names are for errors. */
export type TransferOrder = {
  /** Each once, with the address that it goes to; `field` is that one's name. */
  moves: readonly { id: AssetKey; to: string; field: string }[]
  /** sat/vB; null for the server's word on half an hour. */
  feeRate: number | null
  seed: string
  /** Name of the ids. */
  field: string
}

/** How far what is to be moved was checked, and on which coin. */
export type ProvenHome = { id: AssetKey; outpoint: string; proof: InscriptionProof }

/**
 * Checks inscriptions that are to be moved against the chain, which may take long; JSON. Where an Atomical is hangs on more of
 * the chain than can be looked at. Throws PROTECTED_ASSET for an inscription that the chain contradicts, and like
 * {@link planTransfer}.
 */
export async function proveTransfer(
  context: PayingContext<CoinParts & ProofParts>,
  { moves }: Pick<TransferOrder, 'moves'>,
): Promise<ProvenHome[]> {
  const { wallet, account, network } = context
  const ids = [...readReceivers(moves, network).keys()]
  const claims = ids.flatMap(id => (atomicalOfKey(id) === null ? { id, satpoint: null } : []))
  // Coins and chain are asked at the same time; what is on no coin of the account is refused without waiting for the chain.
  const proving = proveInscriptions(wallet, network, claims)
  proving.catch(() => {})
  const coins = ofAsker(await loadCoins(wallet, account, network), context)
  const homes = listHomes(
    coins.all.map(coin => ({ ...coin, assets: coin.assets.known ? coin.assets.assets : [] })),
  )
  if (!claims.every(({ id }) => homes.has(id))) return []
  const proven = new Map(await proving)
  // Of what the account sent to itself, the index learns with the next block.
  const moved = claims.flatMap(({ id }) => {
    const { outpoint, offset } = homes.get(id) ?? {}
    const isHere = outpoint === proven.get(id)?.satpoint?.outpoint
    return isHere || outpoint === undefined || offset == null
      ? []
      : { id, satpoint: { outpoint, offset } }
  })
  if (moved.length > 0)
    for (const [id, one] of await proveInscriptions(wallet, network, moved)) proven.set(id, one)
  return [...proven].flatMap(([id, { proof, satpoint }]) => {
    if (satpoint === null) return []
    if (proof === 'contradicted') {
      const text = `The chain says something else of inscription ${id} than the index. Nothing was moved.`
      throw failure('PROTECTED_ASSET', text, { data: { inscription: id } })
    }
    return [{ id, outpoint: satpoint.outpoint, proof }]
  })
}

/**
 * Works out a transaction that moves inscriptions and Atomicals, and takes its fee from clean coins; nothing is signed. Throws -32602 that
 * names the field, PROTECTED_ASSET, COINS_HELD, INSUFFICIENT_FUNDS, PLAN_OUTDATED, BackendUnavailableError.
 */
export async function planTransfer(
  context: PayingContext<PlanningParts>,
  order: TransferOrder,
  proven: readonly ProvenHome[],
): Promise<Plan> {
  const { wallet, network } = context
  const { field, seed } = order
  const asked = readReceivers(order.moves, network)
  const ids = [...asked.keys()]
  const at = wallet.now()
  const load = async () => {
    const terms = await loadCoinsAndFeeRate(context, order.feeRate)
    const moved = await locateAssets(context, ofAsker(terms.coins, context), ids, field)
    return { ...terms, coins: renewCoins(terms.coins, moved), moved }
  }
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate, own, moved }) => {
      const paying = withoutAssets(coins, moved)
      return buildOrThrowInsufficient(paying, utxos => {
        const required = paying.withRequired([])
        const terms = { utxos, required, own, feeRate, seed }
        try {
          return buildTransfer({ coins: moved, asked, ...terms })
        } catch (cause) {
          throw explainRefusal(cause, order, { asked, moved })
        }
      })
    },
  )
  const homes = listHomes(subject.moved)
  if (proven.some(({ id, outpoint }) => homes.get(id)?.outpoint !== outpoint))
    throw planOutdated('What is to be moved is on another coin by now.')
  await assertServerAgrees(context, payment, listCarried(payment, subject.moved))
  const verified = new Set(proven.filter(({ proof }) => proof === 'verified').map(({ id }) => id))
  const moving = { asked: ids, unproven: ids.filter(id => !verified.has(id)) }
  const purpose = { purpose: 'transfer' as const, previous: null, moving }
  const plan = await describePlan(context, payment, purpose, { ...subject, at })
  assertReceived(plan, asked)
  return {
    ...plan,
    about: { kind: 'nft', inscription: ids.length === 1 ? (ids[0] ?? null) : null },
  }
}

/** The scriptPubKey that each goes to, in the order asked. Throws -32602 that names the field. */
function readReceivers(moves: TransferOrder['moves'], network: Network) {
  return new Map(moves.map(({ id, to, field }) => [id, parseAddressParam(field, to, network)]))
}

function explainRefusal(
  cause: unknown,
  { moves, field }: TransferOrder,
  { asked, moved }: { asked: ReadonlyMap<AssetKey, Uint8Array>; moved: readonly MovableCoin[] },
): unknown {
  if (cause instanceof MixedTokensError) {
    const text = `Units of token ${cause.id} share a coin with what is to move, and would not stay with it. Move it alone.`
    return failure('PROTECTED_ASSET', text, { cause, data: { atomical: cause.id } })
  }
  if (cause instanceof StrayRunesError) {
    const text = `Runes ${cause.rune} share a coin with what is to move, and would go to another receiver. Move it alone.`
    return failure('PROTECTED_ASSET', text, { cause, data: { rune: cause.rune } })
  }
  if (cause instanceof SharedCoinError) {
    const [one, other] = cause.keys
    const expected = `one receiver for ${one} and ${other}, which are on the same coin`
    return Object.assign(invalidParams(field, [...moves], expected), { cause })
  }
  if (!(cause instanceof DustError)) return cause
  const small = moved.filter(({ amount }) => amount === cause.amount)
  const keys = new Set(small.flatMap(({ assets }) => assets.map(keyOfAsset)))
  const move = moves.find(({ id }) => {
    const to = asked.get(id)
    return keys.has(id) && to && dustLimit(to) === cause.limit
  })
  const expected = `a kind of address that takes outputs of ${cause.amount} sats (this one takes ${cause.limit}), or that inscription alone`
  return Object.assign(invalidParams(move?.field ?? field, move?.to, expected), { cause })
}

/** The coins that pay for moving others: nothing may sit on them, whatever the person or a switch lets payments spend. */
export function withoutAssets(coins: Coins, moved: readonly MovableCoin[]): Coins {
  const outpoints = new Set(moved.map(({ outpoint }) => outpoint))
  const isOther = ({ outpoint }: Coin) => !outpoints.has(outpoint)
  // What was moved may have been clean until just now.
  const spendable = coins.spendable.filter(coin => isCleanCoin(coin) && isOther(coin))
  return {
    ...coins,
    all: coins.all.filter(isOther),
    spendable,
    withRequired: (chosen, among = spendable) => coins.withRequired(chosen, among),
  }
}

/** Whether servers answered for the coin and know of nothing on it. */
export function isCleanCoin({ assets }: Coin): boolean {
  return assets.known && assets.assets.length === 0
}

/** Whatever was built, nothing that sits on a coin goes to the miner, is burned, or goes to others without being shown first. */
export function assertMoved(plan: Plan, asked: number): void {
  const receiver = plan.review.recipients[0]?.address
  assertRightMoves(plan, asked, ({ address }) => address === receiver)
}

/** The same, and each that was asked for, in that order, goes to an output of exactly its receiver. */
function assertReceived(plan: Plan, asked: ReadonlyMap<AssetKey, Uint8Array>): void {
  const wanted = [...asked]
  assertRightMoves(plan, wanted.length, ({ asset, output }, at) => {
    const [key, receiver] = wanted[at] ?? []
    const script = output === null ? null : plan.review.outputs[output]?.script
    return !!receiver && keyOfAsset(asset) === key && script === toHex(receiver)
  })
}

function assertRightMoves(
  { review }: Plan,
  asked: number,
  isRight: (move: AssetMoveView, at: number) => boolean,
): void {
  const isLost = ({ to }: AssetMoveView) => to !== 'own' && to !== 'foreign'
  const wanders = !review.assets.slice(0, asked).every(isRight)
  if (review.asked !== asked || wanders || review.assets.some(isLost))
    throw failure('PROTECTED_ASSET', 'This would lose what sits on the coins. Nothing was signed.')
}

/** What its inputs carry, in their order. */
export function listCarried({ inputs }: Pick<Payment, 'inputs'>, moved: readonly MovableCoin[]) {
  const carried = new Map(moved.map(({ outpoint, assets }) => [outpoint, assets]))
  return inputs.map(input => carried.get(formatOutpoint(input)) ?? [])
}

function listHomes(coins: readonly MovableCoin[]) {
  return new Map(
    coins.flatMap(({ outpoint, assets }) =>
      assets.flatMap(asset =>
        asset.kind === 'inscription'
          ? [[asset.id, { outpoint, offset: asset.offset }] as const]
          : [],
      ),
    ),
  )
}
