import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { mintTexts } from '../inscribing/testing/job-world.ts'
import {
  draft,
  inputsOf,
  outputsOf,
  RECIPIENT,
  REGTEST,
  readBroadcast,
} from '../testing/funded-wallet.ts'
import { fund, PASSWORD, startUnlocked, startWorker } from '../testing/test-wallet.ts'

import {
  addressAt,
  balance,
  nextReceiveAddress,
  pay,
  receiveAddress,
  startWithMany,
  wait,
} from './testing/many-addresses.ts'

describe('an account of many addresses', () => {
  it.each(['p2tr', 'p2wpkh'] as const)(
    'of %s is paid at a fresh address each time, in the order of BIP-44',
    async type => {
      const { world, worker, account } = await startWithMany(type)
      const seen: (string | undefined)[] = []
      for (let turn = 0; turn < 3; turn++) {
        const { address, index } = await receiveAddress(worker)
        expect(index).toBe(turn + 1)
        seen.push(address)
        fund(world, address, 10_000n)
        wait(world)
        expect(await balance(worker)).toEqual({
          confirmed: String(10_000 * (turn + 1)),
          unconfirmed: '0',
        })
      }
      expect(seen).toEqual([1, 2, 3].map(index => addressAt(type, 0, index)))
      expect(account.address).toBe(addressAt(type, 0, 0))
    },
  )

  it('pays from all of them, each input signed with its own key, and gets change where nothing was', async () => {
    const { world, worker } = await startWithMany()
    for (const index of [0, 1, 4]) fund(world, addressAt('p2wpkh', 0, index), 30_000n)
    fund(world, addressAt('p2wpkh', 1, 2), 30_000n)
    const { txid, review } = await pay(worker, '100000')
    const sent = readBroadcast(world, txid)
    expect(sent.inputsLength).toBe(4)
    expect(outputsOf(sent)).toEqual([
      { address: RECIPIENT, sats: 100_000n },
      { address: addressAt('p2wpkh', 1, 3), sats: 20_000n - BigInt(review.fee) },
    ])
    expect(review.outputs.map(({ own }) => own)).toEqual([false, true])
    expect(new Set(review.inputs.map(({ address }) => address))).toEqual(
      new Set([
        ...[0, 1, 4].map(index => addressAt('p2wpkh', 0, index)),
        addressAt('p2wpkh', 1, 2),
      ]),
    )
    const { activity } = await worker.ui('getOverview', null)
    expect(activity[0]).toMatchObject({
      txid,
      kind: 'sent',
      counterparty: RECIPIENT,
      net: String(-100_000n - BigInt(review.fee)),
    })
  })

  it('shows what came when it is asked, however lately it was looked at', async () => {
    const { world, worker } = await startWithMany()
    expect(await balance(worker)).toMatchObject({ confirmed: '0' })
    fund(world, addressAt('p2wpkh', 0, 1), 10_000n)
    expect(await balance(worker)).toMatchObject({ confirmed: '10000' })
  })

  it('never uses a change address twice, of payments that were worked out together either', async () => {
    const { world, worker } = await startWithMany()
    for (let at = 0; at < 6; at++) fund(world, addressAt('p2wpkh', 0, 1), 50_000n)
    const recipients = (sats: string) => [{ to: RECIPIENT, sats }]
    const [one, other] = await Promise.all([
      worker.ui('planPayment', draft({ recipients: recipients('20000') })),
      worker.ui('planPayment', draft({ recipients: recipients('21000') })),
    ])
    await worker.ui('confirmPayment', { planId: one.planId, digest: one.digest })
    await expect(
      worker.ui('confirmPayment', { planId: other.planId, digest: other.digest }),
    ).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
    const used = new Set([one.review.outputs.at(-1)?.address])
    for (let turn = 0; turn < 4; turn++) {
      wait(world)
      used.add((await pay(worker, '20000')).review.outputs.at(-1)?.address)
    }
    expect(used).toEqual(new Set([0, 1, 2, 3, 4].map(index => addressAt('p2wpkh', 1, index))))
  })

  it('leaves no gap for plans that nobody confirmed', async () => {
    const { world, worker } = await startWithMany()
    fund(world, addressAt('p2wpkh', 0, 1), 50_000n)
    for (let turn = 0; turn < 30; turn++) {
      const recipients = [{ to: RECIPIENT, sats: String(1_000 + turn) }]
      const { review } = await worker.ui('planPayment', draft({ recipients }))
      expect(review.outputs.at(-1)?.address).toBe(addressAt('p2wpkh', 1, 0))
    }
  })

  it('is sped up with its change where it was, and cancelled to itself', async () => {
    const { world, worker } = await startWithMany()
    fund(world, addressAt('p2wpkh', 0, 3), 90_000n)
    const { txid, review } = await pay(worker, '20000')
    wait(world)
    const faster = await worker.ui('planBump', { txid, kind: 'speed-up', feeRate: 20 })
    expect(faster.review.outputs.at(-1)?.address).toBe(review.outputs.at(-1)?.address)
    const { planId, digest } = faster
    const replaced = await worker.ui('confirmPayment', { planId, digest })
    wait(world)
    const options = { txid: replaced.txid, kind: 'cancel' as const, feeRate: 60 }
    const cancelled = await worker.ui('planBump', options)
    expect(cancelled.review.outputs.every(({ own }) => own)).toBe(true)
    const answer = await worker.ui('confirmPayment', {
      planId: cancelled.planId,
      digest: cancelled.digest,
    })
    expect(inputsOf(readBroadcast(world, answer.txid))).toHaveLength(1)
  })

  it('is found again over gaps of 19, and not over gaps of 20', async () => {
    const { world, worker, account } = await startWithMany()
    const used = [0, 1, 20, 39, 59]
    for (const index of used) fund(world, addressAt('p2wpkh', 0, index), 1_000n)
    for (const index of [3, 22]) fund(world, addressAt('p2wpkh', 1, index), 100n)
    expect(await balance(worker)).toEqual({ confirmed: '5200', unconfirmed: '0' })
    expect((await receiveAddress(worker)).index).toBe(60)
    await worker.ui('selectAccount', { accountId: account.id })
    fund(world, addressAt('p2wpkh', 0, 81), 50_000n)
    world.clock.now += 11 * 60_000
    expect(await balance(worker)).toEqual({ confirmed: '5200', unconfirmed: '0' })
    fund(world, addressAt('p2wpkh', 0, 80), 1n)
    await worker.ui('getOverview', { retry: true })
    expect(await balance(worker)).toEqual({ confirmed: '55201', unconfirmed: '0' })
  })

  it('gives out further addresses as long as wallets would find them', async () => {
    const { worker } = await startWithMany()
    const seen = new Set([(await receiveAddress(worker)).address])
    for (let turn = 0; turn < 30; turn++) seen.add((await nextReceiveAddress(worker)).address)
    expect(seen).toEqual(
      new Set(Array.from({ length: 19 }, (_, at) => addressAt('p2wpkh', 0, at + 1))),
    )
    expect(await receiveAddress(worker)).toMatchObject({ index: 19, hasNext: false })
  })

  it('gives out one further address, however often it is asked for the next of the same', async () => {
    const { worker } = await startWithMany()
    const { index } = await receiveAddress(worker)
    const asked = [1, 2, 3].map(() => worker.ui('getReceiveAddress', { after: index }))
    for (const answer of await Promise.all(asked))
      expect(answer).toMatchObject({ index: Number(index) + 1 })
    await expect(worker.ui('getReceiveAddress', { after: -1 })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('after'),
    })
  })

  it('has one activity over all addresses, each transaction once, newest first', async () => {
    const { world, worker } = await startWithMany()
    const txids: string[] = []
    for (const index of [2, 0, 5, 1]) {
      txids.push(fund(world, addressAt('p2wpkh', 0, index), 40_000n))
      world.chain.mine()
    }
    const { txid } = await pay(worker, '90000')
    world.chain.mine()
    wait(world)
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 20 })
    expect(entries.map(entry => entry.txid)).toEqual([txid, ...txids.toReversed()])
    expect(entries.map(({ kind }) => kind)).toEqual(['sent', ...Array(4).fill('received')])
    const details = await worker.ui('getActivityDetails', { txid })
    expect(details.inputs.every(({ own }) => own)).toBe(true)
    expect(details.outputs.map(({ own }) => own)).toEqual([false, true])
  })

  it('inscribes with coins of all of them, to the address that sites see', async () => {
    const { world, worker, account } = await startWithMany()
    fund(world, addressAt('p2wpkh', 0, 1), 1_600n)
    fund(world, addressAt('p2wpkh', 1, 3), 1_600n)
    const { jobId } = await mintTexts(worker, ['from two addresses'])
    const job = await worker.ui('getJob', { jobId })
    const [commit, reveal] = world.chain.broadcasts.map(txid => readBroadcast(world, txid))
    expect(commit?.inputsLength).toBe(2)
    expect(reveal && outputsOf(reveal)[0]).toEqual({ address: account.address, sats: 546n })
    expect(job).toMatchObject({ state: 'waiting' })
  })

  it('signs what another wallet with its descriptor made, on whichever address it is', async () => {
    const { world, worker } = await startWithMany()
    const places = [
      [0, 0],
      [0, 3],
      [1, 2],
    ] as const
    const psbt = new Transaction()
    for (const [branch, index] of places) {
      const address = addressAt('p2wpkh', branch, index)
      const txid = fund(world, address, 20_000n)
      const nonWitnessUtxo = world.chain.get(txid)
      psbt.addInput({ txid, index: 0, ...(nonWitnessUtxo && { nonWitnessUtxo }) })
    }
    psbt.addOutputAddress(RECIPIENT, 59_000n, REGTEST)
    await worker.ui('getOverview', null)
    const hex = Buffer.from(psbt.toPSBT(0)).toString('hex')
    const { id } = await worker.ui('loadPsbt', { psbt: hex })
    const { digest, toSign, review } = await worker.ui('reviewPsbt', { id })
    expect(toSign).toBe(3)
    expect(review.kind === 'sign-psbt' && review.items[0]?.inputs.every(one => one.own)).toBe(true)
    const signed = await worker.ui('signPsbt', { id, digest })
    const read = Transaction.fromPSBT(Buffer.from(signed.psbt, 'hex'))
    read.finalize()
    expect(read.fee).toBe(1_000n)
  })

  it('goes back to one address, and knows the others again when it is switched on', async () => {
    const { world, worker, account } = await startWithMany()
    fund(world, addressAt('p2wpkh', 0, 0), 1_000n)
    fund(world, addressAt('p2wpkh', 0, 1), 2_000n)
    expect(await balance(worker)).toMatchObject({ confirmed: '3000' })
    await worker.ui('setManyAddresses', { accountId: account.id, on: false })
    expect(await balance(worker)).toMatchObject({ confirmed: '1000' })
    expect(await receiveAddress(worker)).toMatchObject({ address: account.address, index: null })
    expect((await worker.ui('getActivity', { offset: 0, limit: 9 })).entries).toHaveLength(1)
    await worker.ui('setManyAddresses', { accountId: account.id, on: true })
    wait(world)
    expect(await balance(worker)).toMatchObject({ confirmed: '3000' })
    expect((await worker.ui('getActivity', { offset: 0, limit: 9 })).entries).toHaveLength(2)
  })

  it('finds what comes to an address that was emptied, also where the clock was set back', async () => {
    const { world, worker } = await startWithMany()
    fund(world, addressAt('p2wpkh', 0, 1), 50_000n)
    await pay(worker, 'max')
    world.chain.mine()
    wait(world)
    expect(await balance(worker)).toEqual({ confirmed: '0', unconfirmed: '0' })
    world.clock.now -= 24 * 3_600_000
    await worker.ui('unlock', { password: PASSWORD })
    fund(world, addressAt('p2wpkh', 0, 1), 70_000n)
    world.clock.now += 11 * 60_000
    expect(await balance(worker)).toEqual({ confirmed: '70000', unconfirmed: '0' })
  })

  it('believes no count in storage that it cannot have written', async () => {
    const { world, worker, account } = await startWithMany()
    for (const stored of [
      { used: [1e12, 0], shown: 1 },
      { used: [0], shown: -1 },
      'x',
      { used: 5 },
    ]) {
      await world.local.set({ [`addresses.regtest.${account.id}`]: stored })
      expect(await receiveAddress(worker)).toMatchObject({ index: 1 })
    }
  })

  it('keeps how far it is used over a stopped worker and a lock', async () => {
    const { world, worker } = await startWithMany()
    await nextReceiveAddress(worker)
    const before = await receiveAddress(worker)
    await worker.ui('lock', null)
    const later = startWorker(world)
    await later.ui('unlock', { password: PASSWORD })
    expect(await receiveAddress(later)).toEqual(before)
    expect(JSON.stringify(world.local.dump())).not.toContain('tpub')
    expect(JSON.stringify(world.local.dump())).not.toContain(before.address)
  })
})

