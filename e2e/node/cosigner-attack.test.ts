import { describe, expect, it } from 'vitest'
import { campaign, isLong } from '../../testing/campaigns.ts'
import { attack, CASE_SHAPES, type Finding } from './cosigner/attack.ts'
import { SHARED_KINDS } from './cosigner/scripts.ts'
import { createTally, type Tally } from './cosigner/tally.ts'

const { count: WORLDS, seed: SEED } = campaign('worlds of a cosigner')
/** Worlds in which the rarest kinds of coins, signatures and claims are met as well. */
const MANY = 6_000

/**
 * The wallet signs what a site draws; then an attacker who has every key but the wallet's makes worlds of its signatures, and
 * no claim of a review may be false in any of them. A mend taken back makes it fail:
 * - operations read from forged leaves and foreign witnesses: `forged envelope`, own asset lands, own asset is not lost;
 * - a leaf that others go round binds amounts: `bait`, amount, fee, own asset lands;
 * - one full signature makes goods certain that another one does not bind: `loose payment`, net, fee, txid, asset comes;
 * - an old transaction in the batch hides what sits on the coin that it made: `old transaction`, own asset is not lost;
 * - items that give go unnoticed beside items that bring: `split trade`, one-sided items;
 * - a full signature on a coin makes that of another coin more than it is, though the first has a blank one of before:
 *   `blank again`, worst.
 */
describe(`${WORLDS} worlds of what the wallet signed (seed ${SEED})`, () => {
  it(
    'keep every claim of its reviews, whoever else signs, replaces or leaves out what',
    async () => {
      const tally = createTally()
      const findings = await attack({ worlds: WORLDS, seed: SEED, tally })
      const { counts } = tally
      if (isLong) console.info(JSON.stringify({ seed: SEED, ...counts }, null, 1))
      expect(summarise(findings)).toEqual([])

      expect(counts.granted).toBeGreaterThan(counts.requests * 0.8)
      expect(Object.keys(counts.shapes).sort()).toEqual([...CASE_SHAPES].sort())
      expect(Object.keys(counts.claims).length).toBeGreaterThan(5)
      if (WORLDS >= MANY) expectAllKinds(counts)
    },
    Math.max(120_000, 60 * WORLDS),
  )
})

/** Nothing that the generators make went without a world. */
function expectAllKinds(counts: Tally['counts']): void {
  for (const kind of ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh', 'raw-p2tr'])
    expect(counts.coins[`own ${kind}`], kind).toBeGreaterThan(0)
  for (const kind of SHARED_KINDS.filter(kind => kind !== 'raw-p2tr'))
    expect(counts.coins[`shared ${kind}`], kind).toBeGreaterThan(0)
  for (const owner of ['own', 'foreign'])
    for (const kind of ['inscription', 'rune', 'nft', 'ft'])
      expect(counts.holdings[`${owner} ${kind}`], kind).toBeGreaterThan(0)
  for (const sighash of ['0x00', '0x01', '0x02', '0x03', '0x81', '0x82', '0x83'])
    expect(counts.used[sighash], sighash).toBeGreaterThan(0)
  for (const often of [...Object.values(counts.claims), ...Object.values(counts.tricks)])
    expect(often).toBeGreaterThan(0)
  expect(Object.keys(counts.claims)).toHaveLength(11)
  expect(Object.keys(counts.tricks)).toHaveLength(6)
}

/** One line for each kind of finding, with some of its seeds. */
function summarise(findings: readonly Finding[]): string[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const name = `${finding.shape}: ${finding.rule}`
    groups.set(name, [...(groups.get(name) ?? []), finding])
  }
  return [...groups].map(([name, some]) => {
    const seeds = [...new Set(some.map(({ seed }) => seed))].slice(0, 8).join(', ')
    return `${name}, ${some.length} times (seeds ${seeds}): ${some[0]?.detail}`
  })
}
