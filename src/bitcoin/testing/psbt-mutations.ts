import { concatBytes, fromHex, toHex } from '../bytes.ts'
import { finalizePsbt } from '../psbt/finalize.ts'
import type { PsbtEntry, PsbtMaps } from '../psbt/maps.ts'
import { type InputOrder, PsbtRefusedError, planSigning } from '../psbt/plan.ts'
import { readPrevouts } from '../psbt/prevouts.ts'
import { encodePsbt, parsePsbt } from '../psbt/psbt.ts'
import { signPsbt } from '../psbt/sign.ts'
import {
  ACCOUNTS,
  type Coin,
  createRandomPsbts,
  pick,
  type Random,
  type RandomPsbt,
} from './signable-psbts.ts'

/** What a page asks, and whether the person has allowed everything that can be allowed. */
export type MutatedPsbt = RandomPsbt & { expert: boolean }

/** Seeds for each type of address: unsigned, signed before by every other account, signed, and final. */
const SEEDS = { sample: 22, signedByOthers: 4, signed: 4, final: 4 }

/** Makes PSBTs out of good ones, each wrong in one to three ways; `coins` are the truth about what they spend. */
export function createMutator(random: Random): {
  seeds: RandomPsbt[]
  coins: Coin[]
  mutate(): MutatedPsbt
} {
  const { coins, draw } = createRandomPsbts(random, { most: 2 })
  const seeds = ACCOUNTS.flatMap(account => {
    const mine = createRandomPsbts(random, { accounts: [account], most: 2 })
    const others = ACCOUNTS.filter(other => other !== account)
    coins.push(...mine.coins)
    return [
      ...collect(SEEDS.sample, mine.draw),
      ...collect(SEEDS.signedByOthers, () => sign(draw(), others)).map(seed => ({
        ...seed,
        account,
      })),
      ...collect(SEEDS.signed, () => sign(mine.draw(), [account])),
      ...collect(SEEDS.final, () => finalize(sign(mine.draw(), [account]))),
    ]
  })
  return {
    seeds,
    coins,
    mutate() {
      let mutated: MutatedPsbt = { ...pick(random, seeds), expert: random(2) === 0 }
      for (let i = 1 + random(3); i > 0; i--) mutated = mutateOnce(random, mutated, seeds)
      return mutated
    },
  }
}

function collect(count: number, make: () => RandomPsbt | null): RandomPsbt[] {
  const made: RandomPsbt[] = []
  while (made.length < count) made.push(...[make()].filter(each => each !== null))
  return made
}

/** Signed by those of these accounts that would; null when none would. */
function sign(
  sample: RandomPsbt,
  accounts: readonly (typeof ACCOUNTS)[number][],
): RandomPsbt | null {
  const before = parsePsbt(sample.bytes)
  const after = accounts.reduce((psbt, account) => {
    try {
      const prevouts = readPrevouts(psbt, sample.previous)
      const inputs = account === sample.account ? sample.orders : null
      const plan = planSigning({ psbt, prevouts, key: account, inputs, expert: true })
      return signPsbt({ psbt, prevouts, plan, ...account })
    } catch (error) {
      if (error instanceof PsbtRefusedError) return psbt
      throw error
    }
  }, before)
  return after === before ? null : { ...sample, bytes: encodePsbt(after) }
}

function finalize(sample: RandomPsbt | null): RandomPsbt | null {
  if (!sample) return null
  const psbt = parsePsbt(sample.bytes)
  const final = finalizePsbt(psbt, readPrevouts(psbt, sample.previous), [...psbt.inputs.keys()])
  return { ...sample, bytes: encodePsbt(final) }
}

function mutateOnce(
  random: Random,
  mutated: MutatedPsbt,
  seeds: readonly RandomPsbt[],
): MutatedPsbt {
  const { bytes } = mutated
  switch (random(16)) {
    case 0:
      return { ...mutated, bytes: bytes.subarray(0, random(bytes.length)) }
    case 1:
      return { ...mutated, bytes: concatBytes(bytes, bytes.subarray(0, 1 + random(8))) }
    case 2:
    case 3:
    case 4:
      return { ...mutated, bytes: flipBits(random, bytes) }
    case 5:
    case 6:
      return { ...mutated, orders: mutateOrders(random, mutated.orders) }
    case 7:
      return { ...mutated, previous: mutatePrevious(random, mutated.previous, seeds) }
    default:
      return { ...mutated, bytes: mutateFields(random, bytes, pick(random, seeds)) }
  }
}

function flipBits(random: Random, bytes: Uint8Array): Uint8Array {
  const flipped = bytes.slice()
  if (flipped.length === 0) return flipped
  for (let i = 1 + random(3); i > 0; i--) {
    const at = random(flipped.length)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << random(8))
  }
  return flipped
}

const SIGHASH_TYPES = [0, 1, 2, 3, 0x81, 0x82, 0x83, 0x80, 0x84, 4, 0x41, 0xff]

