import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { makeFolder } from './make-folder.ts'

it('makes a folder with those above it, for its owner alone, and leaves one that is there', async () => {
  const above = join(createTemporaryFolder(), 'a', 'b')
  const folder = join(above, 'c')
  await Promise.all([makeFolder(folder), makeFolder(folder)])
  await makeFolder(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(above).mode & 0o777).toBe(0o700)
})

it('says which folder cannot be made, and why', async () => {
  const file = join(createTemporaryFolder(), 'file')
  writeFileSync(file, '')
  await expect(makeFolder(file)).rejects.toThrow(`${file} is a file, not a folder.`)
  await expect(makeFolder(join(file, 'x', 'y'))).rejects.toThrow(`${file} is a file, not a folder.`)
  await expect(makeFolder('/dev/null')).rejects.toThrow('/dev/null is a file, not a folder.')
})

it.runIf(process.platform === 'linux')(
  'gives up at once where a file system takes no folders',
  async () => {
    for (const folder of ['/proc/x', '/proc/x/y', '/proc/self/x']) {
      await expect(makeFolder(folder)).rejects.toThrow(
        /^The folder \/proc\/.* cannot be made: ENOENT/,
      )
    }
  },
)
