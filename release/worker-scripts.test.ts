import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { joinScripts, nameScriptChunk } from './worker-scripts.ts'

const chunk = (fileName: string, code: string, imports: string[] = []) => ({
  ...{ fileName, code, imports },
  isEntry: fileName === 'start.js',
})

const CHUNKS = [
  chunk(
    'start.js',
    'exports.shared="’";const{own}=require("./own.js");log.push(own);globalThis.ask=()=>require("./later.js").answer',
    ['own.js'],
  ),
  chunk('own.js', 'exports.own="own "+(function(){return this})()'),
  chunk('later.js', 'log.push("later");exports.answer="later"+require("./start.js").shared'),
]

/** A worker's scope with the scripts; `readable` says whether the second one can be imported now. */
function start({ inOne = false } = {}) {
  const { start, later } = joinScripts(CHUNKS, { first: 'log.push("first")', inOne })
  const state = { readable: true, installed: () => {}, policies: [] as string[] }
  const log: string[] = []
  const scope = vm.createContext({
    log,
    addEventListener: (name: string, listener: () => void) => {
      if (name === 'install') state.installed = listener
    },
    trustedTypes: {
      createPolicy: (
        name: string,
        { createScriptURL }: { createScriptURL(of: string): string },
      ) => {
        state.policies.push(name)
        return { createScriptURL }
      },
    },
    importScripts: (name: string) => {
      log.push(`reads ${name}`)
      if (!state.readable) throw new Error('NetworkError')
      vm.runInContext(later ?? '', scope)
    },
  })
  vm.runInContext(start, scope)
  return { state, log, later, start, ask: () => vm.runInContext('ask()', scope) as string }
}

describe('the scripts of the worker', () => {
  it('evaluate at the start, in strict mode, what goes before all else, and the entry with what it imports', () => {
    expect(start().log).toEqual(['first', 'own undefined'])
  })

  it('read the second one when it is asked for something, and evaluate that once', () => {
    const { log, ask } = start()
    expect([ask(), ask()]).toEqual(['later’', 'later’'])
    expect(log.slice(2)).toEqual(['reads worker-later.js', 'later'])
  })

  it('read the second one when the worker is installed, and evaluate nothing of it', () => {
    const { log, state, ask } = start()
    state.installed()
    expect(log.slice(2)).toEqual(['reads worker-later.js'])
    ask()
    expect(log.slice(2)).toEqual(['reads worker-later.js', 'later'])
  })

  it('say which one cannot be read, and read it at the next call', () => {
    const { state, ask } = start()
    state.readable = false
    expect(ask).toThrow('worker-later.js could not be read')
    state.readable = true
    expect(ask()).toBe('later’')
  })

  it('can be one, which reads no other and evaluates no more at its start', () => {
    const { log, later, ask } = start({ inOne: true })
    expect(later).toBeNull()
    expect(log).toEqual(['first', 'own undefined'])
    expect(ask()).toBe('later’')
    expect(log.slice(2)).toEqual(['later'])
  })

  it('have no character that takes two bytes, and one policy for the address of a script', () => {
    const { start: code, later, state } = start()
    expect(`${code}${later}`).toMatch(/^[\0-\x7f]*$/)
    expect(state.policies).toEqual(['worker'])
  })
})

it('a module is at the start where the entry imports it, and not where it only asks for it later', () => {
  const imports: { [id: string]: string[] } = { entry: ['a'], a: ['b'], b: [], c: ['b'] }
  const graph = {
    getModuleInfo: (id: string) => ({ importedIds: imports[id] ?? [] }),
  } as unknown as Parameters<typeof nameScriptChunk>[1]
  const named = ['entry', 'a', 'b', 'c'].map(id => nameScriptChunk(id, graph, 'entry'))
  expect(named).toEqual(['start', 'start', 'start', 'later'])
})