function mutateOrders(random: Random, orders: readonly InputOrder[] | null): InputOrder[] | null {
  if (random(4) === 0) return null
  const order = (index: number): InputOrder => ({
    index,
    sighashTypes: random(2) ? [pick(random, SIGHASH_TYPES), pick(random, SIGHASH_TYPES)] : null,
    disableTweakSigner: random(2) === 0,
  })
  const changed = (orders ?? []).map(each => (random(2) ? order(each.index) : each))
  // The parser of requests lets no index through twice, and none that is out of range.
  const next = random(3)
  return changed.some(({ index }) => index === next) ? changed : [...changed, order(next)]
}

function mutatePrevious(
  random: Random,
  previous: ReadonlyMap<string, Uint8Array>,
  seeds: readonly RandomPsbt[],
): ReadonlyMap<string, Uint8Array> {
  const [other] = pick(random, seeds).previous.values()
  return new Map(
    [...previous].flatMap(([txid, raw]) => {
      const change = random(4)
      if (change === 0) return []
      return [[txid, change === 1 ? flipBits(random, raw) : change === 2 ? (other ?? raw) : raw]]
    }),
  )
}

/** Changes records of the maps; bytes that are no PSBT any more are flipped instead. */
function mutateFields(random: Random, bytes: Uint8Array, other: RandomPsbt): Uint8Array {
  const psbt = attemptParse(bytes)
  if (!psbt) return flipBits(random, bytes)
  const { global, inputs, outputs } = psbt.maps
  const maps = {
    global: [...global],
    inputs: inputs.map(map => [...map]),
    outputs: outputs.map(map => [...map]),
  }
  const from = pick(random, random(4) ? inputs : parsePsbt(other.bytes).maps.inputs)
  const to = pick(random, maps.inputs)
  const map = pick(random, [maps.global, to, to, to, to, to, ...maps.outputs.slice(0, 1)])
  const at = random(map.length + 1)
  const entry = map[at]
  switch (random(9)) {
    case 0:
      map.splice(at, 1)
      break
    case 1:
      if (entry) map.splice(at, 1, { ...entry, value: flipBits(random, entry.value) })
      break
    case 2:
      if (entry) map.splice(at, 1, { ...entry, key: flipBits(random, entry.key) })
      break
    case 3:
      // A record of another input, beside or instead of what is there.
      if (from.length > 0) put(to, pick(random, from))
      break
    case 4: {
      // The same record changes places between two inputs.
      const second = pick(random, maps.inputs)
      const key = toHex(to[random(to.length + 1)]?.key ?? new Uint8Array())
      const [a, b] = [to, second].map(each => each.findIndex(one => toHex(one.key) === key))
      const [one, two] = [to[a ?? -1], second[b ?? -1]]
      if (one && two) {
        put(to, two)
        put(second, one)
      }
      break
    }
    case 5:
      put(to, { key: fromHex('03'), value: uint32(pick(random, SIGHASH_TYPES)) })
      break
    case 6:
      if (entry) map.push(entry)
      break
    case 7:
      maps.inputs.reverse()
      break
    default:
      editAmounts(random, maps)
  }
  return encodePsbt({ ...psbt, maps })
}

/** Writes other amounts, and sometimes other scripts, into witnessUtxo fields and outputs. */
function editAmounts(
  random: Random,
  maps: { inputs: PsbtEntry[][]; outputs: PsbtEntry[][]; global: PsbtEntry[] },
) {
  const change = (map: PsbtEntry[], type: number, edit: (value: Uint8Array) => Uint8Array) => {
    const entry = map.find(({ key }) => key.length === 1 && key[0] === type)
    if (entry) put(map, { ...entry, value: edit(entry.value) })
  }
  const amount = uint64(pick(random, AMOUNTS))
  const map = pick(random, maps.inputs)
  const output = maps.outputs[random(maps.outputs.length)] ?? []
  const script = () => pick(random, ACCOUNTS).scriptPubKey
  switch (random(5)) {
    case 0:
      return change(map, 0x01, value => concatBytes(amount, value.subarray(8)))
    case 1:
      return change(map, 0x01, value => concatBytes(value.subarray(0, 8), sized(script())))
    case 2:
      return change(output, 0x03, () => amount)
    case 3:
      return change(output, 0x04, script)
    default:
      return change(maps.global, 0x00, value => {
        // The amount of the last output: before its script, of one of the usual sizes, and the locktime.
        const edited = value.slice()
        edited.set(amount, Math.max(0, value.length - 4 - pick(random, [22, 23, 25, 34]) - 1 - 8))
        return edited
      })
  }
}

const AMOUNTS = [
  0n,
  1n,
  546n,
  10_000n,
  123_457n,
  2_100_000_000_000_000n,
  2_100_000_000_000_001n,
  2n ** 63n,
  2n ** 64n - 1n,
]

function put(map: PsbtEntry[], entry: PsbtEntry): void {
  const at = map.findIndex(({ key }) => toHex(key) === toHex(entry.key))
  map.splice(at < 0 ? map.length : at, at < 0 ? 0 : 1, entry)
}

function attemptParse(
  bytes: Uint8Array,
): ({ maps: PsbtMaps } & ReturnType<typeof parsePsbt>) | null {
  try {
    return parsePsbt(bytes)
  } catch {
    return null
  }
}

function sized(script: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(script.length), script)
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}
