import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { listExtensions, measurePeers } from './peer-figures.ts'

const dir = mkdtempSync(join(tmpdir(), 'satchel-peers-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function write(name: string, manifest: string | null): void {
  mkdirSync(join(dir, name))
  if (manifest !== null) writeFileSync(join(dir, name, 'manifest.json'), manifest)
}

it('takes the folders that have an extension which Chromium still takes', () => {
  write('b-three', '{"manifest_version":3}')
  write('a-mark', '\uFEFF{"manifest_version":3}')
  write('old', '{"manifest_version":2}')
  write('empty', null)
  writeFileSync(join(dir, 'note.txt'), 'none')
  expect(listExtensions(dir)).toEqual([join(dir, 'a-mark'), join(dir, 'b-three')])
})

it('says what is missing', async () => {
  await expect(measurePeers(null)).rejects.toThrow('--dir FOLDER')
  await expect(measurePeers(join(dir, 'empty'))).rejects.toThrow('manifest.json')
})
