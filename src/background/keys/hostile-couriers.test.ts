import { Address, OutScript, p2pkh, p2sh, p2wpkh, Script, Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { PERMISSIVE, verifyIndependently } from '../../bitcoin/testing/signature-oracle.ts'
import { REGTEST } from '../testing/funded-wallet.ts'
import { type Attack, alterAnswers, attacks, KINDS } from './testing/courier.ts'
import {
  type Round,
  SCENARIOS,
  type Scenario,
  signSomethingElse,
} from './testing/courier-rounds.ts'

const { count, seed } = campaign('hostile couriers')

/** What a person is told by: all reasons that something from a device is not taken. */
const PROBLEMS = [
  ...['MALFORMED', 'OTHER_TRANSACTION', 'OTHER_COIN'],
  ...['BAD_SIGNATURE', 'OTHER_SIGHASH', 'NOT_SIGNED'],
]

type Task = Round['task']['tasks'][number]
type Coin = { amount: bigint; scriptPubKey: Uint8Array }

/** What a transaction is, without its signatures, as scure-btc-signer reads it. */
function describeTransaction(transaction: Transaction) {
  const { version, lockTime, inputsLength, outputsLength } = transaction
  return {
    ...{ version, lockTime },
    inputs: Array.from({ length: inputsLength }, (_, at) => {
      const { txid, index, sequence } = transaction.getInput(at)
      return `${toHex(txid ?? new Uint8Array())}:${index} ${sequence}`
    }),
    outputs: Array.from({ length: outputsLength }, (_, at) => {
      const { script, amount } = transaction.getOutput(at)
      return `${toHex(script ?? new Uint8Array())} ${amount}`
    }),
  }
}

function listCoins(sent: Transaction): Coin[] {
  return Array.from({ length: sent.inputsLength }, (_, at) => {
    const { witnessUtxo, nonWitnessUtxo, index = 0 } = sent.getInput(at)
    const coin = nonWitnessUtxo?.outputs[index] ?? witnessUtxo
    return { amount: coin?.amount ?? -1n, scriptPubKey: coin?.script ?? new Uint8Array() }
  })
}

/** Whether an input is unlocked by a signature of the account under the sighash that was asked for, by independent libraries. */
function isSigned(
  transaction: Transaction,
  coins: readonly Coin[],
  { index, sighash, publicKey }: Task['inputs'][number],
): boolean {
  const key = fromHex(publicKey)
  const script = toHex(coins[index]?.scriptPubKey ?? new Uint8Array())
  const { finalScriptSig, finalScriptWitness: witness = [] } = transaction.getInput(index)
  const scriptSig = finalScriptSig ?? new Uint8Array()
  const verify = (signed: Parameters<typeof verifyIndependently>[3], signature?: unknown) =>
    signature instanceof Uint8Array &&
    verifyIndependently(transaction, coins, index, signed, sighash, signature)
  if (script.startsWith('5120')) {
    const output = fromHex(script.slice(4))
    return (
      scriptSig.length === 0 &&
      witness.length === 1 &&
      verify({ scheme: 'taproot', publicKey: output }, witness[0])
    )
  }
  const own = p2pkh(key).script
  if (script === toHex(own)) {
    const [signature, pushed, ...rest] = Script.decode(scriptSig)
    const isKey = pushed instanceof Uint8Array && toHex(pushed) === publicKey
    const isWhole = isKey && rest.length === 0 && witness.length === 0
    return isWhole && verify({ scheme: 'legacy', publicKey: key, script: own }, signature)
  }
  const program = p2wpkh(key)
  const nested = p2sh(program)
  const isNested = script === toHex(nested.script)
  if (!isNested && script !== toHex(program.script)) return false
  const expected = isNested ? toHex(Script.encode([program.script])) : ''
  const isWhole = witness.length === 2 && toHex(witness[1] ?? new Uint8Array()) === publicKey
  const signed = { scheme: 'v0' as const, publicKey: key, script: own }
  return toHex(scriptSig) === expected && isWhole && verify(signed, witness[0])
}

/** What the wallet let out is what went to the device, and signed as was asked; it throws what differs. */
function judge(round: Round, out: readonly Uint8Array[]): void {
  const { task, places } = round
  const { tasks } = task
  for (const [at, { psbt, inputs }] of tasks.entries()) {
    const sent = Transaction.fromPSBT(fromHex(psbt), PERMISSIVE)
    const transaction = Transaction.fromRaw(out[places[at] ?? -1] ?? new Uint8Array(), PERMISSIVE)
    expect(describeTransaction(transaction)).toEqual(describeTransaction(sent))
    const coins = listCoins(sent)
    const unsigned = inputs.filter(input => !isSigned(transaction, coins, input))
    expect(unsigned, 'inputs that are not rightly signed').toEqual([])
  }
  // What else went out spends nothing but what the device has signed, and pays the account.
  const [commit] = out.map(raw => Transaction.fromRaw(raw, PERMISSIVE).id)
  for (const [at, raw] of out.entries()) {
    if (places.includes(at)) continue
    const { inputs, outputs } = describeTransaction(Transaction.fromRaw(raw, PERMISSIVE))
    expect(inputs.map(input => input.slice(0, 64))).toEqual(inputs.map(() => commit))
    expect(outputs.map(output => output.split(' ')[0])).toEqual([scriptOf(round)])
  }
}

/** The script of the account's first address, by the libraries of the device. */
function scriptOf({ device, account }: Round): string {
  const address = device.addressAt(account.addressType, 0, 0)
  return toHex(OutScript.encode(Address(REGTEST).decode(address)))
}

/** Nothing was sent, nothing is kept, and the reason has a place and a name. */
async function assertRefused({ world, worker }: Round, error: unknown): Promise<void> {
  const { code, message, data } = Object(error)
  expect({ code, message }).toEqual({
    code: -32602,
    message: expect.stringMatching(/^input(\[\d+\])?: .{10}/),
  })
  if (data !== undefined) {
    expect(PROBLEMS).toContain(data.problem)
    expect(data.where).toMatch(/^(psbt|version|locktime|(input|output) \d+|.*)$/)
  }
  expect(world.chain.broadcasts).toEqual([])
  expect(await worker.wallet.jobs.list()).toEqual([])
  expect(worker.logged).toEqual([])
}

/** The rounds under way: one that refuses goes on, one that has taken an answer begins anew. */
function createRounds() {
  const open = new Map<Scenario, { round: Round; other: Uint8Array }>()
  return {
    async of(scenario: Scenario) {
      const known = open.get(scenario)
      if (known) return known
      const round = await scenario.start()
      const begun = { round, other: signSomethingElse(round) }
      open.set(scenario, begun)
      return begun
    },
    end: (scenario: Scenario) => open.delete(scenario),
    list: () => [...open.values()].map(({ round }) => round),
  }
}

describe('what comes back from a device', () => {
  it.each(SCENARIOS)('as the device has signed it is taken: $name', async scenario => {
    const round = await scenario.start()
    judge(round, await round.give(round.device.signAll(round.task)))
  })

  it(
    'however a courier has altered it, is what went there and signed as asked, or refused with the reason',
    async () => {
      const rounds = createRounds()
      const seen = { taken: 0, refused: 0 }
      const refusals = new Map<string, number>()
      const property = async (attack: Attack) => {
        const scenario = SCENARIOS[attack.scenario]
        if (!scenario) throw new Error('no such scenario')
        const { round, other } = await rounds.of(scenario)
        const tasks = round.task.tasks.map(({ psbt }) => psbt)
        const answers = alterAnswers(round.device, tasks, attack, other)
        const out = await round.give(JSON.stringify(answers)).catch(async error => {
          await assertRefused(round, error)
          return null
        })
        seen[out ? 'taken' : 'refused']++
        if (out) {
          rounds.end(scenario)
          judge(round, out)
          return
        }
        const [only, ...more] = attack.alterations
        if (only && more.length === 0) refusals.set(only.kind, (refusals.get(only.kind) ?? 0) + 1)
      }
      await fc.assert(fc.asyncProperty(attacks(SCENARIOS.length), property), {
        ...{ numRuns: count, seed },
      })
      expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(count / 50)
      // Each alteration alone is refused somewhere, but for those that a signer may make.
      const harmless = ['unknown fields', 'an element of a witness more']
      if (count >= 5_000)
        expect(KINDS.filter(kind => !refusals.has(kind) && !harmless.includes(kind))).toEqual([])
      // What is right is taken afterwards.
      for (const round of rounds.list())
        judge(round, await round.give(round.device.signAll(round.task)))
    },
    60_000 + count * 1_000,
  )
})
