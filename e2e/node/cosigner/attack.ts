import { toHex } from '../../../src/bitcoin/bytes.ts'
import { createRandom } from '../../../src/bitcoin/testing/signable-psbts.ts'
import { type Breach, checkWorld, type Granted } from './claims.ts'
import { accountAt, type Coin, createMint, type FindPlace } from './coins.ts'
import { type DraftCase, draftTxid, writeItem } from './drafts.ts'
import { HONEST_SHAPES } from './honest-shapes.ts'
import { HOSTILE_SHAPES } from './hostile-shapes.ts'
import { createKit } from './kit.ts'
import { checkOneSided } from './one-sided.ts'
import { createPlayer } from './player.ts'
import { readReview } from './review-reader.ts'
import { fieldsOf, type OwnSignature, readSignatures } from './signatures.ts'
import { openStage, type Stage } from './stage.ts'
import type { Tally } from './tally.ts'
import type { Loot, PlayedWorld } from './worlds.ts'

/** A claim of the wallet's that does not hold, and how to see it again. */
export type Finding = Breach & {
  seed: number
  shape: string
  world: PlayedWorld | null
  case: DraftCase
}

const SHAPES = { ...HONEST_SHAPES, ...HOSTILE_SHAPES }
export const CASE_SHAPES = Object.keys(SHAPES)

/** The indexes of a world hold all that was ever put there. */
const CASES_PER_STAGE = 60

/** Worlds of one case; fewer where its signatures leave nothing but witnesses to others. */
const WORLDS_PER_CASE = 60
const WORLDS_PER_CASE_OF_MANY = 120
const MANY = 50_000
/** Cases of each shape at least, with fewer worlds of each where there are few in all. */
const ROUNDS = 6
const TRIES_PER_WORLD = 3

/** Runs random cases from consecutive seeds, until so many worlds are checked. */
export async function attack(options: {
  worlds: number
  seed: number
  tally: Tally
}): Promise<Finding[]> {
  const { worlds, seed: first, tally } = options
  const most = worlds < MANY ? WORLDS_PER_CASE : WORLDS_PER_CASE_OF_MANY
  const perCase = Math.min(most, Math.ceil(worlds / (ROUNDS * CASE_SHAPES.length)))
  const findings: Finding[] = []
  let stage = await openStage()
  for (let done = 0; tally.counts.worlds < worlds; done++) {
    if (done % CASES_PER_STAGE === CASES_PER_STAGE - 1) stage = await openStage()
    findings.push(...(await attackOnce(stage, first + done, tally, { perCase })))
  }
  return findings
}

/** Runs the case of a seed: asks the wallet to sign, and checks its claims in worlds that an attacker can make of the signatures. */
export async function attackOnce(
  stage: Stage,
  seed: number,
  tally: Tally,
  options: { findPlace?: FindPlace; perCase?: number; see?: (world: PlayedWorld) => void } = {},
): Promise<Finding[]> {
  const random = createRandom(Math.imul(seed, 0x9e3779b1))
  const { world, accounts } = stage
  await stage.forget()
  const mint = createMint(random, world, accounts, options.findPlace)
  const kit = createKit(random, mint, accounts, Math.floor(seed / CASE_SHAPES.length))
  const shape = shapeOf(seed)
  const proposed = SHAPES[shape]?.(kit)
  if (!proposed) return []
  const drafted: DraftCase = { ...proposed, shape, tricks: kit.tricks }
  const { granted, signatures } = await askFor(stage, drafted, tally)
  const findings: Finding[] = []
  const report = (breaches: readonly Breach[], played: PlayedWorld | null) => {
    for (const breach of breaches)
      findings.push({ ...breach, seed, shape, world: played, case: drafted })
  }
  for (const one of granted) if (one) report(checkOneSided(one, tally), null)
  if (signatures.length === 0) return findings
  for (const trick of kit.tricks) tally.count('tricks', trick)

  const loot = gather(granted, signatures, mint.minted)
  const { items, coins, ownKeys } = loot
  const mined = items.filter(({ draft }) => draft.isMined).flatMap(({ draft }) => draft.inputs)
  const gone = new Set(mined.map(({ coin }) => coin?.at))
  const play = createPlayer(random, loot, mint)
  const isOpen = signatures.some(({ sighash }) => sighash > 1) || items.length > 1
  const { perCase = WORLDS_PER_CASE } = options
  const wanted = isOpen ? perCase : Math.min(perCase, 10, coins.size * 4)
  for (let made = 0, tries = 0; made < wanted && tries < wanted * TRIES_PER_WORLD; tries++) {
    tally.counts.tries++
    const played = play()
    if (!played || played.some(({ inputs }) => inputs.some(({ coin }) => gone.has(coin.at))))
      continue
    made++
    tally.counts.worlds++
    tally.counts.transactions += played.length
    for (const { sighash } of played.flatMap(({ signatures }) => signatures.flat()))
      tally.count('used', nameOf(sighash))
    options.see?.(played)
    report(checkWorld(played, granted, ownKeys, tally), played)
  }
  return findings
}

