import { Transaction } from 'bitcoinjs-lib'
import { parseAddress } from '../../../bitcoin/address.ts'
import { formatOutpoint, parseOutpoint } from '../../../bitcoin/outpoint.ts'
import { parseTransaction } from '../../../bitcoin/transaction.ts'
import type { AssetSource } from '../../../chain/asset-source.ts'
import type { AtomicalsSource } from '../../../chain/atomicals-source.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ServerProblem,
} from '../../../chain/chain-source.ts'
import { createJoinedAssets } from '../../../chain/open/joined-assets.ts'
import { colour } from '../../../devnet/atomicals/colouring.ts'
import { buildOperationLeaf } from '../../../devnet/atomicals/envelope-leaf.ts'
import type { AtomicalAsset, CoinAssets } from '../../../ordinals/asset.ts'
import { startFunded } from '../../testing/funded-wallet.ts'
import type { createSeededRandom } from '../../testing/seeded-random.ts'
import { fund } from '../../testing/test-wallet.ts'

type SeededRandom = ReturnType<typeof createSeededRandom>
type Fault = ServerProblem['kind'] | null

const UNKNOWN = ['unanswered', 'behind', 'not-indexed', 'unconfirmed', 'contradicted'] as const
const FAULTS = ['unreachable', 'rate-limited', 'nonsense', 'wrong-network'] as const
const CLEAN: CoinAssets = { known: true, assets: [] }

/**
 * A wallet with Atomicals whose two indexes are down, behind, of another network, contradict themselves, accuse and, where
 * something else speaks against it, hide. What really is where, devnet's own rules say.
 */
