import { setTimeout as sleep } from 'node:timers/promises'
import { getBytes, keccak256, SigningKey, toBeHex } from 'ethers'
import { expect, it } from 'vitest'
import { createKeyRecovery, type KeyRecovery, keyRecovery, type Signed } from './key-recovery.ts'

/** Signed by ethers, with the public key that it names. */
const SAMPLES = Array.from({ length: 40 }, (_, index) => {
  const key = new SigningKey(keccak256(toBeHex(index + 1, 32)))
  const hash = keccak256(toBeHex(index + 1000, 32))
  const { r, s, yParity } = key.sign(hash)
  const signature = getBytes(`${r}${s.slice(2)}`)
  const signed: Signed = { hash: getBytes(hash), signature, recovery: yParity }
  return { signed, publicKey: getBytes(key.publicKey).subarray(1) }
})
const SIGNED = SAMPLES.map(({ signed }) => signed)
const KEYS = SAMPLES.map(({ publicKey }) => publicKey)
/** No point of the curve has an x of zero. */
const IMPOSSIBLE: Signed = {
  hash: new Uint8Array(32),
  signature: new Uint8Array(64).fill(0, 0, 32).fill(1, 32),
  recovery: 0,
}

/** Once the thread answers. */
async function startThread(recovery: KeyRecovery): Promise<void> {
  for (;;) {
    const key = recovery.recover(SIGNED[0] as Signed)
    if (recovery.settle() !== null) return void (await key)
    await sleep(5)
  }
}

it('finds the keys of others’ signatures, before its thread has started and after that', async () => {
  const early = SIGNED.map(signed => keyRecovery.recover(signed))
  expect(await Promise.all(early)).toEqual(KEYS)
  await startThread(keyRecovery)
  const late = SIGNED.map(signed => keyRecovery.recover(signed))
  expect(keyRecovery.settle()).not.toBeNull()
  expect(await Promise.all(late)).toEqual(KEYS)
  expect(keyRecovery.settle()).toBeNull()
})

it('finds none where there is none, and goes on', async () => {
  await startThread(keyRecovery)
  const asked = [IMPOSSIBLE, SIGNED[3], { ...IMPOSSIBLE, recovery: 1 }, SIGNED[4]]
  const found = await Promise.all(asked.map(signed => keyRecovery.recover(signed as Signed)))
  expect(found).toEqual([null, KEYS[3], null, KEYS[4]])
})

it('settles when all is found that was asked for before, whatever comes later', async () => {
  await startThread(keyRecovery)
  const seen: string[] = []
  const first = keyRecovery.recover(SIGNED[0] as Signed).then(() => seen.push('first'))
  const settled = keyRecovery.settle()?.then(() => seen.push('settled'))
  await new Promise(setImmediate)
  const second = keyRecovery.recover(SIGNED[1] as Signed).then(() => seen.push('second'))
  await Promise.all([first, settled, second])
  expect(seen).toEqual(['first', 'settled', 'second'])
})

it.each([
  ['ends', 'process.exit()'],
  ['fails', "throw new Error('broken')"],
])('finds the keys itself where its thread %s', async (_, end) => {
  const recovery = createKeyRecovery(`
    const { parentPort } = require('node:worker_threads')
    parentPort.on('message', () => { ${end} })
    parentPort.postMessage('ready')
  `)
  for (let settled: Promise<void> | null = null; settled === null; await sleep(5)) {
    const found = SIGNED.map(signed => recovery.recover(signed))
    settled = recovery.settle()
    expect(await Promise.all(found)).toEqual(KEYS)
    await settled
  }
  expect(await recovery.recover(SIGNED[7] as Signed)).toEqual(KEYS[7])
})

it('finds them without a thread', async () => {
  const recovery = createKeyRecovery(null)
  expect(await Promise.all(SIGNED.map(recovery.recover))).toEqual(KEYS)
  expect(await recovery.recover(IMPOSSIBLE)).toBeNull()
  expect(recovery.settle()).toBeNull()
})
