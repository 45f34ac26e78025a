import { expect, it } from 'vitest'

it('errors have no stack while SES is evaluated, and the one that they had before from then on', async () => {
  const before = Error.stackTraceLimit
  try {
    const { restoreStacks } = await import('./without-stacks.ts')
    expect(new Error('tried').stack).toBe('Error: tried')
    restoreStacks()
    expect(Error.stackTraceLimit).toBe(before)
    expect(new Error('later').stack).toContain('without-stacks.test.ts')
  } finally {
    Error.stackTraceLimit = before
  }
})
