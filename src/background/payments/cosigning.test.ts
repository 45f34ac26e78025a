import * as ecc from '@bitcoinerlab/secp256k1'
import { Transaction } from '@scure/btc-signer'
import { BIP32Factory } from 'bip32'
import { mnemonicToSeedSync } from 'bip39'
import { networks } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { draft, RECIPIENT, readBroadcast, SITE, THIRD_RECIPIENT } from '../testing/funded-wallet.ts'
import {
  ABANDON_MNEMONIC,
  createWorld,
  decideNext,
  fund,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'
import {
  addCosigned,
  COSIGNED_SCRIPTS,
  createCosigners,
  startCosigned,
} from './testing/cosigners.ts'

const pay = async (worker: Worker, sats = '20000', feeRate = 5) =>
  worker.ui('planPayment', draft({ recipients: [{ to: RECIPIENT, sats }], feeRate }))

const problemOf = (error: { data?: { problem?: string; reason?: string }; code?: number }) =>
  error.data?.problem ?? error.data?.reason ?? error.code

describe.each(COSIGNED_SCRIPTS)('a payment of several signers: %s', script => {
  it('goes out with all that each signer needs, and to a change address that each knows as its own', async () => {
    const { worker, cosigners } = await startCosigned(script, 40_000n, 30_000n)
    const { planId, digest, review } = await pay(worker, '60000')
    const { psbt } = await worker.ui('getCosigning', { planId, digest })
    const transaction = Transaction.fromPSBT(fromHex(psbt))
    const change = review.outputs.findIndex(({ own }) => own)
    expect(review.outputs[change]?.address).toBe(cosigners.addressAt(1, 0))
    const parts = [transaction.getInput(0), transaction.getInput(1), transaction.getOutput(change)]
    for (const part of parts) {
      const origins = script === 'p2tr' ? part.tapBip32Derivation : part.bip32Derivation
      const fingerprints = origins?.map(([, origin]) =>
        ('der' in origin ? origin.der : origin).fingerprint.toString(16).padStart(8, '0'),
      )
      expect(fingerprints).toEqual(expect.arrayContaining(cosigners.fingerprints))
      const scripts = [part.witnessScript, part.redeemScript].map(one => one !== undefined)
      expect(scripts).toEqual([script !== 'p2tr', script === 'p2sh-p2wsh'])
    }
    expect(transaction.getInput(0).nonWitnessUtxo).toBeDefined()
    expect(transaction.getInput(0).witnessUtxo).toBeDefined()
    expect(transaction.getInput(0).tapLeafScript !== undefined).toBe(script === 'p2tr')
    expect(transaction.getOutput(change).tapTree !== undefined).toBe(script === 'p2tr')
  })

  it('is what another library makes of the signatures, and no larger than was reckoned', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }).chain(count =>
          fc.record({
            count: fc.constant(count),
            threshold: fc.integer({ min: 1, max: count }),
            order: fc.shuffledSubarray(
              Array.from({ length: count }, (_, at) => at),
              { minLength: count },
            ),
            coins: fc.array(fc.integer({ min: 20_000, max: 90_000 }), {
              minLength: 1,
              maxLength: 4,
            }),
            feeRate: fc.integer({ min: 1, max: 20 }),
            isParallel: fc.boolean(),
          }),
        ),
        async ({ count, threshold, order, coins, feeRate, isParallel }) => {
          const world = createWorld()
          const worker = await startUnlocked(world)
          const cosigners = createCosigners(script, threshold, count)
          await addCosigned(worker, cosigners)
          for (const [at, sats] of coins.entries())
            fund(world, cosigners.addressAt(0, at), BigInt(sats))
          const { planId, digest, review } = await pay(worker, 'max', feeRate)
          const begun = await worker.ui('getCosigning', { planId, digest })
          let current = begun
          for (const [at, signer] of order.slice(0, threshold).entries()) {
            expect(current).toMatchObject({ signed: at, required: threshold })
            const returned = cosigners.sign(signer, isParallel ? begun.psbt : current.psbt)
            current = await worker.ui('addCosignature', { planId, digest, returned })
          }
          const { txid } = await worker.ui('sendCosigned', { planId, digest })
          const oracle = Transaction.fromPSBT(fromHex(current.psbt))
          oracle.finalize()
          const raw = world.chain.get(txid)
          expect(toHex(raw ?? new Uint8Array())).toBe(oracle.hex)
          // Signatures of other signers can be a byte shorter.
          const shorter = (coins.length * threshold) / 4 + 1
          expect(review.vsize).toBeGreaterThanOrEqual(oracle.vsize)
          expect(review.vsize - oracle.vsize).toBeLessThanOrEqual(shorter)
          expect(Number(review.fee)).toBeGreaterThanOrEqual(oracle.vsize * feeRate)
        },
      ),
      { numRuns: 6 },
    )
  })

  it('is not given up for others that nobody has signed', async () => {
    const { worker, cosigners } = await startCosigned(script, 40_000n, 30_000n)
    const { planId, digest } = await pay(worker)
    const { psbt } = await worker.ui('getCosigning', { planId, digest })
    await worker.ui('addCosignature', { planId, digest, returned: cosigners.sign(0, psbt) })
    for (let more = 0; more < 55; more++) {
      const other = await pay(worker, String(10_000 + more))
      await worker.ui('getCosigning', { planId: other.planId, digest: other.digest })
    }
    const kept = await worker.ui('listCosignings', null)
    expect(kept.filter(({ signed }) => signed > 0).map(one => one.planId)).toEqual([planId])
  })

  it('survives a restart of the browser with the signatures so far', async () => {
    const { world, worker, cosigners } = await startCosigned(script, 60_000n)
    const { planId, digest } = await pay(worker)
    const { psbt } = await worker.ui('getCosigning', { planId, digest })
    const first = { planId, digest, returned: cosigners.sign(1, psbt) }
    const half = await worker.ui('addCosignature', first)
    await world.session.clear()
    const later = startWorker(world)
    await later.ui('unlock', { password: PASSWORD })
    const [entry] = await later.ui('listCosignings', null)
    expect(entry).toMatchObject({ planId, digest, signed: 1, required: 2, sats: '20000' })
    const returned = cosigners.sign(0, half.psbt)
    await later.ui('addCosignature', { planId, digest, returned })
    const { txid } = await later.ui('sendCosigned', { planId, digest })
    expect(readBroadcast(world, txid).outputsLength).toBe(2)
    expect(await later.ui('listCosignings', null)).toEqual([])
    expect(await later.ui('sendCosigned', { planId, digest })).toMatchObject({ txid })
  })
})

