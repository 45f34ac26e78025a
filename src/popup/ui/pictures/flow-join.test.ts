import { describe, expect, it } from 'vitest'
import { joinAlike } from './flow-join.ts'
import type { FlowEnd } from './flow-layout.ts'

const end = (label: string, sats: bigint | null, changes: Partial<FlowEnd> = {}): FlowEnd => ({
  label,
  sats,
  own: true,
  ...changes,
})

describe('ends of the same name', () => {
  it('are one strand with all their sats and all that they carry, where the first was', () => {
    const joined = joinAlike([
      end('You', 546n, { carries: [0] }),
      end('Shop', 9n, { own: false }),
      end('You', 600n, { carries: [1, 2] }),
      end('You', 90_000n),
    ])
    expect(joined).toMatchObject([
      { label: 'You (2)', sats: 1_146n, carries: [0, 1, 2] },
      { label: 'Shop', sats: 9n },
      { label: 'You', sats: 90_000n },
    ])
  })
  it('are not known together as soon as one of them is not', () => {
    expect(joinAlike([end('x', 1n), end('x', null)])).toMatchObject([{ sats: null }])
  })
  it('stay apart where only their short names are alike', () => {
    const twins = [end('bc1q…f3t4', 1n, { who: 'a' }), end('bc1q…f3t4', 1n, { who: 'b' })]
    expect(joinAlike(twins)).toHaveLength(2)
  })
  it('stay apart where others can change one of them, or they are not to be joined', () => {
    expect(joinAlike([end('x', 1n), end('x', 1n, { open: true })])).toHaveLength(2)
    expect(joinAlike([end('x', 1n), end('x', 1n)], () => false)).toHaveLength(2)
  })
})
