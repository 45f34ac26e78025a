import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { ADDRESS_TYPES, spendOf } from '../../bitcoin/testing/spending.ts'
import { startOnDevice } from '../testing/device-wallet.ts'
import { RECIPIENT, REGTEST } from '../testing/funded-wallet.ts'
import { fund, nextApproval, type Worker } from '../testing/test-wallet.ts'

/** The key of RECIPIENT. */
const SELLER = fromHex('01'.padStart(64, '0'))

type Started = Awaited<ReturnType<typeof startOnDevice>>

/** A PSBT as a marketplace makes it, which knows the account's address and key but not where the key comes from. */
function buildForSite({ account, txids, world }: Started, version: 0 | 2, sighash?: number) {
  const { script, ...spend } = spendOf(account.addressType, fromHex(account.publicKey))
  const transaction = new Transaction()
  for (const txid of txids) {
    const previous = world.chain.get(txid)
    if (!previous) throw new Error('unknown coin')
    transaction.addInput({
      ...{ txid: fromHex(txid), index: 0 },
      ...(account.addressType === 'p2pkh'
        ? { nonWitnessUtxo: previous }
        : { witnessUtxo: { script, amount: 50_000n } }),
      ...('redeemScript' in spend && { redeemScript: spend.redeemScript }),
      ...(account.addressType === 'p2tr' && {
        tapInternalKey: fromHex(account.publicKey).slice(1),
      }),
      ...(sighash !== undefined && { sighashType: sighash }),
    })
  }
  transaction.addOutputAddress(RECIPIENT, 40_000n, REGTEST)
  return toHex(transaction.toPSBT(version))
}

async function approve(worker: Worker, kind: string, answer: (review: never) => string | null) {
  const { key, digest, review } = await nextApproval(worker, kind)
  const input = answer(review as never)
  await worker.ui('decide', {
    ...{ key, digest, decision: 'approve' },
    ...(input !== null && { input }),
  })
}

describe('a PSBT of a site, for an account whose key is on a device,', () => {
  for (const version of [0, 2] as const)
    it.each(ADDRESS_TYPES)(`is signed there and given back (${version}, %s)`, async type => {
      const started = await startOnDevice(type, 50_000n)
      const { worker, device, page } = started
      const psbt = buildForSite(started, version)
      const answer = page.call('signPsbt', psbt, { autoFinalized: false })
      await approve(worker, 'sign-psbt', () => null)
      await approve(worker, 'sign-on-device', review => device.signAll(review))
      const response = await answer
      const signed = 'result' in response ? String(response.result) : ''
      const read = Transaction.fromPSBT(fromHex(signed))
      expect(read.opts.PSBTVersion ?? 0).toBe(version)
      // The site learns nothing of the device.
      expect(signed).not.toContain(device.fingerprint)
      const { bip32Derivation, tapBip32Derivation } = read.getInput(0)
      expect([bip32Derivation, tapBip32Derivation]).toEqual([undefined, undefined])
      read.finalize()
      expect(read.isFinal).toBe(true)
    })

  it('may be one of several that go there in one round', async () => {
    const started = await startOnDevice('p2tr', 50_000n)
    const { worker, device, page } = started
    const psbt = buildForSite(started, 0)
    const answer = page.call('signPsbts', [psbt, psbt], [{}, {}])
    await approve(worker, 'sign-psbt', () => null)
    let rounds = 0
    await approve(worker, 'sign-on-device', (review: Parameters<typeof device.signAll>[0]) => {
      rounds = review.tasks.length
      return device.signAll(review)
    })
    expect(rounds).toBe(2)
    expect(await answer).toHaveProperty('result')
  })

  it('goes there with others’ inputs final that are signed: Bitcoin Core signs none beside one of another sighash', async () => {
    const started = await startOnDevice('p2tr', 50_000n)
    const { world, worker, device, page } = started
    const sold = fund(world, RECIPIENT, 10_000n)
    const psbt = Transaction.fromPSBT(fromHex(buildForSite(started, 0)))
    psbt.addInput({
      ...{ txid: fromHex(sold), index: 0, sighashType: 0x83 },
      nonWitnessUtxo: world.chain.get(sold) ?? new Uint8Array(),
      witnessUtxo: { script: spendOf('p2wpkh', publicKeyOf(SELLER)).script, amount: 10_000n },
    })
    psbt.addOutputAddress(RECIPIENT, 12_000n, REGTEST)
    psbt.signIdx(SELLER, 1, [0x83])
    const answer = page.call('signPsbt', toHex(psbt.toPSBT(0)), { autoFinalized: false })
    await approve(worker, 'sign-psbt', () => null)
    let witness: Uint8Array[] | undefined
    await approve(worker, 'sign-on-device', (review: Parameters<typeof device.signAll>[0]) => {
      const sent = Transaction.fromPSBT(fromHex(review.tasks[0]?.psbt ?? ''))
      witness = sent.getInput(1).finalScriptWitness
      return device.signAll(review)
    })
    expect(witness).toHaveLength(2)
    const response = await answer
    const read = Transaction.fromPSBT(fromHex('result' in response ? String(response.result) : ''))
    // The site gets back what it gave, with the account’s signature alone.
    expect(read.getInput(1).finalScriptWitness).toBeUndefined()
    expect(read.getInput(1).partialSig).toHaveLength(1)
    expect(read.getInput(0).tapKeySig).toHaveLength(64)
  })

  it('gets no signature with another sighash than was asked for', async () => {
    const started = await startOnDevice('p2tr', 50_000n)
    const { worker, device, page } = started
    const psbt = buildForSite(started, 0)
    const answer = page.call('signPsbt', psbt)
    await approve(worker, 'sign-psbt', () => null)
    const asked = await nextApproval(worker, 'sign-on-device')
    if (asked.review.kind !== 'sign-on-device') throw new Error('Wrong review')
    const changed = Transaction.fromPSBT(fromHex(asked.review.tasks[0]?.psbt ?? ''))
    changed.updateInput(0, { sighashType: 0x83 }, true)
    const input = JSON.stringify([toHex(device.sign(toHex(changed.toPSBT(0))).toPSBT(0))])
    const { key, digest } = asked
    await expect(
      worker.ui('decide', { key, digest, decision: 'approve', input }),
    ).rejects.toMatchObject({ data: { problem: 'OTHER_SIGHASH' } })
    await worker.ui('decide', { key, digest, decision: 'reject' })
    expect(await answer).toMatchObject({ error: { code: 4001 } })
  })

  it.each([
    ['signMessage', ['hello']],
    ['signMessages', [[{ text: 'hello', type: 'ecdsa' }]]],
    ['deriveContextHash', ['app', 'aa']],
  ] as const)('%s is refused with the reason, and nobody is asked', async (method, params) => {
    const { worker, page, world } = await startOnDevice('p2tr', 50_000n)
    const shown = world.window.shown
    expect(await page.call(method, ...params)).toMatchObject({
      error: { code: -32000, data: { reason: 'DEVICE_CANNOT' } },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect(world.window.shown).toBe(shown)
  })
})
