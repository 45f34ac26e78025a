import { describe, expect, it } from 'vitest'
import {
  connectPage,
  decideNext,
  nextApproval,
  PASSWORD,
  startUnlocked,
} from '../../background/testing/test-wallet.ts'
import { createAnswered } from './answered.ts'

const SITE = 'https://dapp.example'

describe('a question of a wallet that is locked again and again', () => {
  it('is there at once after each unlock, and so is the next unlock', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    await worker.ui('lock', null)
    const answer = page.call('signMessage', 'hello')
    const answered = createAnswered()
    for (let times = 0; times < 3; times++) {
      const locked = await nextApproval(worker, 'unlock')
      expect(answered.isOpen(locked)).toBe(true)
      await worker.ui('unlock', { password: PASSWORD })
      answered.add(locked)
      expect(answered.isOpen(locked)).toBe(false)
      expect(answered.isOpen(await nextApproval(worker, 'sign-message'))).toBe(true)
      await worker.ui('lock', null)
    }
    await worker.ui('unlock', { password: PASSWORD })
    answered.add(await decideNext(worker, 'approve', 'sign-message'))
    expect(await answer).toHaveProperty('result')
  })
})