describe('a payment of several signers', () => {
  it('keeps its coins and its change address from other payments once somebody has signed', async () => {
    const { worker, cosigners } = await startCosigned('p2wsh', 100_000n, 90_000n)
    const first = await pay(worker, '30000')
    const second = await pay(worker, '30000')
    expect(second.review.inputs).toEqual(first.review.inputs)
    const { planId, digest } = first
    const { psbt } = await worker.ui('getCosigning', { planId, digest })
    await worker.ui('getCosigning', { planId: second.planId, digest: second.digest })
    const returned = cosigners.sign(0, psbt)
    await worker.ui('addCosignature', { planId, digest, returned })
    const third = await pay(worker, '30000')
    expect(third.review.inputs).not.toEqual(first.review.inputs)
    expect(third.review.outputs[1]?.address).toBe(cosigners.addressAt(1, 1))
    const late = await worker.ui('getCosigning', { planId: second.planId, digest: second.digest })
    const tooLate = {
      ...{ planId: second.planId, digest: second.digest },
      returned: cosigners.sign(0, late.psbt),
    }
    await expect(worker.ui('addCosignature', tooLate).catch(problemOf)).resolves.toBe(
      'PLAN_OUTDATED',
    )
    await worker.ui('dropCosigning', { planId })
    const fourth = await pay(worker, '150000')
    expect(fourth.review.inputs).toHaveLength(2)
  })

  it('takes no signature that is wrong, of a stranger, or of another transaction', async () => {
    const { worker, cosigners } = await startCosigned('p2wsh', 60_000n)
    const { planId, digest } = await pay(worker)
    const { psbt } = await worker.ui('getCosigning', { planId, digest })
    const problem = (returned: string) =>
      worker.ui('addCosignature', { planId, digest, returned }).then(() => null, problemOf)
    const other = await pay(worker, '20001')
    const shown = { planId: other.planId, digest: other.digest }
    const { psbt: otherPsbt } = await worker.ui('getCosigning', shown)
    expect(await problem(cosigners.sign(0, otherPsbt))).toBe('OTHER_TRANSACTION')
    expect(await problem(psbt)).toBe('NOTHING_NEW')
    expect(await problem('00')).toBe('MALFORMED')
    // A right signature under the key of another signer, and of a key that is in no script.
    const transaction = Transaction.fromPSBT(fromHex(cosigners.sign(0, psbt)))
    const [[, signature = new Uint8Array()] = []] = transaction.getInput(0).partialSig ?? []
    const keys = transaction.getInput(0).bip32Derivation?.map(([key]) => key) ?? []
    const signer = transaction.getInput(0).partialSig?.[0]?.[0] ?? new Uint8Array()
    const strangers = [
      keys.find(key => toHex(key) !== toHex(signer)),
      fromHex(`02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`),
    ]
    for (const key of strangers) {
      const forged = Transaction.fromPSBT(fromHex(psbt))
      forged.updateInput(0, { partialSig: [[key ?? new Uint8Array(), signature]] }, true)
      expect(await problem(toHex(forged.toPSBT(0)))).toBe('BAD_SIGNATURE')
    }
    expect(await worker.ui('getCosigning', { planId, digest })).toMatchObject({ signed: 0 })
  })

  it('is none where something else than the wallet has written it', async () => {
    const { world, worker } = await startCosigned('p2wsh', 60_000n)
    const { planId, digest } = await pay(worker)
    await worker.ui('getCosigning', { planId, digest })
    const stored = JSON.stringify(await world.local.get('cosignedPlans'))
    const altered = stored.replaceAll(RECIPIENT, THIRD_RECIPIENT)
    expect(altered).not.toBe(stored)
    await world.session.remove('plans')
    for (const written of [altered, '[{}]', '[{"plan":{}}]', '[null]', '{}']) {
      await world.local.set({ cosignedPlans: JSON.parse(written) })
      expect(await worker.ui('listCosignings', null)).toEqual([])
      const open = worker.ui('getCosigning', { planId, digest })
      await expect(open.catch(problemOf)).resolves.toBe('PLAN_OUTDATED')
    }
    await world.local.set({ cosignedPlans: JSON.parse(stored) })
    expect(await worker.ui('listCosignings', null)).toHaveLength(1)
  })

  it.each(['cancel', 'child', 'speed-up'] as const)(
    'can be followed by another: %s',
    async kind => {
      const { world, worker, cosigners } = await startCosigned('p2wsh', 100_000n)
      const send = async ({ planId, digest }: { planId: string; digest: string }) => {
        let { psbt } = await worker.ui('getCosigning', { planId, digest })
        for (const signer of [2, 0]) {
          const returned = cosigners.sign(signer, psbt)
          psbt = (await worker.ui('addCosignature', { planId, digest, returned })).psbt
        }
        return (await worker.ui('sendCosigned', { planId, digest })).txid
      }
      const first = await send(await pay(worker))
      const { [kind]: option } = await worker.ui('getBumpOptions', { txid: first })
      const feeRate = Math.ceil(option.leastFeeRate ?? 0) + 2
      const bump = await worker.ui('planBump', { txid: first, kind, feeRate })
      const second = readBroadcast(world, await send(bump))
      const spent = Array.from({ length: second.inputsLength }, (_, at) =>
        toHex(second.getInput(at).txid ?? new Uint8Array()),
      )
      expect(spent.includes(first)).toBe(kind === 'child')
      expect(bump.review.feeRate).toBeGreaterThanOrEqual(feeRate)
    },
  )

  it('is refused where a coin was spent meanwhile', async () => {
    const { world, worker, cosigners } = await startCosigned('p2tr', 60_000n)
    const one = await pay(worker)
    const two = await pay(worker, '30000')
    const open = async ({ planId, digest }: { planId: string; digest: string }) =>
      (await worker.ui('getCosigning', { planId, digest })).psbt
    const [first, second] = [await open(one), await open(two)]
    for (const signer of [0, 2])
      await worker.ui('addCosignature', {
        ...{ planId: two.planId, digest: two.digest },
        returned: cosigners.sign(signer, second),
      })
    await worker.ui('sendCosigned', { planId: two.planId, digest: two.digest })
    world.chain.mine()
    const late = { planId: one.planId, digest: one.digest, returned: cosigners.sign(0, first) }
    await expect(worker.ui('addCosignature', late).catch(problemOf)).resolves.toBe('PLAN_OUTDATED')
  })
})

