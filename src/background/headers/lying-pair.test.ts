import { crypto, Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { addressOfScript } from '../../bitcoin/address.ts'
import { lastAnchors } from '../../bitcoin/headers/anchors.ts'
import { type BuiltBlock, buildBlock } from '../../bitcoin/testing/block-building.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { AssetSource } from '../../chain/asset-source.ts'
import {
  BackendUnavailableError,
  type ServerProblem,
  TransactionNotFoundError,
} from '../../chain/chain-source.ts'
import { limitConfirmations } from '../../chain/limited-chain.ts'
import type { WholeChain } from '../../chain/open/open-chain.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createCoinAssetStore } from '../coins/coin-assets.ts'
import { type CoinParts, loadCoins } from '../coins/coins.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import type { AccountView } from '../views/account-views.ts'
import { checkChain } from './chain-state.ts'
import { createCheckedHeights } from './checked-heights.ts'
import { createConfirmationProofs } from './confirmation-proofs.ts'
import { createHeldHeaders } from './held-headers.ts'

const START = 1_700_000_000_000
const SCRIPT = Uint8Array.from([0, 20, ...Array(20).fill(7)])
const ADDRESS = addressOfScript(SCRIPT, 'regtest') ?? ''
/** Blocks that a branch has at most. */
const REACH = 6
/** Fewer than Esplora gives, which changes no rule. */
const PER_REQUEST = 3

const LIES = ['no-work', 'unlinked', 'difficulty', 'future', 'merkle'] as const

/** A block of the tree that the servers show blocks of. What is true of it is known from how it was made. */
type Node = {
  height: number
  parent: Node | null
  header: Uint8Array
  block: BuiltBlock
  /** Whether it and all before it are as a miner makes them. */
  isTrue: boolean
  children: Map<string, Node>
}

const raws = new Map<string, Uint8Array>()
let made = 0

function grow(parent: Node | null, name: string): Node {
  const known = parent?.children.get(name)
  if (known) return known
  const height = parent ? parent.height + 1 : 0
  const txids = Array.from({ length: 3 }, () => {
    const transaction = new Transaction()
    transaction.addInput(new Uint8Array(32).fill(7), made++)
    transaction.addOutput(SCRIPT, 1000n)
    raws.set(transaction.getId(), transaction.toBuffer())
    return transaction.getId()
  })
  const isFuture = name === 'future'
  const block = buildBlock({
    ...{ height, previous: parent?.block.hash ?? '00'.repeat(32), txids },
    at: START + height * 600_000 + made * 1000 + (isFuture ? 10 * 24 * 3_600_000 : 0),
  })
  const isLie = (LIES as readonly string[]).includes(name)
  const header = isLie ? alter(block.header, name) : block.header
  const isTrue = (parent?.isTrue ?? true) && !isLie
  const node = { height, parent, header, block, isTrue, children: new Map() }
  parent?.children.set(name, node)
  return node
}

/** The header with a lie in it, and the work for that, but for the lie that it has none. */
function alter(honest: Uint8Array, name: string): Uint8Array {
  const header = honest.slice()
  const view = new DataView(header.buffer)
  if (name === 'unlinked') header.fill(0xff, 4, 36)
  if (name === 'difficulty') view.setUint32(72, 0x207ffffe, true)
  // As if the block had other transactions, without doing the work again.
  if (name === 'merkle') header.fill(0xee, 36, 68)
  // Clear of the target, whose first byte is 0x7f, on the one side or the other.
  const hasWork = name !== 'no-work' && name !== 'merkle'
  const isThere = (top: number) => (hasWork ? top < 0x7f : top > 0x7f)
  for (let nonce = 0; !isThere(crypto.hash256(header)[31] ?? 0); nonce++)
    view.setUint32(76, nonce, true)
  return header
}

function pathOf(node: Node): Node[] {
  const path: Node[] = []
  for (let at: Node | null = node; at; at = at.parent) path.push(at)
  return path.reverse()
}

/** Height of the last block that both have. */
function commonHeight(one: Node, other: Node): number {
  const [path, others] = [pathOf(one), pathOf(other)]
  const differs = path.findIndex((node, at) => node !== others[at])
  return differs === -1 ? one.height : differs - 1
}

/** Forty blocks from the first one on, off which branches go. */
const trunk = [grow(null, 'first')]
while (trunk.length < 40) trunk.push(grow(trunk.at(-1) ?? null, 'trunk'))

type Claims = { coins: Utxo[]; height: number | null; proofOf: string }

function fail(kind: ServerProblem['kind']): never {
  const detail = 'said nothing'
  throw new BackendUnavailableError({ kind, host: 'lie.test', detail, retryInMs: null })
}

/** What an index says of a coin. */
type Word = 'clean' | 'inscribed' | 'silent'

/** A chain server and an index, which say what a test has them say. */
function startPair() {
  const says = {
    shown: trunk[0] as Node,
    problem: null as ServerProblem['kind'] | null,
    claims: { coins: [], height: null, proofOf: '' } as Claims,
    held: new Map<string, Word>(),
  }
  const headersTo = (height: number) =>
    pathOf(says.shown)
      .slice(Math.max(height - PER_REQUEST + 1, 0), height + 1)
      .map(({ header }) => header)
  const chain = {
    network: 'regtest',
    servers: [],
    async fetchNewestHeaders() {
      if (says.problem) fail(says.problem)
      return { height: says.shown.height, raws: headersTo(says.shown.height) }
    },
    fetchBlockHeaders: async (height: number) => headersTo(height),
    fetchTip: async () => ({ height: says.shown.height, hash: '', at: 0 }),
    fetchUtxos: async () => says.claims.coins,
    async fetchBalance() {
      const sum = (isIn: boolean) =>
        says.claims.coins.reduce(
          (total, { amount, height }) => ((height !== null) === isIn ? total + amount : total),
          0n,
        )
      return { confirmed: sum(true), unconfirmed: sum(false), transactions: 9 }
    },
    fetchTransactionHeight: async () => says.claims.height,
    async fetchTransaction(txid: string) {
      const raw = raws.get(txid)
      if (!raw) throw new TransactionNotFoundError('lie.test', txid)
      return raw
    },
    async fetchMerkleProof(txid: string) {
      for (const { block } of pathOf(says.shown)) {
        const proof = block.branchOf(says.claims.proofOf)
        if (proof) return proof
      }
      throw new TransactionNotFoundError('lie.test', txid)
    },
  } as unknown as WholeChain
  const index = {
    network: 'regtest',
    fetchTip: async () => ({ height: 1000 }),
    async fetchAssets(coins: readonly { outpoint: string }[]) {
      const id = `${'ab'.repeat(32)}i0`
      const answers: { [word in Word]: object } = {
        clean: { known: true, assets: [] },
        inscribed: { known: true, assets: [{ kind: 'inscription', id, offset: 0n }] },
        silent: { known: false, why: 'unanswered' },
      }
      return new Map(
        coins.map(({ outpoint }) => [outpoint, answers[says.held.get(outpoint) ?? 'silent']]),
      )
    },
    fetchInscriptions: async () => new Map(),
  } as unknown as AssetSource
  return { says, chain, index }
}

/** The parts of the wallet that read such answers; what is left out of them has nothing to say. */
function openWallet({ chain, index }: ReturnType<typeof startPair>) {
  const [local, session] = [createMemoryArea(), createMemoryArea()]
  const clock = { now: START + 24 * 3_600_000 }
  const now = () => clock.now
  const deps = { local, now, anchors: lastAnchors }
  const heldHeaders = createHeldHeaders(deps)
  const checkedHeights = createCheckedHeights({ local })
  const proofs = createConfirmationProofs({ ...deps, headers: heldHeaders })
  const account = { id: 'one', ordinals: null, address: ADDRESS } as AccountView
  const parts = {
    ...{ now, heldHeaders, checkedHeights },
    async chain() {
      const height = await checkedHeights.load('regtest')
      return height === null ? chain : limitConfirmations(chain, height)
    },
    assets: async () => index,
    atomicals: async () => null,
    addresses: { listFunded: async () => [{ address: ADDRESS, scriptPubKey: SCRIPT }] },
    activity: {
      listSent: async () => [],
      listOpen: async () => [],
      listAsked: async () => ({ asked: { has: () => true }, hasOtherThan: () => true }),
    },
    coinAssets: createCoinAssetStore({ local, session, now }),
    coinChoices: { load: async () => new Map() },
    settings: { load: async () => ({ expert: { spendUnconfirmed: false } }) },
    listReserved: async () => new Set<string>(),
  }
  const wallet = parts as unknown as CoinParts & typeof parts
  return { wallet, clock, account, proofs }
}

describe('a chain server and an index that lie together', () => {
  // Judged by the tree that was made: which blocks are as miners make them, and what is in which.
  it('get nothing confirmed above the last block that passed, and nothing proven that the chain with the most work has not', async () => {
    const { count, seed } = campaign('lies of a chain server and its index')
    const random = createSeededRandom(seed)
    const told = { followed: 0, refused: 0, forked: 0, behind: 0, unanswered: 0 }
    const seen = { counted: 0, doubted: 0, proven: 0, unproven: 0, reorganised: 0 }
    let pair = startPair()
    let opened = openWallet(pair)
    let best = null as Node | null
    let limit = null as number | null
    for (let step = 0; step < count; step++) {
      if (step % 100 === 0) {
        pair = startPair()
        opened = openWallet(pair)
        best = null
        limit = null
      }
      const { says } = pair
      const { wallet, clock, account, proofs } = opened
      clock.now += 61_000
      says.shown = pickBlock(best)
      says.problem = random.chance(0.9) ? null : random.pick(['unreachable', 'nonsense'] as const)

      const state = await checkChain(wallet, 'regtest')
      told[state.is as keyof typeof told]++

      // What must come of it, by how the blocks were made.
      const before = best as Node | null
      const expected = judge()
      expect([state.is, state.checkedTo ?? null], `step ${step}`).toEqual([expected, limit])
      if (best && before && commonHeight(before, best) < before.height) seen.reorganised++

      const tip = best?.height ?? says.shown.height
      says.claims.coins = Array.from({ length: 1 + random.below(3) }, (_, at) => ({
        txid: (step * 4 + at).toString(16).padStart(64, '0'),
        vout: 0,
        amount: 20_000n + BigInt(random.below(90_000)),
        scriptPubKey: SCRIPT,
        height: random.chance(0.15) ? null : Math.max(tip - 5 + random.below(9), 0),
      }))
      says.held = new Map(
        says.claims.coins.map(({ txid }) => [
          `${txid}:0`,
          random.pick<Word>(['clean', 'clean', 'clean', 'inscribed', 'silent']),
        ]),
      )
      const highest = limit ?? Number.POSITIVE_INFINITY
      const counts = ({ height }: Utxo) => height !== null && height <= highest
      const genuine = says.claims.coins.filter(counts)
      const coins = await loadCoins(wallet, account, 'regtest')
      const confirmed = coins.all.filter(({ height }) => height !== null)
      expect(confirmed.map(({ txid }) => txid)).toEqual(genuine.map(({ txid }) => txid))
      const clean = genuine.filter(({ txid }) => says.held.get(`${txid}:0`) === 'clean')
      expect(coins.spendable.map(({ txid }) => txid)).toEqual(clean.map(({ txid }) => txid))
      const balance = await (await wallet.chain('regtest')).fetchBalance(ADDRESS)
      const sum = (some: readonly Utxo[]) => some.reduce((total, { amount }) => total + amount, 0n)
      expect(balance).toMatchObject({
        confirmed: sum(genuine),
        unconfirmed: sum(says.claims.coins) - sum(genuine),
      })
      seen.counted += genuine.length
      seen.doubted += says.claims.coins.filter(coin => coin.height !== null && !counts(coin)).length

      const asked = random.pick(pathOf(says.shown)).block.txids
      const txid = random.pick(asked.slice(1))
      says.claims.height = Math.max(tip - 5 + random.below(9), 0)
      if (random.chance(0.6)) says.claims.height = findBlock(says.shown, txid)
      says.claims.proofOf = random.chance(0.8) ? txid : random.pick(asked)
      const proof = await proofs.prove(await wallet.chain('regtest'), txid)
      if (proof.is === 'unproven') seen.unproven++
      else {
        seen.proven++
        const height = (best?.height ?? 0) - proof.confirmations + 1
        const block = best && pathOf(best)[height]
        expect(block?.isTrue && block.block.txids.includes(txid), `step ${step}`).toBe(true)
      }

      function judge(): string {
        const { shown, problem } = says
        if (problem === 'unreachable') return 'unanswered'
        if (problem === 'nonsense') {
          limit = best?.height ?? null
          return 'refused'
        }
        if (!best) {
          if (shown.isTrue) best = shown
          return shown.isTrue ? 'followed' : 'refused'
        }
        const common = commonHeight(best, shown)
        if (!shown.isTrue) {
          limit = common
          return 'refused'
        }
        const lacking = best.height - common
        const isAhead = shown.height > best.height
        if (isAhead) best = shown
        const isFork = shown.height > common
        limit = isAhead || lacking < 2 ? null : isFork ? common : best.height
        return limit === null ? 'followed' : isFork ? 'forked' : 'behind'
      }
    }
    expect(chainsAreTold(told, count)).toBe(true)
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(count / 40)

    /** A block that may come next: of the trunk, of a branch off it, or a lie on top of one of these. */
    function pickBlock(from: Node | null): Node {
      const height = Math.min(from?.height ?? 12, 30)
      let node = trunk[Math.max(height - 6 + random.below(8), 5)] as Node
      if (random.chance(0.5)) {
        const name = random.pick(['left', 'right'])
        for (let length = 1 + random.below(REACH); length > 0; length--) node = grow(node, name)
      }
      if (from && random.chance(0.2)) node = from
      if (from && random.chance(0.2) && from.height < 32) node = grow(from, 'trunk')
      return random.chance(0.25) ? grow(node, random.pick(LIES)) : node
    }
  }, 36_000_000)
})

function findBlock(tip: Node, txid: string): number {
  return pathOf(tip).findIndex(({ block }) => block.txids.includes(txid))
}

/** Each kind of answer often enough. */
function chainsAreTold(told: { [is: string]: number }, count: number): boolean {
  return Object.values(told).every(times => times > count / 100)
}
