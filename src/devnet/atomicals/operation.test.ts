import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex } from '../../bitcoin/bytes.ts'
import { encodePushes } from '../../bitcoin/script.ts'
import { decodeTransaction } from '../chain/transaction-record.ts'
import { decodeCborItem, encodeCborItem } from './cbor.ts'
import { parseOperation } from './operation.ts'
import { PAINT, SPLIT, TOKEN_MINT } from './testing/published-transactions.ts'

const KEY = encodePushes([new Uint8Array(32).fill(5)])
const CONTROL = Uint8Array.of(0xc0, ...new Uint8Array(32))
const text = (value: string) => new TextEncoder().encode(value)

/** `<key> [before] OP_IF "atom" op payload OP_ENDIF`. */
function envelope(op: string, payload: Uint8Array[], before = Uint8Array.of(0xac, 0)) {
  const pushes = encodePushes([text('atom'), text(op), ...payload])
  return concatBytes(KEY, before, Uint8Array.of(0x63), pushes, Uint8Array.of(0x68))
}

function spend(...scripts: readonly (Uint8Array | null)[]): Transaction {
  const tx = new Transaction()
  for (const [vin, script] of scripts.entries()) {
    tx.addInput(new Uint8Array(32).fill(vin + 1), vin + 5)
    if (script) tx.setWitness(vin, [new Uint8Array(64), script, CONTROL])
  }
  tx.addOutput(Uint8Array.of(0x51), 1000n)
  return tx
}

const EMPTY = encodeCborItem({})

describe('an operation', () => {
  it('of the main network is read: y, z and dmt', () => {
    const parse = (hex: string) => parseOperation(decodeTransaction(hex) as Transaction)
    const id = '9527efa43262636d8f5917fc763fbdd09333e4b387afd6d4ed7a905a127b27b4i0'
    expect(parse(SPLIT)).toMatchObject({ op: 'y', payload: new Map([[id, 1000n]]), input: 0 })
    const painted = '6787f39b5d2fc020eb0f8e68cd925f297065c5c82c86d175cce1a9beaa411239i0'
    const wishes = new Map([
      ['0', 200n],
      ['1', 346n],
    ])
    expect(parse(PAINT)).toMatchObject({ op: 'z', payload: new Map([[painted, wishes]]) })
    const mint = parse(TOKEN_MINT)
    expect(mint?.op).toBe('dmt')
    expect(mint?.commit).toEqual({
      txid: '161823b10de78835360aa22d60c6188782a42abdf58ef5f6dedf16bce98b5794',
      vout: 0,
    })
    expect(Object.fromEntries(mint?.payload.get('args') as Map<string, unknown>)).toEqual({
      bitworkc: '1618',
      mint_ticker: 'atom',
      nonce: 3_988_411n,
      time: 1_695_192_150n,
    })
  })

  it.each([
    ['behind OP_0', Uint8Array.of(0xac, 0), true],
    ['without OP_0', Uint8Array.of(0xac), true],
    ['behind OP_1', Uint8Array.of(0xac, 0x51), true],
  ])('stands %s', (_, before, isFound) => {
    expect(parseOperation(spend(envelope('nft', [EMPTY], before))) !== null).toBe(isFound)
  })

  it('may be cut into pushes, and mints what the first input spends', () => {
    const payload = encodeCborItem({ args: { note: 'x'.repeat(600) } })
    const chunks = [payload.subarray(0, 520), payload.subarray(520)]
    expect(parseOperation(spend(envelope('nft', chunks)))).toMatchObject({
      op: 'nft',
      commit: { txid: '01'.repeat(32), vout: 5 },
    })
  })

  it('counts as one of input 0 in any input, unless an envelope without a payload is before it', () => {
    const mint = envelope('nft', [EMPTY])
    expect(parseOperation(spend(null, mint))).toMatchObject({
      input: 0,
      commit: { txid: '01'.repeat(32), vout: 5 },
    })
    expect(parseOperation(spend(envelope('x', []), mint))).toMatchObject({
      input: 1,
      commit: { txid: '02'.repeat(32), vout: 6 },
    })
  })

  it('is none without a payload that is a map with sound sections', () => {
    for (const payload of [[], [fromHex('80')], [fromHex('a1')], [encodeCborItem({ args: 1 })]]) {
      expect(parseOperation(spend(envelope('nft', payload)))).toBeNull()
    }
    const withBytes = (section: string) =>
      parseOperation(spend(envelope('nft', [encodeCborItem({ [section]: { a: text('b') } })])))
    expect(withBytes('meta')).toBeNull()
    expect(withBytes('ctx')).toBeNull()
    expect(withBytes('args')).not.toBeNull()
    expect(
      parseOperation(spend(envelope('nft', [encodeCborItem({ args: { a: null } })]))),
    ).toBeNull()
  })

  it('is none of another name, in a key path spend, or without atom', () => {
    expect(parseOperation(spend(envelope('abc', [EMPTY])))).toBeNull()
    expect(parseOperation(spend(null))).toBeNull()
    const ord = concatBytes(KEY, Uint8Array.of(0xac, 0, 0x63), encodePushes([text('ord')]), KEY)
    expect(parseOperation(spend(ord))).toBeNull()
  })
})

/** RFC 8949, appendix A. */
describe('CBOR', () => {
  it.each([
    ['00', 0n],
    ['1903e8', 1000n],
    ['1b000000e8d4a51000', 1_000_000_000_000n],
    ['1bffffffffffffffff', 18_446_744_073_709_551_615n],
    ['3863', -100n],
    ['f93c00', 1],
    ['f97bff', 65_504],
    ['f90001', 2 ** -24],
    ['fa47c35000', 100_000],
    ['fbc010666666666666', -4.1],
    ['f5', true],
    ['f6', null],
    ['4401020304', Uint8Array.of(1, 2, 3, 4)],
    ['6449455446', 'IETF'],
    ['83010203', [1n, 2n, 3n]],
    ['9f018202039f0405ffff', [1n, [2n, 3n], [4n, 5n]]],
    ['5f42010243030405ff', Uint8Array.of(1, 2, 3, 4, 5)],
    ['7f657374726561646d696e67ff', 'streaming'],
  ])('%s', (hex, value) => {
    expect(decodeCborItem(fromHex(hex))).toEqual(value)
  })

  it('reads maps with keys of text and number', () => {
    const list = [...(decodeCborItem(fromHex('a201026161820203')) as Map<string, unknown>)]
    expect(list).toEqual([
      ['1', 2n],
      ['a', [2n, 3n]],
    ])
  })

  it('is written as it is read', () => {
    const value = { a: [1, -2, 1.5, 'ü', true, null], b: { c: text('bytes') }, big: 2n ** 60n }
    const map = decodeCborItem(encodeCborItem(value)) as Map<string, unknown>
    expect(map.get('a')).toEqual([1n, -2n, 1.5, 'ü', true, null])
    expect(map.get('b')).toEqual(new Map([['c', text('bytes')]]))
    expect(map.get('big')).toBe(2n ** 60n)
    expect(Buffer.from(encodeCborItem({ a: 1, b: [2, 3] })).toString('hex')).toBe(
      'a26161016162820203',
    )
  })

  it('throws for what is cut off', () => {
    for (const hex of ['', '19', '6449', 'a1', 'a161', '9f01', 'ff', '5f']) {
      expect(() => decodeCborItem(fromHex(hex))).toThrow()
    }
  })
})
