import { toHex } from '../../../bitcoin/bytes.ts'
import { buildPsbt } from '../../../bitcoin/testing/psbt-building.ts'
import type { Scene } from '../wallet-scene.ts'

/** A PSBT (hex) that spends the first clean coin of the scene, of 100,000 sats, for somebody else. */
function psbtOf({ key, clean }: Scene, raw: Record<string, Uint8Array> = {}): string {
  const [txid = '', vout = ''] = clean[0]?.split(':') ?? []
  const { bytes } = buildPsbt({
    inputs: [{ type: 'p2tr', key, amount: 100_000n, outpoint: { txid, vout: Number(vout) } }],
    outputs: [{ type: 'p2wpkh', amount: 90_000n }],
    raw,
  })
  return toHex(bytes)
}

async function load(scene: Scene): Promise<{ id: string }> {
  const { id } = await scene.worker.ui('loadPsbt', { psbt: psbtOf(scene) })
  return { id }
}

async function review(scene: Scene): Promise<{ id: string; digest: string }> {
  const { id, digest } = await scene.worker.ui('reviewPsbt', await load(scene))
  return { id, digest }
}

async function sign(scene: Scene): Promise<{ id: string }> {
  const { id } = await scene.worker.ui('signPsbt', await review(scene))
  return { id }
}

async function reviewPush(scene: Scene): Promise<{ id: string; digest: string }> {
  const { id, digest } = await scene.worker.ui('reviewPsbtPush', await sign(scene))
  return { id, digest }
}

const given = (_: Scene, prepared: never) => prepared
const nothing = async () => null

/** As `Operation` of operations.ts. */
type PsbtOperation = {
  name: string
  method: string
  prepare: (scene: Scene) => Promise<unknown>
  params: (scene: Scene, prepared: never) => unknown
}

const psbtMethod = (name: string, rest: Partial<PsbtOperation>): PsbtOperation => ({
  ...{ name: `ui.${name}`, method: `ui.${name}`, params: () => null, prepare: nothing },
  ...rest,
})

/** PSBTs that the person brings to our own pages. */
export const PSBT_OPERATIONS: readonly PsbtOperation[] = [
  psbtMethod('loadPsbt', { params: scene => ({ psbt: psbtOf(scene) }) }),
  psbtMethod('getLoadedPsbt', { prepare: load }),
  psbtMethod('closePsbt', { prepare: load }),
  psbtMethod('reviewPsbt', { prepare: load, params: given }),
  psbtMethod('signPsbt', { prepare: review, params: given }),
  psbtMethod('combinePsbt', {
    prepare: sign,
    params: (scene, { id }: { id: string }) => ({
      ...{ id, psbt: psbtOf(scene, { f0: Uint8Array.of(1) }) },
    }),
  }),
  psbtMethod('finalizePsbt', { prepare: sign, params: given }),
  psbtMethod('reviewPsbtPush', { prepare: sign, params: given }),
  psbtMethod('pushPsbt', { prepare: reviewPush, params: given }),
]
