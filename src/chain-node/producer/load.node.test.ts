import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import type { Hex } from '../codec/hex.ts'
import type { Transaction } from '../engine/transaction.ts'
import { deriveAddress } from '../keystore/private-key.ts'
import { fundedGenesis, MIN_GAS_PRICE, openNodeParts } from '../testing/node-parts.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const { count: AMOUNT } = campaign('transactions of many senders')
const SENDERS = 64
const RECIPIENT: Hex = `0x${'ee'.repeat(20)}`
/** How far a sender’s nonces come out of order: all senders together queue no more than the pool takes. */
const DISORDER = 12

it(`mines ${AMOUNT} transactions of ${SENDERS} senders, whatever their order, and none is stuck or lost`, async () => {
  const keys = Array.from({ length: SENDERS }, (_, index) => {
    const key = new Uint8Array(32).fill(1)
    key[31] = index
    return key
  })
  const folder = createTemporaryFolder()
  const genesis = fundedGenesis(keys.map(deriveAddress))
  const parts = await openNodeParts({ folder, genesis, production: { mode: 'automine' } })
  const { engine, pool, producer, chain, faults, refused } = parts
  const each = Math.floor(AMOUNT / SENDERS)

  const sign = (key: Uint8Array, nonce: number) =>
    engine.signTransaction(
      {
        nonce: BigInt(nonce),
        to: RECIPIENT,
        value: 1n,
        gas: 21_000n,
        gasPrice: MIN_GAS_PRICE,
        input: new Uint8Array(),
      },
      key,
    )
  const lines = keys.map(key =>
    shuffleNearby(Array.from({ length: each }, (_, nonce) => sign(key, nonce))),
  )

  const start = performance.now()
  await Promise.all(
    lines.map(async (line, sender) => {
      for (const [index, transaction] of line.entries()) {
        await pool.add(transaction, 'remote')
        if ((index + sender) % 3 === 0) await producer.settle(transaction)
        if ((index + sender) % 50 === 0) await sleep(1)
      }
    }),
  )
  await producer.settle()
  const seconds = (performance.now() - start) / 1000

  const { stateRoot, number } = chain.head()
  const total = BigInt(each * SENDERS)
  expect(engine.readAccount(stateRoot, RECIPIENT)?.balance).toBe(total)
  expect(keys.map(key => engine.readAccount(stateRoot, deriveAddress(key))?.nonce)).toEqual(
    keys.map(() => BigInt(each)),
  )
  expect([pool.countPending(), pool.countQueued(), faults, refused]).toEqual([0, 0, [], []])
  for (const line of lines) {
    for (const { hash } of line) expect(chain.findTransaction(hash)?.transaction.hash).toBe(hash)
  }
  expect(Number(number)).toBeLessThan(Number(total) / 4)
  process.stdout.write(
    `${total} transactions in ${number} blocks, ${Math.round(Number(total) / seconds)} a second\n`,
  )

  // Nothing of what is mined comes back after a restart.
  await parts.close()
  const again = await openNodeParts({ folder, genesis, production: { mode: 'automine' } })
  expect([again.pool.countPending(), again.pool.countQueued()]).toEqual([0, 0])
  expect(again.chain.head().number).toBe(number)
})

/** Puts what is near each other into the order of the hashes, which has no pattern. */
function shuffleNearby(transactions: readonly Transaction[]): Transaction[] {
  const shuffled: Transaction[] = []
  for (let index = 0; index < transactions.length; index += DISORDER) {
    const part = transactions.slice(index, index + DISORDER)
    shuffled.push(...part.sort((a, b) => (a.hash < b.hash ? -1 : 1)))
  }
  return shuffled
}
