import { fromHex } from '../../../src/bitcoin/bytes.ts'
import { pick, type Random } from '../../../src/bitcoin/testing/signable-psbts.ts'
import { runestoneScript } from '../../../src/ordinals/testing/runestone-script.ts'
import { accountAt, type Coin, type Holding, type Mint, type OwnAccount } from './coins.ts'
import { type DraftInput, type DraftItem, type DraftOutput, draftTxid } from './drafts.ts'
import { type ForeignKind, foreignLock, ownLock } from './scripts.ts'
import { sumOf } from './worlds.ts'

const RETURN_SCRIPT = fromHex('6a0568656c6c6f')

/** Locks of coins that others use in practice; the wallet's server knows them unless a case says otherwise. */
const BROUGHT: readonly ForeignKind[] = [
  ...([
    'p2tr',
    'p2tr',
    'p2wpkh',
    'p2wpkh',
    'p2sh-p2wpkh',
    'p2pkh',
    'raw-p2tr',
    'p2pk',
    'leaf',
  ] as const),
  ...(['multisig', 'p2sh-multisig', 'p2wsh-multisig', 'p2sh-p2wsh-multisig'] as const),
  ...(['future', 'p2a', 'odd', 'told-leaf'] as const),
]

/** What the shapes of cases are made with; `turn` counts those of one shape. */
export function createKit(
  random: Random,
  mint: Mint,
  accounts: readonly OwnAccount[],
  turn: number,
) {
  const tricks: string[] = []
  const chance = (out: number) => random(out) === 0
  const between = (least: number, most: number) => BigInt(least + random(most - least + 1))

  /** The input of a PSBT as it usually is: proven where a signature needs it, named where it has a sighash. */
  function spend(coin: Coin, changes: Partial<DraftInput> = {}): DraftInput {
    const isLie = coin.claim.amount !== coin.amount || coin.claim.script !== coin.script
    const proofs: DraftInput['proof'][] =
      coin.isKnown && !isLie ? ['previous', 'witness', 'none'] : ['witness']
    const sighash = changes.sighash ?? null
    const isNamed = coin.owner !== 'foreign' && (sighash !== null || coin.owner === 'shared')
    return { coin, isNamed, proof: pick(random, proofs), ...changes, sighash }
  }

  function toOwn(account: number, amount: bigint): DraftOutput {
    const { addressType, publicKey } = accountAt(accounts, account)
    return { script: ownLock(addressType, publicKey).script, amount, own: true }
  }

  function toThem(amount: bigint, lock: ForeignKind = 'p2wpkh'): DraftOutput {
    return { script: foreignLock(lock).script, amount, own: false }
  }

  /** Names all inputs that an account can sign, as soon as it names one. */
  function item(
    account: number,
    inputs: readonly DraftInput[],
    outputs: readonly DraftOutput[],
  ): DraftItem {
    const names = inputs.some(({ isNamed }) => isNamed)
    const named = inputs.map(input => ({
      ...input,
      isNamed:
        input.isNamed ||
        (names && input.coin?.owner === 'own' && input.coin.account === account && !input.brings),
    }))
    const isSegwit = inputs.every(({ coin }) => coin !== null)
    return { inputs: named, outputs, version: isSegwit && chance(4) ? 2 : 0, isMined: false }
  }

  /** A trick for the figures. */
  function note(trick: string): void {
    tricks.push(trick)
  }

  function randomHolding(amount: bigint): Holding {
    const sats = Number(amount)
    const offset = BigInt(pick(random, [0, 0, sats - 1, random(sats)]))
    switch (random(4)) {
      case 0:
        return mint.inscription(offset)
      case 1:
        return mint.rune(between(1, 5_000))
      case 2:
        return mint.nft()
      default:
        return mint.ft(chance(2) ? amount : between(1, sats))
    }
  }

  /** None mostly, else one or two. */
  function randomHoldings(amount: bigint, out = 3): Holding[] {
    if (!chance(out)) return []
    return Array.from({ length: chance(5) ? 2 : 1 }, () => randomHolding(amount))
  }

  /** A runestone that deals out a rune of these coins to these outputs. */
  function randomRunestone(coins: readonly Coin[], outputs: number): DraftOutput[] {
    const runes = coins.flatMap(({ holdings }) => holdings).filter(({ kind }) => kind === 'rune')
    if (runes.length === 0 || chance(3)) return []
    const rune = pick(random, runes)
    if (rune.kind !== 'rune') return []
    const [block = 0n, tx = 0n] = rune.rune.split(':').map(BigInt)
    const pointer = chance(3) ? [22, random(outputs)] : []
    const amount = chance(3) ? 0n : BigInt(random(Number(rune.amount) + 1))
    const script = runestoneScript([...pointer, 0, block, tx, amount, random(outputs + 2)])
    return [{ script, amount: 0n, own: false }]
  }

  /** Parts of a sum, none below 330 sats where there is enough. */
  function divide(total: bigint, parts: number): bigint[] {
    let left = total
    return Array.from({ length: parts }, (_, at) => {
      if (at === parts - 1) return left
      const spare = left - 330n * BigInt(parts - at)
      const part =
        spare > 0n ? 330n + (spare * BigInt(random(101))) / 100n : left / BigInt(parts - at)
      left -= part
      return part
    })
  }

  const claimed = (inputs: readonly DraftInput[]) =>
    sumOf(inputs.flatMap(({ coin }) => (coin ? { amount: coin.claim.amount } : [])))

  return {
    ...{ random, mint, accounts, turn, tricks, chance, between, spend, toOwn, toThem, item, note },
    ...{ randomHolding, randomHoldings, randomRunestone, divide, claimed },
    txidOf: draftTxid,
    toNobody: (amount: bigint): DraftOutput => ({ script: RETURN_SCRIPT, amount, own: false }),
    randomAccount: () => random(accounts.length),
    randomLock: () => pick(random, BROUGHT),
    pick: <T>(items: readonly T[]): T => pick(random, items),
    shuffle<T>(list: readonly T[]): T[] {
      const rest = [...list]
      return list.flatMap(() => rest.splice(random(rest.length), 1))
    },
  }
}

export type Kit = ReturnType<typeof createKit>
