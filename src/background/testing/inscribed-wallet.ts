import { startFunded } from './funded-wallet.ts'
import type { Inscribing } from './memory-assets.ts'
import { fund } from './test-wallet.ts'

/** A coin with these sats and what is put on it. */
export type InscribedCoin = { sats: bigint; with: Inscribing[] }

/**
 * A funded wallet that has inscriptions besides: `ids` and `outpoints` in the order given. Small clean coins pay for what
 * is moved.
 */
export async function startInscribed(
  coins: InscribedCoin[],
  clean: bigint[] = [100_000n, 50_000n],
) {
  const started = await startFunded(...clean)
  const { world, account } = started
  const outpoints = coins.map(({ sats }) => `${fund(world, account.address, sats)}:0`)
  // A real one changes the witness only, and so not the txid.
  const ids = coins.flatMap((coin, at) =>
    coin.with.map((one, index) =>
      world.assets.inscribe(outpoints[at] ?? '', { body: `Number ${at}.${index}`, ...one }),
    ),
  )
  return { ...started, outpoints, ids }
}
