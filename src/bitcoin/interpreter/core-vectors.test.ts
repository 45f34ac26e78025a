import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { describe, expect, it, vi } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { commitToLeaf, leafHash } from '../signing/taproot-leaf.ts'
import scriptTests from '../testing/vectors/core-script-tests.json' with { type: 'json' }
import taproot from '../testing/vectors/core-taproot.json' with { type: 'json' }
import transactions from '../testing/vectors/core-transactions.json' with { type: 'json' }
import { decodeTransaction, type TransactionOutput } from '../transaction.ts'
import { type ScriptRule, STANDARD_RULES } from './script-rules.ts'
import { createSignatureChecker } from './signature-checker.ts'
import { parseCoreScript } from './testing/core-scripts.ts'
import { type ScriptResult, verifyScript } from './verify-script.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** Flags that forbid what only a rule of the future would; the interpreter says which of it there was. */
const DISCOURAGED: { [flag: string]: string } = {
  DISCOURAGE_UPGRADABLE_NOPS: 'NOPS',
  DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM: 'WITNESS_PROGRAM',
}

/** Strict DER, which every evaluation here asks for. */
const STRICT_DER = ['DERSIG', 'LOW_S', 'STRICTENC']

const ALL_RULES: ScriptRule[] = [...STANDARD_RULES, 'SIGPUSHONLY']

function rulesOf(flags: readonly string[]): ReadonlySet<ScriptRule> {
  const rules = flags.filter(flag => flag !== '' && flag !== 'NONE' && flag !== 'DERSIG')
  const known = rules.filter(flag => ALL_RULES.includes(flag as ScriptRule))
  expect([...known, ...rules.filter(flag => flag in DISCOURAGED)].length).toBe(rules.length)
  return new Set(known as ScriptRule[])
}

/** What Bitcoin Core would say with the flags that discourage. */
function errorWith({ error, upgradable }: ScriptResult, flags: readonly string[]): string {
  if (error) return error
  const discouraged = flags.find(flag => upgradable !== null && DISCOURAGED[flag] === upgradable)
  return discouraged ?? 'OK'
}

function verifyInput(
  transaction: Transaction,
  index: number,
  prevouts: readonly TransactionOutput[],
  rules: ReadonlySet<ScriptRule>,
): ScriptResult {
  const input = transaction.ins[index]
  const prevout = prevouts[index]
  if (!input || !prevout) throw new Error(`no input ${index}`)
  const checker = createSignatureChecker(transaction, prevouts, { input: 1000, all: 1000 })
  const { scriptPubKey } = prevout
  const spend = { scriptPubKey, scriptSig: input.script, witness: input.witness }
  return verifyScript(spend, rules, checker(index))
}

describe('the cases of script_tests.json of Bitcoin Core', () => {
  /** The x of a point that nobody has a key for (H of BIP-341), which these tests take as the internal key. */
  const INTERNAL_KEY = fromHex('50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0')

  type Row = (string | (string | number)[])[]

  function readCase(row: Row) {
    const [first] = row
    const [items, rest] = Array.isArray(first) ? [first, row.slice(1)] : [[], row]
    const [scriptSig = '', scriptText = '', flags = '', expected = ''] = rest.map(String)
    const amount = BigInt(Math.round(Number(items.at(-1) ?? 0) * 1e8))
    const stack = items.slice(0, -1).map(String)
    const tapscript = stack.find(item => item.startsWith('#SCRIPT#'))
    const leaf = parseCoreScript(tapscript?.slice('#SCRIPT#'.length) ?? '')
    const committed = commitToLeaf(INTERNAL_KEY, leafHash(leaf))
    const program = `0x${toHex(committed.scriptPubKey.subarray(2))}`
    const witness = stack.map(item => {
      if (item.startsWith('#SCRIPT#')) return leaf
      return item === '#CONTROLBLOCK#' ? committed.controlBlock : fromHex(item)
    })
    const scriptPubKey = parseCoreScript(scriptText.replace('#TAPROOTOUTPUT#', program))
    return { row, witness, amount, scriptSig, scriptPubKey, flags: flags.split(','), expected }
  }

  function run({ witness, amount, scriptSig, scriptPubKey, flags }: ReturnType<typeof readCase>) {
    const credit = new Transaction()
    credit.version = 1
    credit.addInput(new Uint8Array(32), 0xffffffff, 0xffffffff, Uint8Array.of(0, 0))
    credit.addOutput(scriptPubKey, amount)
    const spending = new Transaction()
    spending.version = 1
    spending.addInput(credit.getHash(false), 0, 0xffffffff, parseCoreScript(scriptSig))
    spending.setWitness(0, witness)
    spending.addOutput(new Uint8Array(), amount)
    return errorWith(verifyInput(spending, 0, [{ scriptPubKey, amount }], rulesOf(flags)), flags)
  }

  const cases = (scriptTests as Row[]).map(readCase)
  const isStrict = ({ flags }: ReturnType<typeof readCase>) =>
    flags.some(flag => STRICT_DER.includes(flag))

  it('end with the error given, where their flags ask for strict DER', () => {
    const strict = cases.filter(isStrict)
    expect(strict.length).toBeGreaterThan(700)
    for (const test of strict) expect(run(test), JSON.stringify(test.row)).toBe(test.expected)
  })

  it('end with the error given where they do not, but for signatures that are not strict DER', () => {
    const others = cases.filter(test => !isStrict(test))
    expect(others.length).toBeGreaterThan(300)
    const lax = others.filter(test => run(test) !== test.expected)
    for (const test of lax) expect(run(test), JSON.stringify(test.row)).toBe('SIG_DER')
    expect(lax).toHaveLength(23)
  })
})

