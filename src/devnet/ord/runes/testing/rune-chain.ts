import { encodeRunestone, type RunestoneSpec } from '@magiceden-oss/runestone-lib'
import { encodePushes } from '../../../../bitcoin/script.ts'
import { runestoneScript } from '../../../../ordinals/testing/runestone-script.ts'
import { COIN, createTestChain, type Pay, type Spend } from '../../testing/test-chain.ts'

export const NAME = 'AAAAAAAAAAAAAA'
export const TAPROOT = Uint8Array.of(0x51, 32, ...new Uint8Array(32).fill(2))
/** `OP_RETURN OP_13` and a number opcode: a cenotaph that says nothing else. */
export const CENOTAPH = Uint8Array.of(0x6a, 0x5d, 0x51)
/** An even tag that has no meaning. */
export const UNKNOWN_TAG = 126

/** A test chain whose runestones another library writes. */
export function createRuneChain() {
  const chain = createTestChain()
  const { index, send, mine } = chain

  /** A mined output that a name can be committed to, so many blocks deep. */
  function commit(confirmations = 6, script = TAPROOT): string {
    const txid = send([mine()], [[COIN, script]])
    chain.mineCoins(confirmations - 1)
    return `${txid}:0`
  }

  /** Mines a transaction; returns its id and what a rune that it etches is called. */
  function mineRunes(spends: readonly Spend[], pays: readonly Pay[]) {
    const txid = send(spends, pays)
    mine()
    return { txid, id: `${index.height()}:1` }
  }

  return {
    ...chain,
    commit,
    mineRunes,
    /** Etches in an output behind these, of which the first takes what is not dealt out. */
    etch(
      etching: NonNullable<RunestoneSpec['etching']>,
      rest: Omit<RunestoneSpec, 'etching'> = {},
      pays: readonly Pay[] = [COIN],
    ) {
      const name = etching.runeName
      const spend: Spend = name ? [commit(), namePush(name)] : mine()
      return mineRunes([spend], [...pays, payRunes({ ...rest, etching })])
    },
    /** Amounts on an output by the ids of the runes. */
    held: (outpoint: string): Record<string, bigint> =>
      Object.fromEntries(index.piles(outpoint).map(({ entry, amount }) => [entry.id, amount])),
    rune: (id: string) => index.rune({ id }),
  }
}

/** An output with a runestone. */
export function payRunes(spec: RunestoneSpec): Pay {
  return [0n, Uint8Array.from(encodeRunestone(spec).encodedRunestone)]
}

/** An output with a runestone of these integers, whatever they mean. */
export function payIntegers(...integers: (bigint | number)[]): Pay {
  return [0n, runestoneScript(integers)]
}

/** The script that reveals the commitment to a name. */
export function namePush(runeName: string): Uint8Array {
  const { etchingCommitment } = encodeRunestone({ etching: { runeName } })
  return encodePushes([Uint8Array.from(etchingCommitment ?? [])])
}

export function edict(rune: string, amount: bigint, output: number) {
  const [block = '0', tx = '0'] = rune.split(':')
  return { id: { block: BigInt(block), tx: Number(tx) }, amount, output }
}

export function mintOf(rune: string) {
  return edict(rune, 0n, 0).id
}
