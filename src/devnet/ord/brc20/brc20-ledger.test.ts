import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildBrc20Blocks, replayBrc20Events } from '../../testing/brc20-blocks.ts'
import { pointTo, tag } from '../testing/test-chain.ts'
import { ALICE, BOB, type Body, brc20, createBrc20Chain } from './testing/brc20-chain.ts'
import { MOST_AMOUNT, UNIT } from './token-amount.ts'

const DEPLOY = brc20('deploy', { max: '1000', lim: '100' })
const SELF_MINT = brc20('deploy', { tick: 'vault', max: '500', self_mint: 'true' })
const mint = (amt: string, fields = {}) => brc20('mint', { amt, ...fields })
const transfer = (amt: string, fields = {}) => brc20('transfer', { amt, ...fields })
const BURN = Uint8Array.of(0x6a)
const PROGRAM = Uint8Array.from([0x6a, 0x09, ...Buffer.from('BRC20PROG')])

/** A chain on which ordi is deployed and Alice has 100. */
function createMintedChain(jubileeHeight?: number) {
  const chain = createBrc20Chain(jubileeHeight)
  chain.inscribe(DEPLOY)
  chain.inscribe(mint('100'))
  expect(chain.balanceOf(ALICE, 'ordi')).toEqual([100, 0])
  return chain
}

describe('a deploy', () => {
  it.each<[name: string, fields: object, terms: object]>([
    ['alone sets the limit to the supply', {}, { max: 1000n * UNIT, limit: 1000n * UNIT }],
    ['may limit a mint', { lim: '7' }, { limit: 7n * UNIT }],
    ['may limit a mint to more than there is', { lim: '5000' }, { limit: 5000n * UNIT }],
    ['has 18 decimals unless it says so', {}, { decimals: 18 }],
    ['may have none', { dec: '0' }, { decimals: 0 }],
    ['may have a fraction', { max: '0.05', dec: '2' }, { max: UNIT / 20n }],
    ['may be for all that there can be', { max: '18446744073709551615' }, { max: MOST_AMOUNT }],
    ['may claim to be for the deployer alone, in vain', { self_mint: 'true' }, { selfMint: false }],
    ['may say more', { memo: 'x' }, { max: 1000n * UNIT }],
  ])('%s', (_, fields, terms) => {
    const { inscribe, ledger } = createBrc20Chain()
    const deploy = inscribe(brc20('deploy', { max: '1000', ...fields }))
    expect(ledger.token('ordi')).toMatchObject({ ...terms, deploy, minted: 0n, burned: 0n })
  })

  it.each<[name: string, fields: object]>([
    ['no supply', { max: undefined }],
    ['a supply of zero', { max: '0' }],
    ['a number for text', { max: 1000 }],
    ['a grouped number', { max: '21,000,000' }],
    ['a sign', { max: '+5' }],
    ['a leading point', { max: '.5' }],
    ['a trailing point', { max: '5.' }],
    ['an exponent', { max: '1e3' }],
    ['a space', { max: ' 5' }],
    ['other digits', { max: '٥' }],
    ['no number', { max: '😵' }],
    ['more than 2^64-1', { max: '18446744073709551616' }],
    ['a fraction above 2^64-1', { max: '18446744073709551615.1' }],
    ['more digits than decimals', { max: '1.001', dec: '2' }],
    ['more zeros than decimals', { max: '1.000', dec: '2' }],
    ['a limit of zero', { lim: '0' }],
    ['a limit that is no number', { lim: '10,000' }],
    ['an empty limit', { lim: '' }],
    ['19 decimals', { dec: '19' }],
    ['decimals as a number', { dec: 8 }],
    ['a fraction of decimals', { dec: '1.0' }],
    ['a ticker of three bytes', { tick: 'ord' }],
    ['a ticker of four letters and five bytes', { tick: 'örd1' }],
    ['a ticker of six bytes', { tick: 'ordin1', self_mint: 'true' }],
    ['a ticker that is no text', { tick: 1234 }],
    ['a ticker with a zero byte', { tick: 'or\0d' }],
    ['a ticker of half a character', { tick: '\ud800a' }],
    ['an operation in capitals', { op: 'DEPLOY' }],
    ['another protocol', { p: 'BRC-20' }],
    ['a protocol in a field of another name', { p: undefined, P: 'brc-20' }],
  ])('with %s is passed over', (_, fields) => {
    const { inscribe, ledger } = createBrc20Chain()
    inscribe(brc20('deploy', { max: '1000', ...fields }))
    expect(ledger.tokenCount()).toBe(0)
  })

  it('of a ticker that exists is passed over, in whatever case it is written', () => {
    const { inscribe, ledger } = createBrc20Chain()
    const first = inscribe({ ...DEPLOY, tick: 'ORDi' })
    inscribe({ ...DEPLOY, tick: 'ordI', max: '5' }, BOB)
    expect(ledger.token('ordi')).toMatchObject({ deploy: first, originalTick: 'ORDi' })
    expect(ledger.tokenCount()).toBe(1)
  })

  it.each(['🫠', '錢$', 'a b\n'])('counts the bytes of its ticker: %j', tick => {
    const { inscribe, ledger } = createBrc20Chain()
    inscribe(brc20('deploy', { tick, max: '5' }))
    expect(ledger.token(tick)).toBeDefined()
  })
})

