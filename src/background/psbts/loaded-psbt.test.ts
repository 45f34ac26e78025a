import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toBase64, toHex } from '../../bitcoin/bytes.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import {
  type BuiltInput,
  buildPsbt,
  COSIGNER_KEY,
  FOREIGN_KEY,
  lockOf,
} from '../../bitcoin/testing/psbt-building.ts'
import { dieAfter, outputsOf, readBroadcast } from '../testing/funded-wallet.ts'
import {
  isSignedElsewhere,
  publishPrevious,
  restart,
  type Signing,
  startSigner,
} from '../testing/psbt-site.ts'
import { startWorker } from '../testing/test-wallet.ts'

const AMOUNT = 100_000n
const OUTDATED = { code: -32000, data: { reason: 'PLAN_OUTDATED' } }

type Parts = Partial<Parameters<typeof buildPsbt>[0]>

/** A PSBT (hex) with an input of the account and what it spends on the chain. */
function buildFor(signing: Signing, parts: Parts = {}, input: Partial<BuiltInput> = {}): string {
  const { addressType } = signing.account
  const built = buildPsbt({
    inputs: [{ type: addressType, key: signing.key, amount: AMOUNT, proof: 'both', ...input }],
    outputs: [{ type: 'p2wpkh', amount: 90_000n }],
    ...parts,
  })
  return toHex(publishPrevious(signing, built).bytes)
}

const twoOfTwo = (key: Uint8Array): BuiltInput => ({
  ...{ type: 'p2wsh-multisig', key, amount: AMOUNT, proof: 'both' },
})

async function loadAndReview({ worker }: Pick<Signing, 'worker'>, psbt: string) {
  const { id } = await worker.ui('loadPsbt', { psbt })
  return worker.ui('reviewPsbt', { id })
}

/** Signed by the cosigner of the test with an independent library; hex. */
function signElsewhere(hex: string, key: Uint8Array): string {
  const transaction = Transaction.fromPSBT(fromHex(hex))
  transaction.sign(key)
  return toHex(transaction.toPSBT())
}

