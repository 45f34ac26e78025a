import { describe, expect, it } from 'vitest'
import { connectPage, nextApproval, openPage, startUnlocked } from '../testing/test-wallet.ts'

const ask = async (origin: string, used?: string) => {
  const worker = await startUnlocked()
  if (used) await connectPage(worker, used)
  void openPage(worker, origin, 2).call('connect')
  return nextApproval(worker, 'connect')
}

describe('the question of a site that has no connection', () => {
  it('says that the site is new', async () => {
    expect((await ask('https://dapp.example')).unfamiliar).toEqual({ looksLike: null })
  })

  it.each(['https://magicedem.io', 'https://magiceden.io.dapp.example'])(
    'says that %s looks like a known site',
    async origin => {
      expect((await ask(origin)).unfamiliar).toEqual({ looksLike: 'magiceden.io' })
    },
  )

  it('says that it looks like one that the person uses', async () => {
    const { unfamiliar } = await ask('https://quiet-thing.example', 'https://quiet-things.example')
    expect(unfamiliar).toEqual({ looksLike: 'quiet-things.example' })
  })

  it('says nothing of it once the site is connected', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, 'https://magicedem.io')
    void page.call('signMessage', 'hello')
    expect(await nextApproval(worker, 'sign-message')).not.toHaveProperty('unfamiliar')
  })
})
