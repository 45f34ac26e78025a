import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getBytes, Interface } from 'ethers'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { openContractAbis } from './contract-abis.ts'

// ethers encodes what is described here.

const TOKEN = new Interface([
  'function transfer(address to, uint256 amount)',
  'function pause()',
  'function note(string text)',
  'function submit(address, bytes, bool)',
  'function fill((address maker, uint256[2] amounts) order, bytes32[] hashes)',
  'function list(uint256[] ids)',
  'error Short(uint256 wanted, uint256 found)',
  'error Closed()',
])
const MAKER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const lowered = MAKER.toLowerCase()

function writeArtifacts(folder: string, abi: string): void {
  mkdirSync(join(folder, 'Token.sol'), { recursive: true })
  writeFileSync(join(folder, 'Token.sol/Token.json'), `{ "abi": ${abi}, "bytecode": "0x" }`)
  writeFileSync(join(folder, 'Token.sol/Token.dbg.json'), '{ "buildInfo": "x" }')
  writeFileSync(join(folder, 'cut.json'), '{ "abi": [')
  writeFileSync(join(folder, 'other.json'), '[1, 2]')
}

function openToken() {
  const folder = createTemporaryFolder()
  writeArtifacts(folder, TOKEN.formatJson())
  return openContractAbis([folder])
}

describe('openContractAbis', () => {
  it.each([
    ['transfer', [MAKER, 5n], `transfer(${lowered}, 5)`],
    ['pause', [], 'pause()'],
    ['note', ['a "word"'], 'note("a \\"word\\"")'],
    ['submit', [MAKER, '0x0102', true], `submit(${lowered}, 0x0102, true)`],
    ['list', [[1n, 2n]], 'list([1, 2])'],
    [
      'fill',
      [{ maker: MAKER, amounts: [1n, 2n] }, [`0x${'07'.repeat(32)}`]],
      `fill((${lowered}, [1, 2]), [0x${'07'.repeat(32)}])`,
    ],
  ])('describes a call of %s', (name, args, text) => {
    const input = getBytes(TOKEN.encodeFunctionData(name, args))
    expect(openToken().describeCall(input)?.replaceAll(MAKER, lowered)).toBe(text)
  })

  it('describes errors of contracts, and leaves those of Solidity to others', () => {
    const abis = openToken()
    const short = getBytes(TOKEN.encodeErrorResult('Short', [7n, 3n]))
    expect(abis.describeError(short)).toBe('Short(7, 3)')
    expect(abis.describeError(getBytes(TOKEN.encodeErrorResult('Closed', [])))).toBe('Closed()')
    const plain = new Interface(['error Error(string)']).encodeErrorResult('Error', ['no'])
    expect(abis.describeError(getBytes(plain))).toBeNull()
    expect(abis.describeError(new Uint8Array(0))).toBeNull()
  })

  it.each([
    ['another function', getBytes('0x01020304')],
    [
      'arguments that are cut',
      getBytes(TOKEN.encodeFunctionData('transfer', [MAKER, 5n])).subarray(0, 40),
    ],
    ['nothing', new Uint8Array(0)],
  ])('knows nothing of %s', (_, input) => {
    expect(openToken().describeCall(input)).toBeNull()
  })

  it('cuts what is long', () => {
    const input = getBytes(TOKEN.encodeFunctionData('note', ['a'.repeat(1_000)]))
    expect(openToken().describeCall(input)).toMatch(/^note\("a{393}…$/)
  })

  it('finds what is compiled after it was opened, and keeps what is taken away meanwhile', () => {
    const folder = createTemporaryFolder()
    const file = join(folder, 'abi.json')
    let time = 0
    const abis = openContractAbis([folder], () => time)
    const input = getBytes(TOKEN.encodeFunctionData('pause', []))
    expect(abis.describeCall(input)).toBeNull()
    writeFileSync(file, TOKEN.formatJson())
    expect(abis.describeCall(input)).toBeNull()
    time += 2_000
    expect(abis.describeCall(input)).toBe('pause()')
    rmSync(file)
    time += 2_000
    expect(abis.describeCall(input)).toBe('pause()')
  })

  it('says which path is not there', () => {
    expect(() => openContractAbis(['/nowhere/abi.json'])).toThrow(/nowhere/)
  })
})