describe('many addresses', () => {
  it('are not for a key, for an address that is watched, nor for one that the phrase has elsewhere', async () => {
    const worker = await startUnlocked()
    const wif = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA'
    const key = await worker.ui('importWif', { wif, addressType: 'p2wpkh', name: '' })
    const watched = await worker
      .ui('watchAddress', { address: RECIPIENT, name: '' })
      .catch(() => null)
    const [found] = await worker.ui('addScanned', {
      found: [{ addressType: 'p2tr', line: 'receive', index: 4 }],
    })
    for (const account of [key, watched, found])
      if (account)
        await expect(
          worker.ui('setManyAddresses', { accountId: account.id, on: true }),
        ).rejects.toMatchObject({ data: { reason: 'ONE_ADDRESS_ONLY' } })
  })

  it('are in no two accounts', async () => {
    const { worker } = await startWithMany('p2tr')
    const place = { addressType: 'p2tr', line: 'receive', index: 4 } as const
    expect(await worker.ui('addScanned', { found: [place] })).toEqual([])
    const { accounts } = await worker.ui('getState', null)
    const segwit = accounts.find(({ addressType }) => addressType === 'p2wpkh')
    await worker.ui('addScanned', { found: [{ ...place, addressType: 'p2wpkh' }] })
    await expect(
      worker.ui('setManyAddresses', { accountId: segwit?.id ?? '', on: true }),
    ).rejects.toMatchObject({ data: { reason: 'ACCOUNT_EXISTS' } })
  })
})
