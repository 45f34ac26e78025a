import fc from 'fast-check'
import { expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import type { Hex } from '../codec/hex.ts'
import type { Transaction } from '../engine/transaction.ts'
import { addressAt, createTransfer } from '../testing/ledger.ts'
import { listNonces, type PoolSetup, setUpPool } from './testing/pool-setup.ts'

const ACCOUNTS = 3
const BALANCE = 21_000n * 3000n

/** Everything that was taken and not dropped, from which the pool is worked out anew each time. */
interface Model {
  readonly balances: bigint[]
  readonly nonces: bigint[]
  /** By the order in which they came. */
  taken: Transaction[]
}

const costOf = ({ gas, gasPrice, value }: Transaction) => gas * gasPrice + value
const accountOf = ({ from }: Transaction) => Number(BigInt(from)) - 1

function describeModel(model: Model) {
  const pending: { [account: number]: number[] } = {}
  const queued: { [account: number]: number[] } = {}
  const next: bigint[] = []
  for (let account = 0; account < ACCOUNTS; account++) {
    const own = model.taken
      .filter(transaction => accountOf(transaction) === account)
      .sort((a, b) => Number(a.nonce - b.nonce))
    let nonce = model.nonces[account] ?? 0n
    let left = model.balances[account] ?? 0n
    const executable: Transaction[] = []
    for (const transaction of own) {
      if (transaction.nonce !== nonce || costOf(transaction) > left) break
      executable.push(transaction)
      left -= costOf(transaction)
      nonce++
    }
    next.push(nonce)
    const waiting = own.slice(executable.length)
    if (executable.length > 0) pending[account] = executable.map(({ nonce }) => Number(nonce))
    if (waiting.length > 0) queued[account] = waiting.map(({ nonce }) => Number(nonce))
  }
  return { pending, queued, next }
}

/** What a block takes by the rule alone: always the best of what each sender has next. */
function orderNaively(model: Model): Transaction[] {
  const { pending } = describeModel(model)
  const lines = Object.entries(pending).map(([account, nonces]) =>
    nonces.map(nonce => findTaken(model, Number(account), BigInt(nonce))),
  )
  const order: Transaction[] = []
  for (;;) {
    const heads = lines.flatMap(line => line.slice(0, 1))
    const [best] = heads.sort(
      (a, b) => Number(b.gasPrice - a.gasPrice) || model.taken.indexOf(a) - model.taken.indexOf(b),
    )
    if (!best) return order
    order.push(best)
    lines.find(line => line[0] === best)?.shift()
  }
}

function findTaken(model: Model, account: number, nonce: bigint): Transaction {
  const found = model.taken.find(one => accountOf(one) === account && one.nonce === nonce)
  if (!found) throw new Error('the model lists only what it has')
  return found
}

/** The text of the refusal, or null. */
function refuse(model: Model, transaction: Transaction): string | null {
  const account = accountOf(transaction)
  if (model.taken.some(({ hash }) => hash === transaction.hash)) return 'already known'
  if (transaction.nonce < (model.nonces[account] ?? 0n)) return 'nonce too low'
  const pending = describeModel(model).pending[account] ?? []
  const others = pending
    .filter(nonce => BigInt(nonce) !== transaction.nonce)
    .reduce((sum, nonce) => sum + costOf(findTaken(model, account, BigInt(nonce))), 0n)
  if (others + costOf(transaction) > (model.balances[account] ?? 0n)) {
    return 'insufficient funds for gas * price + value'
  }
  const old = model.taken.find(one => accountOf(one) === account && one.nonce === transaction.nonce)
  const isCheap = old && transaction.gasPrice * 10n < old.gasPrice * 11n
  return isCheap ? 'replacement transaction underpriced' : null
}

type Command = fc.AsyncCommand<Model, PoolSetup>

function check(model: Model, { pool }: PoolSetup): void {
  const { pending, queued, next } = describeModel(model)
  expect(listNonces(pool.pending())).toEqual(pending)
  expect(listNonces(pool.queued())).toEqual(queued)
  expect(next.map((_, account) => pool.nextNonce(addressAt(account)))).toEqual(next)
  const count = (lists: object) => Object.values(lists).flat().length
  expect([pool.countPending(), pool.countQueued()]).toEqual([count(pending), count(queued)])
  expect([...pool.candidates()]).toEqual(orderNaively(model))
  for (const transaction of model.taken) expect(pool.find(transaction.hash)).toBe(transaction)
}

function createCommand(
  name: string,
  run: (model: Model, setup: PoolSetup) => Promise<void>,
): Command {
  return {
    check: () => true,
    async run(model, setup) {
      await run(model, setup)
      check(model, setup)
    },
    toString: () => name,
  }
}

function addCommand(account: number, ahead: number, price: bigint, value: bigint): Command {
  return createCommand(
    `add(${account}, +${ahead}, ${price}, ${value})`,
    async (model, { pool }) => {
      const nonce = (model.nonces[account] ?? 0n) + BigInt(ahead - 1)
      if (nonce < 0n) return
      const transaction = createTransfer({
        from: addressAt(account),
        nonce,
        gasPrice: price,
        value,
      })
      const refusal = refuse(model, transaction)
      const added = pool.add(transaction, 'remote').then(
        () => null,
        (error: Error) => error.message,
      )
      expect(await added).toBe(refusal)
      if (refusal !== null) return
      model.taken = model.taken.filter(
        one => one.from !== transaction.from || one.nonce !== transaction.nonce,
      )
      model.taken.push(transaction)
    },
  )
}

/** A block of the first few candidates, after which accounts have what they have. */
function mineCommand(count: number, account: number, balance: bigint): Command {
  return createCommand(`mine(${count}, ${account} has ${balance})`, async (model, { ledger }) => {
    const mined = orderNaively(model).slice(0, count)
    for (const transaction of mined) {
      const sender = accountOf(transaction)
      model.nonces[sender] = transaction.nonce + 1n
      model.balances[sender] = (model.balances[sender] ?? 0n) - costOf(transaction)
    }
    model.balances[account] = balance
    model.taken = model.taken.filter(one => !mined.includes(one))
    const changes: { [address: Hex]: { balance: bigint; nonce: bigint } } = {}
    for (let each = 0; each < ACCOUNTS; each++) {
      changes[addressAt(each)] = {
        balance: model.balances[each] ?? 0n,
        nonce: model.nonces[each] ?? 0n,
      }
    }
    const payment = createTransfer({ from: addressAt(50), to: addressAt(account) })
    await ledger.appendWith(changes, [...mined, payment])
  })
}

function dropCommand(pick: number): Command {
  return createCommand(`drop(${pick})`, async (model, { pool }) => {
    const dropped = model.taken[pick % Math.max(1, model.taken.length)]
    if (!dropped) return
    pool.drop(dropped.hash)
    model.taken = model.taken.filter(one => one !== dropped)
  })
}

it('is at every moment what all that was taken comes to', async () => {
  const account = fc.nat({ max: ACCOUNTS - 1 })
  const commands = fc.commands(
    [
      fc
        .tuple(
          account,
          fc.nat({ max: 5 }),
          fc.constantFrom(100n, 105n, 110n, 120n, 200n),
          fc.constantFrom(0n, 21_000n * 700n),
        )
        .map(sample => addCommand(...sample)),
      fc
        .tuple(account, fc.nat({ max: 5 }), fc.constantFrom(100n, 200n), fc.constant(0n))
        .map(sample => addCommand(...sample)),
      fc
        .tuple(fc.nat({ max: 4 }), account, fc.bigInt({ min: 0n, max: BALANCE }))
        .map(sample => mineCommand(...sample)),
      fc.nat({ max: 20 }).map(dropCommand),
    ],
    { maxCommands: 40, size: 'max' },
  )
  await fc.assert(
    fc.asyncProperty(commands, async sample => {
      const balances = [0, 1, 2].map(() => BALANCE)
      const real = await setUpPool({
        balances: Object.fromEntries(balances.map((balance, each) => [addressAt(each), balance])),
      })
      const model: Model = { balances, nonces: [0n, 0n, 0n], taken: [] }
      await fc.asyncModelRun(() => ({ model, real }), sample)
    }),
    { numRuns: campaign('steps of a pool').count },
  )
})

it('is never above its limits, and always executable where it says so', async () => {
  const limits = { accountPending: 2, accountQueued: 3, pending: 6, queued: 4 }
  const addition = fc.record({
    account: fc.nat({ max: 7 }),
    nonce: fc.nat({ max: 6 }),
    price: fc.integer({ min: 1, max: 30 }),
    padding: fc.constantFrom(0, 0, 0, 0, 40_000),
    isLocal: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(addition, { maxLength: 80, size: 'max' }),
      fc.boolean(),
      async (additions, withLocals) => {
        const { pool, announced } = await setUpPool({ limits })
        const locals = new Set<Transaction>()
        for (const { account, nonce, price, padding, isLocal } of additions) {
          const transaction = createTransfer({
            from: addressAt(account),
            nonce: BigInt(nonce),
            gasPrice: BigInt(price),
            padding,
          })
          const origin = withLocals && isLocal ? 'local' : 'remote'
          const isTaken = await pool.add(transaction, origin).then(
            () => true,
            () => false,
          )
          // What is refused is not there, and what is taken is.
          expect(pool.find(transaction.hash) === transaction).toBe(isTaken)
          if (!isTaken) continue
          const replaced = [...locals].find(
            local => local.from === transaction.from && local.nonce === transaction.nonce,
          )
          if (replaced) locals.delete(replaced)
          if (origin === 'local' || replaced) locals.add(transaction)
        }
        for (const [address, transactions] of pool.pending()) {
          expect(transactions.map(({ nonce }) => nonce)).toEqual(
            transactions.map((_, index) => BigInt(index)),
          )
          expect(pool.nextNonce(address)).toBe(BigInt(transactions.length))
          expect(transactions.filter(one => !announced.includes(one))).toEqual([])
        }
        if (withLocals) return expectLocals(pool, locals)
        expect(pool.countQueued()).toBeLessThanOrEqual(limits.queued)
        expect(pool.countPending() + pool.countQueued()).toBeLessThanOrEqual(10)
        const isCrowded = pool.countPending() > limits.pending
        for (const transactions of pool.pending().values()) {
          if (isCrowded) expect(transactions.length).toBeLessThanOrEqual(limits.accountPending)
        }
        for (const transactions of pool.queued().values()) {
          expect(transactions.length).toBeLessThanOrEqual(limits.accountQueued)
        }
      },
    ),
    { numRuns: campaign('steps of a pool').count },
  )
})

/** Local ones leave only for another with their nonce, which is as local. */
function expectLocals(pool: PoolSetup['pool'], locals: ReadonlySet<Transaction>): void {
  expect([...locals].filter(({ hash }) => pool.find(hash) === null)).toEqual([])
}
