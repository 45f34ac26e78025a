// lies: what a server can say that is not so, by name, so that tests and people see what a wallet makes of it. The
// lies are told under `/api`; `/second` is the same server, which tells none.

import { formatBlock } from '../esplora/format.ts'
import type { BlockJson } from '../esplora/shapes.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { EASIER_BITS, OTHER_BITS, workOn, workOnFork } from './made-blocks.ts'

/** The lies that devnet can tell; its README says what each of them is. */
export const LIE_NAMES = [
  'no-work',
  'unlinked',
  'difficulty',
  'private-fork',
  'less-work-fork',
  'still-tip',
  'other-proof',
  'kept-broadcast',
] as const

export type LieName = (typeof LIE_NAMES)[number]

export type Lie = {
  name: LieName
  /** Of forks: how many of the newest blocks they leave out. */
  depth: number
  /** Of forks: how many they have in their place. */
  blocks: number
  /** The transaction that a fork has in its first block, or whose proof is another's; null for none, or for all. */
  txid: string | null
}

/** Blocks that are shown in the place of those that there are; all others are as they are, up to the tip. */
export type ShownBlocks = { tip: number; at: ReadonlyMap<number, BlockJson> }

export interface Lies {
  /** Takes the place of one of the same name. Throws RangeError for a fork that begins before the first block. */
  tell(lie: Lie): Lie
  list(): Lie[]
  /** Ends all of them; what was kept is passed on. */
  end(): void
  find(name: LieName): Lie | undefined
  /** How many of the newest blocks are as if they had not come. */
  lateBlocks(): number
  shownBlocks(): ShownBlocks | null
}

export function createLies(network: LocalNetwork): Lies {
  const { chain } = network
  const told = new Map<LieName, { lie: Lie; tip: number; fork: BlockJson[] }>()
  /** Of the newest block alone, by its hash. */
  const changed = new Map<string, BlockJson>()

  return {
    tell(lie) {
      const fork = isFork(lie.name) ? makeFork(lie) : []
      told.set(lie.name, { lie, tip: chain.height(), fork })
      return lie
    },
    list: () => [...told.values()].map(({ lie }) => lie),
    end() {
      told.clear()
      changed.clear()
      network.passOn()
    },
    find: name => told.get(name)?.lie,
    lateBlocks() {
      const still = told.get('still-tip')
      return still ? Math.max(chain.height() - still.tip, 0) : 0
    },
    shownBlocks() {
      const fork = told.get('private-fork')?.fork ?? told.get('less-work-fork')?.fork
      if (fork) {
        const at = new Map(fork.map(block => [block.height, block]))
        return { tip: fork.at(-1)?.height ?? chain.height(), at }
      }
      const block = changeTip()
      return block && { tip: block.height, at: new Map([[block.height, block]]) }
    },
  }

  function makeFork({ name, depth, blocks, txid }: Lie): BlockJson[] {
    const base = chain.block(chain.height() - depth)
    if (!base) throw new RangeError(`depth: must be 1 to ${chain.height()}`)
    const bits = name === 'less-work-fork' ? EASIER_BITS : base.bits
    return workOnFork(formatBlock(base), blocks, { bits, txid })
  }

  function changeTip(): BlockJson | null {
    const tip = chain.tip()
    const change = (['no-work', 'unlinked', 'difficulty'] as const).find(name => told.has(name))
    if (!tip || !change) return null
    const block = changed.get(`${change} ${tip.hash}`) ?? changeBlock(formatBlock(tip), change)
    changed.set(`${change} ${tip.hash}`, block)
    return block
  }
}

function isFork(name: LieName): boolean {
  return name === 'private-fork' || name === 'less-work-fork'
}

function changeBlock(block: BlockJson, change: 'no-work' | 'unlinked' | 'difficulty'): BlockJson {
  if (change === 'no-work') return workOn(block, false)
  if (change === 'difficulty') return workOn({ ...block, bits: OTHER_BITS })
  return workOn({ ...block, previousblockhash: 'f'.repeat(64) })
}
