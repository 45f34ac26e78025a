import { describe, expect, it, vi } from 'vitest'
import { createEmitter } from './emitter.ts'

const self = {}

describe('the emitter', () => {
  it('calls handlers in the order in which they were added, with the provider as `this`', () => {
    const emitter = createEmitter()
    const calls: unknown[] = []
    emitter.add('connect', (...payload: unknown[]) => calls.push(['first', ...payload]), false)
    emitter.add(
      'connect',
      function (this: unknown, ...payload: unknown[]) {
        calls.push(['second', this === self, ...payload])
      },
      false,
    )
    emitter.emit('connect', self, () => ['x'])
    emitter.emit('disconnect', self, () => [])
    expect(calls).toEqual([
      ['first', 'x'],
      ['second', true, 'x'],
    ])
  })

  it('removes the latest of several additions of a handler, and only one', () => {
    const emitter = createEmitter()
    const calls: string[] = []
    const handler = () => calls.push('handler')
    emitter.add('connect', handler, false)
    emitter.add('connect', () => calls.push('between'), false)
    emitter.add('connect', handler, false)
    emitter.remove('connect', handler)
    emitter.remove('connect', () => {})
    emitter.remove('connect', undefined)
    emitter.emit('connect', self, () => [])
    expect(calls).toEqual(['handler', 'between'])
  })

  it('calls a once handler once, also where the same handler was added for good', () => {
    const emitter = createEmitter()
    const handler = vi.fn()
    emitter.add('connect', handler, true)
    emitter.add('connect', handler, false)
    emitter.emit('connect', self, () => [])
    emitter.emit('connect', self, () => [])
    expect(handler).toHaveBeenCalledTimes(3)
    emitter.add('disconnect', handler, true)
    emitter.remove('disconnect', handler)
    emitter.emit('disconnect', self, () => [])
    expect(handler).toHaveBeenCalledTimes(3)
  })

  it('delivers an event to the handlers that were there when it began', () => {
    const emitter = createEmitter()
    const late = vi.fn()
    const removed = vi.fn()
    emitter.add(
      'connect',
      () => {
        emitter.add('connect', late, false)
        emitter.remove('connect', removed)
      },
      true,
    )
    emitter.add('connect', removed, false)
    emitter.emit('connect', self, () => [])
    expect([late.mock.calls.length, removed.mock.calls.length]).toEqual([0, 1])
    emitter.emit('connect', self, () => [])
    expect([late.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1])
  })

  it('gives each handler a payload of its own', () => {
    const emitter = createEmitter()
    const seen: unknown[] = []
    emitter.add('accountsChanged', (list: string[]) => list.push('added by the page'), false)
    emitter.add('accountsChanged', (list: string[]) => seen.push(list), false)
    emitter.emit('accountsChanged', self, () => [['a']])
    expect(seen).toEqual([['a']])
  })

  it('clears one event or all', () => {
    const emitter = createEmitter()
    const handler = vi.fn()
    for (const event of ['connect', 'disconnect', 'networkChanged']) {
      emitter.add(event, handler, false)
    }
    emitter.clear('connect')
    emitter.emit('connect', self, () => [])
    expect(handler).not.toHaveBeenCalled()
    emitter.clear()
    emitter.emit('disconnect', self, () => [])
    emitter.emit('networkChanged', self, () => [])
    expect(handler).not.toHaveBeenCalled()
  })

  it('refuses a handler that is not a function with -32602', () => {
    const add = () => createEmitter().add('connect', { handleEvent() {} }, false)
    expect(add).toThrow(
      expect.objectContaining({
        code: -32602,
        message: 'handler: expected a function, got object',
      }),
    )
  })
})
