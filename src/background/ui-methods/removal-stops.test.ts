import { describe, expect, it } from 'vitest'
import { saveWorld, startMortalWorker } from '../testing/mortal-worker.ts'
import { LEGAL_WINNER } from '../testing/operations/vault-operations.ts'
import {
  createWorld,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'

type Act = (worker: Worker, ids: { phraseId: string; accountId: string }) => Promise<unknown>

/** Wallets and accounts as a person sees them. */
async function read({ ui }: Worker) {
  const { phrases, accounts, accountId } = await ui('getState', null)
  return { phrases, accounts, accountId }
}

/** Does something in workers that stop at each point of it, while the screens go on reading; resolves how many stops there were. */
async function stopEverywhere(act: Act): Promise<number> {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const { phrase, accounts } = await worker.ui('addPhrase', {
    ...{ mnemonic: LEGAL_WINNER, passphrase: '', name: '' },
  })
  const ids = { phraseId: phrase.id, accountId: accounts[0]?.id ?? '' }
  await worker.ui('selectAccount', { accountId: ids.accountId })
  const makeWorld = saveWorld(world)
  let stops = 0
  for (let at = 0; ; at++) {
    for (const when of ['before', 'after'] as const) {
      const here = makeWorld()
      const mortal = startMortalWorker(here, { at, when }, () => {})
      const reading = mortal.run(async () => {
        while (mortal.life.isAlive()) {
          await read(mortal)
          await new Promise(done => setTimeout(done, 1))
        }
      })
      reading.catch(() => {})
      const lived = mortal.run(() => act(mortal, ids)).then(() => true)
      if (await Promise.race([lived, mortal.life.stopped.then(() => false)])) {
        mortal.life.end()
        return stops
      }
      stops++
      const next = startWorker(here)
      const shown = await read(next)
      await next.wallet.accounts.refresh()
      expect(shown, `${when} ${at}`).toEqual(await read(next))
    }
  }
}

describe('a background that is stopped anywhere', () => {
  it('in the removal of a wallet shows that wallet no more once it is gone', async () => {
    const stops = await stopEverywhere((worker, { phraseId }) =>
      worker.ui('removePhrase', { phraseId, password: PASSWORD }),
    )
    expect(stops).toBeGreaterThan(6)
  }, 120_000)

  it('in the removal of an account shows that account no more once it is gone', async () => {
    const stops = await stopEverywhere((worker, { accountId }) =>
      worker.ui('removeAccount', { accountId }),
    )
    expect(stops).toBeGreaterThan(6)
  }, 120_000)

  it('while a wallet gets another name shows the name that it has', async () => {
    const stops = await stopEverywhere((worker, { phraseId }) =>
      worker.ui('renamePhrase', { phraseId, name: 'Holidays' }),
    )
    expect(stops).toBeGreaterThan(3)
  }, 120_000)
})