describe('tx_valid.json and tx_invalid.json of Bitcoin Core', () => {
  type Prevout = (string | number)[]

  function run(test: (typeof transactions)[number], rules: ReadonlySet<ScriptRule>) {
    const transaction = decodeTransaction(fromHex(test.transaction))
    const prevouts = transaction.ins.map(({ hash, index }) => {
      const txid = Buffer.from(hash).reverse().toString('hex')
      const found = (test.prevouts as Prevout[]).find(
        ([id, vout]) => id === txid && Number(vout) >>> 0 === index,
      )
      if (!found) throw new Error(`no prevout ${txid}:${index}`)
      return { scriptPubKey: parseCoreScript(String(found[2])), amount: BigInt(found[3] ?? 0) }
    })
    return transaction.ins.map((_, i) => verifyInput(transaction, i, prevouts, rules))
  }

  it('those that are valid are satisfied by every rule but those named', () => {
    const valid = transactions.filter(test => test.valid)
    expect(valid.length).toBeGreaterThan(60)
    let lax = 0
    for (const test of valid) {
      const without = test.flags.split(',')
      if (without.includes('DERSIG')) {
        lax++
        continue
      }
      const rules = new Set(ALL_RULES.filter(rule => !without.includes(rule)))
      for (const { error } of run(test, rules)) expect(error, JSON.stringify(test)).toBe(null)
    }
    expect(lax).toBeLessThan(10)
  })

  it('those that are invalid are not, by the rules named', () => {
    const invalid = transactions.filter(test => !test.valid)
    expect(invalid.length).toBeGreaterThan(60)
    for (const test of invalid) {
      const flags = test.flags.split(',')
      const errors = run(test, rulesOf(flags)).map(result => errorWith(result, flags))
      expect(
        errors.some(error => error !== 'OK'),
        JSON.stringify(test),
      ).toBe(true)
    }
  })
})

describe('taproot cases of Bitcoin Core', () => {
  it('are satisfied with what is given as success, and not with what is given as failure', () => {
    expect(taproot.length).toBeGreaterThan(70)
    for (const test of taproot) {
      const prevouts = test.prevouts.map(bytes => {
        const raw = fromHex(bytes)
        return {
          amount: new DataView(raw.buffer).getBigUint64(0, true),
          scriptPubKey: raw.subarray(raw[8] === 0xfd ? 11 : 9),
        }
      })
      const flags = test.flags.split(',')
      const verify = ({ scriptSig, witness }: { scriptSig: string; witness: string[] }) => {
        const transaction = decodeTransaction(fromHex(test.tx))
        transaction.setInputScript(test.index, fromHex(scriptSig))
        transaction.setWitness(test.index, witness.map(fromHex))
        return verifyInput(transaction, test.index, prevouts, rulesOf(flags)).error
      }
      expect(verify(test.success), `success: ${test.comment}`).toBe(null)
      if ('failure' in test && test.failure)
        expect(verify(test.failure), `failure: ${test.comment}`).not.toBe(null)
    }
  })
})
