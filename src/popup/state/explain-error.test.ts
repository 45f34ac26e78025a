import { describe, expect, it } from 'vitest'
import type { ServerProblem } from '../../background/views/settings-views.ts'
import { RpcError } from '../platform/rpc.ts'
import { explainError, explainServerProblem } from './explain-error.ts'

const failed = (reason: string, message = 'Said by the code.', more = {}) =>
  explainError(new RpcError({ code: -32000, message, data: { reason, ...more } }))

describe('a failure in words', () => {
  it('says what is wrong with a name, and not what the code says', () => {
    const message = 'name: expected 1 to 40 visible characters, got "a\u200db"'
    const error = new RpcError({ code: -32602, message, data: { problem: 'NAME' } })
    expect(explainError(error)).toBe(
      'The name has characters that cannot be seen. Type it by hand.',
    )
  })
  it('says what is needed and what there is', () => {
    const text = failed('INSUFFICIENT_FUNDS', '', { needed: '1020400', available: '546' })
    expect(text).toContain('1,020,400 sats')
    expect(text).toContain('546 sats')
  })
  it('tells coins that are held back from coins that are missing', () => {
    expect(failed('COINS_HELD')).toMatch(/held back/)
    expect(failed('INSUFFICIENT_FUNDS')).toMatch(/Not enough/)
  })
  it('says how much is held back for which reason, and why nobody knows the rest', () => {
    const text = failed('COINS_HELD', '', {
      heldInscribed: '10546',
      heldRunic: '0',
      heldUnknown: '5000000',
      unknownWhy: 'behind',
      heldByPayments: '0',
      heldUnconfirmed: '0',
      heldLocked: '1',
    })
    expect(text).toContain(
      ': 10,546 sats with inscriptions, 5,000,000 sats not checked, 1 sat locked',
    )
    expect(text).toMatch(/not reached this block/)
    expect(text).not.toMatch(/runes/)
  })
  it('says of a burn that the server passes none on, and of other refusals what the network said', () => {
    const node = 'Unspendable output exceeds maximum configured by user (maxburnamount)'
    expect(failed('BROADCAST_REJECTED', '', { node })).toMatch(/server takes no transaction/)
    const other = failed('BROADCAST_REJECTED', '', { node: 'min relay fee not met' })
    expect(other).toContain('min relay fee not met')
  })
  it('says of the name of a rune whether somebody has it, or this wallet is etching it', () => {
    const name = 'UNCOMMON•GOODS'
    expect(failed('NAME_TAKEN', '', { name, etching: 'aa' })).toBe(
      'Somebody has etched the name UNCOMMON•GOODS already. Nothing was signed; choose another one.',
    )
    expect(failed('NAME_TAKEN', '', { name })).toMatch(/You are etching .* UNCOMMON•GOODS already/)
  })
  it('says when the name of a rune is unlocked, and what else only the chain’s height tells', () => {
    const refused = (fault: string, more = {}) =>
      explainError(new RpcError({ code: -32602, message: 'As told.', data: { fault, ...more } }))
    expect(refused('locked', { unlocked: 962_503 })).toContain('block 962,503')
    expect(refused('too-early')).toMatch(/later block/)
    expect(refused('too-long')).toMatch(/too long for all nodes to relay/)
    expect(refused('reserved')).toBe('As told.')
  })
  it('says of inscriptions which limit they are over', () => {
    const text = failed('TOO_LARGE', '', { limit: 'reveals', got: 25, allowed: 24 })
    expect(text).toMatch(/25 inscriptions are too many .* takes 24/)
    expect(failed('TOO_LARGE', '', { limit: 'weight' })).toMatch(/an inscription/)
    expect(failed('TOO_LARGE', '', { limit: 'size' })).toMatch(/^Together/)
    expect(failed('TOO_LARGE')).toMatch(/too many coins or recipients/)
  })
  it('says of what is protected that nothing was signed', () => {
    expect(failed('PROTECTED_ASSET')).toMatch(/Nothing was signed/)
    expect(failed('PROTECTED_ASSET', '', { outpoint: 'a:0', why: 'behind' })).toMatch(
      /not reached this block yet\. Nothing was moved/,
    )
    expect(failed('PROTECTED_ASSET', '', { inscription: 'ai0' })).toMatch(
      /chain and the index disagree/,
    )
  })
  it('repeats what the network said when it refuses', () => {
    const text = failed('BROADCAST_REJECTED', '', { node: 'min relay fee not met' })
    expect(text).toMatch(/said: min relay fee not met$/)
  })
  it('names the account that is there already', () => {
    expect(failed('ACCOUNT_EXISTS', '', { name: 'Savings' })).toContain('Savings')
    const name = { unnamed: 'account', number: 2 }
    expect(failed('ACCOUNT_EXISTS', '', { name })).toContain('Account 2')
    expect(failed('JOBS_UNDER_WAY', '', { names: [name, 'Savings'] })).toMatch(
      /Account 2 and Savings|Account 2, Savings/,
    )
    const payments = { most: 50, sats: '546', account: name }
    expect(failed('TOO_MANY_PAYMENTS', '', payments)).toContain('Account 2')
  })
  it('keeps the words of a failure that it does not know', () => {
    expect(failed('SOMETHING_NEW', 'Own words.')).toBe('Own words.')
    expect(explainError(new Error('Own words.'))).toBe('Own words.')
    expect(explainError(new RpcError({ code: -32602, message: 'to: expected …' }))).toBe(
      'to: expected …',
    )
  })
  it('says that a list of sites is full, and how many it takes', () => {
    const message = 'origin: expected one of at most 1000 sites, got the string "https://a.example"'
    const error = new RpcError({ code: -32602, message, data: { mostSites: 1000 } })
    expect(explainError(error)).toBe('The list is full: 1,000 sites. Remove one first.')
  })
  it('never claims that nothing was sent when that is not known', () => {
    expect(explainError(new RpcError({ code: -32603, message: 'Internal error' }))).toMatch(
      /Check the activity/,
    )
  })
})

describe('a server that fails', () => {
  it.each<ServerProblem['kind']>([
    'unreachable',
    'rate-limited',
    'wrong-network',
    'too-many-coins',
    'nonsense',
    'disagreement',
  ])('is named, and what is safe is said: %s', kind => {
    const problem = { kind, host: 'server.example', detail: '', retryInMs: null }
    const { title, text } = explainServerProblem(problem)
    expect(title.length).toBeGreaterThan(10)
    expect(text).toContain('server.example')
    expect(text).toMatch(/bitcoin is safe/)
  })
})
