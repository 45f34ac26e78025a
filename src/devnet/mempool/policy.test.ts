import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../chain/hex.ts'
import { checkSpends, dustThreshold, formatMoney, relayFee } from './policy.ts'
import { checkLocktime, checkSequenceLocks } from './timelock.ts'

const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array()
const key = '11'.repeat(20)
const key32 = '11'.repeat(32)

describe('the dust threshold', () => {
  // The values of Bitcoin Core at its default of 3 sat/vB.
  it.each([
    ['P2PKH', `76a914${key}88ac`, 546n],
    ['P2SH', `a914${key}87`, 540n],
    ['P2WPKH', `0014${key}`, 294n],
    ['P2WSH', `0020${key32}`, 330n],
    ['P2TR', `5120${key32}`, 330n],
    ['pay-to-anchor', '51024e73', 240n],
    ['OP_RETURN', '6a0400000000', 0n],
  ])('of %s', (_, script, sats) => {
    expect(dustThreshold(bytes(script))).toBe(sats)
  })
})

describe('the relay floor', () => {
  it('is 0.1 sat/vB, rounded up', () => {
    expect([100, 101, 110, 111].map(relayFee)).toEqual([10n, 11n, 11n, 12n])
  })
})

describe('amounts', () => {
  it('are printed as Bitcoin Core prints them', () => {
    const amounts = [0n, 1n, 1000n, 1_000_000n, 12_345_678n, 100_000_000n, 2_100_000_000_000_000n]
    expect(amounts.map(formatMoney)).toEqual([
      '0.00',
      '0.00000001',
      '0.00001',
      '0.01',
      '0.12345678',
      '1.00',
      '21000000.00',
    ])
  })
})

describe('spends', () => {
  const spend = (witness: Uint8Array[]) => {
    const tx = new Transaction()
    tx.addInput(new Uint8Array(32).fill(1), 0)
    tx.setWitness(0, witness)
    return tx
  }
  const items = (count: number, size: number) =>
    Array.from({ length: count }, () => new Uint8Array(size))

  it('of P2WSH keep to 100 items of 80 bytes and a script of 3,600', () => {
    const prevouts = [{ script: bytes(`0020${key32}`), value: 1000n }]
    const check = (witness: Uint8Array[]) => checkSpends(spend(witness), prevouts)?.reason ?? null
    expect(check([...items(100, 80), new Uint8Array(3600)])).toBeNull()
    expect(check([...items(101, 80), new Uint8Array(3600)])).toBe('bad-witness-nonstandard')
    expect(check([...items(1, 81), new Uint8Array(3600)])).toBe('bad-witness-nonstandard')
    expect(check([...items(1, 80), new Uint8Array(3601)])).toBe('bad-witness-nonstandard')
  })

  it('of taproot have no annex and no stack item over 80 bytes, but a script of any size', () => {
    const prevouts = [{ script: bytes(`5120${key32}`), value: 1000n }]
    const check = (witness: Uint8Array[]) => checkSpends(spend(witness), prevouts)?.reason ?? null
    const control = Uint8Array.from([0xc0, ...new Uint8Array(32)])
    expect(check(items(1, 64))).toBeNull()
    expect(check([...items(1, 64), new Uint8Array(300_000), control])).toBeNull()
    expect(check([...items(1, 81), new Uint8Array(10), control])).toBe('bad-witness-nonstandard')
    expect(check([...items(1, 64), Uint8Array.of(0x50)])).toBe('bad-witness-nonstandard')
  })

  it('of unknown scripts are not standard', () => {
    const prevouts = [{ script: bytes('51'), value: 1000n }]
    expect(checkSpends(spend([]), prevouts)?.reason).toBe('bad-txns-nonstandard-inputs')
  })
})

describe('time locks', () => {
  const lock = (locktime: number, sequence: number, version = 2) => {
    const tx = new Transaction()
    tx.version = version
    tx.locktime = locktime
    tx.addInput(new Uint8Array(32).fill(1), 0, sequence)
    return tx
  }

  it('in blocks and in seconds hold until the next block is past them', () => {
    const isLocked = (locktime: number, sequence = 0) =>
      checkLocktime(lock(locktime, sequence), 99, 1_700_000_000) !== null
    expect([99, 100].map(locktime => isLocked(locktime))).toEqual([false, true])
    expect([1_699_999_999, 1_700_000_000].map(locktime => isLocked(locktime))).toEqual([
      false,
      true,
    ])
    expect(isLocked(100, 0xffffffff)).toBe(false)
  })

  it('relative to a coin hold from version 2 on, unless disabled', () => {
    const ages = [{ height: 90, medianTimeBefore: 1_700_000_000 }]
    const isLocked = (sequence: number, version = 2) =>
      checkSequenceLocks(lock(0, sequence, version), ages, 99, 1_700_005_120) !== null
    expect([10, 11].map(blocks => isLocked(blocks))).toEqual([false, true])
    expect([10, 11].map(units => isLocked(0x400000 | units))).toEqual([false, true])
    expect(isLocked(11, 1)).toBe(false)
    expect(isLocked(0x80000000 + 11)).toBe(false)
  })
})
