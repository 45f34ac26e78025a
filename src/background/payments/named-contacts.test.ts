import { describe, expect, it } from 'vitest'
import { forgeAddress } from '../review/testing/forged-address.ts'
import { draft, RECIPIENT, SECOND_RECIPIENT, startFunded } from '../testing/funded-wallet.ts'

const NAME = 'alice@names.test'
const MINUTE = 60_000
const linkTo = (address: string) => `bitcoin:?bcrt=${address}`

/** Alice is in the address book by her name. */
async function start() {
  const { world, worker } = await startFunded(400_000n)
  world.names.set(NAME, [linkTo(RECIPIENT)])
  await worker.ui('saveContact', { id: null, name: 'Alice', address: NAME })
  const plan = async (to: string, changes = {}) =>
    worker.ui('planPayment', draft({ recipients: [{ to, sats: '20000' }], ...changes }))
  const pay = async (to: string) => {
    const { planId, digest } = await plan(to)
    return worker.ui('confirmPayment', { planId, digest })
  }
  const moveTo = (address: string) => {
    world.clock.now += 6 * MINUTE
    world.names.set(NAME, [linkTo(address)])
  }
  const movedIn = async (to: string) =>
    (await plan(to)).review.warnings.filter(({ kind }) => kind === 'name-moved')
  return { world, worker, plan, pay, moveTo, movedIn }
}

describe('a payment to a contact that has a name', () => {
  it('says the contact beside the name and what it leads to now', async () => {
    const { plan, moveTo } = await start()
    const [first] = (await plan(`₿${NAME}`)).review.recipients
    expect(first).toMatchObject({ name: 'Alice', paymentName: NAME, address: RECIPIENT })
    moveTo(SECOND_RECIPIENT)
    const [second] = (await plan(NAME)).review.recipients
    expect(second).toMatchObject({ name: 'Alice', address: SECOND_RECIPIENT })
  })

  it('says nothing of the contact where an address was given that the name leads or led to', async () => {
    const { plan, pay, moveTo } = await start()
    await pay(NAME)
    expect((await plan(RECIPIENT)).review.recipients[0]?.name).toBeNull()
    moveTo(SECOND_RECIPIENT)
    for (const address of [RECIPIENT, SECOND_RECIPIENT])
      expect((await plan(address)).review.recipients[0]?.name).toBeNull()
  })

  it('says that the name leads elsewhere than at the last payment, and where it led', async () => {
    const { movedIn, pay, moveTo } = await start()
    expect(await movedIn(NAME)).toEqual([])
    await pay(NAME)
    expect(await movedIn(NAME)).toEqual([])
    moveTo(SECOND_RECIPIENT)
    const moved = { kind: 'name-moved', paymentName: NAME, before: RECIPIENT }
    expect(await movedIn(NAME)).toEqual([moved])
    await pay(NAME)
    expect(await movedIn(NAME)).toEqual([])
  })

  it('says so after the payment was put away and the background has started anew', async () => {
    const { world, worker, movedIn, pay, moveTo } = await start()
    await pay(NAME)
    world.chain.mine(110)
    await worker.ui('getOverview', null)
    const settled = JSON.stringify(await world.local.get('activity.settled'))
    expect(settled).toContain(NAME)
    moveTo(SECOND_RECIPIENT)
    expect(await movedIn(NAME)).toMatchObject([{ before: RECIPIENT }])
  })

  it('is warned of where the name leads to an address that only looks like a known one', async () => {
    const { worker, plan, moveTo } = await start()
    await worker.ui('saveContact', { id: null, name: 'Bob', address: SECOND_RECIPIENT })
    const forged = forgeAddress(SECOND_RECIPIENT)
    moveTo(forged)
    const { recipients, warnings } = (await plan(NAME)).review
    expect(recipients[0]).toMatchObject({ name: 'Alice', address: forged })
    const alike = { kind: 'looks-like', to: forged, known: SECOND_RECIPIENT, name: 'Bob' }
    expect(warnings).toContainEqual(alike)
  })
})
