import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError, readArguments, resolveConfig } from './config/config.ts'
import { openDataFolder } from './data-folder.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-folder-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('a data folder', () => {
  it('keeps its chain, and refuses another', async () => {
    const made = await open('--network', 'testnet')
    expect(made.genesis.chainId).toBe('0x41')
    expect(await open()).toEqual(made)
    expect(await open('--network', 'testnet')).toEqual(made)
    await expect(open('--network', 'mainnet')).rejects.toThrow(
      new ConfigError(
        `${folder} holds another chain than these options describe: choose a folder for this one with --data, or leave them out`,
      ),
    )
  })

  it('keeps the time at which its chain for development began', async () => {
    const before = BigInt(Math.floor(Date.now() / 1000))
    const made = await open('--dev')
    const time = BigInt(made.genesis.header.timestamp)
    expect(time).toBeGreaterThanOrEqual(before)
    const file = join(folder, 'genesis.json')
    const earlier = `0x${(time - 1000n).toString(16)}`
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(made.genesis.header.timestamp, earlier))
    expect((await open('--dev')).genesis.header.timestamp).toBe(earlier)
    await expect(open('--dev', '--gas-limit', '7000000')).rejects.toThrow(ConfigError)
  })

  it('names the genesis that cannot be read, and what is wrong with it', async () => {
    const file = join(folder, 'g.json')
    const refusal = (text: string) => new ConfigError(`--genesis: ${text}`)
    await expect(open('--genesis', file)).rejects.toThrow(refusal(`there is no file ${file}`))
    await writeFile(file, '{')
    await expect(open('--genesis', file)).rejects.toThrow(`--genesis: ${file} is not JSON: `)
    await writeFile(file, '{}')
    await expect(open('--genesis', file)).rejects.toThrow(refusal(`${file}: config: missing`))
  })

  it('says that its own genesis is damaged', async () => {
    await open('--dev')
    const file = join(folder, 'genesis.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.slice(0, 100))
    await expect(open()).rejects.toThrow(`${file} is damaged: `)
    await expect(open('--dev')).rejects.toThrow(`${file} is damaged: `)
  })
})

function open(...args: string[]) {
  return openDataFolder(resolveConfig(readArguments(['--data', folder, ...args])))
}