describe('a payment of signers of whom this wallet is one', () => {
  it.each(COSIGNED_SCRIPTS)('is signed here and elsewhere: %s', async script => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const { descriptor, sign } = createCosigners(script, 2, 2)
    const own = await worker.ui('getCosignerKey', { script })
    // The second key is this wallet’s; the policy stays 2 of 2.
    const shared = descriptor.replace(/\[[^\]]+\][^,/]+(?=\/<0;1>\/\*\)+$)/, own)
    const account = await addCosigned(worker, { descriptor: shared })
    for (const sats of [30_000n, 40_000n]) fund(world, account.address, sats)
    const { address } = await worker.ui('getReceiveAddress', { after: null })
    fund(world, address, 50_000n)
    const { planId, digest, review } = await pay(worker, '100000')
    expect(review.inputs).toHaveLength(3)
    const begun = await worker.ui('getCosigning', { planId, digest })
    expect(begun.signers.map(({ isOwn }) => isOwn)).toEqual([false, true])
    const half = await worker.ui('signCosigning', { planId, digest })
    expect(half.signers.map(({ hasSigned }) => hasSigned)).toEqual([false, true])
    await expect(worker.ui('signCosigning', { planId, digest }).catch(problemOf)).resolves.toBe(
      'NOTHING_NEW',
    )
    const returned = sign(0, half.psbt)
    const whole = await worker.ui('addCosignature', { planId, digest, returned })
    const { txid } = await worker.ui('sendCosigned', { planId, digest })
    const oracle = Transaction.fromPSBT(fromHex(whole.psbt))
    oracle.finalize()
    expect(toHex(world.chain.get(txid) ?? new Uint8Array())).toBe(oracle.hex)
  })

  it('is not signed with a key that has this wallet’s fingerprint alone', async () => {
    const { world, worker } = await startCosigned('p2wsh')
    const [fingerprint] = /[0-9a-f]{8}/.exec(
      await worker.ui('getCosignerKey', { script: 'p2wsh' }),
    ) ?? ['']
    const { descriptor, fingerprints } = createCosigners('p2wsh', 1, 2)
    const account = await addCosigned(worker, {
      descriptor: descriptor.replace(fingerprints[0] ?? '', fingerprint),
    }).catch(problemOf)
    expect(account).toMatchObject({ spendType: 'p2wsh 1 of 2' })
    if (typeof account === 'object') fund(world, account.address, 50_000n)
    const { planId, digest } = await pay(worker)
    const { signers } = await worker.ui('getCosigning', { planId, digest })
    expect(signers.map(({ isOwn }) => isOwn)).toEqual([false, false])
    await expect(worker.ui('signCosigning', { planId, digest }).catch(problemOf)).resolves.toBe(
      'NOTHING_NEW',
    )
  })

  it('has the key that other wallets derive by BIP-48', async () => {
    const worker = await startUnlocked()
    // By the BIP-32 library, of the phrase of BIP-39’s vectors.
    const seed = mnemonicToSeedSync(ABANDON_MNEMONIC)
    const master = BIP32Factory(ecc).fromSeed(seed, networks.regtest)
    const xpub = master.derivePath("m/48'/1'/0'/2'").neutered().toBase58()
    const key = await worker.ui('getCosignerKey', { script: 'p2wsh' })
    expect(key).toBe(`[${toHex(master.fingerprint)}/48h/1h/0h/2h]${xpub}`)
  })
})

