import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { COSIGNER_KEY, FOREIGN_KEY } from '../../bitcoin/testing/psbt-building.ts'
import { ADDRESS_TYPES, spendOf } from '../../bitcoin/testing/spending.ts'
import { createDevice, encodeAddress, startOnDevice } from '../testing/device-wallet.ts'
import { dieAfter, outputsOf, RECIPIENT, REGTEST, readBroadcast } from '../testing/funded-wallet.ts'
import { fund, startWorker, type Worker } from '../testing/test-wallet.ts'

type Started = Awaited<ReturnType<typeof startOnDevice>>
type Coin = { txid: string; publicKey: Uint8Array; sats: bigint }

/** A PSBT as others make it: it says what it spends, and nothing of where the keys come from. */
function build({ account, world }: Started, coins: readonly Coin[], version: 0 | 2 = 0): string {
  const psbt = new Transaction()
  for (const { txid, publicKey, sats } of coins) {
    const { script, ...spend } = spendOf(account.addressType, publicKey)
    psbt.addInput({
      ...{
        txid: fromHex(txid),
        index: 0,
        nonWitnessUtxo: world.chain.get(txid) ?? new Uint8Array(),
      },
      ...(account.addressType !== 'p2pkh' && { witnessUtxo: { script, amount: sats } }),
      ...('redeemScript' in spend && { redeemScript: spend.redeemScript }),
      ...(account.addressType === 'p2tr' && { tapInternalKey: publicKey.slice(1) }),
    })
  }
  psbt.addOutputAddress(RECIPIENT, 40_000n, REGTEST)
  return toHex(psbt.toPSBT(version))
}

const coinsOf = ({ account, txids }: Started): Coin[] =>
  txids.map(txid => ({ txid, publicKey: fromHex(account.publicKey), sats: 50_000n }))

async function show(worker: Worker, psbt: string) {
  const { id } = await worker.ui('loadPsbt', { psbt })
  const { digest, toSign } = await worker.ui('reviewPsbt', { id })
  return { id, digest, toSign }
}

