import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import { assemble } from '../testing/assemble.ts'
import {
  CUSTOM_COLOUR_TRANSACTION,
  CUSTOM_TOKEN,
  DMT_TRANSACTION,
  SPLIT_TOKEN,
  SPLIT_TRANSACTION,
} from '../testing/atomical-transactions.ts'
import { findAtomicalEnvelopes, parseAtomicalOperation } from './atomical-envelope.ts'

const [OP_0, OP_1, OP_IF, OP_ENDIF, OP_CHECKSIG] = [0x00, 0x51, 0x63, 0x68, 0xac]
const KEY = new Uint8Array(32).fill(2)
/** { "a": 1 } */
const PAYLOAD = fromHex('a1616101')
const DECODED = new Map([['a', 1n]])

function leaf(...envelope: (number | string | Uint8Array)[]): Uint8Array {
  return assemble(KEY, OP_CHECKSIG, ...envelope)
}

const nft = (...payload: Uint8Array[]) => leaf(OP_0, OP_IF, 'atom', 'nft', ...payload, OP_ENDIF)

/** A script-path spend. */
const reveal = (script: Uint8Array) => [new Uint8Array(64), script, new Uint8Array(33)]
const PLAIN = [new Uint8Array(64)]
const read = (...scripts: Uint8Array[]) => parseAtomicalOperation(scripts.map(reveal))

function witnessesOf(raw: Uint8Array) {
  return decodeTransaction(raw).ins.map(({ witness }) => witness)
}

describe('operations of the chain', () => {
  it('a mint', () => {
    const args = new Map<string, string | bigint>([
      ['bitworkc', '1618'],
      ['mint_ticker', 'atom'],
      ['nonce', 0x3cdbbbn],
      ['time', 0x650a9456n],
    ])
    expect(parseAtomicalOperation(witnessesOf(DMT_TRANSACTION))).toEqual({
      operation: 'dmt',
      payload: new Map([['args', args]]),
      input: 0,
    })
  })

  it('a split', () => {
    expect(parseAtomicalOperation(witnessesOf(SPLIT_TRANSACTION))).toEqual({
      operation: 'y',
      payload: new Map([[SPLIT_TOKEN, 1000n]]),
      input: 0,
    })
  })

  it('a custom colouring', () => {
    const units = new Map([
      ['0', 200n],
      ['1', 346n],
    ])
    expect(parseAtomicalOperation(witnessesOf(CUSTOM_COLOUR_TRANSACTION))).toEqual({
      operation: 'z',
      payload: new Map([[CUSTOM_TOKEN, units]]),
      input: 0,
    })
  })
})

