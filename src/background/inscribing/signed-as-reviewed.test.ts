import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { commitToLeaf, leafHash } from '../../bitcoin/signing/taproot-leaf.ts'
import { buildCommitmentLeaf } from '../../ordinals/inscriptions/envelope-script.ts'
import type { Inscribing } from '../../ordinals/inscriptions/inscribing.ts'
import { deriveInscribingKey } from '../../ordinals/inscriptions/inscribing-key.ts'
import { encipherEtching, type NewEtching } from '../../ordinals/runes/etching.ts'
import { commitmentOf, parseRuneName } from '../../ordinals/runes/rune-name.ts'
import { etchingDraft, NAME } from './testing/etching-world.ts'
import { confirm, startJobs } from './testing/job-world.ts'

const MEANT: NewEtching = {
  name: parseRuneName(NAME) ?? { rune: 0n, spacers: 0 },
  divisibility: 2,
  symbol: '⧉',
  premine: 100_050n,
  terms: {
    amount: 1_000n,
    cap: 500n,
    height: { start: null, end: null },
    offset: { start: null, end: 1_000n },
  },
  turbo: false,
}

const RUNE_OF_OTHERS = parseRuneName('SATCHELTESTRUNEZ') ?? MEANT.name

/** Confirms an etching with a signer that signs something else than it was given. */
async function confirmWith(tamper: (inscribing: Inscribing, publicKey: Uint8Array) => Inscribing) {
  const started = await startJobs()
  const { worker, account } = started
  const plan = await worker.ui('planRuneEtching', etchingDraft())
  const { signer } = worker.wallet
  const { signInscribing } = signer
  signer.signInscribing = params =>
    signInscribing({
      ...params,
      inscribing: tamper(params.inscribing, fromHex(account.publicKey)),
    })
  return { ...started, confirmed: confirm(worker, plan) }
}

/** The same with another runestone, whose size may differ: the rest goes to the fee. */
function withRunestone(etching: NewEtching, pointer: number | null = 0) {
  return (inscribing: Inscribing): Inscribing => {
    const runestone = encipherEtching(etching, pointer)
    const before = inscribing.etching?.runestone.length ?? 0
    const more = runestone.length - before
    return {
      ...inscribing,
      etching: { runestone, isPremineApart: false },
      reveals: inscribing.reveals.map(one => ({ ...one, vsize: one.vsize + more })),
    }
  }
}

/** The same with a leaf that commits to another name. */
function withLeafOf(rune: bigint) {
  return (inscribing: Inscribing, publicKey: Uint8Array): Inscribing => {
    const key = deriveInscribingKey(publicKey, inscribing.nonce).subarray(1)
    const leaf = buildCommitmentLeaf(key, commitmentOf(rune))
    const [held, ...others] = inscribing.commit.outputs
    if (!held) return inscribing
    const { scriptPubKey } = commitToLeaf(key, leafHash(leaf))
    return {
      ...inscribing,
      reveals: inscribing.reveals.map(one => ({ ...one, leaf })),
      commit: { ...inscribing.commit, outputs: [{ ...held, scriptPubKey }, ...others] },
    }
  }
}

describe('an etching that was signed', () => {
  it('is sent where it is what was shown', async () => {
    const { confirmed, world } = await confirmWith(withRunestone(MEANT))
    await confirmed
    expect(world.chain.broadcasts).toHaveLength(1)
  })

  it.each<[string, (inscribing: Inscribing, publicKey: Uint8Array) => Inscribing]>([
    ['another name', withRunestone({ ...MEANT, name: RUNE_OF_OTHERS })],
    ['other spacers', withRunestone({ ...MEANT, name: { ...MEANT.name, spacers: 1 } })],
    ['another symbol', withRunestone({ ...MEANT, symbol: '⧊' })],
    ['other decimals', withRunestone({ ...MEANT, divisibility: 3 })],
    ['another premine', withRunestone({ ...MEANT, premine: 100_049n })],
    ['turbo', withRunestone({ ...MEANT, turbo: true })],
    ['no terms', withRunestone({ ...MEANT, terms: null })],
    [
      'other terms',
      withRunestone({ ...MEANT, terms: MEANT.terms && { ...MEANT.terms, cap: 501n } }),
    ],
    ['no pointer to the premine', withRunestone(MEANT, null)],
    ['the premine burned', withRunestone(MEANT, 1)],
    ['a commitment to another name', withLeafOf(RUNE_OF_OTHERS.rune)],
    [
      'its postage somewhere else',
      inscribing => ({ ...inscribing, postage: inscribing.postage - 1n }),
    ],
    ['no lock of its reveal', inscribing => ({ ...inscribing, etching: null })],
  ])('is not sent with %s', async (_, tamper) => {
    const { confirmed, world, worker } = await confirmWith(tamper)
    await expect(confirmed).rejects.toThrow()
    expect(world.chain.broadcasts).toEqual([])
    expect(await worker.wallet.jobs.list()).toEqual([])
  })
})
