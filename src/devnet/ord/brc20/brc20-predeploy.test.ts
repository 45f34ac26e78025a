import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ALICE, BOB, brc20, createBrc20Chain } from './testing/brc20-chain.ts'
import { MOST_AMOUNT, UNIT } from './token-amount.ts'

const mint = (amt: string, fields = {}) => brc20('mint', { amt, ...fields })

/** By OPI's `brc20_indexer.rs`: sha256 twice over the ticker, the salt and the script that the predeploy was inscribed to. */
function predeployOf(tick: string, salt: string, script: Uint8Array) {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
  const salted = Buffer.concat([Buffer.from(tick), Buffer.from(salt, 'hex'), script])
  return { p: 'brc-20', op: 'predeploy', hash: sha256(sha256(salted)).toString('hex') }
}

describe('a ticker of six bytes', () => {
  const SALT = '00ff10'
  const six = (fields: Record<string, unknown> = {}) =>
    brc20('deploy', { tick: 'Six-by', max: '1000', lim: '10', salt: SALT, ...fields })
  const start = (predeploy: object = predeployOf('Six-by', SALT, ALICE), wait = 2) => {
    const chain = createBrc20Chain()
    const parent = chain.inscribe(predeploy as Record<string, unknown>)
    for (let block = 0; block < wait; block++) chain.mine()
    return { ...chain, parent }
  }

  it('is deployed by a child of its predeploy, three blocks later, and minted by anybody', () => {
    const { inscribe, ledger, balanceOf, parent } = start()
    const deploy = inscribe(six(), ALICE, { parent })
    expect(ledger.token('six-by')).toMatchObject({
      ...{ deploy, originalTick: 'Six-by', selfMint: false, limit: 10n * UNIT },
    })
    inscribe(mint('7', { tick: 'SIX-BY' }), BOB)
    expect(balanceOf(BOB, 'six-by')).toEqual([7, 0])
  })

  it('is minted by the holder of the deploy alone where it says so, without end if it likes', () => {
    const { inscribe, ledger, balanceOf, parent } = start()
    const deploy = inscribe(six({ self_mint: 'true', max: '0', lim: undefined }), ALICE, { parent })
    expect(ledger.token('six-by')).toMatchObject({ selfMint: true, max: MOST_AMOUNT })
    inscribe(mint('7', { tick: 'six-by' }), BOB)
    expect(balanceOf(BOB, 'six-by')).toEqual([0, 0])
    inscribe(mint('7', { tick: 'six-by' }), BOB, { parent: deploy })
    expect(balanceOf(BOB, 'six-by')).toEqual([7, 0])
  })

  it.each([
    ['no salt', { salt: undefined }],
    ['another salt', { salt: '00ff11' }],
    ['a salt that is no hex', { salt: 'xyz' }],
    ['its ticker in other letters than were hashed', { tick: 'six-by' }],
    ['a sign in its ticker', { tick: 'six_by' }],
    ['no maximum that anybody could mint', { max: '0' }],
  ])('is not deployed with %s', (_, fields) => {
    const { inscribe, ledger, parent } = start()
    inscribe(six(fields), ALICE, { parent })
    expect(ledger.tokenCount()).toBe(0)
  })

  it('is not deployed before its time, without its parent, or by what somebody else predeployed', () => {
    const early = start(undefined, 1)
    early.inscribe(six(), ALICE, { parent: early.parent })
    expect(early.ledger.tokenCount()).toBe(0)
    early.inscribe(six(), ALICE, { parent: early.parent })
    expect(early.ledger.tokenCount()).toBe(1)
    const orphan = start()
    orphan.inscribe(six())
    expect(orphan.ledger.tokenCount()).toBe(0)
    const other = start(predeployOf('Six-by', SALT, BOB))
    other.inscribe(six(), ALICE, { parent: other.parent })
    expect(other.ledger.tokenCount()).toBe(0)
  })

  it('tells of its predeploy as an event', () => {
    const { ledger, parent } = start()
    const events = ledger.events()
    expect(events).toMatchObject([{ type: 'predeploy-inscribe', id: parent }])
  })
})
