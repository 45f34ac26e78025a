import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import {
  COSIGNED_SCRIPTS,
  type CosignedScript,
  startCosigned,
} from '../payments/testing/cosigners.ts'
import { digestOf } from '../primitives/digest.ts'
import { draft, RECIPIENT, SECOND_RECIPIENT } from '../testing/funded-wallet.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import type { Worker } from '../testing/test-wallet.ts'
import { checkCosigned } from './backup-cosigned.ts'
import {
  BACKUP_PASSWORD,
  createBackup,
  elsewhere,
  restore,
  startFresh,
} from './testing/full-wallet.ts'

type Told = ReturnType<typeof JSON.parse>

const pay = (worker: Worker, sats: string) =>
  worker.ui('planPayment', {
    ...draft({ recipients: [{ to: RECIPIENT, sats }], feeRate: 5 }),
    label: 'Rent',
  })

/** A payment that one of two signers has signed, and one that nobody has. */
async function startWaiting(script: CosignedScript) {
  const started = await startCosigned(script, 100_000n, 90_000n)
  const { worker, cosigners, account } = started
  const { planId, digest } = await pay(worker, '30000')
  const { psbt } = await worker.ui('getCosigning', { planId, digest })
  await worker.ui('addCosignature', { planId, digest, returned: cosigners.sign(2, psbt) })
  const unsigned = await pay(worker, '10000')
  await worker.ui('getCosigning', { planId: unsigned.planId, digest: unsigned.digest })
  const stored = (await worker.wallet.plans.listCosigned()).find(({ id }) => id === planId)
  const owner = { ...account, network: 'regtest' as const }
  return { ...started, planId, told: JSON.parse(JSON.stringify(stored)) as Told, owner }
}

