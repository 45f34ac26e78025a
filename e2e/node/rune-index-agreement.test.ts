import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { createRandom, pick, type Random } from '../../src/bitcoin/testing/signable-psbts.ts'
import { createJournal } from '../../src/devnet/chain/journal.ts'
import { createOutputSet, type OrdBlock } from '../../src/devnet/ord/inscriptions/output-set.ts'
import { createRuneLedger } from '../../src/devnet/ord/runes/rune-ledger.ts'
import { flowRunes, type RuneBalance } from '../../src/ordinals/flow/rune-flow.ts'
import { ETCHED_HERE } from '../../src/ordinals/rune-id.ts'
import { findMintStanding, type MintFacts } from '../../src/ordinals/runes/rune-mint.ts'
import { decipherRunestone } from '../../src/ordinals/runes/runestone.ts'
import { runestoneOf, runestoneScript } from '../../src/ordinals/testing/runestone-script.ts'
import { campaign } from '../../testing/campaigns.ts'
import { type Amounts, createOracleChain } from './testing/rune-oracle-chain.ts'

const { count: COUNT, seed: SEED } = campaign('transactions with runestones')
const CHAIN_LENGTH = 200
const BLOCK_LENGTH = 4
const FIRST_HEIGHT = 100
const MOST_COINS = 24
const PAYMENT = Uint8Array.of(0x51)
const NOTHING = Uint8Array.of(0x6a)
const U128 = 2n ** 128n - 1n

/** Tags of ord's `Tag`. */
const TAGS = { flags: 2, rune: 4, premine: 6, cap: 8, amount: 10, mint: 20, pointer: 22 }
const HEIGHT_TAGS = [12, 14, 16, 18]

/** How often each thing was seen. */
type Seen = Map<string, number>

/**
 * Three implementations, none of which knows another: the wallet says where the runes of each transaction go, what its mint
 * gives and what it etches; devnet's ledger mines it, and takes blocks back now and then; runestone-lib's index reads it, too.
 */
describe(`${COUNT} random transactions with runestones (seed ${SEED})`, () => {
  it(
    'give, mint, etch and burn the same by the wallet, by devnet’s index and by another author’s',
    async () => {
      const random = createRandom(SEED)
      const seen: Seen = new Map()
      const start = Date.now()
      for (let done = 0; done < COUNT; done += CHAIN_LENGTH)
        await followChain(random, Math.min(CHAIN_LENGTH, COUNT - done), seen)
      const seconds = Math.round((Date.now() - start) / 1000)
      console.info(JSON.stringify({ seed: SEED, seconds, ...Object.fromEntries(seen) }))
      for (const what of WANTED) expect([what, seen.get(what) ?? 0]).not.toEqual([what, 0])
    },
    Math.max(120_000, 10 * COUNT),
  )
})

const WANTED = [
  ...['none', 'runestone', 'moved', 'burned', 'minted', 'mint-closed', 'etched', 'undone'],
  ...['edict-all', 'edict-everyone', 'edict-many-runes', 'pointer'],
  ...['script', 'varint', 'truncated-field', 'trailing-integers', 'edict-rune-id'],
  ...['edict-output', 'supply-overflow', 'unrecognized-flag', 'unrecognized-even-tag'],
]

