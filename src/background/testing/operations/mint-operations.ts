import type { Scene } from '../wallet-scene.ts'

const planMint = ({ worker, mintDraft }: Scene) => worker.ui('planRuneMint', mintDraft)

async function mint(scene: Scene): Promise<{ mintId: string }> {
  const { planId, digest } = await planMint(scene)
  const { jobId } = await scene.worker.ui('confirmRuneMint', { planId, digest })
  return { mintId: jobId }
}

/** Of which the network takes nothing. */
async function mintRefused(scene: Scene): Promise<{ mintId: string }> {
  scene.world.chain.faults.refuse = 'mempool full'
  return mint(scene)
}

/** Of which the network took nothing, and would now. */
async function mintInVain(scene: Scene): Promise<{ mintId: string }> {
  const job = await mintRefused(scene)
  delete scene.world.chain.faults.refuse
  return job
}

const ofMint = (_: Scene, prepared: never) => prepared

/** As `Operation` of operations.ts. */
type MintOperation = {
  name: string
  method: string
  prepare: (scene: Scene) => Promise<unknown>
  params: (scene: Scene, prepared: never) => unknown
}

const nothing = async () => null

const mintMethod = (name: string, rest: Partial<MintOperation>): MintOperation => ({
  ...{ name: `ui.${name}`, method: `ui.${name}`, params: () => null, prepare: nothing },
  ...rest,
})

/** Minting runes from our own pages. */
export const MINT_OPERATIONS: readonly MintOperation[] = [
  mintMethod('planRuneMint', { params: ({ mintDraft }) => mintDraft }),
  mintMethod('confirmRuneMint', {
    prepare: planMint,
    params: (_, { planId, digest }: { planId: string; digest: string }) => ({ planId, digest }),
  }),
  mintMethod('getRuneMints', { prepare: mint }),
  mintMethod('getRuneMint', { prepare: mint, params: ofMint }),
  mintMethod('resumeRuneMint', { prepare: mintInVain, params: ofMint }),
  // Where the order to stop never arrived, what a node takes is sent.
  mintMethod('stopRuneMint', { prepare: mintRefused, params: ofMint }),
]
