import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listCampaigns, readEffort } from './campaigns.ts'

describe('the campaigns', () => {
  it.each(listCampaigns())('$name: $file takes its size from the table', ({ name, file }) => {
    expect(existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain(`campaign('${name}')`)
  })

  it('are larger in a long run', () => {
    for (const { name, quick, long } of listCampaigns()) expect(long, name).toBeGreaterThan(quick)
  })
})

describe('the effort', () => {
  it('is quick unless it is to be long, and nothing else', () => {
    expect(readEffort({})).toBe('quick')
    expect(readEffort({ SATCHEL_EFFORT: 'long' })).toBe('long')
    expect(() => readEffort({ SATCHEL_EFFORT: 'high' })).toThrow('want quick or long')
  })
})