describe('a PSBT that the person brings', () => {
  it.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const)(
    'of a %s account is shown as a site’s request is, signed, finalized and sent',
    async addressType => {
      const signing = await startSigner(addressType)
      const { worker, world } = signing
      const psbt = buildFor(signing)
      const { id, digest, review, toSign, given, ready } = await loadAndReview(signing, psbt)
      expect({ toSign, given, ready }).toEqual({ toSign: 1, given: 0, ready: false })
      expect(review.items[0]).toMatchObject({ net: { sats: '-100000' }, fee: { sats: '10000' } })
      const signed = await worker.ui('signPsbt', { id, digest })
      expect(signed).toMatchObject({ id, final: 0, signed: true })
      expect(isSignedElsewhere(signed.psbt, 0)).toBe(true)
      const again = await worker.ui('reviewPsbt', { id })
      expect(again).toMatchObject({ toSign: 0, given: 1, ready: true })
      const final = await worker.ui('finalizePsbt', { id })
      expect(final).toMatchObject({ final: 1, inputs: 1 })
      const push = await worker.ui('reviewPsbtPush', { id })
      expect(push.review).toMatchObject({ netCost: '100000', fee: '10000' })
      const sent = await worker.ui('pushPsbt', { id, digest: push.digest })
      expect(sent).toEqual({ txid: push.review.txid, outcome: 'sent' })
      expect(outputsOf(readBroadcast(world, sent.txid))[0]?.sats).toBe(90_000n)
      const { entry } = await worker.ui('getActivityDetails', { txid: sent.txid })
      expect(entry).toMatchObject({ kind: 'pushed', origin: null, net: '-100000' })
    },
  )

  it('is taken as base64 with line breaks, and of version 2', async () => {
    const signing = await startSigner()
    const hex = buildFor(signing, { version: 2 })
    const text = toBase64(fromHex(hex)).replace(/.{60}/g, '$&\r\n')
    const loaded = await signing.worker.ui('loadPsbt', { psbt: ` ${text}\n` })
    expect(loaded).toMatchObject({ psbt: hex, version: 2, inputs: 1, outputs: 1, final: 0 })
  })

  it('that says the same to a site gets the same review, but for who asks', async () => {
    const signing = await startSigner()
    const psbt = buildFor(signing)
    const { review } = await loadAndReview(signing, psbt)
    const asked = signing.page.call('signPsbt', psbt)
    const approval = await waitForApproval(signing)
    expect(approval.review).toEqual(review)
    const { key, digest } = approval
    await signing.worker.ui('decide', { key, digest, decision: 'reject' })
    await asked
  })

  it('is signed by us, the other one elsewhere, and then combined and sent', async () => {
    const signing = await startSigner('p2wpkh')
    const { worker, world } = signing
    const psbt = buildFor(signing, { inputs: [twoOfTwo(signing.key)] })
    const { id, digest, toSign, ready } = await loadAndReview(signing, psbt)
    expect({ toSign, ready }).toEqual({ toSign: 1, ready: false })
    await worker.ui('signPsbt', { id, digest })
    await expect(worker.ui('finalizePsbt', { id })).rejects.toMatchObject({
      message: expect.stringContaining('input 0 is not complete'),
    })
    const other = signElsewhere(psbt, COSIGNER_KEY)
    await worker.ui('combinePsbt', { id, psbt: other })
    expect(await worker.ui('reviewPsbt', { id })).toMatchObject({ toSign: 0, ready: true })
    const { digest: pushed } = await worker.ui('reviewPsbtPush', { id })
    const { txid } = await worker.ui('pushPsbt', { id, digest: pushed })
    expect(readBroadcast(world, txid).getInput(0).finalScriptWitness).toHaveLength(4)
  })

  it('is signed under what it asks for only, and a signature that leaves the rest open says so', async () => {
    const signing = await startSigner()
    const { review } = await loadAndReview(signing, buildFor(signing, {}, { sighash: 0x81 }))
    expect(review.items[0]?.inputs[0]).toMatchObject({ sighash: 'all-anyone', state: 'to-sign' })
    const none = buildFor(signing, {}, { sighash: 0x02 })
    await expect(loadAndReview(signing, none)).rejects.toMatchObject({
      data: { reason: 'SIGHASH_REFUSED' },
    })
  })

  it('of others can be looked at, and there is nothing to sign', async () => {
    const signing = await startSigner()
    const psbt = buildFor(signing, {}, { key: FOREIGN_KEY })
    const { id, digest, toSign, given } = await loadAndReview(signing, psbt)
    expect({ toSign, given }).toEqual({ toSign: 0, given: 0 })
    await expect(signing.worker.ui('signPsbt', { id, digest })).rejects.toMatchObject({
      data: { reason: 'NOTHING_TO_SIGN' },
    })
  })

  it('is looked at, finalized and sent by an account without a key, but not signed', async () => {
    const signing = await startSigner('p2wpkh')
    const { worker } = signing
    const { script } = lockOf('p2wpkh', FOREIGN_KEY)
    const address = addressOfScript(script, 'regtest') ?? ''
    const watched = await worker.ui('watchAddress', { address, name: 'Vault' })
    await worker.ui('selectAccount', { accountId: watched.id })
    const psbt = buildFor(signing, { inputs: [foreignInput()] })
    const { id, digest, toSign } = await loadAndReview(signing, psbt)
    expect(toSign).toBe(0)
    await expect(worker.ui('signPsbt', { id, digest })).rejects.toMatchObject({
      data: { reason: 'WATCHED_ONLY' },
    })
    await worker.ui('combinePsbt', { id, psbt: signElsewhere(psbt, FOREIGN_KEY) })
    await worker.ui('finalizePsbt', { id })
    const push = await worker.ui('reviewPsbtPush', { id })
    const { outcome } = await worker.ui('pushPsbt', { id, digest: push.digest })
    expect(outcome).toBe('sent')
  })
})