async function followChain(random: Random, length: number, seen: Seen): Promise<void> {
  const outputs = createOutputSet()
  const ledger = createRuneLedger(outputs)
  const oracle = createOracleChain()
  /** By the wallet's rules. */
  const runes = new Map<string, MintFacts>()
  const held = new Map<string, RuneBalance[]>()
  const burned = new Map<string, bigint>()
  const ids: string[] = []
  let coins: string[] = []
  let made = 0
  for (let done = 0, height = FIRST_HEIGHT; done < length; height++) {
    const count = Math.min(BLOCK_LENGTH, length - done)
    const created: string[] = []
    const transactions: { txid: string; tx: Transaction }[] = [makeTransaction([], [PAYMENT])]
    for (let position = 1; position <= count; position++, done++) {
      const spends = Array.from({ length: random(4) }, () =>
        coins.splice(random(coins.length || 1), 1),
      ).flat()
      const scripts = drawScripts(random, ids)
      const made = makeTransaction(spends, scripts)
      transactions.push(made)
      foresee(made.txid, spends, scripts, { height, position })
      for (const vout of scripts.keys()) created.push(`${made.txid}:${vout}`)
    }
    const block: OrdBlock = { height, time: 1_600_000_000 + height, transactions }
    const journal = createJournal()
    ledger.connect(block, journal)
    if (random(12) === 0) {
      journal.revert()
      ledger.connect(block, createJournal())
      add(seen, 'undone')
    }
    await oracle.apply(block)
    for (const outpoint of created) {
      const told = ledger.piles(outpoint)
      const devnet: Amounts = Object.fromEntries(
        told.map(({ entry, amount }) => [entry.id, amount]),
      )
      expect(sumUp(held.get(outpoint) ?? [])).toEqual(devnet)
      expect(oracle.held(outpoint)).toEqual(devnet)
    }
    for (const id of ids) {
      const entry = ledger.rune({ id })
      const counts = [runes.get(id)?.mints ?? 0n, burned.get(id) ?? 0n]
      expect([entry?.mints, entry?.burned]).toEqual(counts)
      expect([BigInt(oracle.mintsOf(id)), oracle.burnedOf(id)]).toEqual(counts)
    }
    // Coins with runes are kept rather than those without.
    const both = [...coins, ...created]
    coins = [...both.filter(one => held.has(one)), ...both.filter(one => !held.has(one))].slice(
      ...[0, MOST_COINS],
    )
  }

  function makeTransaction(spends: readonly string[], scripts: readonly Uint8Array[]) {
    const tx = new Transaction()
    for (const outpoint of spends) {
      const [txid = '', vout] = outpoint.split(':')
      tx.addInput(Uint8Array.from(Buffer.from(txid, 'hex')).reverse(), Number(vout))
    }
    for (const script of scripts) tx.addOutput(Uint8Array.from(script), 1_000n)
    return { txid: (++made).toString(16).padStart(64, '0'), tx }
  }

  /** What the wallet says of a transaction, kept as its own ledger. */
  function foresee(
    txid: string,
    spends: readonly string[],
    scripts: readonly Uint8Array[],
    { height, position }: { height: number; position: number },
  ): void {
    const balances = spends.flatMap(outpoint => held.get(outpoint) ?? [])
    for (const outpoint of spends) held.delete(outpoint)
    const runestone = decipherRunestone(scripts)
    add(seen, runestone.kind === 'cenotaph' ? runestone.flaw : runestone.kind)
    const minted = runestone.kind === 'none' ? null : runestone.mint
    const facts = minted === null ? undefined : runes.get(minted)
    if (minted !== null && facts) {
      const standing = findMintStanding(facts, BigInt(height))
      if (standing.is === 'open') {
        balances.push({ rune: minted, amount: standing.amount })
        runes.set(minted, { ...facts, mints: facts.mints + 1n })
      }
      add(seen, standing.is === 'open' ? 'minted' : 'mint-closed')
    }
    const id = `${height}:${position}`
    // Names are committed to nowhere, so that only an etching without one counts.
    const etching = runestone.kind === 'runestone' ? runestone.etching : null
    const isEtched = etching !== null && etching.rune === null
    if (isEtched) {
      balances.push({ rune: ETCHED_HERE, amount: etching.premine ?? 0n })
      runes.set(id, { terms: etching.terms, height, mints: 0n })
      ids.push(id)
      add(seen, 'etched')
    }
    if (runestone.kind === 'runestone') noteEdicts(seen, runestone, scripts.length)
    for (const { rune, amount, to } of flowRunes({ balances, scriptPubKeys: scripts })) {
      const named = rune === ETCHED_HERE ? id : rune
      add(seen, to === 'burnt' ? 'burned' : 'moved')
      if (to === 'burnt') burned.set(named, (burned.get(named) ?? 0n) + amount)
      else {
        const outpoint = `${txid}:${to}`
        held.set(outpoint, [...(held.get(outpoint) ?? []), { rune: named, amount }])
      }
    }
  }
}

function noteEdicts(
  seen: Seen,
  { edicts, pointer }: Extract<ReturnType<typeof decipherRunestone>, { kind: 'runestone' }>,
  outputs: number,
): void {
  if (edicts.some(({ amount }) => amount === 0n)) add(seen, 'edict-all')
  if (edicts.some(({ output }) => output === outputs)) add(seen, 'edict-everyone')
  if (new Set(edicts.map(({ rune }) => rune)).size > 1) add(seen, 'edict-many-runes')
  if (pointer !== null) add(seen, 'pointer')
}

/** One to five outputs; some burn, and mostly one is a runestone. */
function drawScripts(random: Random, ids: readonly string[]): Uint8Array[] {
  const scripts: Uint8Array[] = Array.from({ length: 1 + random(4) }, () =>
    random(7) === 0 ? NOTHING : PAYMENT,
  )
  if (random(6) > 0) {
    const stone = drawRunestone(random, ids, scripts.length + 1)
    scripts.splice(random(scripts.length + 1), 0, stone)
  }
  // A second one says nothing.
  if (random(30) === 0) scripts.push(runestoneScript([TAGS.pointer, 0]))
  return scripts
}

