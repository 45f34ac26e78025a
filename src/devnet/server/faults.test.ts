import { describe, expect, it } from 'vitest'
import { createFaults, distortAnswer, matchesEndpoint } from './faults.ts'
import { json, text } from './http.ts'

describe('the endpoint of a fault', () => {
  it.each([
    ['/api/tx', 'POST', '/api/tx', true],
    ['POST /api/tx', 'POST', '/api/tx', true],
    ['GET /api/tx', 'POST', '/api/tx', false],
    ['/api/tx', 'GET', '/api/tx/ab', false],
    ['/api/address/*/utxo', 'GET', '/api/address/bcrt1q/utxo', true],
    ['/api/address/*/utxo', 'GET', '/api/address/bcrt1q/txs', false],
    ['/api/v1.', 'GET', '/api/v1x', false],
    ['*', 'DELETE', '/anything', true],
  ])('%s covers %s %s: %s', (endpoint, method, path, expected) => {
    expect(matchesEndpoint(endpoint, method, path)).toBe(expected)
  })
})

describe('faults', () => {
  it('are taken newest first, and are gone after their times', () => {
    const faults = createFaults()
    faults.add({ endpoint: '/a', status: 500 })
    faults.add({ endpoint: '/a', status: 429, times: 1 })
    const statuses = [1, 2, 3].map(() => faults.take('GET', '/a')?.status)
    expect(statuses).toEqual([429, 500, 500])
    expect(faults.take('GET', '/b')).toBeNull()
    expect(faults.list()).toMatchObject([{ status: 500, hits: 2 }])
  })
})

describe('a distorted answer', () => {
  it('is patched by RFC 7396, each element of a list alike', () => {
    const answer = json([{ a: 1, b: { c: 2, d: 3 } }])
    const lie = distortAnswer(answer, { endpoint: '*', merge: { a: null, b: { c: 9 } } })
    expect(lie.body).toBe('[{"b":{"c":9,"d":3}}]')
  })

  it('keeps its status when only the body lies', () => {
    expect(distortAnswer(text('120'), { endpoint: '*', body: '7' })).toEqual(text('7'))
    expect(distortAnswer(text('120'), { endpoint: '*', status: 503 })).toEqual(text('', 503))
    expect(distortAnswer(text('1200'), { endpoint: '*', truncate: true }).body).toBe('12')
  })
})