describe('what is signed is what was shown', () => {
  it('not another PSBT that was loaded meanwhile', async () => {
    const signing = await startSigner()
    const { worker } = signing
    const { id, digest } = await loadAndReview(signing, buildFor(signing))
    const dear = buildFor(signing, { outputs: [{ type: 'p2wpkh', amount: 1_000n }] })
    const second = await worker.ui('loadPsbt', { psbt: dear })
    await expect(worker.ui('signPsbt', { id, digest })).rejects.toMatchObject(OUTDATED)
    await expect(worker.ui('signPsbt', { id: second.id, digest })).rejects.toMatchObject(OUTDATED)
  })

  it('not after something was combined into it', async () => {
    const signing = await startSigner('p2wpkh')
    const { worker } = signing
    const psbt = buildFor(signing, { inputs: [twoOfTwo(signing.key)] })
    const { id, digest } = await loadAndReview(signing, psbt)
    await worker.ui('combinePsbt', { id, psbt: signElsewhere(psbt, COSIGNER_KEY) })
    await expect(worker.ui('signPsbt', { id, digest })).rejects.toMatchObject(OUTDATED)
  })

  it('not by another account, on another network, or with what is stored changed', async () => {
    const signing = await startSigner()
    const { worker, world, account } = signing
    const { id, digest } = await loadAndReview(signing, buildFor(signing))
    const other = await worker.ui('addAccount', { addressType: 'p2tr', name: 'Other' })
    await worker.ui('selectAccount', { accountId: other.id })
    await expect(worker.ui('signPsbt', { id, digest })).rejects.toMatchObject(OUTDATED)
    await worker.ui('selectAccount', { accountId: account.id })
    await worker.ui('selectNetwork', { network: 'signet' })
    await expect(worker.ui('signPsbt', { id, digest })).rejects.toBeDefined()
    await worker.ui('selectNetwork', { network: 'regtest' })
    const stored = (await world.session.get('loadedPsbt')) as { psbt: string }
    const altered = buildFor(signing, { outputs: [{ type: 'p2wpkh', amount: 1_000n }] })
    await world.session.set({ loadedPsbt: { ...stored, psbt: altered } })
    await expect(worker.ui('signPsbt', { id, digest })).rejects.toMatchObject(OUTDATED)
    await world.session.set({ loadedPsbt: stored })
    expect(await worker.ui('signPsbt', { id, digest })).toMatchObject({ signed: true })
  })

  it('not with a digest that nobody was shown, and not before it was shown', async () => {
    const signing = await startSigner()
    const { worker } = signing
    const { id } = await worker.ui('loadPsbt', { psbt: buildFor(signing) })
    const digest = '00'.repeat(32)
    await expect(worker.ui('signPsbt', { id, digest })).rejects.toMatchObject(OUTDATED)
    await expect(worker.ui('pushPsbt', { id, digest })).rejects.toMatchObject(OUTDATED)
  })

  it('and it is gone once the wallet is locked', async () => {
    const signing = await startSigner()
    const { worker, world } = signing
    const { id, digest } = await loadAndReview(signing, buildFor(signing))
    await worker.ui('lock', null)
    await expect(worker.ui('getLoadedPsbt', null)).rejects.toMatchObject({ code: 4100 })
    await expect(worker.ui('signPsbt', { id, digest })).rejects.toMatchObject({ code: 4100 })
    expect(await world.session.get('loadedPsbt')).toBeUndefined()
  })
})

