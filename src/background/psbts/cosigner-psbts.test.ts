import { Address, OutScript, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { elsewhere, startFresh } from '../backup/testing/full-wallet.ts'
import {
  addCosigned,
  COSIGNED_SCRIPTS,
  type Cosigners,
  startCosigned,
  startOwnCosigner,
} from '../payments/testing/cosigners.ts'
import { draft, RECIPIENT, readBroadcast, THIRD_RECIPIENT } from '../testing/funded-wallet.ts'
import { fund, type Worker } from '../testing/test-wallet.ts'

const scriptOfAddress = (address: string) =>
  OutScript.encode(Address({ ...TEST_NETWORK, bech32: 'bcrt' }).decode(address))

const problemOf = (error: { data?: { reason?: string }; code?: number }) =>
  error.data?.reason ?? error.code

/** A PSBT (hex) as a coordinator that knows the descriptor makes it; this wallet forgets it. */
async function coordinate(worker: Worker, sats: string): Promise<string> {
  const plan = await worker.ui(
    'planPayment',
    draft({ recipients: [{ to: RECIPIENT, sats }], feeRate: 5 }),
  )
  const { planId, digest } = plan
  const { psbt } = await worker.ui('getCosigning', { planId, digest })
  await worker.ui('dropCosigning', { planId })
  return psbt
}

async function open(worker: Worker, psbt: string) {
  const { id } = await worker.ui('loadPsbt', { psbt })
  return worker.ui('reviewPsbt', { id })
}

type RawPsbt = ReturnType<typeof RawPSBTV0.decode>

/** Altered by another library, which checks nothing here. */
function alter(psbt: string, change: (raw: RawPsbt) => void): string {
  const raw = RawPSBTV0.decode(fromHex(psbt))
  change(raw)
  return toHex(RawPSBTV0.encode(raw))
}

/** Asks for a sighash, or for none. */
const askFor = (psbt: string, sighashType: number | null) =>
  alter(psbt, ({ inputs }) => {
    for (const input of inputs) {
      delete input.sighashType
      if (sighashType !== null) input.sighashType = sighashType
    }
  })

const payTo = (psbt: string, at: number, script: Uint8Array, amount?: bigint) =>
  alter(psbt, ({ global }) => {
    const output = global.unsignedTx?.outputs[at]
    if (!output) throw new Error('the PSBT has no such output')
    output.script = script
    output.amount = amount ?? output.amount
  })

describe.each(COSIGNED_SCRIPTS)('a PSBT that another signer began: %s', script => {
  it('is shown with the account’s coins and change as its own, signed here, and signed elsewhere', async () => {
    const { worker, world, account, sign } = await startOwnCosigner(script, 40_000n, 30_000n)
    const psbt = await coordinate(worker, '50000')
    const { id, digest, review, toSign, ready, cosigners } = await open(worker, psbt)
    expect({ toSign, ready }).toEqual({ toSign: 2, ready: false })
    const [item] = review.items
    expect(
      item?.inputs.map(({ own, owner, accountName, state }) => ({
        own,
        owner,
        accountName,
        state,
      })),
    ).toEqual(Array(2).fill({ own: true, owner: 'own', accountName: 'Family', state: 'to-sign' }))
    expect(item?.outputs.map(({ own }) => own)).toEqual([false, true])
    const change = Number(item?.outputs[1]?.sats)
    expect(item?.net).toEqual({ sats: String(change - 70_000), certainty: 'certain' })
    expect(item?.nets.map(({ accountId }) => accountId)).toEqual([account.id])
    expect(item?.worst).toBe(String(change - 70_000))
    expect(review.items[0]?.warnings).toEqual([])
    expect(cosigners).toMatchObject({ required: 2, signed: 0 })
    expect(cosigners?.signers.map(({ isOwn, hasSigned }) => ({ isOwn, hasSigned }))).toEqual([
      { isOwn: false, hasSigned: false },
      { isOwn: false, hasSigned: false },
      { isOwn: true, hasSigned: false },
    ])

    const half = await worker.ui('signPsbt', { id, digest })
    const after = await worker.ui('reviewPsbt', { id })
    expect(after).toMatchObject({ toSign: 0, given: 2, ready: false })
    expect(after.cosigners?.signers.map(({ hasSigned }) => hasSigned)).toEqual([false, false, true])
    const whole = sign(0, half.psbt)
    await worker.ui('combinePsbt', { id, psbt: whole })
    const last = await worker.ui('reviewPsbt', { id })
    expect(last).toMatchObject({ toSign: 0, ready: true, cosigners: { signed: 2 } })
    const push = await worker.ui('reviewPsbtPush', { id })
    expect(push.review).toMatchObject({ netCost: String(70_000 - change) })
    const { txid } = await worker.ui('pushPsbt', { id, digest: push.digest })
    const oracle = Transaction.fromPSBT(fromHex(whole))
    oracle.finalize()
    expect(toHex(world.chain.get(txid) ?? new Uint8Array())).toBe(oracle.hex)
    expect(Math.abs((item?.vsize ?? 0) - oracle.vsize)).toBeLessThanOrEqual(2)
    expect(readBroadcast(world, txid).outputsLength).toBe(2)
    const { entry } = await worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ net: String(change - 70_000) })
  })

  it('is signed as the second one, after which it is sent', async () => {
    const { worker, sign } = await startOwnCosigner(script, 40_000n)
    const begun = sign(1, await coordinate(worker, '20000'))
    const { id, digest, cosigners } = await open(worker, begun)
    expect(cosigners?.signers.map(({ hasSigned }) => hasSigned)).toEqual([false, true, false])
    await worker.ui('signPsbt', { id, digest })
    expect(await worker.ui('reviewPsbt', { id })).toMatchObject({ ready: true, toSign: 0 })
    const final = await worker.ui('finalizePsbt', { id })
    expect(final.final).toBe(final.inputs)
  })

  it('is left alone where enough others have signed', async () => {
    const { worker, sign } = await startOwnCosigner(script, 40_000n)
    const enough = sign(1, sign(0, await coordinate(worker, '20000')))
    expect(await open(worker, enough)).toMatchObject({ toSign: 0, ready: true })
  })

  it('is signed for the whole transaction alone, whatever it asks for, and beside no other signature', async () => {
    const { worker, sign } = await startOwnCosigner(script, 40_000n)
    const psbt = await coordinate(worker, '20000')
    for (const sighash of [2, 3, 0x81, 0x82, 0x83]) {
      const asking = askFor(psbt, sighash)
      await expect(open(worker, asking).catch(problemOf)).resolves.toBe('SIGHASH_REFUSED')
      const hidden = askFor(sign(0, asking), null)
      await expect(open(worker, hidden).catch(problemOf)).resolves.toBe('SIGHASH_REFUSED')
    }
    // The expert’s switch is for accounts of one key.
    const { expert } = (await worker.ui('getState', null)).settings
    await worker.ui('changeSettings', { expert: { ...expert, anySighash: true } })
    const asking = askFor(psbt, 2)
    await expect(open(worker, asking).catch(problemOf)).resolves.toBe('SIGHASH_REFUSED')
  })
})

