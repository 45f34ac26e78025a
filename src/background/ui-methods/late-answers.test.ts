import { describe, expect, it } from 'vitest'
import { addressAt, pay, startWithMany } from '../accounts/testing/many-addresses.ts'
import { defer } from '../testing/funded-wallet.ts'
import { fund, type World } from '../testing/test-wallet.ts'
import type { UiMethods } from '../views/ui-methods.ts'

type Ask = { [M in keyof UiMethods]: [M, Parameters<UiMethods[M]>[0]] }[keyof UiMethods]
type Choose = (of: { id: string; txid: string }) => Ask

/** Holds the first answer to a question of a kind; `asked` are the kinds of all questions in their order. */
function holdAnswer(world: World, held: string | null) {
  const isHeld = defer<true>()
  const released = defer()
  const asked = new Set<string>()
  for (const source of [world.chain.chain, world.assets.source] as { [name: string]: unknown }[])
    for (const [kind, fetch] of Object.entries(source)) {
      if (typeof fetch !== 'function') continue
      source[kind] = async (...args: unknown[]) => {
        const answer = await fetch(...args)
        const isFirst = !asked.has(kind)
        asked.add(kind)
        if (!isFirst || kind !== held) return answer
        isHeld.resolve(true)
        await released.promise
        return answer
      }
    }
  return { asked, isHeld: isHeld.promise, release: released.resolve }
}

/** An account with payments, and a coin with an inscription on its first address. */
async function startPaid(hasMany: boolean) {
  const { world, worker, account } = await startWithMany()
  if (!hasMany) await worker.ui('setManyAddresses', { accountId: account.id, on: false })
  for (let made = 0; made < 25; made++) fund(world, addressAt('p2wpkh', 0, 0), 100_000n)
  fund(world, addressAt('p2wpkh', 0, 1), 100_000n)
  const id = world.assets.inscribe(`${fund(world, account.address, 600n)}:0`, { body: 'mine' })
  const { txid } = await pay(worker, '20000')
  world.chain.mineChecked()
  return { world, worker, account, of: { id, txid } }
}

/** What stays of an account or the wallet that goes while a screen waits for an answer, for each kind of question it asks. */
async function listLeft(end: 'removeAccount' | 'resetWallet', hasMany: boolean, choose: Choose) {
  const { world, worker, of } = await startPaid(hasMany)
  const { asked } = holdAnswer(world, null)
  const [method, params] = choose(of)
  await worker.ui(method, params as never)
  expect(asked.size).toBeGreaterThan(0)
  const left: string[] = []
  for (const kind of asked) left.push(...(await endWhileHeld(end, hasMany, choose, kind)))
  return left
}

async function endWhileHeld(
  end: 'removeAccount' | 'resetWallet',
  hasMany: boolean,
  choose: Choose,
  kind: string,
): Promise<string[]> {
  const { world, worker, account, of } = await startPaid(hasMany)
  const { isHeld, release } = holdAnswer(world, kind)
  const [method, params] = choose(of)
  const shown = worker.ui(method, params as never).catch(() => {})
  await isHeld
  const ended =
    end === 'removeAccount'
      ? worker.ui(end, { accountId: account.id })
      : worker.ui(end, { confirmation: 'erase' })
  await new Promise(resolve => setTimeout(resolve, 5))
  release()
  await Promise.all([ended, shown])
  // The one that was in use is named until another is chosen.
  const { 'accounts.selected': _, ...local } = world.local.dump()
  const isOfIt = ([key, value]: [string, unknown]) =>
    end === 'resetWallet'
      ? // Headers of blocks say nothing of a wallet.
        !key.startsWith('headers.')
      : `${key} ${JSON.stringify(value)}`.includes(account.id)
  // Payments that were worked out are in memory, and never stored.
  const { plans: __, ...session } = world.session.dump()
  return Object.entries({ ...local, ...session })
    .filter(isOfIt)
    .map(([key]) => `${key}, while ${method} waited for ${kind}`)
}

const SCREENS: Choose[] = [
  () => ['getActivity', { offset: 0, limit: 60 }],
  () => ['getCoins', null],
  ({ id }) => ['getInscription', { id }],
  ({ txid }) => ['getConfirmationProof', { txid }],
]

const CASES = [true, false].flatMap(hasMany =>
  SCREENS.map(
    choose =>
      [
        choose({ id: '', txid: '' })[0],
        hasMany ? 'many addresses' : 'one',
        hasMany,
        choose,
      ] as const,
  ),
)

describe('what is still being fetched', () => {
  it.each(CASES)(
    'of an account that is removed is not kept: %s, %s',
    async (_, __, hasMany, choose) => {
      expect(await listLeft('removeAccount', hasMany, choose)).toEqual([])
    },
  )

  it.each(CASES)(
    'of a wallet that is erased is not kept: %s, %s',
    async (_, __, hasMany, choose) => {
      expect(await listLeft('resetWallet', hasMany, choose)).toEqual([])
    },
  )
})