describe('an inscription', () => {
  const text = JSON.stringify(DEPLOY)

  it.each(['text/plain', 'text/plain;charset=utf-8', 'application/json', 'application/json;x'])(
    'of the type %s counts',
    contentType => {
      const { inscribe, ledger } = createBrc20Chain()
      inscribe(text, ALICE, { contentType })
      expect(ledger.tokenCount()).toBe(1)
    },
  )

  it.each(['', 'text/html', 'text/plain ;charset=utf-8', 'TEXT/PLAIN', 'text/plain,x', 'text'])(
    'of the type %j does not count',
    contentType => {
      const { inscribe, ledger } = createBrc20Chain()
      inscribe(text, ALICE, { contentType })
      expect(ledger.tokenCount()).toBe(0)
    },
  )

  it.each<[name: string, body: string, counts: boolean]>([
    ['space around it', ` \n${text}\n`, true],
    ['a field written twice, of which the last counts', text.replace('{', '{"p":"x",'), true],
    ['a comma at the end', text.replace('}', ',}'), false],
    ['single quotes', text.replaceAll('"', "'"), false],
    ['a byte order mark', `\ufeff${text}`, false],
    ['text behind it', `${text}x`, false],
    ['a list around it', `[${text}]`, false],
    ['nothing', '', false],
    ['null', 'null', false],
  ])('with %s', (_, body, counts) => {
    const { inscribe, ledger } = createBrc20Chain()
    inscribe(body)
    expect(ledger.tokenCount()).toBe(counts ? 1 : 0)
  })

  it.each([110, 0])('with a curse never counts, vindicated or not (jubilee at %i)', jubilee => {
    const chain = createMintedChain(jubilee)
    const before = chain.balanceOf(ALICE, 'ordi')
    const first = chain.inscribe('virgin no more')
    const outpoint = chain.index.inscription(first)?.satpoint.outpoint ?? ''
    const cursed = [
      chain.inscribe(mint('1'), ALICE, { fields: pointTo(1n) }),
      chain.inscribe(mint('1'), ALICE, { fields: [tag(1), Buffer.from('text/plain')] }),
      chain.inscribe(mint('1'), ALICE, { fields: [tag(66), Uint8Array.of(1)] }),
      chain.inscribe(mint('1'), ALICE, { coin: outpoint }),
    ]
    expect(cursed.map(id => chain.index.inscription(id)?.curse)).toEqual([
      'pointer',
      'duplicate field',
      'unrecognized even field',
      'reinscription',
    ])
    expect(chain.balanceOf(ALICE, 'ordi')).toEqual(before)
  })

  it('that goes straight to the miner does not count', () => {
    const chain = createMintedChain()
    chain.reveal(mint('1'), [0n, BOB])
    chain.mine()
    expect(chain.ledger.token('ordi')?.minted).toBe(100n * UNIT)
  })
})

