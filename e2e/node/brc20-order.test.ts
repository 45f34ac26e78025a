import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  passOperations,
  startState,
  validateOperations,
} from '../../src/background/brc20/brc20-validation.ts'
import type { Brc20Effect } from '../../src/background/views/brc20-views.ts'
import { toHex } from '../../src/devnet/chain/hex.ts'
import { createJournal } from '../../src/devnet/chain/journal.ts'
import type { Brc20Event } from '../../src/devnet/ord/brc20/brc20-event.ts'
import { type Brc20Ledger, createBrc20Ledger } from '../../src/devnet/ord/brc20/brc20-ledger.ts'
import { inscribe } from '../../src/devnet/testing/brc20-blocks.ts'
import { formatBrc20Amount, parseBrc20Amount } from '../../src/ordinals/brc20/brc20-amount.ts'
import { type Brc20Operation, encodeBrc20 } from '../../src/ordinals/brc20/brc20-operation.ts'

const OWN = 1
const STRANGER = 2
const TICK = 'ordi'
const MOST_AT_ONCE = 5

const deploy = fc
  .record({
    max: fc.constantFrom('10', '12.5', '20'),
    lim: fc.constantFrom(null, '4', '10'),
    dec: fc.constantFrom(null, '0', '1'),
  })
  .filter(({ max, dec }) => dec !== '0' || !max.includes('.'))
  .map((terms): Brc20Operation => ({ op: 'deploy', tick: 'ORDI', selfMint: false, ...terms }))
const amt = fc.constantFrom('1', '2', '3', '3.5', '4', '5', '8', '20')
const move = fc.record({
  op: fc.constantFrom('mint' as const, 'mint' as const, 'transfer' as const),
  tick: fc.constantFrom('ordi', 'Ordi'),
  amt,
})
const rarely = (most: number) => fc.oneof(fc.constant([]), operations(0, most))
const operations = (least: number, most: number) =>
  fc.array(fc.oneof({ weight: 1, arbitrary: deploy }, { weight: 6, arbitrary: move }), {
    minLength: least,
    maxLength: most,
  })
const scene = fc.record({
  /** What the index has counted: of the account, and of somebody else. */
  counted: fc.oneof(fc.constant([]), fc.tuple(deploy, fc.array(move, { maxLength: 4 }))),
  strange: fc.array(move, { maxLength: 2 }),
  /** In a block that the index has not counted, on their way, and about to be inscribed. */
  mined: rarely(2),
  waiting: rarely(2),
  items: operations(1, 3),
})

type Named = { id: string; operation: Brc20Operation }

function nameAll(prefix: string, all: readonly Brc20Operation[]): Named[] {
  return all.map((operation, at) => ({
    id: `${(prefix + at).padStart(64, '0')}i0`,
    operation,
  }))
}

function connect(ledger: Brc20Ledger, height: number, all: readonly Named[], owner = OWN): void {
  const passages = all.map(({ id, operation }) => {
    const { p: _, ...fields } = JSON.parse(encodeBrc20(operation))
    return inscribe(id, owner, fields)
  })
  ledger.connect(height, passages, createJournal())
}

function balanceIn(ledger: Brc20Ledger) {
  const { script } = inscribe('x', OWN, {})
  const balances = new Map(ledger.balances(toHex(script ?? new Uint8Array())))
  return balances.get(TICK) ?? { available: 0n, transferable: 0n }
}

function permute<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]]
  return list.flatMap((one, at) => permute(list.toSpliced(at, 1)).map(rest => [one, ...rest]))
}

/** What an index that has counted `counted` would be asked, as the wallet's server says it. */
function startFrom(ledger: Brc20Ledger) {
  const told = ledger.token(TICK)
  const token = told ? { ...told, supply: told.max, deploy: told.deploy } : null
  return startState({ token, ...balanceIn(ledger), holdsDeploy: false })
}

/** How often each kind of answer came. */
const tally = { sure: 0, order: 0, hindered: 0, totals: 0 }

describe('what an approval says of BRC-20 operations', () => {
  it('holds in whatever order blocks take them, in a ledger that was written apart', () => {
    fc.assert(
      fc.property(scene, ({ counted, strange, mined, waiting, items }) => {
        fc.pre(waiting.length + items.length <= MOST_AT_ONCE)
        const [first, own = []] = counted
        const before = nameAll('a', first ? [first, ...own] : [])
        const start = () => {
          const ledger = createBrc20Ledger()
          connect(ledger, 1, before)
          connect(ledger, 2, nameAll('b', strange), STRANGER)
          return ledger
        }
        const effects = validateOperations(
          passOperations(startFrom(start()), mined),
          waiting,
          items,
        )
        const named = nameAll('e', items)
        const promised = effects.map(promiseOf)
        const after = effects.findLast(effect => effect.after)?.after ?? null
        for (const effect of effects) count(effect)
        if (after) tally.totals++
        for (const inBlock of permute(nameAll('c', mined)))
          for (const order of permute([...nameAll('d', waiting), ...named])) {
            const ledger = start()
            connect(ledger, 3, inBlock)
            connect(ledger, 4, order)
            const made = new Map(ledger.eventsAt(4).map(event => [event.id, event]))
            const came = named.map(({ id }, at) =>
              promised[at] === null ? null : outcomeOf(made.get(id)),
            )
            const balance = after && viewOf(balanceIn(ledger))
            expect([came, balance]).toEqual([promised, after])
          }
      }),
      { numRuns: 1_000 },
    )
    for (const often of Object.values(tally)) expect(often).toBeGreaterThan(100)
  })
})

function count({ obstacles }: Brc20Effect): void {
  if (obstacles.length === 0) tally.sure++
  else tally[obstacles.includes('order') ? 'order' : 'hindered']++
}

/** Null where nothing is promised. */
function promiseOf({ operation, checked, obstacles, gets }: Brc20Effect): string | null {
  if (!checked) throw new Error('The ledger tells all')
  if (obstacles.includes('order')) return null
  if (obstacles.length > 0) return 'nothing'
  if (operation.op === 'deploy') return 'deploy'
  return `${operation.op} ${parseBrc20Amount(gets ?? operation.amt)}`
}

function outcomeOf(event: Brc20Event | undefined): string {
  if (!event) return 'nothing'
  const op = event.type.replace('-inscribe', '')
  return 'amount' in event ? `${op} ${event.amount}` : op
}

function viewOf({ available, transferable }: { available: bigint; transferable: bigint }) {
  return {
    available: formatBrc20Amount(available),
    transferable: formatBrc20Amount(transferable),
  }
}