export async function startSimulation(random: SeededRandom) {
  const started = await startFunded(200_000n, 60_000n, 15_000n)
  const { world, worker, account } = started
  const { chain, assets, atomicals } = world
  const script = parseAddress(account.address, 'regtest').scriptPubKey
  /** What really is on outpoints, spent ones too. */
  const truth = new Map<string, readonly AtomicalAsset[]>()
  /** Of which there is evidence beside the word of today's indexes: named once, minted by its transaction, or traced. */
  const evident = new Set<string>()
  /** Which an index named something on, rightly or not. */
  const named = new Set<string>()
  /** Which both indexes called clean, or this wallet made of such alone. */
  const vouched = new Set<string>()
  const faults: { ord: Fault; atomicals: Fault } = { ord: null, atomicals: null }
  const own = new Set(started.txids.map(txid => `${txid}:0`))
  const sent = new Map<string, { rawTx: Uint8Array; namedBefore: ReadonlySet<string> }>()
  const broadcast = chain.chain.broadcast.bind(chain.chain)
  /** Whether the node refuses what spends a leaf, so that jobs come to a stand. */
  const gate = { refusesReveals: false }
  chain.chain.broadcast = async rawTx => {
    const { ins } = Transaction.fromBuffer(rawTx)
    if (gate.refusesReveals && ins.some(({ witness }) => witness.length === 3))
      throw new BroadcastRejectedError('bad-witness-nonstandard')
    const namedBefore = new Set(named)
    const txid = await broadcast(rawTx)
    sent.set(txid, { rawTx, namedBefore })
    return txid
  }
  const settled = new Set<string>()

  const ord = guard(assets.source, () => faults.ord)
  const index = guard(atomicals.source, () => faults.atomicals)
  const open = async () => (atomicals.faults.none ? null : index)
  Object.assign(worker.wallet, { assets: async () => watch(ord, await open()), atomicals: open })
  atomicals.faults.none = false
  atomicals.foretell(rawTx => {
    const transaction = Transaction.fromBuffer(rawTx)
    const { landed, burned } = deal(transaction)
    return {
      outputs: landed,
      burned: burned.map(({ id, type, amount }) => ({ id, amount: type === 'ft' ? amount : 1n })),
    }
  })

  return {
    ...started,
    gate,
    truth,
    vouched,
    /** Of the account, spent ones too. */
    known: (): string[] => [...own],
    own: (): string[] => [...own].filter(outpoint => !isSpent(outpoint)),
    receive,
    redraw,
    settle,
  }

  /** Both of them as one, and what the wallet hears of them. */
  function watch(first: AssetSource, second: AtomicalsSource | null): AssetSource {
    const joined = second ? createJoinedAssets(first, second) : first
    return {
      ...joined,
      async fetchAssets(coins) {
        const told = await joined.fetchAssets(coins)
        for (const [outpoint, one] of told) {
          if (!one.known) continue
          if (one.assets.length === 0) vouched.add(outpoint)
          else for (const set of [named, evident]) set.add(outpoint)
        }
        return told
      },
    }
  }

  /** Somebody sends a coin, with or without something on it. */
  function receive(): void {
    const sats = random.pick([330n, 546n, 900n, 10_000n, 10_001n, 40_000n, 150_000n])
    const kind = random.pick([
      'clean',
      'clean',
      'clean',
      'nft',
      'nft',
      'ft',
      'ft',
      'both',
      'minted',
      'inscribed',
    ])
    const confirmed = random.chance(0.8)
    if (kind === 'minted') {
      receiveMinted(sats)
      return
    }
    const outpoint = `${fund(world, account.address, sats, { confirmed })}:0`
    own.add(outpoint)
    if (kind === 'inscribed') assets.inscribe(outpoint)
    if (kind === 'nft' || kind === 'both') put(outpoint, atomicals.mint(outpoint))
    if (kind === 'ft' || kind === 'both')
      put(outpoint, atomicals.mint(outpoint, { type: 'ft', amount: random.pick([sats, 100n]) }))
  }

  /** The transaction itself shows that it mints. */
  function receiveMinted(sats: bigint): void {
    const transaction = new Transaction()
    transaction.addInput(random.bytes(32), 0)
    const leaf = buildOperationLeaf('nft', { args: {} })
    transaction.setWitness(0, [new Uint8Array(64), leaf, new Uint8Array(33).fill(0xc0)])
    transaction.addOutput(script, sats)
    const outpoint = `${chain.add(Uint8Array.from(transaction.toBuffer()))}:0`
    own.add(outpoint)
    evident.add(outpoint)
    put(outpoint, atomicals.mint(outpoint))
  }

  function put(outpoint: string, asset: AtomicalAsset): void {
    truth.set(outpoint, [...(truth.get(outpoint) ?? []), asset])
  }

  /** What the indexes do from now on. The one of Atomicals hides, or is taken away, only what something else speaks for. */
  function redraw(): void {
    faults.ord = random.chance(0.12) ? random.pick(FAULTS) : null
    faults.atomicals = random.chance(0.12) ? random.pick(FAULTS) : null
    for (const { faults: lags } of [assets, atomicals])
      lags.lagBlocks = random.chance(0.1) ? random.pick([1, 3, 1_000]) : 0
    const holders = [...own].filter(outpoint => (truth.get(outpoint)?.length ?? 0) > 0)
    const isAllEvident = holders.every(outpoint => evident.has(outpoint))
    atomicals.faults.none = isAllEvident && random.chance(0.1)
    for (const outpoint of own) {
      atomicals.lie(outpoint, 'forget')
      assets.lie(outpoint, 'forget')
      if (random.chance(0.6)) continue
      const holds = truth.has(outpoint)
      const why = random.pick(UNKNOWN)
      if (random.chance(0.2)) assets.lie(outpoint, { known: false, why })
      else if (random.chance(0.1)) assets.lie(outpoint, CLEAN)
      if (holds && evident.has(outpoint)) atomicals.lie(outpoint, { known: true, assets: [] })
      else if (random.chance(0.3)) atomicals.lie(outpoint, { known: false, why })
      else if (random.chance(0.1)) accuse(outpoint)
    }
  }

  /** Says that there is another Atomical, in the place of what really is there or beside it, where nothing else speaks for that. */
  function accuse(outpoint: string): void {
    const beside = evident.has(outpoint) ? [] : (truth.get(outpoint) ?? [])
    const other: AtomicalAsset = {
      ...{ kind: 'atomical', type: random.pick(['nft', 'ft']), number: 7, name: null, amount: 1n },
      id: `${'fa'.repeat(32)}i${random.below(1_000)}`,
    }
    atomicals.lie(outpoint, { known: true, assets: [...beside, other] })
  }

  /**
   * What came onto the chain since the last time, with the coins that had been named until then; what was on the inputs is on
   * the outputs from now on. Of coins of which all was known, the wallet knows what it made of them.
   */
  function settle() {
    const fresh = [...sent].filter(([txid]) => !settled.has(txid))
    return fresh.map(([txid, { rawTx, namedBefore }]) => {
      settled.add(txid)
      const { inputs, outputs } = parseTransaction(rawTx)
      const spends = inputs.map(formatOutpoint)
      const { landed } = deal(Transaction.fromBuffer(rawTx))
      const isTold = (outpoint: string) => vouched.has(outpoint) || evident.has(outpoint)
      const isTraced = spends.every(outpoint => !own.has(outpoint) || isTold(outpoint))
      for (const [vout, { scriptPubKey }] of outputs.entries()) {
        if (Buffer.compare(scriptPubKey, script) !== 0) continue
        const outpoint = `${txid}:${vout}`
        own.add(outpoint)
        const held = landed.filter(({ output }) => output === vout)
        if (held.length > 0) evident.add(outpoint)
        else if (isTraced) vouched.add(outpoint)
        for (const { id, type, amount } of held)
          put(outpoint, atomicals.mint(outpoint, { id, type, amount }))
      }
      return { txid, spends, landed, namedBefore }
    })
  }

  function deal(transaction: Transaction) {
    const spent = parseTransaction(transaction.toBuffer()).inputs.flatMap((input, at) =>
      (truth.get(formatOutpoint(input)) ?? []).map(({ id, type, amount }) => ({
        ...{ input: at, id, type, amount },
      })),
    )
    return colour({ spent, outputs: transaction.outs, operation: null })
  }

  function isSpent(outpoint: string): boolean {
    const { txid } = parseOutpoint(outpoint)
    if (!chain.get(txid)) return true
    return chain
      .list()
      .some(({ inputs }) => inputs.some(input => formatOutpoint(input) === outpoint))
  }
}

export type Simulation = Awaited<ReturnType<typeof startSimulation>>

/** A source of which every question may fail. */
function guard<Source extends object>(source: Source, fault: () => Fault): Source {
  return new Proxy(source, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...asked: unknown[]) => {
        const kind = fault()
        if (kind)
          throw new BackendUnavailableError({ kind, host: 'x.test', detail: '', retryInMs: null })
        return value.apply(target, asked)
      }
    },
  })
}
