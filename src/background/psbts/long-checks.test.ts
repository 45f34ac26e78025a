import { p2tr_ms } from '@scure/btc-signer'
import { expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf, signSchnorr } from '../../bitcoin/secp256k1.ts'
import { leafHash, TAPSCRIPT_VERSION } from '../../bitcoin/signing/taproot-leaf.ts'
import type { BuiltInput } from '../../bitcoin/testing/psbt-building.ts'
import { leavesOf } from '../../bitcoin/testing/signed-psbt.ts'
import { publishPrevious, type Signing, startSigner } from '../testing/psbt-site.ts'
import { buildFresh } from '../testing/signed-transactions.ts'

/** A coin of somebody else whose one leaf asks for so many keys, each with a signature of something else. */
function manySignatures(count: number): BuiltInput {
  const keys = Array.from({ length: count }, (_, i) => {
    const key = new Uint8Array(32)
    new DataView(key.buffer).setUint32(28, i + 1)
    return publicKeyOf(key).slice(1)
  })
  const { script } = p2tr_ms(count, keys)
  const lock = leavesOf([{ script }])
  const hash = leafHash(script)
  const signature = signSchnorr(new Uint8Array(32).fill(3), new Uint8Array(32).fill(5))
  const tapScriptSig = keys.map(pubKey => [{ pubKey, leafHash: hash }, signature] as const)
  const fields = { ...lock.fields, tapScriptSig } as typeof lock.fields
  return { type: { ...lock, fields }, amount: 10_000n }
}

/** A coin of somebody else with so many leaves that ask for the account's key and are not of what it spends. */
function manyLeaves(count: number, ownKey: Uint8Array): BuiltInput {
  const xOnly = ownKey.slice(1)
  const lock = leavesOf([{ script: p2tr_ms(1, [xOnly]).script }])
  const [block] = lock.fields.tapLeafScript?.[0] ?? []
  if (!block) throw new Error('no control block')
  const tapLeafScript = Array.from({ length: count }, (_, at) => {
    const merklePath = [new Uint8Array(32).fill(at), new Uint8Array(32).fill(at >> 8)]
    const script = concatBytes(p2tr_ms(1, [xOnly]).script, Uint8Array.of(TAPSCRIPT_VERSION))
    return [{ ...block, merklePath }, script] as const
  })
  const fields = { ...lock.fields, tapLeafScript } as typeof lock.fields
  return { type: { ...lock, fields }, amount: 10_000n }
}

/** Milliseconds until the call of a site is asked about or answered, and the longest in which nobody else had a turn. */
async function clock(site: Signing, input: BuiltInput, ...options: unknown[]) {
  const own: BuiltInput = { type: 'p2tr', key: site.key, amount: 20_000n }
  const built = buildFresh({
    inputs: [own, input],
    outputs: [{ type: 'p2tr', amount: 15_000n }],
  })
  publishPrevious(site, built)
  const begun = performance.now()
  const calling = site.page.call('signPsbt', toHex(built.bytes), ...options)
  let isOver = false
  void calling.then(() => {
    isOver = true
  })
  let longest = 0
  let before = begun
  while (!isOver && (await site.worker.ui('getApproval', null)) === null) {
    await new Promise(resolve => setTimeout(resolve, 0))
    longest = Math.max(longest, performance.now() - before)
    before = performance.now()
  }
  await site.worker.wallet.approvals.rejectAll()
  return { answer: await calling, longest, total: performance.now() - begun }
}

it('a PSBT with hundreds of signatures of one input holds nobody else up', async () => {
  const { answer, longest, total } = await clock(await startSigner('p2tr'), manySignatures(400))
  expect(answer).toMatchObject({ error: { code: 4001 } })
  expect(longest).toBeLessThan(total / 3)
})

it('a PSBT with a thousand leaves for the account’s key holds nobody else up', async () => {
  const site = await startSigner('p2tr')
  const input = manyLeaves(1_000, fromHex(site.account.publicKey))
  const named = { toSignInputs: [{ index: 1, publicKey: site.account.publicKey }] }
  const { answer, longest, total } = await clock(site, input, named)
  expect(answer).toMatchObject({ error: { data: { reason: 'NOT_OURS' } } })
  expect(longest).toBeLessThan(total / 3)
})
