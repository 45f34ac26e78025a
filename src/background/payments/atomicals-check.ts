import { type Payment, serializeUnsigned } from '../../bitcoin/payments/payment.ts'
import type { AtomicalsBlueprint } from '../../chain/atomicals-source.ts'
import type { Asset } from '../../ordinals/asset.ts'
import { type AssetMove, traceAssets } from '../../ordinals/flow/asset-flow.ts'
import { failure } from '../../provider/errors.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import type { Sources } from '../settings/servers.ts'

/**
 * Asks the index of Atomicals where it sees those go that the first inputs of a payment carry, and holds that against what
 * this wallet works out; the other inputs are clean. Throws PROTECTED_ASSET where they differ or something would be burned,
 * BackendUnavailableError.
 */
export async function assertServerAgrees(
  { wallet, network }: PayingContext<Pick<Sources, 'atomicals'>>,
  payment: Pick<Payment, 'inputs' | 'outputs'>,
  carried: readonly (readonly Asset[])[],
): Promise<void> {
  const inputs = payment.inputs.map(({ amount }, input) => ({
    amount,
    assets: { known: true, assets: (carried[input] ?? []).filter(isAtomical) } as const,
  }))
  if (inputs.every(({ assets }) => assets.assets.length === 0)) return
  const { moves } = traceAssets({ inputs, outputs: payment.outputs })
  const source = await wallet.atomicals(network)
  const told = await source?.foresee(serializeUnsigned(payment))
  const here = describeMoves(moves)
  const there = told ? describeBlueprint(told) : here
  if (here === null || there === null)
    throw failure('PROTECTED_ASSET', 'This would burn Atomicals. Nothing was signed.')
  if (here !== there)
    throw failure(
      'PROTECTED_ASSET',
      'The server that tells of Atomicals sees them go elsewhere than this wallet does. Nothing was signed.',
    )
}

function isAtomical({ kind }: Asset): boolean {
  return kind === 'atomical'
}

/** What lands where, as one text; null where something is lost. */
function describeMoves(moves: readonly AssetMove[]): string | null {
  const landed: [place: string, amount: bigint][] = []
  for (const { asset, to } of moves) {
    if (asset.kind !== 'atomical') continue
    if (to.kind !== 'output') return null
    landed.push([`${to.output} ${asset.id}`, asset.type === 'ft' ? asset.amount : 1n])
  }
  return sumUp(landed)
}

function describeBlueprint({ outputs, burned }: AtomicalsBlueprint): string | null {
  if (burned.length > 0) return null
  return sumUp(
    outputs.map(({ output, id, type, amount }) => [`${output} ${id}`, type === 'ft' ? amount : 1n]),
  )
}

function sumUp(landed: readonly (readonly [place: string, amount: bigint])[]): string {
  const sums = new Map<string, bigint>()
  for (const [place, amount] of landed) sums.set(place, (sums.get(place) ?? 0n) + amount)
  return [...sums]
    .map(([place, amount]) => `${place} ${amount}`)
    .sort()
    .join()
}
