import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { TOO_MUCH_WORK } from '../interpreter/script-error.ts'
import { MESSAGE_RULES } from '../interpreter/script-rules.ts'
import { createSignatureChecker } from '../interpreter/signature-checker.ts'
import { verifyScript } from '../interpreter/verify-script.ts'
import type { TransactionOutput } from '../transaction.ts'
import type { MessageFormat, MessageVerdict, ProvenCoin } from './message-verdict.ts'

/** Signatures that are checked at most, of an input and of all: each takes one to three milliseconds. Of a multisig every key may count. */
const MOST_CHECKS = { input: 100, all: 1000 }

/** What is known of a to_sign transaction; `prevouts` has what each of its inputs spends, the first that of to_spend. */
export type SignedMessage = {
  format: MessageFormat
  toSign: Transaction
  prevouts: readonly TransactionOutput[]
  coins: readonly ProvenCoin[]
}

/** BIP-322's required rules, upgradeable rules and answer, for a transaction of the right form; a step for each input. */
export function* verifyScripts(signed: SignedMessage): Generator<void, MessageVerdict> {
  const { format, toSign, prevouts, coins } = signed
  const checkerOf = createSignatureChecker(toSign, prevouts, MOST_CHECKS)
  let upgradable: MessageVerdict | null = null
  for (const [input, { script, witness }] of toSign.ins.entries()) {
    yield
    const scriptPubKey = prevouts[input]?.scriptPubKey ?? new Uint8Array()
    const spend = { scriptPubKey, scriptSig: script, witness }
    const { error, upgradable: what } = verifyScript(spend, MESSAGE_RULES, checkerOf(input))
    if (error === TOO_MUCH_WORK) return { state: 'inconclusive', format, reason: { kind: 'work' } }
    if (error) return { state: 'invalid', format, reason: { kind: 'script', error, input } }
    if (what)
      upgradable ??= {
        state: 'inconclusive',
        format,
        reason: { kind: 'upgradable', what, input },
      }
  }
  if (upgradable) return upgradable
  const { version, locktime } = toSign
  if (version !== 0 && version !== 2)
    return { state: 'inconclusive', format, reason: { kind: 'transaction-version', version } }
  const lock = { time: locktime, age: toSign.ins[0]?.sequence ?? 0, version }
  return { state: 'valid', format, lock, coins }
}
