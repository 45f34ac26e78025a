import { u32, u64 } from '@magiceden-oss/runestone-lib/dist/src/integer/index.js'
import { Rune as OracleRune } from '@magiceden-oss/runestone-lib/dist/src/rune.js'
import { RawTx } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { encodePushes } from '../../bitcoin/script.ts'
import { fundingTransaction } from '../../bitcoin/testing/spending.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import type { RuneFacts } from '../../chain/asset-source.ts'
import { runestoneScript } from '../../ordinals/testing/runestone-script.ts'
import { createMemoryChain } from '../testing/memory-chain.ts'
import { proveRune } from './rune-proofs.ts'

const RATES = { fastest: 4, halfHour: 3, hour: 2, minimum: 1 }
const TAPROOT = fromHex(`5120${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`)
const SEGWIT = fromHex(`0014${'11'.repeat(20)}`)

const NAME = 'ETCHEDFORTESTS'
const RUNE = OracleRune.fromString(NAME)
/** Flags (etching, terms), name, spacers, divisibility, symbol, premine, cap, amount, offset of the end. */
const FIELDS = [2, 3, 4, RUNE.value, 3, 0b1, 1, 2, 5, 0x47, 6, 1_000, 8, 50, 10, 20, 18, 500]

type Changes = {
  fields?: readonly (bigint | number)[]
  /** Blocks from the commitment to the etching. */
  wait?: number
  commitScript?: Uint8Array
  pushed?: Uint8Array
  facts?: Partial<RuneFacts>
  /** What happens to the chain before the question. */
  meanwhile?: (memory: ReturnType<typeof createMemoryChain>, etching: string) => void
}

/** Etches on a chain in memory, and asks how far what an index says of it is proven. */
async function prove(changes: Changes = {}) {
  const { fields = FIELDS, wait = 5, commitScript = TAPROOT, pushed = RUNE.commitment } = changes
  const memory = createMemoryChain('regtest', RATES)
  const commit = fundingTransaction([{ script: commitScript, amount: 10_000n }], 1)
  memory.receive(commit.raw)
  memory.mine()
  if (wait > 1) memory.mine(wait - 1)
  const raw = RawTx.encode({
    version: 2,
    segwitFlag: true,
    inputs: [
      { txid: fromHex(commit.txid), index: 0, finalScriptSig: new Uint8Array(), sequence: 5 },
    ],
    outputs: [
      { script: TAPROOT, amount: 546n },
      { script: runestoneScript(fields), amount: 0n },
    ],
    witnesses: [[new Uint8Array(64), encodePushes([pushed]), new Uint8Array(33).fill(0xc0)]],
    lockTime: 0,
  })
  const etching = parseTransaction(raw).txid
  memory.receive(raw)
  const height = memory.mineChecked()
  changes.meanwhile?.(memory, etching)
  const facts: RuneFacts = {
    id: `${height}:1`,
    name: 'E•TCHEDFORTESTS',
    number: 0,
    divisibility: 2,
    symbol: 'G',
    premine: 1_000n,
    mints: 0n,
    burned: 0n,
    terms: {
      amount: 20n,
      cap: 50n,
      height: { start: null, end: null },
      offset: { start: null, end: 500n },
    },
    turbo: false,
    etching,
    height,
    at: 0,
    isMintable: true,
    ...changes.facts,
  }
  return proveRune({ chain: async () => memory.chain, now: () => 0 }, 'regtest', facts)
}

describe('what an index tells of a rune', () => {
  it('is verified where its etching is at the place of its id, says the same, and was committed to in time', async () => {
    expect(await prove()).toBe('verified')
  })

  it('is verified of a rune that has the name of its place', async () => {
    // Block 106, transaction 1, by the other library; a name that is reserved needs no commitment.
    const name = OracleRune.getReserved(u64(106), u32(1)).toString()
    const facts = { name, divisibility: 0, symbol: null, premine: 7n, terms: null }
    expect(await prove({ fields: [2, 1, 6, 7], pushed: new Uint8Array(3), facts })).toBe('verified')
  })

  it.each<[string, Changes]>([
    ['another place', { facts: { id: '106:2' } }],
    ['another block', { facts: { id: '105:1' } }],
    ['another name', { facts: { name: 'E•TCHEDFORTESTT' } }],
    ['other spacers', { facts: { name: NAME } }],
    ['another divisibility, which would move the point', { facts: { divisibility: 3 } }],
    ['another symbol', { facts: { symbol: 'S' } }],
    ['another premine', { facts: { premine: 1_001n } }],
    ['other terms', { facts: { terms: null } }],
    ['turbo', { facts: { turbo: true } }],
    ['an etching without a commitment', { pushed: new Uint8Array(8) }],
    ['a commitment that is five blocks old', { wait: 4 }],
    ['a commitment that is no taproot output', { commitScript: SEGWIT }],
    ['a transaction that etches nothing', { fields: [22, 0] }],
    ['a transaction that is in no block any more', { meanwhile: memory => memory.reorg(1) }],
    // An unknown even tag: what is etched so has a name and nothing else.
    ['a cenotaph with terms', { fields: [...FIELDS, 126, 1] }],
  ])('is contradicted by %s', async (_, changes) => {
    expect(await prove(changes)).toBe('contradicted')
  })

  it('is the server’s word alone where the chain server does not answer or know', async () => {
    const down: Changes = {
      meanwhile: memory => Object.assign(memory.faults, { unreachable: true }),
    }
    expect(await prove(down)).toBe('server')
    expect(await prove({ facts: { etching: 'ee'.repeat(32) } })).toBe('server')
  })

  it('is verified of a cenotaph that etches its name, with nothing of it', async () => {
    const facts = { name: NAME, divisibility: 0, symbol: null, premine: 0n, terms: null }
    expect(await prove({ fields: [...FIELDS, 126, 1], facts })).toBe('verified')
  })
})
