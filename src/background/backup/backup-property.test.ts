import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeAddress } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { createWorld, startUnlocked } from '../testing/test-wallet.ts'
import { createBackup, elsewhere, readViews, restore, startFresh } from './testing/full-wallet.ts'

const TYPES = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const

/** What any field for a name takes, whatever the script it is written in. */
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map(text => text.normalize('NFC').trim())
  .filter(text => text !== '' && !/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text))
const address = fc
  .tuple(fc.uint8Array({ minLength: 31, maxLength: 31 }), fc.constantFrom(...TYPES))
  .map(([tail, type]) => encodeAddress(publicKeyOf(Uint8Array.from([1, ...tail])), type, 'regtest'))
/** Of BIP-353. */
const paymentName = fc.stringMatching(/^[a-z0-9-]{1,9}@[a-z]{1,8}\.[a-z]{2,3}$/)
const txid = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex)

const wallet = fc.record({
  names: fc.array(name, { minLength: 2, maxLength: 2 }),
  watched: fc.uniqueArray(fc.tuple(name, address), { maxLength: 3, selector: ([, at]) => at }),
  contacts: fc.uniqueArray(fc.tuple(name, fc.oneof(address, paymentName)), {
    maxLength: 4,
    comparator: ([a, at], [b, bt]) => a.toLowerCase() === b.toLowerCase() || at === bt,
  }),
  labels: fc.uniqueArray(fc.tuple(txid, name), { maxLength: 4, selector: ([id]) => id }),
  added: fc.array(fc.constantFrom(...TYPES), { maxLength: 3 }),
  settings: fc.record({
    theme: fc.constantFrom('light' as const, 'dark' as const),
    currency: fc.constantFrom(null, 'EUR' as const, 'JPY' as const),
    autoLockMinutes: fc.integer({ min: 1, max: 1440 }),
  }),
})

describe('a backup that is restored into an empty wallet', () => {
  it('gives the same answers of all views, whatever was in the wallet', async () => {
    await fc.assert(
      fc.asyncProperty(wallet, async ({ names, watched, contacts, labels, added, settings }) => {
        const world = createWorld()
        const worker = await startUnlocked(world)
        const { ui } = worker
        const { accounts } = await ui('getState', null)
        for (const [at, { id }] of accounts.entries())
          await ui('renameAccount', { accountId: id, name: names[at] ?? 'None' })
        for (const addressType of added) await ui('addAccount', { addressType, name: '' })
        for (const [called, at] of watched) await ui('watchAddress', { address: at, name: called })
        for (const [called, at] of contacts)
          await ui('saveContact', { id: null, name: called, address: at })
        for (const [id, label] of labels) await ui('setLabel', { txid: id, label })
        await ui('changeSettings', settings)
        const there = await startFresh(elsewhere(world))
        const review = await restore(there, await createBackup(worker))
        expect(review.sections.map(({ leftOut }) => leftOut)).toEqual(review.sections.map(() => 0))
        expect(await readViews(there)).toEqual(await readViews(worker))
        expect(await there.wallet.activity.loadLabels('regtest')).toEqual(
          await worker.wallet.activity.loadLabels('regtest'),
        )
      }),
      { numRuns: 25 },
    )
  })
})
