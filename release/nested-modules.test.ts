import { runInNewContext } from 'node:vm'
import { build, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import { nestModules } from './nested-modules.ts'

/** A script of files in memory, with `wallet.ts` nested. */
async function buildOf(files: { [name: string]: string }): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'memory',
        enforce: 'pre',
        resolveId: id =>
          files[`/script/${id.replace(/^.*\//, '')}`] === undefined
            ? null
            : `/script/${id.replace(/^.*\//, '')}`,
        load: id => files[id] ?? null,
      },
      nestModules({ path: 'script/wallet.ts', name: 'openWallet' }),
    ],
    build: {
      write: false,
      minify: false,
      lib: { entry: '/script/start.ts', formats: ['iife'], name: 'script', fileName: 'script' },
    },
  })
  const [{ output }] = built as [Rolldown.RolldownOutput]
  return output[0].code
}

const FILES = {
  '/script/start.ts': `import { shared } from './shared.ts'
    import { openWallet } from './wallet.ts'
    shared('start'); globalThis.open = () => openWallet({ name: 'A' })`,
  '/script/shared.ts': `export const shared = text => globalThis.log.push(text)`,
  '/script/wallet.ts': `import { describe } from './describe.ts'
    import { shared } from './shared.ts'
    shared('wallet'); let count = 0
    export function openWallet({ name }) { return describe(name, ++count) }`,
  '/script/describe.ts': `import { shared } from './shared.ts'
    shared('describe')
    export const describe = (name, count) => name + count`,
}

describe('a nested module', () => {
  it('is evaluated with the first call, with what it alone imports, and once', async () => {
    const realm: { log: string[]; open?: () => string } = { log: [] }
    runInNewContext(await buildOf(FILES), realm)
    expect(realm.log).toEqual(['start'])
    expect(realm.open?.()).toBe('A1')
    expect(realm.log).toEqual(['start', 'describe', 'wallet'])
    expect(realm.open?.()).toBe('A2')
    expect(realm.log).toHaveLength(3)
  })

  it('has nothing in it that the start imports too', async () => {
    const start = `import './describe.ts'\n${FILES['/script/start.ts']}`
    const realm: { log: string[]; open?: () => string } = { log: [] }
    runInNewContext(await buildOf({ ...FILES, '/script/start.ts': start }), realm)
    expect(realm.log).toEqual(['describe', 'start'])
    expect(realm.open?.()).toBe('A1')
    expect(realm.log).toEqual(['describe', 'start', 'wallet'])
  })

  it('that is not what it is said to be ends the build', async () => {
    const wallet = 'export const openWallet = ({ name }) => name'
    await expect(buildOf({ ...FILES, '/script/wallet.ts': wallet })).rejects.toThrow('openWallet')
  })
})