describe.each(COSIGNED_SCRIPTS)('a payment that waits for signatures, in a backup: %s', script => {
  it('is restored with them on another computer, and ends there', async () => {
    const { world, worker, cosigners, planId } = await startWaiting(script)
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const { sections } = await restore(there, file)
    const jobs = sections.find(({ part }) => part === 'jobs')
    expect(jobs).toMatchObject({ addedCount: 1, leftOut: 0, suggested: true })
    expect(jobs?.added).toMatchObject([{ kind: 'cosigning', name: 'Rent', detail: 'Family' }])
    await there.ui('selectNetwork', { network: 'regtest' })
    const { accounts } = await there.ui('getState', null)
    const shared = accounts.find(({ source }) => source === 'multisig')
    await there.ui('selectAccount', { accountId: shared?.id ?? '' })
    const [entry] = await there.ui('listCosignings', null)
    expect(entry).toMatchObject({ planId, signed: 1, required: 2, sats: '30000', label: 'Rent' })
    const digest = entry?.digest ?? ''
    // Its coins and its change address are kept from others.
    const other = await pay(there, '20000')
    const before = await there.ui('getCosigning', { planId, digest })
    expect(other.review.inputs).not.toEqual(before.review.inputs)
    expect(other.review.outputs[1]?.address).toBe(cosigners.addressAt(1, 1))
    const returned = cosigners.sign(0, before.psbt)
    const whole = await there.ui('addCosignature', { planId, digest, returned })
    const { txid } = await there.ui('sendCosigned', { planId, digest })
    const oracle = Transaction.fromPSBT(fromHex(whole.psbt))
    oracle.finalize()
    expect(toHex(world.chain.get(txid) ?? new Uint8Array())).toBe(oracle.hex)
    // The same file again adds nothing that is there, and brings back nothing that was sent.
    const again = await there.ui('reviewBackup', { file, password: BACKUP_PASSWORD })
    expect(again.isOwn).toBe(true)
  })

  it('is left out where it is not what it says, whoever has altered it', async () => {
    const { told, owner } = await startWaiting(script)
    const check = (one: Told) => checkCosigned({ account: 0, job: one }, owner)
    expect(check(told)).toMatchObject({ id: told.id, cosigned: { isSigned: true } })
    const alterations: { [what: string]: (one: Told) => void } = {
      'of another network': one => (one.network = 'signet'),
      'with another id': one => (one.id = 'x.0'),
      'with a note that no field takes': one => (one.label = 'a\nb'),
      'that pays somebody else': one => {
        const { outputs } = one.plan.payment
        outputs[0].script = `0014${'00'.repeat(20)}`
      },
      'that pays more': one => (one.plan.payment.outputs[0].sats = '30001'),
      'that shows another receiver': one => {
        one.plan.review.recipients[0].address = SECOND_RECIPIENT
        one.plan.review.outputs[0].address = SECOND_RECIPIENT
      },
      'that shows less': one => {
        one.plan.review.recipients[0].sats = '3000'
        one.plan.review.sats = '3000'
      },
      'that shows nobody': one => {
        one.plan.review.recipients = []
        one.plan.review.sats = '0'
      },
      'that calls the receiver its own': one => (one.plan.review.outputs[0].own = true),
      'that shows another fee': one => (one.plan.review.fee = '1'),
      'that shows other coins': one => (one.plan.review.inputs = []),
      'that reserves other coins': one => (one.plan.spends = [`${'ab'.repeat(32)}:0`]),
      'whose coins are said to be worth more': one => {
        one.plan.payment.inputs[0].sats = '9000000'
        one.plan.review.inputs[0].sats = '9000000'
      },
      'of coins at another place': one => (one.cosigned.places[0].index = 3),
      'without a signature': one => (one.cosigned.psbt = stripSignatures(one.cosigned.psbt)),
      'without a PSBT': one => (one.cosigned.psbt = ''),
      'that is nothing': one => (one.plan = null),
    }
    for (const [what, alter] of Object.entries(alterations)) {
      const one = structuredClone(told)
      alter(one)
      const { id, network, accountId, label, plan } = one
      one.digest = digestOf({ id, network, accountId, label, plan, txid: null })
      expect(check(one), what).toBeNull()
    }
    expect(checkCosigned({ account: 0, job: told }, { ...owner, network: 'signet' })).toBeNull()
    const { cosigners: others } = await startCosigned(script === 'p2tr' ? 'p2wsh' : 'p2tr')
    const { descriptor } = others
    expect(checkCosigned({ account: 0, job: told }, { ...owner, descriptor })).toBeNull()
  })

  it('is left out, or what it was, with a digit altered anywhere', async () => {
    const { told, owner } = await startWaiting(script)
    const whole = checkCosigned({ account: 0, job: told }, owner)
    const text = JSON.stringify(told)
    const random = createSeededRandom(22)
    for (let i = 0; i < 100; i++) {
      const at = random.below(text.length)
      const put = random.pick([...'0123456789abcdef"{}[],'])
      const damaged = text.slice(0, at) + put + text.slice(at + 1)
      const checked = readAndCheck(damaged)
      if (checked !== null) expect(checked, `${put} at ${at}`).toEqual(whole)
    }

    function readAndCheck(damaged: string) {
      try {
        return checkCosigned({ account: 0, job: JSON.parse(damaged) }, owner)
      } catch (error) {
        if (error instanceof SyntaxError) return null
        throw error
      }
    }
  })
})

function stripSignatures(psbt: string): string {
  const transaction = Transaction.fromPSBT(fromHex(psbt))
  for (let at = 0; at < transaction.inputsLength; at++)
    transaction.updateInput(at, { partialSig: undefined, tapScriptSig: undefined } as never, true)
  return toHex(transaction.toPSBT(0))
}

describe('a backup of an earlier version', () => {
  it('has no payments that wait for signatures, and is read', async () => {
    const { parseContents } = await import('./backup-contents.ts')
    const empty = {
      contacts: [],
      sites: [],
      blockedSites: [],
      lockedCoins: [],
      jobs: [],
      mints: [],
    }
    const settings = {
      ...{ network: 'mainnet', language: 'auto', theme: 'system', currency: null },
      autoLockMinutes: 15,
    }
    expect(parseContents({ ...empty, labels: {}, servers: [], settings }).cosigned).toEqual([])
  })
})
