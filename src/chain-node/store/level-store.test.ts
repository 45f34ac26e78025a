import { fork } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { openStore } from './level-store.ts'
import type { Store } from './store.ts'

describe('openStore', () => {
  it('gives back what was written, also after it was closed and opened again', async () => {
    const folder = join(createTemporaryFolder(), 'data', 'chain')
    const store = await open(folder)
    await store.write([entry('a', 'one'), entry('b', 'two'), entry('c', '')])
    await store.write([entry('a', 'three')], [Buffer.from('b')])
    expect(text(store.get(Buffer.from('a')))).toBe('three')
    await store.close()

    const again = await open(folder)
    expect(text(again.get(Buffer.from('a')))).toBe('three')
    expect(again.get(Buffer.from('b'))).toBeUndefined()
    expect(again.get(Buffer.from('c'))).toHaveLength(0)
  })

  it('iterates from one key up to before another, either way, in the order of bytes', async () => {
    const store = await open(createTemporaryFolder())
    const keys = Array.from({ length: 1000 }, (_, i) => i)
    await store.write(keys.map(i => ({ key: key(i), value: Buffer.from(`${i}`) })))
    expect(await collect(store.iterate(key(10), key(900)))).toEqual(keys.slice(10, 900))
    expect(await collect(store.iterate(key(10), key(900), { limit: 3 }))).toEqual([10, 11, 12])
    expect(await collect(store.iterate(key(0), key(1000), { reverse: true }))).toEqual(
      keys.toReversed(),
    )
    expect(await collect(store.iterate(key(5), key(5)))).toEqual([])
  })

  it('iterates over what was there when it began, and leaves nothing open when it is left', async () => {
    const store = await open(createTemporaryFolder())
    await store.write([0, 1, 2].map(i => ({ key: key(i), value: Buffer.from(`${i}`) })))
    const seen: string[] = []
    for await (const { value } of store.iterate(key(0), key(10))) {
      seen.push(text(value) ?? '')
      if (seen.length === 1) await store.write([{ key: key(3), value: Buffer.from('3') }])
    }
    expect(seen).toEqual(['0', '1', '2'])
    for await (const _ of store.iterate(key(0), key(10))) break
    await store.close()
  })

  it('says which process has the folder', async () => {
    const folder = createTemporaryFolder()
    await open(folder)
    await expect(openStore(folder)).rejects.toThrow(
      `The data folder ${folder} is in use by this process: stop the node that runs there, or give this one a folder of its own.`,
    )
  })

  it('says which other process has the folder', async () => {
    const folder = createTemporaryFolder()
    const store = await open(folder)
    const classicLevel = createRequire(import.meta.url).resolve('classic-level')
    await store.close()
    // The other process holds the folder while this one tries, and tells its id as a node does.
    const script = `
      const { ClassicLevel } = require(${JSON.stringify(classicLevel)})
      const level = new ClassicLevel(${JSON.stringify(folder)})
      level.open().then(() => {
        require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'PROCESS'))}, process.pid + '\\n')
        process.send('open')
        process.on('message', () => process.exit(0))
      })`
    const file = join(createTemporaryFolder(), 'holder.cjs')
    writeFileSync(file, script)
    const holder = fork(file)
    onTestFinished(() => void holder.kill())
    await new Promise(resolve => holder.once('message', resolve))
    await expect(openStore(folder)).rejects.toThrow(`is in use by process ${holder.pid}:`)
    holder.send('leave')
    await new Promise(resolve => holder.once('exit', resolve))
    await open(folder)
  })

  it('says why a folder cannot be opened', async () => {
    const file = join(createTemporaryFolder(), 'file')
    writeFileSync(file, 'not a folder')
    await expect(openStore(file)).rejects.toThrow(file)
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'CURRENT'), 'MANIFEST-000009\n')
    await expect(openStore(folder)).rejects.toThrow(`The data folder ${folder} cannot be opened: `)
  })

  it('is read by its owner alone', async () => {
    const folder = join(createTemporaryFolder(), 'data')
    await open(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
})

async function open(folder: string): Promise<Store> {
  const store = await openStore(folder)
  onTestFinished(() => store.close())
  return store
}

function entry(key: string, value: string) {
  return { key: Buffer.from(key), value: Buffer.from(value) }
}

function key(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString()
}

async function collect(entries: ReturnType<Store['iterate']>): Promise<number[]> {
  const found: number[] = []
  for await (const { value } of entries) found.push(Number(text(value)))
  return found
}