describe.each(COSIGNED_SCRIPTS)('what a PSBT claims of a shared account: %s', script => {
  /** With the claims of the account’s change left as they are: origins, scripts and leaves. */
  async function payChangeTo(scriptOf: (cosigners: Cosigners) => Uint8Array) {
    const { worker, cosigners } = await startCosigned(script, 60_000n)
    const psbt = await coordinate(worker, '20000')
    const { review } = await open(worker, payTo(psbt, 1, scriptOf(cosigners)))
    return review.items[0]
  }

  it('is change where the account’s own descriptor has the address', async () => {
    const item = await payChangeTo(({ addressAt }) => scriptOfAddress(addressAt(1, 3)))
    expect(item?.outputs[1]).toMatchObject({ own: true })
  })

  it.each(['threshold', 'order', 'keys'] as const)(
    'goes out where another one has it: %s',
    async kind => {
      const item = await payChangeTo(({ siblingsAt }) => siblingsAt(1, 0)[kind])
      expect(item?.outputs[1]).toMatchObject({ own: false, kind: 'foreign' })
      expect(item?.net.sats).toBe('-60000')
    },
  )

  it('goes out where no wallet would look for it again', async () => {
    const item = await payChangeTo(({ addressAt }) => scriptOfAddress(addressAt(1, 5_000)))
    expect(item?.outputs[1]).toMatchObject({ own: false, kind: 'foreign' })
  })

  it('goes out where a foreign key has the account’s origins', async () => {
    const item = await payChangeTo(() => scriptOfAddress(THIRD_RECIPIENT))
    expect(item?.outputs[1]).toMatchObject({ own: false, kind: 'foreign' })
  })
})

