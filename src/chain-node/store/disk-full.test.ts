import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { openStore } from './level-store.ts'

/** Sets the limits of a running process. */
const NEEDS_PRLIMIT = {
  skip: !existsSync('/usr/bin/prlimit'),
  meta: { skipReason: 'there is no /usr/bin/prlimit, which is of util-linux' },
}

it.each([
  ['within a write', 1000],
  ['before a write', 0],
])(
  'a disk that is full %s costs nothing that was written before or after',
  NEEDS_PRLIMIT,
  async (_, room) => {
    const folder = createTemporaryFolder()
    const store = await openStore(folder)
    onTestFinished(() => store.close())
    const kept: number[] = []
    const write = async (number: number) => {
      await store.write([entry(number), { key: Buffer.from('head'), value: entry(number).key }])
      kept.push(number)
    }
    for (let number = 0; number < 20; number++) await write(number)

    onTestFinished(() => limitFiles('unlimited'))
    limitFiles(String(logSize(folder) + room))
    expect(store.fault()).toBeNull()
    await expect(write(20)).rejects.toThrow(/file too large/i)
    await expect(write(21)).rejects.toThrow(/file too large/i)
    expect(store.fault()).toMatch(/file too large/i)
    // What is there can still be read.
    expect(store.get(entry(7).key)).toEqual(entry(7).value)
    expect(store.get(entry(20).key)).toBeUndefined()
    limitFiles('unlimited')
    await expect.poll(() => store.fault(), { timeout: 5000 }).toBeNull()
    for (let number = 22; number < 60; number++) await write(number)

    await store.close()
    const again = await openStore(folder)
    onTestFinished(() => again.close())
    for (const number of kept)
      expect(again.get(entry(number).key), `${number}`).toEqual(entry(number).value)
    expect(kept.length).toBe(58)
    expect(again.get(Buffer.from('head'))).toEqual(entry(59).key)
  },
)

function entry(number: number) {
  return { key: Buffer.from(`${number}`.padStart(8, '0')), value: Buffer.alloc(3000, number) }
}

/** Bytes that files of this process may have: what is written beyond fails as on a full disk, but with EFBIG. */
function limitFiles(bytes: string): void {
  execFileSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:unlimited`])
}

function logSize(folder: string): number {
  const sizes = readdirSync(folder)
    .filter(name => name.endsWith('.log'))
    .map(name => statSync(join(folder, name)).size)
  return Math.max(...sizes)
}