function drawRunestone(random: Random, ids: readonly string[], outputs: number): Uint8Array {
  const fields = [
    ...(random(4) === 0 || ids.length === 0 ? drawEtching(random) : []),
    ...(random(3) === 0 && ids.length > 0
      ? pick(random, ids)
          .split(':')
          .flatMap(part => [TAGS.mint, BigInt(part)])
      : []),
    ...(random(3) === 0 ? [TAGS.pointer, random(outputs)] : []),
    // An odd tag without meaning, which is passed over.
    ...(random(6) === 0 ? [127, random(1_000)] : []),
  ]
  const edicts = drawEdicts(random, ids, outputs)
  const body = edicts.length > 0 ? [0, ...edicts] : []
  if (random(6) > 0) return runestoneScript([...fields, ...body])
  return drawFlawed(random, fields, body, outputs)
}

type Integers = readonly (bigint | number)[]

function drawEtching(random: Random): Integers {
  const hasTerms = random(3) > 0
  const amount = random(20) === 0 ? U128 / 1_000n : BigInt(random(500))
  const terms = [
    ...(random(10) > 0 ? [TAGS.amount, amount] : []),
    ...(random(10) > 0 ? [TAGS.cap, BigInt(random(12))] : []),
    ...HEIGHT_TAGS.flatMap((tag, at) => {
      if (random(4) > 0) return []
      // Starts soon and ends later, by height or by offset.
      const soon = random(at % 2 === 0 ? 6 : 40)
      return [tag, BigInt(at < 2 ? FIRST_HEIGHT + soon : soon)]
    }),
  ]
  return [
    ...[TAGS.flags, 1 + (hasTerms ? 2 : 0) + (random(3) === 0 ? 4 : 0)],
    // A name that nothing commits to is not etched.
    ...(random(8) === 0 ? [TAGS.rune, 26n ** 14n + BigInt(random(1_000))] : []),
    ...(random(3) > 0 ? [TAGS.premine, random(30) === 0 ? U128 / 3n : BigInt(random(2_000))] : []),
    ...(hasTerms ? terms : []),
  ]
}

function drawEdicts(random: Random, ids: readonly string[], outputs: number): Integers {
  const named = Array.from({ length: random(5) }, () =>
    random(6) === 0 || ids.length === 0 ? ETCHED_HERE : pick(random, ids),
  )
  return named
    .map(id => id.split(':').map(Number))
    .toSorted(([blockA = 0, txA = 0], [blockB = 0, txB = 0]) => blockA - blockB || txA - txB)
    .flatMap(([block = 0, tx = 0], at, all) => {
      const [before = 0, txBefore = 0] = all[at - 1] ?? []
      const delta = block === before ? tx - txBefore : tx
      const amount = random(3) === 0 ? 0n : random(40) === 0 ? U128 : BigInt(random(1_000))
      return [block - before, delta, amount, random(3) === 0 ? outputs : random(outputs)]
    })
}

/** Every kind of cenotaph. */
function drawFlawed(random: Random, fields: Integers, body: Integers, outputs: number): Uint8Array {
  const flaws: (() => Uint8Array)[] = [
    () => runestoneOf(Uint8Array.of(0x51)),
    () => runestoneOf(Uint8Array.of(3, 1, 2)),
    () => runestoneOf(Uint8Array.of(2, 22, 0x80)),
    () => runestoneOf(Uint8Array.of(20, 22, ...Array(19).fill(0xff))),
    () => runestoneScript([...fields, TAGS.pointer]),
    () =>
      runestoneScript([
        ...fields,
        ...(body.length > 0 ? body : [0]),
        ...Array(1 + random(3)).fill(1),
      ]),
    () => runestoneScript([...fields, 0, 0, 1, 5, 0]),
    () => runestoneScript([...fields, 0, 2n ** 64n, 0, 5, 0]),
    () => runestoneScript([...fields, 0, 1, 1, 5, outputs + 1]),
    () => runestoneScript([TAGS.flags, 3, TAGS.cap, U128, TAGS.amount, 2, ...body]),
    () => runestoneScript([TAGS.flags, 1 | 8, ...body]),
    () => runestoneScript([TAGS.flags, 2, ...body]),
    () => runestoneScript([126, 0, ...fields, ...body]),
    () => runestoneScript([TAGS.mint, 5, ...body]),
    () => runestoneScript([TAGS.pointer, outputs, ...body]),
    () => runestoneScript([TAGS.premine, 5, ...body]),
  ]
  return pick(random, flaws)()
}

function sumUp(balances: readonly RuneBalance[]): Amounts {
  const sums: Amounts = {}
  for (const { rune, amount } of balances) sums[rune] = (sums[rune] ?? 0n) + amount
  return sums
}

function add(seen: Seen, what: string): void {
  seen.set(what, (seen.get(what) ?? 0) + 1)
}
