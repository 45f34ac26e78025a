import { p2pkh, p2tr, p2wpkh } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressElsewhere, deriveElsewhere } from '../../bitcoin/testing/bip32-elsewhere.ts'
import { verifyIndependently } from '../../bitcoin/testing/signature-oracle.ts'
import { inputsOf, payFromPopup, REGTEST, readBroadcast } from '../testing/funded-wallet.ts'
import {
  ABANDON_MNEMONIC,
  createWorld,
  fund,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'
import type { GivenName } from '../views/account-views.ts'

/** Of BIP-39's vectors; the wallet begins with the first. */
const MNEMONICS = [
  ABANDON_MNEMONIC,
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  `${'zoo '.repeat(11)}wrong`,
]
const COIN_SATS = 50_000n
const TYPES = ['p2tr', 'p2wpkh'] as const

type Step =
  | { do: 'add' | 'remove' | 'restart'; which: number }
  | { do: 'rename'; which: number; name: string }
  | { do: 'account'; which: number; type: (typeof TYPES)[number] }

/** What there must be: by mnemonic, in the order in which they came, a name and how many accounts of each type. */
type Model = Map<string, { name: GivenName; p2tr: number; p2wpkh: number }>

const which = fc.nat(MNEMONICS.length - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('add' as const, 'remove' as const), which }),
  fc.record({ do: fc.constant('restart' as const), which }),
  fc.record({ do: fc.constant('rename' as const), which, name: fc.stringMatching(/^[a-z]{3,9}$/) }),
  fc.record({ do: fc.constant('account' as const), which, type: fc.constantFrom(...TYPES) }),
)

describe('wallets that are added, renamed and removed in any order', () => {
  it('leave exactly the accounts of those that are there, each of which signs with its own key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
        const world = createWorld()
        let worker = await startUnlocked(world)
        const model: Model = new Map([
          [ABANDON_MNEMONIC, { name: { unnamed: 'wallet', number: 1 }, p2tr: 1, p2wpkh: 1 }],
        ])
        for (const one of steps) worker = await take(one, world, worker, model)
        const keys = await expectAccounts(worker, model)
        for (const [accountId, { address, privateKey, type }] of keys) {
          await worker.ui('selectAccount', { accountId })
          const coin = fund(world, address, COIN_SATS)
          const { txid } = await payFromPopup(worker)
          const transaction = readBroadcast(world, txid)
          expect(inputsOf(transaction)).toEqual([`${coin}:0`])
          expect(isSignedBy(privateKey, type, transaction)).toBe(true)
        }
      }),
      { numRuns: 10 },
    )
  }, 120_000)
})

async function take(one: Step, world: World, worker: Worker, model: Model): Promise<Worker> {
  const mnemonic = MNEMONICS[one.which] ?? ''
  const there = model.get(mnemonic)
  const { phrases } = await worker.ui('getState', null)
  const phraseId = phrases[[...model.keys()].indexOf(mnemonic)]?.id ?? 'ff'.repeat(16)
  if (one.do === 'restart') {
    const next = startWorker(world)
    await next.ui('lock', null)
    await next.ui('unlock', { password: PASSWORD })
    return next
  }
  if (one.do === 'add') {
    const adding = worker.ui('addPhrase', { mnemonic, passphrase: '', name: '' })
    if (there) {
      await expect(adding).rejects.toMatchObject({
        data: { reason: 'PHRASE_EXISTS', name: there.name },
      })
    } else {
      const { phrase } = await adding
      expect([...model.values()].map(({ name }) => name)).not.toContainEqual(phrase.name)
      model.set(mnemonic, { name: phrase.name, p2tr: 1, p2wpkh: 1 })
    }
    return worker
  }
  if (one.do === 'rename') {
    const renaming = worker.ui('renamePhrase', { phraseId, name: one.name })
    if (there) {
      await renaming
      there.name = one.name
    } else await expect(renaming).rejects.toMatchObject({ code: -32602 })
    return worker
  }
  if (one.do === 'account') {
    const adding = worker.ui('addAccount', { addressType: one.type, name: '', phraseId })
    if (there) {
      await adding
      there[one.type]++
    } else await expect(adding).rejects.toMatchObject({ code: -32602 })
    return worker
  }
  const removing = worker.ui('removePhrase', { phraseId, password: PASSWORD })
  if (there && model.size === 1) {
    await expect(removing).rejects.toMatchObject({ data: { reason: 'LAST_ACCOUNT' } })
  } else {
    expect(await removing).toEqual({ accepted: true })
    model.delete(mnemonic)
  }
  return worker
}

/** Holds what the wallet tells against the model; gives each account's key by its id. */
async function expectAccounts(worker: Worker, model: Model) {
  const { phrases, accounts, accountId } = await worker.ui('getState', null)
  expect(phrases.map(({ name }) => name)).toEqual([...model.values()].map(({ name }) => name))
  const expected = [...model].flatMap(([mnemonic, counts], place) =>
    TYPES.flatMap(type =>
      Array.from({ length: counts[type] }, (_, index) => {
        const path = `${type === 'p2tr' ? 86 : 84}'/1'/${index}'/0/0`
        const privateKey = deriveElsewhere(mnemonic, '', path)
        const address = addressElsewhere(privateKey, type, REGTEST)
        return { phraseId: phrases[place]?.id, address, privateKey, type }
      }),
    ),
  )
  const seen = accounts.map(one => [one.source === 'seed' && one.phraseId, one.address])
  const wanted = expected.map(({ phraseId, address }) => [phraseId, address])
  expect(seen.sort()).toEqual(wanted.sort())
  expect(accounts.map(({ id }) => id)).toContain(accountId)
  return accounts.map(({ id, address }) => {
    const own = expected.find(one => one.address === address)
    if (!own) throw new Error('No such account')
    return [id, own] as const
  })
}

/** Whether the only input, a coin of {@link COIN_SATS}, is signed by this key, as independent libraries see it. */
function isSignedBy(
  privateKey: Uint8Array,
  type: (typeof TYPES)[number],
  transaction: ReturnType<typeof readBroadcast>,
): boolean {
  const publicKey = pubECDSA(privateKey)
  const output = type === 'p2tr' ? p2tr(publicKey.slice(1)) : p2wpkh(publicKey)
  const prevout = { amount: COIN_SATS, scriptPubKey: output.script }
  const signed =
    type === 'p2tr'
      ? ({ scheme: 'taproot', publicKey: output.script.slice(2) } as const)
      : ({ scheme: 'v0', publicKey, script: p2pkh(publicKey).script } as const)
  const [signature] = transaction.getInput(0).finalScriptWitness ?? []
  if (!signature) throw new Error('Not signed')
  return verifyIndependently(transaction, [prevout], 0, signed, type === 'p2tr' ? 0 : 1, signature)
}
