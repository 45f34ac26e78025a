import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from './hex.ts'
import { classifyScript, formatAddress, formatAsm, parseAddress } from './script.ts'

const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array()

describe('scripts', () => {
  // Programs of BIP-173 and BIP-350's examples; regtest addresses as bitcoind's decodescript prints them.
  it.each([
    [
      'v0_p2wpkh',
      '0014751e76e8199196d454941c45d1b3a323f1433bd6',
      'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    ],
    [
      'p2pkh',
      '76a914751e76e8199196d454941c45d1b3a323f1433bd688ac',
      'mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r',
    ],
    ['anchor', '51024e73', 'bcrt1pfeesnyr2tx'],
  ])('of type %s have their address', (type, hex, address) => {
    expect(classifyScript(bytes(hex))).toBe(type)
    expect(formatAddress(bytes(hex))).toBe(address)
    expect(toHex(parseAddress(address) ?? new Uint8Array())).toBe(hex)
  })

  it('without an address have none', () => {
    expect(formatAddress(bytes('6a02cafe'))).toBeUndefined()
    expect(classifyScript(bytes(''))).toBe('empty')
    expect(classifyScript(bytes('51'))).toBe('unknown')
  })

  it('are disassembled in the notation of Esplora', () => {
    expect(formatAsm(bytes('0014751e76e8199196d454941c45d1b3a323f1433bd6'))).toBe(
      'OP_0 OP_PUSHBYTES_20 751e76e8199196d454941c45d1b3a323f1433bd6',
    )
    expect(formatAsm(bytes('76a9144c0101ba88ac'))).toBe('OP_DUP OP_HASH160 <push past end>')
    expect(formatAsm(bytes('514f60b1b2ba'))).toBe(
      'OP_PUSHNUM_1 OP_PUSHNUM_NEG1 OP_PUSHNUM_16 OP_CLTV OP_CSV OP_CHECKSIGADD',
    )
    expect(formatAsm(bytes('4c02abcd4d0100ee'))).toBe('OP_PUSHDATA1 abcd OP_PUSHDATA2 ee')
  })
})

describe('addresses of other networks', () => {
  it.each([
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
    'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081',
    '',
  ])('and texts that are none (%s) are not read', address => {
    expect(parseAddress(address)).toBeNull()
  })
})
