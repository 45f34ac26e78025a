import { describe, expect, it } from 'vitest'
import { sendAgain } from './send-again.ts'

/** What Chromium and Firefox say where there is no listener, and Chromium where the listener was stopped. */
const UNHEARD = 'Could not establish connection. Receiving end does not exist.'
const STOPPED =
  'A listener indicated an asynchronous response by returning true, but the message channel closed before a response was received'

/** Sends to a background that fails so the first times. */
async function send(method: Parameters<typeof sendAgain>[0], ...failures: string[]) {
  let sent = 0
  const pauses: number[] = []
  const answer = await sendAgain(
    method,
    async () => {
      const failure = failures[sent++]
      if (failure !== undefined) throw new Error(failure)
      return { result: 'done' }
    },
    async ms => void pauses.push(ms),
  )
  return { answer, sent, pauses }
}

describe('a call of the popup', () => {
  it.each(['getState', 'confirmPayment', 'addAccount', 'changePassword'] as const)(
    'of %s that nobody heard is made again after a moment',
    async method => {
      expect(await send(method)).toEqual({ answer: { result: 'done' }, sent: 1, pauses: [] })
      const again = { answer: { result: 'done' }, sent: 2, pauses: [250] }
      expect(await send(method, UNHEARD)).toEqual(again)
      expect(await send(method, UNHEARD, UNHEARD)).toMatchObject({ answer: undefined, sent: 2 })
    },
  )

  it.each(['getState', 'confirmPayment', 'confirmInscribe', 'decide', 'unlock'] as const)(
    'of %s whose background was stopped is made again',
    async method => {
      expect(await send(method, STOPPED)).toMatchObject({ answer: { result: 'done' }, sent: 2 })
    },
  )

  it.each(['addAccount', 'importWif', 'saveContact', 'createVault', 'changePassword'] as const)(
    'of %s whose background was stopped is not made again: it may be done already',
    async method => {
      expect(await send(method, STOPPED)).toEqual({ answer: undefined, sent: 1, pauses: [] })
    },
  )
})
