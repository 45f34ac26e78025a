import { Transaction } from 'bitcoinjs-lib'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import type { AtomicalsBlueprint } from '../../chain/atomicals-source.ts'
import { type Colouring, colour } from '../../devnet/atomicals/colouring.ts'
import type { AtomicalAsset } from '../../ordinals/asset.ts'
import { keyOfAtomical } from '../../ordinals/asset-key.ts'
import { startFunded } from './funded-wallet.ts'
import type { Inscribing } from './memory-assets.ts'
import type { Minting } from './memory-atomicals.ts'
import { fund } from './test-wallet.ts'

/** A coin with these sats, and what is put on it. */
export type AtomicalCoin = { sats: bigint; with: Minting[]; inscribed?: Inscribing[] }

/**
 * A funded wallet that has Atomicals besides: `keys` (`<id>-Atomicals`), `assets` and `outpoints` in the order given. The
 * server foresees what devnet's rules say. Small clean coins pay for what is moved.
 */
export async function startWithAtomicals(
  coins: readonly AtomicalCoin[],
  clean: bigint[] = [100_000n, 50_000n],
) {
  const started = await startFunded(...clean)
  const { world, account } = started
  const held = new Map<string, AtomicalAsset[]>()
  const outpoints = coins.map(({ sats, with: mintings, inscribed = [] }) => {
    const outpoint = `${fund(world, account.address, sats)}:0`
    held.set(
      outpoint,
      mintings.map(minting => world.atomicals.mint(outpoint, minting)),
    )
    for (const inscribing of inscribed) world.assets.inscribe(outpoint, inscribing)
    return outpoint
  })
  const assets = [...held.values()].flat()
  world.atomicals.foretell(rawTx => toBlueprint(dealOut(rawTx)))
  return {
    ...started,
    outpoints,
    assets,
    keys: assets.map(({ id }) => keyOfAtomical(id)),
    /** What a transaction makes of what was put on these coins, by devnet's rules: `output key units`. */
    assetsAfter(txid: string): string[] {
      const { landed } = dealOut(world.chain.get(txid) ?? new Uint8Array())
      return landed.map(({ output, id, amount }) => `${output} ${keyOfAtomical(id)} ${amount}`)
    },
  }

  function dealOut(rawTx: Uint8Array): Colouring {
    const { inputs } = parseTransaction(rawTx)
    const spent = inputs.flatMap(({ txid, vout }, input) =>
      (held.get(`${txid}:${vout}`) ?? []).map(({ id, type, amount }) => {
        return { input, id, type, amount }
      }),
    )
    return colour({ spent, outputs: Transaction.fromBuffer(rawTx).outs, operation: null })
  }
}

function toBlueprint({ landed, burned }: Colouring): AtomicalsBlueprint {
  return { outputs: landed, burned }
}
