import type { Operation } from './operations.ts'
import type { Scene } from './wallet-scene.ts'

const planMint = ({ worker, mintDraft }: Scene) => worker.ui('planRuneMint', mintDraft)

async function mint(scene: Scene): Promise<{ mintId: string }> {
  const { planId, digest } = await planMint(scene)
  const { jobId } = await scene.worker.ui('confirmRuneMint', { planId, digest })
  return { mintId: jobId }
}

/** Of which the network took nothing. */
async function mintInVain(scene: Scene): Promise<{ mintId: string }> {
  scene.world.chain.faults.refuse = 'mempool full'
  const job = await mint(scene)
  delete scene.world.chain.faults.refuse
  return job
}

const ofMint = (_: Scene, prepared: never) => prepared

const mintMethod = (name: string, rest: Partial<Operation>): Operation => ({
  ...{ name: `ui.${name}`, method: `ui.${name}`, params: () => null },
  ...rest,
})

/** Minting runes from our own pages. */
export const MINT_OPERATIONS: readonly Operation[] = [
  mintMethod('planRuneMint', { params: ({ mintDraft }) => mintDraft }),
  mintMethod('confirmRuneMint', {
    prepare: planMint,
    params: (_, { planId, digest }: { planId: string; digest: string }) => ({ planId, digest }),
  }),
  mintMethod('getRuneMints', { prepare: mint }),
  mintMethod('getRuneMint', { prepare: mint, params: ofMint }),
  mintMethod('resumeRuneMint', { prepare: mintInVain, params: ofMint }),
  mintMethod('stopRuneMint', { prepare: mintInVain, params: ofMint }),
]