describe('a PSBT that the person brings to an account whose key is on a device', () => {
  for (const version of [0, 2] as const)
    it.each(ADDRESS_TYPES)(`is signed there, finalized and sent (${version}, %s)`, async type => {
      const started = await startOnDevice(type, 50_000n, 50_000n)
      const { world, worker, device } = started
      const { id, digest, toSign } = await show(worker, build(started, coinsOf(started), version))
      expect(toSign).toBe(2)
      const { task } = await worker.ui('getPsbtTask', { id, digest })
      expect(task.tasks).toMatchObject([
        { pays: [{ address: RECIPIENT, sats: '40000' }], fee: '60000' },
      ])
      const returned = device.signAll(task)
      const signed = await worker.ui('signPsbt', { id, digest, returned })
      expect(signed).toMatchObject({ id, version, signed: true, final: 0 })
      // What was added for the device goes to nobody else.
      expect(signed.psbt).not.toContain(device.fingerprint)
      expect(await worker.ui('reviewPsbt', { id })).toMatchObject({
        toSign: 0,
        given: 2,
        ready: true,
      })
      expect(await worker.ui('finalizePsbt', { id })).toMatchObject({ final: 2 })
      const push = await worker.ui('reviewPsbtPush', { id })
      const { txid, outcome } = await worker.ui('pushPsbt', { id, digest: push.digest })
      expect(outcome).toBe('sent')
      expect(outputsOf(readBroadcast(world, txid))).toEqual([{ address: RECIPIENT, sats: 40_000n }])
    })

  it('may spend several of its addresses, each signed with its own key', async () => {
    const started = await startOnDevice('p2wpkh', 50_000n)
    const { world, worker, device, account } = started
    const second = device.publicKeyAt('p2wpkh', 0, 1)
    const txid = fund(world, device.addressAt('p2wpkh', 0, 1), 50_000n)
    const psbt = build(started, [...coinsOf(started), { txid, publicKey: second, sats: 50_000n }])
    const { id, digest, toSign } = await show(worker, psbt)
    expect(toSign).toBe(2)
    const { task } = await worker.ui('getPsbtTask', { id, digest })
    expect(task.tasks[0]?.inputs.map(({ publicKey }) => publicKey)).toEqual([
      ...[account.publicKey, toHex(second)],
    ])
    const signed = await worker.ui('signPsbt', { id, digest, returned: device.signAll(task) })
    const read = Transaction.fromPSBT(fromHex(signed.psbt))
    read.finalize()
    expect(read.isFinal).toBe(true)
  })

  it('keeps what others signed, and gets what they sign later by combining', async () => {
    const started = await startOnDevice('p2wpkh', 50_000n)
    const { world, worker, device } = started
    const others = [FOREIGN_KEY, COSIGNER_KEY].map((key): Coin => {
      const address = encodeAddress('p2wpkh', publicKeyOf(key))
      return { txid: fund(world, address, 50_000n), publicKey: publicKeyOf(key), sats: 50_000n }
    })
    const unsigned = build(started, [...coinsOf(started), ...others])
    const signElsewhere = (key: Uint8Array) => {
      const psbt = Transaction.fromPSBT(fromHex(unsigned))
      psbt.sign(key)
      return toHex(psbt.toPSBT(0))
    }
    const { id, digest } = await show(worker, signElsewhere(FOREIGN_KEY))
    const { task } = await worker.ui('getPsbtTask', { id, digest })
    const { psbt } = await worker.ui('signPsbt', { id, digest, returned: device.signAll(task) })
    const signatures = [0, 1, 2].map(at => {
      const { partialSig = [] } = Transaction.fromPSBT(fromHex(psbt)).getInput(at)
      return partialSig.length
    })
    expect(signatures).toEqual([1, 1, 0])
    await worker.ui('combinePsbt', { id, psbt: signElsewhere(COSIGNER_KEY) })
    const push = await worker.ui('reviewPsbtPush', { id })
    expect(await worker.ui('pushPsbt', { id, digest: push.digest })).toMatchObject({
      outcome: 'sent',
    })
  })

  it('is not signed before the device has, and says so', async () => {
    const started = await startOnDevice('p2tr', 50_000n)
    const { worker } = started
    const { id, digest } = await show(worker, build(started, coinsOf(started)))
    await expect(worker.ui('signPsbt', { id, digest })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('what the device of this account signed'),
    })
    expect(await worker.ui('getLoadedPsbt', null)).toMatchObject({ signed: false })
  })

  it('stays as it was where another one comes back, and can be signed afterwards', async () => {
    const started = await startOnDevice('p2wpkh', 50_000n, 50_000n)
    const { worker, device } = started
    const [first, second] = coinsOf(started)
    if (!first || !second) throw new Error('no coins')
    const other = await show(worker, build(started, [second]))
    const { task: otherTask } = await worker.ui('getPsbtTask', other)
    const psbt = build(started, [first])
    const { id, digest } = await show(worker, psbt)
    const { task } = await worker.ui('getPsbtTask', { id, digest })
    const sign = (returned: string) => worker.ui('signPsbt', { id, digest, returned })
    await expect(sign(device.signAll(otherTask))).rejects.toMatchObject({
      code: -32602,
      data: { problem: 'OTHER_TRANSACTION', where: 'input 0', item: 0 },
    })
    const stranger = createDevice(new Uint8Array(32).fill(0x78))
    await expect(sign(stranger.signAll(task))).rejects.toMatchObject({
      data: { problem: 'NOT_SIGNED', where: 'input 0' },
    })
    for (const garbage of ['', '[]', '{}', '["zz"]', '["00"]', JSON.stringify(['00', '00'])])
      await expect(sign(garbage), garbage).rejects.toMatchObject({ code: -32602 })
    expect(await worker.ui('getLoadedPsbt', null)).toMatchObject({ psbt, signed: false })
    expect(await sign(device.signAll(task))).toMatchObject({ signed: true })
  })

  it('goes to no device where another was shown, another account is in use, or nothing is to sign', async () => {
    const started = await startOnDevice('p2wpkh', 50_000n)
    const { world, worker, account } = started
    const outdated = { data: { reason: 'PLAN_OUTDATED' } }
    const shown = await show(worker, build(started, coinsOf(started)))
    const { id, digest } = shown
    await expect(worker.ui('getPsbtTask', { id, digest: '00'.repeat(32) })).rejects.toMatchObject(
      outdated,
    )
    const own = await worker.ui('addAccount', { addressType: 'p2tr', name: 'Hot' })
    await worker.ui('selectAccount', { accountId: own.id })
    await expect(worker.ui('getPsbtTask', { id, digest })).rejects.toMatchObject(outdated)
    const hot = await worker.ui('reviewPsbt', { id })
    await expect(worker.ui('getPsbtTask', { id, digest: hot.digest })).rejects.toMatchObject({
      code: -32602,
    })
    await worker.ui('selectAccount', { accountId: account.id })
    const publicKey = publicKeyOf(FOREIGN_KEY)
    const address = encodeAddress('p2wpkh', publicKey)
    const foreign = { txid: fund(world, address, 50_000n), publicKey, sats: 50_000n }
    const nothing = await show(worker, build(started, [foreign]))
    await expect(worker.ui('getPsbtTask', nothing)).rejects.toMatchObject({
      data: { reason: 'NOTHING_TO_SIGN' },
    })
  })

  it('is not signed where something turns up on its coin while the device signs', async () => {
    const started = await startOnDevice('p2wpkh', 50_000n)
    const { world, worker, device, txids } = started
    const { id, digest } = await show(worker, build(started, coinsOf(started)))
    const { task } = await worker.ui('getPsbtTask', { id, digest })
    world.assets.inscribe(`${txids[0]}:0`)
    await expect(
      worker.ui('signPsbt', { id, digest, returned: device.signAll(task) }),
    ).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
  })

  it('is taken once, in another worker too, whenever the first one dies', async () => {
    let died = 0
    for (let writes = 0; writes < 4; writes++) {
      const started = await startOnDevice('p2tr', 50_000n)
      const { world, worker, device } = started
      const { id, digest } = await show(worker, build(started, coinsOf(started)))
      const { task } = await worker.ui('getPsbtTask', { id, digest })
      const params = { id, digest, returned: device.signAll(task) }
      const dying = dieAfter(world, writes)
      const signed = startWorker(dying).ui('signPsbt', params)
      if ((await Promise.race([signed, dying.died])) === undefined) died++
      const later = startWorker(world)
      const { psbt } = await later.ui('signPsbt', params)
      expect((await later.ui('signPsbt', params)).psbt).toBe(psbt)
    }
    expect(died).toBeGreaterThan(1)
  })
})
