import { Transaction } from 'bitcoinjs-lib'
import { fromHex } from '../../../src/bitcoin/bytes.ts'
import { colour, isUnspendable } from '../../../src/devnet/atomicals/colouring.ts'
import { parseOperation } from '../../../src/devnet/atomicals/operation.ts'
import { settleFlotsam } from '../../../src/devnet/ord/inscriptions/flotsam.ts'
import {
  addTo,
  allocateRunes,
  type Holdings,
} from '../../../src/devnet/ord/runes/rune-allocation.ts'
import { decipherRunestone } from '../../../src/ordinals/runes/runestone.ts'
import type { Holding } from './coins.ts'

/** A transaction that could be mined: what it spends with true amounts and holdings, and the witnesses that others see. */
export type Landable = {
  inputs: readonly {
    outpoint: { txid: string; vout: number }
    amount: bigint
    holdings: readonly Holding[]
    witness: readonly Uint8Array[]
  }[]
  outputs: readonly { script: Uint8Array; amount: bigint }[]
}

/** `input` is null for what is dealt out from all inputs together; `offset` is an inscription's. */
export type Landed = {
  key: string
  kind: Holding['kind']
  input: number | null
  amount: bigint
  to: 'output' | 'fee' | 'burned'
  output: number | null
  holding: Holding | null
}

/** Where the rules of devnet's own indexes bring everything that sits on the inputs. */
export function land(transaction: Landable): Landed[] {
  if (transaction.inputs.every(({ holdings }) => holdings.length === 0)) return []
  return [
    ...landInscriptions(transaction),
    ...landRunes(transaction),
    ...landAtomicals(transaction),
  ]
}

function landInscriptions({ inputs, outputs }: Landable): Landed[] {
  let start = 0n
  const pieces: { id: string; offset: bigint; reveal: null; input: number }[] = []
  for (const [input, { amount, holdings }] of inputs.entries()) {
    for (const holding of holdings) {
      if (holding.kind !== 'inscription') continue
      const id = holding.key
      pieces.push({ id, offset: start + holding.offset, reveal: null, input })
    }
    start += amount
  }
  if (pieces.length === 0) return []
  const inputOf = new Map(pieces.map(({ id, input }) => [id, input]))
  const { settled, left } = settleFlotsam(
    pieces,
    outputs.map(({ amount }) => ({ value: amount })),
  )
  const base = (id: string) =>
    ({ key: id, kind: 'inscription', input: inputOf.get(id) ?? null, amount: 1n }) as const
  return [
    ...settled.map(({ piece: { id }, vout, offset }): Landed => {
      const isDead = outputs[vout]?.script[0] === 0x6a
      const holding: Holding = { kind: 'inscription', key: id, offset }
      return { ...base(id), to: isDead ? 'burned' : 'output', output: vout, holding }
    }),
    ...left.map(({ id }): Landed => ({ ...base(id), to: 'fee', output: null, holding: null })),
  ]
}

function landRunes({ inputs, outputs }: Landable): Landed[] {
  const pool: Holdings = new Map()
  const names = new Map<string, string>()
  for (const holding of inputs.flatMap(({ holdings }) => holdings)) {
    if (holding.kind !== 'rune') continue
    addTo(pool, holding.rune, holding.amount)
    names.set(holding.rune, holding.key)
  }
  if (names.size === 0) return []
  const scripts = outputs.map(({ script }) => script)
  const { received, burned } = allocateRunes(decipherRunestone(scripts), pool, scripts, null)
  const base = (rune: string, amount: bigint) =>
    ({ key: names.get(rune) ?? rune, kind: 'rune', input: null, amount }) as const
  return [
    ...received.flatMap((holdings, output) =>
      [...holdings].map(([rune, amount]): Landed => {
        const holding: Holding = { kind: 'rune', key: names.get(rune) ?? rune, rune, amount }
        return { ...base(rune, amount), to: 'output', output, holding }
      }),
    ),
    ...[...burned].map(([rune, amount]): Landed => {
      return { ...base(rune, amount), to: 'burned', output: null, holding: null }
    }),
  ]
}

function landAtomicals({ inputs, outputs }: Landable): Landed[] {
  const spent = inputs.flatMap(({ amount: sats, holdings }, input) =>
    holdings.flatMap(holding => {
      if (holding.kind !== 'nft' && holding.kind !== 'ft') return []
      const amount = holding.kind === 'nft' ? sats : holding.amount
      return { input, id: holding.key, type: holding.kind, amount }
    }),
  )
  if (spent.length === 0) return []
  const transaction = new Transaction()
  for (const [input, { outpoint, witness }] of inputs.entries()) {
    transaction.addInput(fromHex(outpoint.txid).reverse(), outpoint.vout)
    transaction.setWitness(input, [...witness])
  }
  const operation = parseOperation(transaction)
  const { landed } = colour({
    spent,
    outputs: outputs.map(({ amount, script }) => ({ value: amount, script })),
    operation: operation?.input === 0 ? operation : null,
  })
  const inputOf = new Map(spent.map(({ id, input }) => [id, input]))
  const found = landed.map(({ id, type, amount, output }): Landed => {
    const script = outputs[output]?.script
    const units = type === 'nft' ? 1n : amount
    const input = type === 'nft' ? (inputOf.get(id) ?? null) : null
    const isDead = script !== undefined && isUnspendable({ script })
    const holding: Holding = { kind: type, key: id, amount: units }
    return {
      key: id,
      kind: type,
      input,
      amount: units,
      to: isDead ? 'burned' : 'output',
      output,
      holding,
    }
  })
  const lost = [...new Set(spent.map(({ id }) => id))].flatMap((id): Landed[] => {
    const [first] = spent.filter(one => one.id === id)
    const kind = first?.type ?? 'nft'
    const held = kind === 'nft' ? 1n : sum(spent.filter(one => one.id === id))
    const left = held - sum(found.filter(({ key }) => key === id))
    if (left <= 0n) return []
    return [{ key: id, kind, input: null, amount: left, to: 'burned', output: null, holding: null }]
  })
  return [...found, ...lost]
}

function sum(parts: readonly { amount: bigint }[]): bigint {
  return parts.reduce((total, { amount }) => total + amount, 0n)
}