describe('a mint', () => {
  it('credits the script that gets the inscription, not who pays', () => {
    const { inscribe, balanceOf } = createMintedChain()
    inscribe(mint('30.5'), BOB)
    expect(balanceOf(BOB, 'ordi')).toEqual([30, 0])
    expect(balanceOf(ALICE, 'ordi')).toEqual([100, 0])
  })

  it.each<[name: string, body: Body]>([
    ['more than the limit', mint('100.000000000000000001')],
    ['nothing', mint('0')],
    ['no amount', mint('NaN')],
    ['an unknown ticker', mint('1', { tick: 'none' })],
  ])('of %s is passed over', (_, body) => {
    const { inscribe, balanceOf } = createMintedChain()
    inscribe(body, BOB)
    expect(balanceOf(BOB, 'ordi')).toEqual([0, 0])
  })

  it('and a transfer of more digits than the token has are passed over, zeros too', () => {
    const { inscribe, balanceOf } = createBrc20Chain()
    inscribe(brc20('deploy', { max: '1000', dec: '1' }))
    inscribe(mint('10.5'))
    for (const amt of ['1.55', '1.50', '1.5000']) {
      inscribe(mint(amt))
      inscribe(transfer(amt))
    }
    expect(balanceOf(ALICE, 'ordi')).toEqual([10, 0])
    inscribe(transfer('2.5'))
    expect(balanceOf(ALICE, 'ordi')).toEqual([8, 2])
  })

  it('gets what is left of the supply, and then nothing more', () => {
    const chain = createBrc20Chain()
    chain.inscribe(brc20('deploy', { max: '150', lim: '100' }))
    for (const owner of [ALICE, BOB, ALICE]) chain.inscribe(mint('100'), owner)
    expect(chain.balanceOf(ALICE, 'ordi')).toEqual([100, 0])
    expect(chain.balanceOf(BOB, 'ordi')).toEqual([50, 0])
    expect(chain.ledger.eventsAt(chain.index.height())).toEqual([])
  })

  it('before the deploy in the same block is passed over, after it not', () => {
    const chain = createBrc20Chain()
    chain.reveal(mint('1'))
    chain.reveal(DEPLOY)
    chain.reveal(mint('2'))
    chain.mine()
    expect(chain.balanceOf(ALICE, 'ordi')).toEqual([2, 0])
  })
})

describe('a self-mint token', () => {
  it.each([undefined, 'false', 'TRUE', true])(
    'of five bytes must say so: self_mint %j',
    self_mint => {
      const { inscribe, ledger } = createBrc20Chain()
      inscribe({ ...SELF_MINT, self_mint })
      expect(ledger.tokenCount()).toBe(0)
    },
  )

  it('may be without end', () => {
    const { inscribe, ledger } = createBrc20Chain()
    inscribe({ ...SELF_MINT, max: '0' })
    expect(ledger.token('vault')).toMatchObject({ max: MOST_AMOUNT, limit: MOST_AMOUNT })
  })

  it('is minted with the deploy as parent, whoever gets it, and in no other way', () => {
    const chain = createBrc20Chain()
    const parent = chain.inscribe(SELF_MINT)
    const other = chain.inscribe('not the deploy')
    const body = mint('5', { tick: 'vault' })
    chain.inscribe(body)
    chain.inscribe(body, ALICE, { parent: other })
    // Naming the parent does not do; it has to move along.
    chain.inscribe(body, ALICE, {
      fields: [tag(3), Buffer.from(parent.slice(0, 64), 'hex').reverse()],
    })
    expect(chain.balanceOf(ALICE, 'vault')).toEqual([0, 0])
    chain.inscribe(body, BOB, { parent })
    chain.inscribe(body, BOB, { parent })
    expect(chain.balanceOf(BOB, 'vault')).toEqual([10, 0])
  })
})