describe('an envelope', () => {
  it.each(['nft', 'ft', 'dft', 'dmt', 'mod', 'evt', 'dat', 'sl', 'x', 'y', 'z'])(
    'says the operation %s',
    operation => {
      const script = leaf(OP_0, OP_IF, 'atom', operation, PAYLOAD, OP_ENDIF)
      expect(read(script)).toEqual({ operation, payload: DECODED, input: 0 })
    },
  )

  it.each(['n', 'nf', 'nftx', 'NFT', 'w', 'p'])('says nothing with the operation %s', operation => {
    expect(read(leaf(OP_0, OP_IF, 'atom', operation, PAYLOAD, OP_ENDIF))).toBeNull()
  })

  it('may lack OP_FALSE and OP_CHECKSIG, but no key, and not the marker', () => {
    expect(read(assemble(KEY, OP_IF, 'atom', 'nft', PAYLOAD, OP_ENDIF))?.operation).toBe('nft')
    expect(read(leaf(OP_1, OP_IF, 'atom', 'nft', PAYLOAD, OP_ENDIF))?.operation).toBe('nft')
    expect(read(assemble(OP_0, OP_IF, 'atom', 'nft', PAYLOAD, OP_ENDIF, KEY))).toBeNull()
    expect(read(leaf(OP_0, 'atom', 'nft', PAYLOAD, OP_ENDIF))).toBeNull()
    expect(read(leaf(OP_0, OP_IF, 'ord', 'nft', PAYLOAD, OP_ENDIF))).toBeNull()
  })

  it('joins its pushes, of every size, up to OP_ENDIF or the end, past other opcodes', () => {
    const body = new Uint8Array(70_000).fill(7)
    // { "f": bytes }, parted where the pushes of one, two and four bytes of length begin.
    const whole = concatBytes(fromHex('a161665a00011170'), body)
    const parts = [0, 10, 200, 720, 50_000].map((start, i, starts) =>
      whole.subarray(start, starts[i + 1]),
    )
    const payload = new Map([['f', body]])
    expect(read(nft(...parts))?.payload).toEqual(payload)
    const long = Uint8Array.of(0x4e, ...fromHex('78110100'))
    const script = concatBytes(leaf(OP_0, OP_IF, 'atom', 'nft'), long, whole)
    expect(read(script)?.payload).toEqual(payload)
    const odd = leaf(
      OP_0,
      OP_IF,
      'atom',
      'nft',
      fromHex('a161'),
      OP_1,
      OP_CHECKSIG,
      fromHex('6101'),
    )
    expect(read(odd)?.payload).toEqual(DECODED)
    expect(read(nft(PAYLOAD, fromHex('ff')))?.payload).toEqual(DECODED)
  })

  it('ends at its own OP_ENDIF, and no second one of the leaf counts', () => {
    const second = assemble(OP_0, OP_IF, 'atom', 'x', PAYLOAD, OP_ENDIF)
    expect(read(concatBytes(nft(PAYLOAD), second))?.operation).toBe('nft')
    const unknown = leaf(OP_0, OP_IF, 'atom', 'w', PAYLOAD, OP_ENDIF)
    expect(read(concatBytes(unknown, second))).toBeNull()
  })

  it('is found by its bytes, inside other data too', () => {
    const hidden = assemble(OP_IF, 'atom', 'y', PAYLOAD, OP_ENDIF)
    expect(read(leaf(OP_0, OP_IF, 'ord', hidden, OP_ENDIF))?.operation).toBe('y')
  })

  it('says nothing with a push that runs past the end', () => {
    expect(read(concatBytes(leaf(OP_0, OP_IF, 'atom', 'nft'), fromHex('4c')))).toBeNull()
    expect(read(concatBytes(leaf(OP_0, OP_IF, 'atom', 'nft'), fromHex('05a161')))).toBeNull()
  })

  it('may be any item of the witness', () => {
    expect(parseAtomicalOperation([[nft(PAYLOAD)]])?.operation).toBe('nft')
    expect(parseAtomicalOperation([[new Uint8Array(64), PAYLOAD, nft(PAYLOAD)]])).not.toBeNull()
    expect(parseAtomicalOperation([[], PLAIN])).toBeNull()
    expect(parseAtomicalOperation([])).toBeNull()
  })
})

describe('the operation of a transaction', () => {
  it('is the first whose payload is a map, and counts at the first input wherever it is', () => {
    const operation = { operation: 'nft', payload: DECODED, input: 0 }
    expect(parseAtomicalOperation([PLAIN, PLAIN, reveal(nft(PAYLOAD))])).toEqual(operation)
    expect(read(nft(toUtf8('no CBOR map')), nft(PAYLOAD))).toEqual(operation)
    const other = leaf(OP_0, OP_IF, 'atom', 'x', PAYLOAD, OP_ENDIF)
    expect(read(nft(PAYLOAD), other)?.operation).toBe('nft')
  })

  it('is counted behind operations without a payload', () => {
    expect(read(nft())).toBeNull()
    expect(read(nft(), nft(), nft(PAYLOAD))?.input).toBe(2)
    // A leaf that ends with the operation has none.
    expect(read(leaf(OP_0, OP_IF, 'atom', 'nft'), nft(), nft(PAYLOAD))?.input).toBe(1)
  })

  it.each([
    ['meta that is no map', 'a1646d65746101'],
    ['args that are null', 'a16461726773f6'],
    ['bytes in meta', 'a1646d657461a1616141ff'],
    ['bytes in ctx', 'a163637478a1616141ff'],
    ['null in args', 'a16461726773a16161f6'],
    ['a date in init', 'a164696e6974a16161c11a514b67b0'],
  ])('is none with %s', (_, payload) => {
    expect(read(nft(fromHex(payload)))).toBeNull()
  })

  it.each([
    ['bytes in args', 'a16461726773a1616141ff'],
    ['bytes in init', 'a164696e6974a1616141ff'],
    ['numbers, text and lists in meta', 'a1646d657461a461610161626163616380616480'],
    ['null elsewhere', 'a1616df6'],
    // The first inner map decides.
    ['null behind an inner map', 'a16461726773a26161a06162f6'],
  ])('is one with %s', (_, payload) => {
    expect(read(nft(fromHex(payload)))).not.toBeNull()
  })
})

it('envelopes are told by their inputs, whatever their payload', () => {
  const found = findAtomicalEnvelopes([PLAIN, reveal(nft()), reveal(nft(toUtf8('x')))])
  expect(found.map(({ payload, ...rest }) => ({ ...rest, payload: toHex(payload) }))).toEqual([
    { input: 1, operation: 'nft', payload: '' },
    { input: 2, operation: 'nft', payload: '78' },
  ])
})
