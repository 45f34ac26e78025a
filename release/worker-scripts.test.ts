import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import vm from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { joinScripts, nameScriptChunk } from './worker-scripts.ts'

const chunk = (fileName: string, code: string, imports: string[] = []) => ({
  ...{ fileName, code, imports },
  isEntry: fileName === 'start.js',
})

const CHUNKS = [
  chunk(
    'start.js',
    'exports.shared="’";const{own}=require("./own.js");log.push(own);globalThis.ask=()=>require("./later.js").answer;globalThis.speak=async()=>(await require("./notice-ja.js")).said',
    ['own.js'],
  ),
  chunk('own.js', 'exports.own="own "+(function(){return this})()'),
  chunk('later.js', 'log.push("later");exports.answer="later"+require("./start.js").shared'),
  chunk('notice-ja.js', 'log.push("ja");exports.said="支払い"'),
  chunk('notice-zh-TW.js', 'log.push("zh-TW");exports.said="付款"'),
]

/** A worker's scope with the scripts; `readable` says whether the second one can be imported now. */
function start({ inOne = false } = {}) {
  const { start, later, apart } = joinScripts(CHUNKS, { first: 'log.push("first")', inOne })
  const texts = new Map([...apart].map(([name, text]) => [`./${name}`, text]))
  const state = {
    readable: true,
    installed: () => {},
    policies: [] as string[],
    allowed: [] as string[],
  }
  const log: string[] = []
  const scope = vm.createContext({
    log,
    addEventListener: (name: string, listener: () => void) => {
      if (name === 'install') state.installed = listener
    },
    ...(inOne ? {} : { importScripts }),
    trustedTypes: {
      createPolicy: (
        name: string,
        { createScriptURL }: { createScriptURL(of: string): string },
      ) => {
        state.policies.push(name)
        state.allowed = ['https://evil.example/a.js', './notice-en.js'].map(createScriptURL)
        return { createScriptURL }
      },
    },
  })
  function importScripts(name: string) {
    log.push(`reads ${name}`)
    if (!state.readable) throw new Error('NetworkError')
    vm.runInContext(texts.get(name) ?? later ?? '', scope)
  }
  vm.runInContext(start, scope)
  const call = (name: string) => vm.runInContext(`${name}()`, scope)
  const ask = () => call('ask') as string
  return { state, log, later, start, texts, ask, speak: () => call('speak') as Promise<string> }
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

  it('are all read when the worker is installed, and nothing of them is evaluated', () => {
    const { log, state, ask } = start()
    const read = ['reads ./notice-ja.js', 'reads ./notice-zh-TW.js', 'reads worker-later.js']
    state.installed()
    expect(log.slice(2)).toEqual(read)
    ask()
    expect(log.slice(2)).toEqual([...read, 'later'])
  })

  it('of a language that is broken keep no other from being installed', () => {
    const { log, state, texts, ask } = start()
    texts.set('./notice-ja.js', '(()=>{"use str')
    state.installed()
    expect(log.slice(2)).toContain('reads worker-later.js')
    expect(ask()).toBe('later’')
  })

  it('read that of a language alone when it is asked for, and once', async () => {
    const { log, speak } = start()
    expect(await speak()).toBe('支払い')
    expect(await speak()).toBe('支払い')
    expect(log.slice(2)).toEqual(['reads ./notice-ja.js', 'ja'])
  })

  it('say which one of a language is missing or has nothing of it', async () => {
    const { state, texts, speak } = start()
    state.readable = false
    await expect(speak()).rejects.toThrow('./notice-ja.js could not be read')
    state.readable = true
    texts.set('./notice-ja.js', 'addChunks({})')
    await expect(speak()).rejects.toThrow('./notice-ja.js has no ./notice-ja.js')
  })

  it('have the words of a language in no script but its own', () => {
    for (const inOne of [false, true]) {
      const { start: code, later, texts } = start({ inOne })
      expect(`${code}${later}`).not.toMatch(/said=/)
      expect([...texts.keys()]).toEqual(['./notice-ja.js', './notice-zh-TW.js'])
    }
  })

  it('of a page, which has no importScripts, read that of a language as a module', () => {
    const run = (names: readonly string[]) => runPage(names, 'speak().then(console.log)')
    expect(run(['notice-ja.js'])).toEqual({ stdout: '支払い\n', status: 0 })
    expect(run([]).status).toBe(1)
  })

  it('of a page evaluate that of a language once, though it is asked for twice at a time', () => {
    const twice = 'Promise.all([speak(),speak()]).then(()=>console.log(log.filter(of=>of==="ja")))'
    expect(runPage(['notice-ja.js'], twice).stdout).toBe("[ 'ja' ]\n")
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
    expect(state.allowed).toEqual(['worker-later.js', 'worker-later.js'])
  })
})

/** Node evaluates a CommonJS file as a page does a classic script, and its `import()` reads modules beside it. */
function runPage(names: readonly string[], then: string) {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { start, apart } = joinScripts(CHUNKS, { first: '', inOne: true })
  const globals = 'globalThis.log=[];globalThis.addEventListener=()=>{};'
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'page.cjs'), `${globals}${start}${then}`)
  for (const name of names) writeFileSync(join(folder, name), apart.get(name) ?? '')
  const { stdout, status } = spawnSync(process.execPath, ['page.cjs'], { cwd: folder })
  return { stdout: stdout.toString(), status }
}

it('a module is at the start where the entry imports it, and not where it only asks for it later', () => {
  const imports: { [id: string]: string[] } = { entry: ['a'], a: ['b'], b: [], c: ['b'] }
  const graph = {
    getModuleInfo: (id: string) => ({ importedIds: imports[id] ?? [] }),
  } as unknown as Parameters<typeof nameScriptChunk>[1]
  const named = ['entry', 'a', 'b', 'c'].map(id => nameScriptChunk(id, graph, 'entry'))
  expect(named).toEqual(['start', 'start', 'start', 'later'])
})

it('the words of notifications in a language are named by its tag, and English is with what comes later', () => {
  const graph = { getModuleInfo: () => null } as unknown as Parameters<typeof nameScriptChunk>[1]
  const named = ['en', 'de', 'zh_TW'].map(folder =>
    nameScriptChunk(`/public/_locales/${folder}/messages.json?words=notice`, graph, 'entry'),
  )
  expect(named).toEqual(['words-en', 'notice-de', 'notice-zh-TW'])
})