describe('a transfer', () => {
  it('moves with its inscription, from available over transferable to the receiver', () => {
    const { inscribe, move, balanceOf, ledger } = createMintedChain()
    const id = inscribe(transfer('40'))
    expect(balanceOf(ALICE, 'ordi')).toEqual([60, 40])
    expect(ledger.transfers(Buffer.from(ALICE).toString('hex'))).toMatchObject([{ id }])
    move(id, BOB)
    expect(balanceOf(ALICE, 'ordi')).toEqual([60, 0])
    expect(balanceOf(BOB, 'ordi')).toEqual([40, 0])
    move(id, ALICE)
    expect(balanceOf(BOB, 'ordi')).toEqual([40, 0])
  })

  it('to oneself makes it available again', () => {
    const { inscribe, move, balanceOf } = createMintedChain()
    move(inscribe(transfer('40')), ALICE)
    expect(balanceOf(ALICE, 'ordi')).toEqual([100, 0])
  })

  it('to the miner returns, and the inscription is used', () => {
    const { inscribe, move, balanceOf } = createMintedChain()
    const id = inscribe(transfer('40'))
    move(id, null)
    expect(balanceOf(ALICE, 'ordi')).toEqual([100, 0])
    move(id, BOB)
    expect(balanceOf(BOB, 'ordi')).toEqual([0, 0])
  })

  it('to a bare OP_RETURN burns, to BRC2.0’s script does not (BP05)', () => {
    const { inscribe, move, balanceOf, ledger } = createMintedChain()
    move(inscribe(transfer('40')), BURN)
    move(inscribe(transfer('10')), PROGRAM)
    expect(ledger.token('ordi')?.burned).toBe(40n * UNIT)
    expect(balanceOf(BURN, 'ordi')).toEqual([0, 0])
    expect(balanceOf(PROGRAM, 'ordi')).toEqual([10, 0])
    expect(balanceOf(ALICE, 'ordi')).toEqual([50, 0])
  })

  it('of more than is available is void for good', () => {
    const { inscribe, move, balanceOf } = createMintedChain()
    const first = inscribe(transfer('60'))
    const second = inscribe(transfer('60'))
    expect(balanceOf(ALICE, 'ordi')).toEqual([40, 60])
    move(first, ALICE)
    move(second, BOB)
    expect(balanceOf(ALICE, 'ordi')).toEqual([100, 0])
    expect(balanceOf(BOB, 'ordi')).toEqual([0, 0])
  })

  it('is the receiver’s, whose balance it must be', () => {
    const { inscribe, balanceOf } = createMintedChain()
    inscribe(transfer('1'), BOB)
    expect(balanceOf(ALICE, 'ordi')).toEqual([100, 0])
  })

  it('may be inscribed and moved in one block, the receiver spending it there too', () => {
    const chain = createMintedChain()
    const id = chain.reveal(transfer('100'))
    chain.send([`${id.slice(0, 64)}:0`], [[10_000n, BOB]])
    chain.reveal(transfer('70'), [10_000n, BOB])
    chain.mine()
    expect(chain.balanceOf(ALICE, 'ordi')).toEqual([0, 0])
    expect(chain.balanceOf(BOB, 'ordi')).toEqual([30, 70])
  })
})

