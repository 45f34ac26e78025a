import type { Transaction, TxOutput } from 'bitcoinjs-lib'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { createDevnetKey } from '../admin/devnet-key.ts'
import type { Faucet, KeyCoin } from '../admin/faucet.ts'
import { createLeafOutput } from '../admin/leaf-output.ts'
import { buildReveal, feeOfReveal, type RevealInput } from '../admin/reveal.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { dustThreshold } from '../mempool/policy.ts'
import { buildCommitment, buildLeaf, type EnvelopePlan } from './inscription-leaf.ts'
import type { OrdIndex } from './ord-index.ts'
import {
  formatSpacedName,
  minimumName,
  nameCommitment,
  type RuneNumber,
} from './runes/rune-name.ts'
import { etchingScript, mintScript, type NewRune } from './runes/runestone-script.ts'

/** What stands before the envelope's input when that is not to be the first. */
const LEAD_VALUE = 1_000n
const OTHERS_VALUE = 600n
/** The etching must be in the sixth block from the commit's on. */
const BLOCKS_BEFORE_ETCHING = 5
/** Stands for a transaction that is not there yet, to measure with. */
const NOWHERE = '00'.repeat(32)

export interface InscribePlan {
  /** Each list is revealed in a transaction of its own, in one input. */
  reveals: readonly (readonly EnvelopePlan[])[]
  /** Where they go; null for devnet's own address, from where they can be parents and be inscribed again. */
  script: Uint8Array | null
  /** Sats of each output. */
  postage: bigint
  /** On devnet's own address: its sat is the one that the first reveal inscribes. */
  onto: InscriptionId | null
  /** Addresses of nobody that each reveal pays besides. */
  others: number
}

export interface Inscribed {
  ids: InscriptionId[]
  commitTxid: string
  revealTxids: string[]
  /** Of each id in turn, `txid:vout`. */
  outpoints: string[]
}

export interface EtchPlan extends NewRune {
  script: Uint8Array | null
  /** Sats. */
  postage: bigint
  /** On devnet's own address: goes along, at the place that it has, on the output that gets the runes. */
  onto: InscriptionId | null
}

export interface Etched {
  /** With its spacers. */
  name: string
  /** `block:tx`. */
  rune: string
  txid: string
  outpoint: string
}

/** Makes inscriptions and runes with the faucet's coins. Throws RangeError for what cannot be, RejectedError in the node's words. */
export interface Inscriber {
  /** Broadcasts commit and reveals, and mines nothing. */
  inscribe(plan: InscribePlan): Promise<Inscribed>
  /** Mines the six blocks that it takes. */
  etch(plan: EtchPlan): Promise<Etched>
  /** Broadcasts transactions that mint once each, whether there is anything left or not; resolves their txids. */
  mintRune(plan: MintRunePlan): Promise<string[]>
}

export interface MintRunePlan {
  rune: RuneNumber
  count: number
  /** Null for devnet's own address. */
  script: Uint8Array | null
}

