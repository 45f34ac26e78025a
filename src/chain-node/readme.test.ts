import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askEach } from './testing/json-rpc-client.ts'
import { type RunningNode, startRunningNode } from './testing/running-node.ts'
import { SPECIFIED_METHODS, WEBSOCKET_METHODS } from './testing/specified-methods.ts'

const README = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
const [, METHODS = ''] = /^## Methods$(.*?)^Those with/ms.exec(README) ?? []
const listed = [...METHODS.matchAll(/`((?:[a-z]+3?)_\w+)`/g)].map(([, name = '']) => name)

describe('the methods of the README', () => {
  let node: RunningNode
  beforeAll(async () => {
    node = await startRunningNode(['--dev'])
  })
  afterAll(() => node?.close())

  it('are served, under both names where there are two', async () => {
    const names = listed.filter(name => !WEBSOCKET_METHODS.includes(name)).flatMap(listNames)
    expect(names.length).toBeGreaterThan(90)
    const answers = await askEach(
      node.url,
      names.map(method => ({ method, params: [] })),
    )
    expect(answers).toHaveLength(names.length)
    expect(names.filter((_, index) => answers[index]?.error?.code === -32601)).toEqual([])
  })

  it('are all that the specification and the code have', () => {
    const known = new Set(listed.flatMap(listNames))
    const defined = listDefined()
    expect(defined.length).toBeGreaterThan(80)
    const specified = [...Object.keys(SPECIFIED_METHODS), ...WEBSOCKET_METHODS]
    expect([...specified, ...defined].filter(name => !known.has(name))).toEqual([])
  })
})

/** `hardhat_mine` is `anvil_mine` too. */
function listNames(name: string): string[] {
  const isTwice = name.startsWith('hardhat_') && name !== 'hardhat_metadata'
  return isTwice ? [name, name.replace('hardhat_', 'anvil_')] : [name]
}

/** Names that the sources give to methods. */
function listDefined(): string[] {
  const sources = ['methods', 'development'].flatMap(folder =>
    readdirSync(join(import.meta.dirname, folder))
      .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map(file => readFileSync(join(import.meta.dirname, folder, file), 'utf8')),
  )
  const defined = sources.flatMap(source => [
    ...[
      ...source.matchAll(/^ +((?:eth|web3|net|personal|txpool|debug|evm|hardhat|anvil)_\w+)[:,]/gm),
    ],
    ...[...source.matchAll(/nameTwice\('(\w+)'/g)].map(([, name]) => ['', `hardhat_${name}`]),
  ])
  return defined.map(([, name = '']) => name)
}