describe('a PSBT that is none of ours to take', () => {
  it.each<[string, unknown, string]>([
    ['text', 'hello', 'psbt: '],
    ['a number', 7, 'psbt: '],
    ['the start of one', '70736274ff', 'psbt: PSBT'],
    ['one that is cut off', 'cut', 'psbt: PSBT'],
  ])('is refused in words that name the place: %s', async (_, given, message) => {
    const signing = await startSigner()
    const psbt = given === 'cut' ? buildFor(signing).slice(0, -20) : (given as string)
    await expect(signing.worker.ui('loadPsbt', { psbt })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    })
    expect(await signing.worker.ui('getLoadedPsbt', null)).toBeNull()
  })

  it('is not combined with one of another transaction, which is named', async () => {
    const signing = await startSigner()
    const { id } = await signing.worker.ui('loadPsbt', { psbt: buildFor(signing) })
    const other = buildFor(signing, { outputs: [{ type: 'p2wpkh', amount: 90_001n }] })
    await expect(signing.worker.ui('combinePsbt', { id, psbt: other })).rejects.toMatchObject({
      code: -32602,
      data: { where: 'output 0 amount', field: null },
    })
  })

  it('is not finalized with a signature that is wrong', async () => {
    const signing = await startSigner('p2wpkh')
    const { worker } = signing
    const psbt = buildFor(signing)
    const publicKey = toHex(publicKeyOf(signing.key))
    const wrong = buildFor(
      signing,
      {},
      {
        raw: { [`02${publicKey}`]: fromHex(`3006020101020101${'01'}`) },
      },
    )
    const { id } = await worker.ui('loadPsbt', { psbt })
    await worker.ui('combinePsbt', { id, psbt: wrong })
    await expect(worker.ui('finalizePsbt', { id })).rejects.toBeDefined()
    await expect(worker.ui('reviewPsbtPush', { id })).rejects.toBeDefined()
  })
})

describe('a worker that dies', () => {
  it('before any write of a signature signs once, and loses nothing', async () => {
    let died = 0
    for (let writes = 0; writes < 4; writes++) {
      const signing = await startSigner()
      const { id, digest } = await loadAndReview(signing, buildFor(signing))
      const dying = dieAfter(signing.world, writes)
      const signed = startWorker(dying).ui('signPsbt', { id, digest })
      if ((await Promise.race([signed, dying.died])) === undefined) died++
      const worker = restart(signing)
      const { psbt } = await worker.ui('signPsbt', { id, digest })
      expect(parsePsbt(fromHex(psbt)).inputs[0]?.tapKeySig).not.toBeNull()
      expect((await worker.ui('signPsbt', { id, digest })).psbt).toBe(psbt)
    }
    expect(died).toBeGreaterThan(1)
  })

  it('before any write of a broadcast sends one transaction', async () => {
    let died = 0
    for (let writes = 0; writes < 6; writes++) {
      const signing = await startSigner()
      const { id, digest } = await loadAndReview(signing, buildFor(signing))
      await signing.worker.ui('signPsbt', { id, digest })
      const push = await signing.worker.ui('reviewPsbtPush', { id })
      const params = { id, digest: push.digest }
      const dying = dieAfter(signing.world, writes)
      const sent = startWorker(dying).ui('pushPsbt', params)
      if ((await Promise.race([sent, dying.died])) === undefined) died++
      const worker = restart(signing)
      expect(await worker.ui('pushPsbt', params)).toEqual({
        ...{ txid: push.review.txid, outcome: 'sent' },
      })
      const { entries } = await worker.ui('getActivity', { offset: 0, limit: 20 })
      expect(entries.filter(({ txid }) => txid === push.review.txid)).toHaveLength(1)
    }
    expect(died).toBeGreaterThan(2)
  })

  it('or a node that refuses does not take the way of sending it later', async () => {
    const signing = await startSigner()
    const { worker, world } = signing
    const { id, digest } = await loadAndReview(signing, buildFor(signing))
    await worker.ui('signPsbt', { id, digest })
    const push = await worker.ui('reviewPsbtPush', { id })
    const params = { id, digest: push.digest }
    world.chain.faults.refuse = 'min relay fee not met'
    await expect(worker.ui('pushPsbt', params)).rejects.toMatchObject({
      data: { reason: 'BROADCAST_REJECTED' },
    })
    delete world.chain.faults.refuse
    expect(await worker.ui('pushPsbt', params)).toMatchObject({ outcome: 'sent' })
  })
})

function foreignInput(): BuiltInput {
  return { type: 'p2wpkh', key: FOREIGN_KEY, amount: AMOUNT, proof: 'both' }
}

async function waitForApproval({ worker }: Signing) {
  for (;;) {
    const approval = await worker.ui('getApproval', null)
    if (approval) return approval
    await new Promise(resolve => setTimeout(resolve, 1))
  }
}