export function shapeOf(seed: number): string {
  return CASE_SHAPES[seed % CASE_SHAPES.length] ?? 'anything'
}

/** What the attacker has; `ownKeys` name what sits on coins of the wallet. */
function gather(
  granted: readonly (Granted | null)[],
  signatures: readonly OwnSignature[],
  minted: readonly Coin[],
): Loot & { ownKeys: ReadonlySet<string> } {
  const own = minted.filter(({ owner }) => owner === 'own')
  return {
    signatures,
    items: granted.flatMap((one, request) =>
      (one?.draft.items ?? []).map((draft, item) => {
        return { request, item, draft, txid: draftTxid(draft) }
      }),
    ),
    coins: new Map(minted.map(coin => [coin.at, coin])),
    ownKeys: new Set(own.flatMap(({ holdings }) => holdings.map(({ key }) => key))),
  }
}

async function askFor(stage: Stage, { requests, shape }: DraftCase, tally: Tally) {
  const granted: (Granted | null)[] = []
  const signatures: OwnSignature[] = []
  for (const [request, draft] of requests.entries()) {
    tally.counts.requests++
    const account = accountAt(stage.accounts, draft.account)
    const psbts = draft.items.map(item =>
      writeItem(item, account.address, coin => {
        const earlier = signatures.find(one => one.coin.at === coin.at)
        return earlier ? fieldsOf(earlier) : {}
      }),
    )
    const { review, response } = await stage.ask(account, draft.expert, psbts)
    if (review === null || 'error' in response) {
      granted.push(null)
      const error = 'error' in response ? response.error : null
      tally.count('refusals', `${shape} ${Object(error?.data).reason ?? error?.code}`)
      continue
    }
    tally.counts.granted++
    tally.count('shapes', shape)
    granted.push({ draft, review: readReview(review) })
    const results = Array.isArray(response.result) ? response.result : [response.result]
    const known = new Set(signatures.map(({ bytes }) => toHex(bytes)))
    for (const [item, result] of results.entries()) {
      const drafted = draft.items[item]
      if (!drafted) continue
      for (const { coin } of drafted.inputs) {
        tally.count('coins', coin ? `${coin.owner} ${coin.kind}` : 'placeholder')
        for (const { kind } of coin?.holdings ?? [])
          tally.count('holdings', `${coin?.owner} ${kind}`)
      }
      for (const signature of readSignatures(String(result), drafted, known)) {
        signatures.push({ ...signature, request, item })
        tally.count('signatures', nameOf(signature.sighash))
      }
    }
  }
  return { granted, signatures }
}

function nameOf(sighash: number): string {
  return `0x${sighash.toString(16).padStart(2, '0')}`
}