describe.each(COSIGNED_SCRIPTS)('a coin beside those of a shared account: %s', script => {
  it('is not signed where it is of the same keys with another threshold', async () => {
    const { world, worker, account } = await startOwnCosigner(script, 60_000n)
    const other = account.descriptor.replace(/#.*$/, '').replace(/(sortedmulti(?:_a)?\()2/, '$11')
    const sibling = await addCosigned(worker, { descriptor: other })
    fund(world, sibling.address, 50_000n)
    const psbt = await coordinate(worker, '20000')
    expect(await open(worker, psbt)).toMatchObject({ toSign: 1 })
    await worker.ui('selectAccount', { accountId: account.id })
    const { toSign, review } = await open(worker, psbt)
    expect(toSign).toBe(0)
    expect(review.items[0]?.inputs[0]).toMatchObject({ own: false })
    expect(review.items[0]?.net.sats).toBe('0')
  })
})

describe('a PSBT for a shared account', () => {
  it('is signed for the account and as it was shown, or not at all', async () => {
    const { worker, account } = await startOwnCosigner('p2wsh', 60_000n)
    const psbt = await coordinate(worker, '20000')
    const { id, digest } = await open(worker, psbt)
    const first = (await worker.ui('getState', null)).accounts[0]?.id ?? ''
    await worker.ui('selectAccount', { accountId: first })
    const signing = worker.ui('signPsbt', { id, digest }).catch(problemOf)
    await expect(signing).resolves.toBe('PLAN_OUTDATED')
    expect(await worker.ui('reviewPsbt', { id })).toMatchObject({ toSign: 0, cosigners: null })
    await worker.ui('selectAccount', { accountId: account.id })
    const again = await worker.ui('reviewPsbt', { id })
    const changed = payTo(psbt, 0, scriptOfAddress(RECIPIENT), 20_001n)
    await worker.ui('loadPsbt', { psbt: changed })
    const late = worker.ui('signPsbt', { id, digest: again.digest }).catch(problemOf)
    await expect(late).resolves.toBe('PLAN_OUTDATED')
  })

  it('is not signed where the amounts of its coins are not proven', async () => {
    const { worker } = await startOwnCosigner('p2wsh', 60_000n)
    const psbt = await coordinate(worker, '20000')
    const bare = alter(psbt, ({ inputs: [input] }) => delete input?.nonWitnessUtxo)
    expect(await open(worker, bare)).toMatchObject({ toSign: 1 })
    const lying = alter(bare, ({ inputs: [input] }) => {
      if (input?.witnessUtxo) input.witnessUtxo.amount = 900_000n
    })
    const reviewing = open(worker, lying).catch(problemOf)
    await expect(reviewing).resolves.toBe('UNVERIFIED_INPUT')
  })

  it('may send what sits on its coins, as is shown, and never burns it', async () => {
    const started = await startOwnCosigner('p2wsh', 60_000n)
    const { world, descriptor } = started
    const psbt = await coordinate(started.worker, '20000')
    const [coin] = (await open(started.worker, psbt)).review.items[0]?.inputs ?? []
    const id = world.assets.inscribe(coin?.outpoint ?? '')
    // A wallet that has not looked at the coin before.
    const worker = await startFresh(elsewhere(world))
    await worker.ui('selectNetwork', { network: 'regtest' })
    await addCosigned(worker, { descriptor })
    const { review } = await open(worker, psbt)
    expect(review.items[0]?.assets).toMatchObject([
      { asset: { id }, own: true, to: 'foreign', certainty: 'certain', output: 0 },
    ])
    const burning = payTo(psbt, 0, fromHex('6a'))
    await expect(open(worker, burning).catch(problemOf)).resolves.toBe('PROTECTED_ASSET')
  })

  it('has no signature of a signer who only says so', async () => {
    const { worker, sign } = await startOwnCosigner('p2wsh', 60_000n)
    const psbt = await coordinate(worker, '20000')
    const other = await coordinate(worker, '20001')
    const { partialSig } = Transaction.fromPSBT(fromHex(sign(0, other))).getInput(0)
    const forged = alter(psbt, ({ inputs: [input] }) => {
      if (input && partialSig) input.partialSig = partialSig as typeof input.partialSig
    })
    const { cosigners, review, toSign } = await open(worker, forged)
    expect(cosigners).toMatchObject({ signed: 0 })
    expect(review.items[0]?.warnings).toContainEqual({ kind: 'bad-signature', inputs: [0] })
    expect(toSign).toBe(1)
  })
})
