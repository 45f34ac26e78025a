import { expect, it } from 'vitest'
import { saveWorld, startMortalWorker } from '../testing/mortal-worker.ts'
import { createWorld, startUnlocked, startWorker, type Worker } from '../testing/test-wallet.ts'
import { BACKUP_PASSWORD, createBackup, elsewhere, startFresh } from './testing/full-wallet.ts'

const password = BACKUP_PASSWORD

async function listNames({ ui }: Worker) {
  return (await ui('getState', null)).accounts.map(({ name, ordinals }) => [
    name,
    ordinals !== null,
  ])
}

it('two accounts that are one in a backup are one once it was asked for again, wherever the worker was killed', async () => {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const [taproot, segwit] = (await worker.ui('getState', null)).accounts
  const ids = { accountId: segwit?.id ?? '', ordinalsId: taproot?.id ?? '' }
  await worker.ui('joinAccounts', { ...ids, name: 'Everyday' })
  const file = await createBackup(worker)
  const there = elsewhere(world)
  const fresh = await startFresh(there)
  const { digest, sections } = await fresh.ui('reviewBackup', { file, password })
  const order = { file, password, digest, parts: sections.map(({ part }) => part) }
  const makeWorld = saveWorld(there)
  let stops = 0
  for (let at = 0; ; at++) {
    for (const when of ['before', 'after'] as const) {
      const here = makeWorld()
      const mortal = startMortalWorker(here, { at, when }, () => {})
      const lived = mortal.run(() => mortal.ui('restoreBackup', order)).then(() => true)
      const isOver = await Promise.race([lived, mortal.life.stopped.then(() => false)])
      mortal.life.end()
      const next = startWorker(here)
      await next.ui('restoreBackup', order)
      expect(await listNames(next), `${when} ${at}`).toEqual([['Everyday', true]])
      if (isOver) {
        expect(stops).toBeGreaterThan(6)
        return
      }
      stops++
    }
  }
}, 120_000)
