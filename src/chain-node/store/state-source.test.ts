import { describe, expect, it } from 'vitest'
import { stateKey } from './keys.ts'
import { stateSource } from './state-source.ts'
import type { Store } from './store.ts'

describe('stateSource', () => {
  it('asks the store once for what is asked for often, and again for what was not there', () => {
    const asked: string[] = []
    const entries = new Map([[Buffer.from(stateKey(hash(1))).toString('hex'), Buffer.from('node')]])
    const get: Store['get'] = key => {
      const name = Buffer.from(key).toString('hex')
      asked.push(name)
      return entries.get(name)
    }
    const source = stateSource({ get } as Store)
    expect(source.get(hash(1))).toEqual(Buffer.from('node'))
    expect(source.get(hash(1))).toEqual(Buffer.from('node'))
    expect(asked).toHaveLength(1)

    expect(source.get(hash(2))).toBeUndefined()
    entries.set(Buffer.from(stateKey(hash(2))).toString('hex'), Buffer.from('later'))
    expect(source.get(hash(2))).toEqual(Buffer.from('later'))
  })
})

function hash(last: number): Uint8Array {
  const bytes = new Uint8Array(32)
  bytes[31] = last
  return bytes
}