export function createInscriber(network: LocalNetwork, faucet: Faucet, index: OrdIndex): Inscriber {
  const key = createDevnetKey('satchel devnet inscriptions')

  /** The coin that holds an inscription, when it is devnet's own. */
  function findOwn(id: InscriptionId): (KeyCoin & { offset: bigint }) | null {
    const place = index.inscription(id)?.satpoint
    const coin = place && network.chain.coin(place.outpoint)
    if (!coin || !Buffer.from(coin.output.script).equals(key.script)) return null
    if (network.pool().spender(place.outpoint)) throw new RangeError(`${id} moves: mine first`)
    const { txid, vout, output } = coin
    return { txid, vout, value: output.value, key, offset: place.offset }
  }

  function requireOwn(id: InscriptionId): KeyCoin & { offset: bigint } {
    const coin = findOwn(id)
    if (!coin) throw new RangeError(`onto: ${id} is not confirmed on devnet's own address`)
    return coin
  }

  async function inscribe({
    reveals,
    script,
    postage,
    onto,
    others,
  }: InscribePlan): Promise<Inscribed> {
    const spent = onto === null ? [] : [requireOwn(onto)]
    if (spent.some(({ offset }) => offset > 0n)) {
      throw new RangeError('onto: its sat must be the first of its output')
    }
    const parents = new Map<InscriptionId, KeyCoin>()
    const plans = reveals.map(envelopes => {
      const named = envelopes.flatMap(({ content }) => content.parents ?? [])
      for (const id of named) {
        const coin = findOwn(id)
        if (coin) parents.set(id, coin)
      }
      const moved = [...new Set(named)].filter(id => parents.has(id))
      return planReveal(envelopes, moved)
    })
    const outputs = plans.map(({ leaf, leafValue }) => ({ script: leaf.script, value: leafValue }))
    const extras = plans.map(({ extra }) => extra)
    for (const value of extras) if (value > 0n) outputs.push({ script: key.script, value })
    const commit = await faucet.send(outputs, spent)

    const inscribed: Inscribed = {
      ids: [],
      commitTxid: commit.getId(),
      revealTxids: [],
      outpoints: [],
    }
    let nextExtra = plans.length
    for (const [vout, plan] of plans.entries()) {
      const extra = plan.extra > 0n ? keyCoin(commit, nextExtra++) : null
      const leafCoin = { txid: commit.getId(), vout, value: plan.leafValue, leaf: plan.leaf }
      const reveal = buildReveal(plan.inputs(leafCoin, extra), plan.outputs)
      const { txid } = await network.submit(reveal.toHex())
      inscribed.revealTxids.push(txid)
      for (const i of plan.envelopes.keys()) {
        inscribed.ids.push(`${txid}i${i}`)
        inscribed.outpoints.push(`${txid}:${plan.home}`)
      }
      for (const [i, id] of plan.moved.entries())
        parents.set(id, keyCoin(reveal, plan.home + 1 + i))
    }
    return inscribed

    /**
     * Inputs: perhaps a coin in front, the leaf, the parents; outputs in the same order with the same values. The fee is in the
     * leaf's value, unless outputs follow its own: then a coin behind all others pays it. At most one coin is `extra`.
     */
    function planReveal(envelopes: readonly EnvelopePlan[], moved: InscriptionId[]) {
      const isLed = envelopes.some(({ flaw }) => flaw === 'not-first')
      if (isLed && moved.length > 0) throw new RangeError('not-first: not with a parent')
      const lead = isLed ? LEAD_VALUE : 0n
      const leaf = createLeafOutput(buildLeaf(envelopes.map(plan => shiftPointer(plan, lead))))
      const inputs = (leafCoin: RevealInput, extra: KeyCoin | null): RevealInput[] => {
        const coins = moved.flatMap(id => parents.get(id) ?? [])
        const other = extra ? [extra] : []
        return isLed ? [...other, leafCoin] : [leafCoin, ...coins, ...other]
      }
      const home: TxOutput = { script: script ?? key.script, value: postage }
      const leads = isLed ? [{ script: key.script, value: lead }] : []
      const kept = moved.flatMap(id => parents.get(id) ?? [])
      const strangers = Array.from({ length: others }, (_, at) => ({
        script: createDevnetKey(`satchel devnet stranger ${at}`).script,
        value: OTHERS_VALUE,
      }))
      if (others > 0 && moved.length > 0) throw new RangeError('others: not with a parent')
      const kin = kept.map(({ value }) => ({ script: key.script, value }))
      const outputs = [...leads, home, ...kin, ...strangers]
      const dummy = { txid: NOWHERE, vout: 0, value: postage }
      const hasExtra = isLed || moved.length > 0
      const fee = feeOfReveal(
        inputs({ ...dummy, leaf }, hasExtra ? { ...dummy, key } : null),
        outputs,
      )
      const given = OTHERS_VALUE * BigInt(others)
      const leafValue = moved.length > 0 ? postage : postage + given + fee
      const extra = moved.length > 0 ? atLeastDust(fee) : lead
      return { envelopes, moved, leaf, leafValue, extra, inputs, outputs, home: leads.length }
    }
  }

  function keyCoin(tx: Transaction, vout: number): KeyCoin {
    const output = tx.outs[vout]
    if (!output) throw new Error(`${tx.getId()} has no output ${vout}`)
    return { txid: tx.getId(), vout, value: output.value, key }
  }

  function atLeastDust(value: bigint): bigint {
    const least = dustThreshold(key.script)
    return value < least ? least : value
  }

  async function etch(plan: EtchPlan): Promise<Etched> {
    const name = formatSpacedName(plan.rune, plan.spacers)
    const height = network.chain.height() + 1 + BLOCKS_BEFORE_ETCHING
    if (plan.rune < minimumName(height)) throw new RangeError(`name: ${name} is too short yet`)
    if (index.rune({ rune: plan.rune })) throw new RangeError(`name: ${name} exists already`)
    const coins = plan.onto === null ? [] : [requireOwn(plan.onto)]
    const leaf = createLeafOutput(buildCommitment(nameCommitment(plan.rune)))
    const value = coins[0]?.value ?? plan.postage
    const outputs = [
      { script: plan.script ?? key.script, value },
      { script: etchingScript(plan), value: 0n },
    ]
    const dummy = { txid: NOWHERE, vout: 0, value, leaf }
    const fee = atLeastDust(feeOfReveal([...coins, dummy], outputs))
    const leafValue = coins.length > 0 ? fee : value + fee
    const commit = await faucet.send([{ script: leaf.script, value: leafValue }])
    await network.mine(BLOCKS_BEFORE_ETCHING, faucet.address)
    const leafCoin = { txid: commit.getId(), vout: 0, value: leafValue, leaf }
    const { txid } = await network.submit(buildReveal([...coins, leafCoin], outputs).toHex())
    await network.mine(1, faucet.address)
    const entry = index.etchedBy(txid)
    if (!entry) throw new Error(`${name} was not etched by ${txid}`)
    return { name, rune: entry.id, txid, outpoint: `${txid}:0` }
  }

  async function mintRune({ rune, count, script }: MintRunePlan): Promise<string[]> {
    const entry = index.rune({ rune })
    if (!entry) throw new RangeError('rune: there is no such rune')
    const home = script ?? key.script
    const outputs = [
      { script: home, value: atLeastDust(dustThreshold(home)) },
      { script: mintScript(entry.id), value: 0n },
    ]
    const txids: string[] = []
    while (txids.length < count) txids.push((await faucet.send(outputs)).getId())
    return txids
  }

  return { inscribe, etch, mintRune }
}

/** Pointers count from the transaction's first output on. */
function shiftPointer({ content, flaw }: EnvelopePlan, by: bigint): EnvelopePlan {
  const { pointer } = content
  return pointer === undefined
    ? { content, flaw }
    : { content: { ...content, pointer: pointer + by }, flaw }
}