describe('an account of several signers', () => {
  it('is none of a key that could spend alone, of one key twice, of keys without addresses, and of another network', async () => {
    const worker = await startUnlocked()
    const { descriptor } = createCosigners('p2tr')
    const [, policy = ''] = /sortedmulti_a\((.*)\)\)$/.exec(descriptor) ?? []
    const [, first = '', second = ''] = policy.split(',')
    const add = (text: string) =>
      worker.ui('addDevice', { descriptor: text, name: '' }).then(() => null, problemOf)
    expect(await add(`tr(${first},sortedmulti_a(${policy}))`)).toBe(-32602)
    expect(await add(`wsh(sortedmulti(2,${first},${second},${first}))`)).toBe(-32602)
    expect(await add(`sh(sortedmulti(2,${first},${second}))`)).toBe(-32602)
    expect(await add(`wsh(sortedmulti(1,${first.replace('/<0;1>/*', '/0/0')},${second}))`)).toBe(
      -32602,
    )
    // One key in two spellings: one signer would count as two.
    const child = first.replace(/\](.*)\/<0;1>/, (_, key: string) => {
      const { fromBase58 } = BIP32Factory(ecc)
      return `/7]${fromBase58(key, networks.regtest).derive(7).toBase58()}/<0;1>`
    })
    const parent = first.replace('/<0;1>', '/7/<0;1>')
    expect(await add(`wsh(sortedmulti(2,${parent},${child},${second}))`)).toBe(-32602)
    await worker.ui('selectNetwork', { network: 'mainnet' })
    expect(await add(descriptor)).toBe(-32602)
    await worker.ui('selectNetwork', { network: 'regtest' })
    expect(await add(descriptor)).toBe(null)
    expect(await add(descriptor)).toBe('ACCOUNT_EXISTS')
  })

  it('takes a key that nobody has as an extended key too', async () => {
    const worker = await startUnlocked()
    const { descriptor } = createCosigners('p2tr')
    // The point of BIP-341, as other wallets write it with a chain code.
    const unspendable =
      'tpubD6NzVbkrYhZ4WLczPJWReQycCJdd6YVWXubbVUFnJ5KgU5MDQrD998ZJLSmaB7GVcCnJSDWprxmrGkJ6SvgQC6QAffVpqSvonXmeizXcrkN'
    const text = descriptor.replace(/^tr\([0-9a-f]{64}/, `tr(${unspendable}/<0;1>/*`)
    const account = await worker.ui('addDevice', { descriptor: text, name: '' })
    expect(account).toMatchObject({ source: 'multisig', spendType: 'p2tr 2 of 3' })
  })

  it('gives out fresh addresses, and is connected to no site', async () => {
    const { world, worker, cosigners, account } = await startCosigned('p2wsh', 60_000n)
    expect(account.address).toBe(cosigners.addressAt(0, 0))
    const { address } = await worker.ui('getReceiveAddress', { after: null })
    expect(address).toBe(cosigners.addressAt(0, 1))
    fund(world, address, 1_000n)
    const { balance } = await worker.ui('getOverview', { retry: false })
    expect(balance?.confirmed).toBe('61000')
    void openPage(worker, SITE).call('connect')
    expect(await decideNext(worker, 'reject', 'choose-account')).toMatchObject({ account: null })
  })

  it('says before that it cannot inscribe', async () => {
    const { worker } = await startCosigned('p2wsh', 60_000n)
    const planned = worker.ui('planInscribe', {
      ...{ items: [{ kind: 'text', text: 'gm' }], postage: 546, feeRate: 5 },
      ...{ parent: null, metadata: null, label: '' },
    })
    await expect(planned.catch(problemOf)).resolves.toBe('SEVERAL_SIGNERS')
  })

  it('comes back out of a backup file with all its addresses', async () => {
    const { worker, account } = await startCosigned('p2tr', 60_000n)
    const password = 'a battery of horses'
    const made = await worker.ui('createBackup', { walletPassword: PASSWORD, password })
    const file = made.accepted ? made.file : ''
    await worker.ui('removeAccount', { accountId: account.id })
    const { digest, sections } = await worker.ui('reviewBackup', { file, password })
    const parts = sections.map(({ part }) => part)
    await worker.ui('restoreBackup', { file, password, digest, parts })
    const { accounts } = await worker.ui('getState', null)
    const { id: _, ...restored } = accounts.find(({ source }) => source === 'multisig') ?? account
    expect(account).toMatchObject(restored)
    expect(restored.name).toBe('Family')
  })

  it('is forgotten with the payments that go round', async () => {
    const { world, worker, account } = await startCosigned('p2wsh', 60_000n)
    const { planId, digest } = await pay(worker)
    await worker.ui('getCosigning', { planId, digest })
    await worker.ui('removeAccount', { accountId: account.id })
    expect(JSON.stringify(await world.local.get('cosignedPlans'))).toBe('[]')
  })
})