describe('the first inscriptions of mainnet', () => {
  /** As its author wrote them. */
  const write = (fields: Record<string, string>) => {
    const lines = Object.entries({ p: 'brc-20', ...fields }).map(([k, v]) => `  "${k}": "${v}"`)
    return `{ \n${lines.join(',\n')}\n}`
  }

  it('leave Satoshi 100 ordi', () => {
    const satoshi = Buffer.from('76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac', 'hex')
    const { inscribe, move, balanceOf, ledger } = createBrc20Chain()
    const note = { to: 'A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', fee: '1337' }
    inscribe(write({ op: 'deploy', tick: 'ordi', max: '21000000', lim: '1000' }))
    inscribe(write({ op: 'mint', tick: 'ordi', amt: '1000' }))
    move(inscribe(write({ op: 'transfer', tick: 'ordi', amt: '100', ...note })), satoshi)
    inscribe(write({ op: 'deploy', tick: 'meme', max: '99999', lim: '1' }), BOB)
    inscribe(write({ op: 'transfer', tick: 'ordi', amt: '1000', ...note }))
    inscribe(write({ op: 'mint', tick: 'meme', amt: '1' }))
    inscribe(`${write({ op: 'mint', tick: 'ordi', amt: '1000' })}\n`, BOB)
    expect(balanceOf(satoshi, 'ordi')).toEqual([100, 0])
    expect(balanceOf(ALICE, 'ordi')).toEqual([900, 0])
    expect(balanceOf(ALICE, 'meme')).toEqual([1, 0])
    expect(balanceOf(BOB, 'ordi')).toEqual([1000, 0])
    expect(ledger.token('ordi')?.minted).toBe(2000n * UNIT)
  })
})

describe('a long chain', () => {
  it('is read with every event of it', () => {
    const blocks = buildBrc20Blocks(30, 100)
    const ledger = replayBrc20Events(blocks)
    expect(ledger.events()).toHaveLength(blocks.flat().length)
    expect(ledger.token('t000')?.minted).toBe(20_000n * UNIT)
  })
})

describe('a reorg', () => {
  it('takes the ledger back to what it was, whatever happened in the blocks', () => {
    const owners = [ALICE, BOB, BURN]
    const owner = fc.integer({ min: 0, max: 2 }).map(i => owners[i] ?? ALICE)
    const step = fc.oneof(
      fc.record({ op: fc.constant('mint'), amt: fc.integer({ min: 1, max: 120 }), owner }),
      fc.record({ op: fc.constant('transfer'), amt: fc.integer({ min: 1, max: 60 }), owner }),
      fc.record({ op: fc.constant('move'), amt: fc.nat(), owner: fc.option(owner) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), steps => {
        const chain = createMintedChain()
        const made: string[] = []
        const states = [describeLedger(chain)]
        for (const { op, amt, owner } of steps) {
          const moved = made.splice(amt % Math.max(1, made.length), 1)[0]
          if (op !== 'move') {
            if (moved) made.push(moved)
            made.push(chain.inscribe(brc20(op, { amt: String(amt) }), owner ?? ALICE))
          } else if (moved) chain.move(moved, owner)
          else continue
          states.push(describeLedger(chain))
        }
        const { minted = 0n, burned } = chain.ledger.token('ordi') ?? {}
        const held = chain.ledger
          .holders('ordi')
          .reduce((sum, [, { available, transferable }]) => sum + available + transferable, 0n)
        expect(held).toBe(minted - (burned ?? 0n))
        for (const state of states.toReversed()) {
          expect(describeLedger(chain)).toEqual(state)
          chain.index.undoBlock()
        }
      }),
    )
  })
})

function describeLedger({ ledger, index }: ReturnType<typeof createBrc20Chain>) {
  const holders = ledger.holders('ordi').filter(([, held]) => held.available + held.transferable)
  const transfers = holders.flatMap(([script, { transferable }]) => {
    const notes = ledger.transfers(script)
    expect(notes.reduce((sum, { amount }) => sum + amount, 0n)).toBe(transferable)
    return notes.map(({ id }) => id).sort()
  })
  return { holders, transfers, token: ledger.token('ordi'), height: index.height() }
}
