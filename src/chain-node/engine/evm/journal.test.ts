import { Common, Mainnet } from '@ethereumjs/common'
import { EVM } from '@ethereumjs/evm'
import { Account, Address } from '@ethereumjs/util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keccak256 } from '../crypto.ts'
import { createState } from '../state/state.ts'
import { createStateManager } from '../state/state-manager.ts'
import { createStateReader, EMPTY_ROOT } from '../state/state-reader.ts'
import { createJournal } from './journal.ts'

// What is warm and what is taken away is told by EthereumJS's own journal, which goes another way about it.

const ADDRESSES = [1, 2, 3, 4, 5].map(byte => new Address(new Uint8Array(20).fill(byte, 19)))
const SLOTS = [1, 2, 3].map(byte => new Uint8Array(32).fill(byte, 31))

const place = fc.nat({ max: ADDRESSES.length - 1 })
const slot = fc.nat({ max: SLOTS.length - 1 })
const step = fc.oneof(
  fc.record({ do: fc.constant('warm' as const), place }),
  fc.record({ do: fc.constant('warm slot' as const), place, slot }),
  fc.record({ do: fc.constant('always warm' as const), place }),
  fc.record({ do: fc.constant('always warm slot' as const), place, slot }),
  fc.record({ do: fc.constant('put' as const), place, isEmpty: fc.boolean() }),
  fc.constant({ do: 'checkpoint' as const }),
  fc.constant({ do: 'commit' as const }),
  fc.constant({ do: 'revert' as const }),
)

function setUp() {
  const common = new Common({ chain: Mainnet, hardfork: 'berlin' })
  const reader = createStateReader({ get: () => undefined }, keccak256)
  const state = createState(reader, EMPTY_ROOT)
  return { common, state, stateManager: createStateManager(state) }
}

function createOurs() {
  const { common, state, stateManager } = setUp()
  return { journal: createJournal(state, stateManager, common, []), state }
}

function createTheirs() {
  const { common, state, stateManager } = setUp()
  const { journal } = new EVM({ common, stateManager, blockchain: {} as never })
  return { journal, state }
}

it('has the same addresses and slots warm, and takes the same empty accounts away, as EthereumJS’s', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
      const ours = createOurs()
      const theirs = createTheirs()
      let open = 0
      for (const one of steps) {
        const at = 'place' in one ? (ADDRESSES[one.place] as Address) : (ADDRESSES[0] as Address)
        const key = 'slot' in one ? (SLOTS[one.slot] as Uint8Array) : (SLOTS[0] as Uint8Array)
        const digits = at.toString().slice(2)
        switch (one.do) {
          case 'warm':
            ours.journal.addWarmedAddress(at.bytes)
            theirs.journal.addWarmedAddress(at.bytes)
            break
          case 'warm slot':
            ours.journal.addWarmedStorage(at.bytes, key)
            theirs.journal.addWarmedStorage(at.bytes, key)
            break
          case 'always warm':
            ours.journal.addAlwaysWarmAddress(at.bytes)
            theirs.journal.addAlwaysWarmAddress(digits)
            break
          case 'always warm slot':
            ours.journal.addAlwaysWarmSlot(at.bytes, key)
            theirs.journal.addAlwaysWarmSlot(digits, Buffer.from(key).toString('hex'))
            break
          case 'put': {
            const account = () => new Account(0n, one.isEmpty ? 0n : 1n)
            ours.journal.putAccount(at, account())
            await theirs.journal.putAccount(at, account())
            break
          }
          case 'checkpoint':
            open++
            ours.journal.checkpoint()
            await theirs.journal.checkpoint()
            break
          default:
            if (open === 0) break
            open--
            ours.journal[one.do]()
            await theirs.journal[one.do]()
        }
        for (const address of ADDRESSES) {
          expect(ours.journal.isWarmedAddress(address.bytes)).toBe(
            theirs.journal.isWarmedAddress(address.bytes),
          )
          for (const each of SLOTS) {
            expect(ours.journal.isWarmedStorage(address.bytes, each)).toBe(
              theirs.journal.isWarmedStorage(address.bytes, each),
            )
          }
        }
      }
      while (open-- > 0) {
        ours.journal.commit()
        await theirs.journal.commit()
      }
      ours.journal.cleanup()
      await theirs.journal.cleanup()
      for (const { bytes } of ADDRESSES) {
        expect(ours.state.readAccount(bytes)).toEqual(theirs.state.readAccount(bytes))
        expect(ours.journal.isWarmedAddress(bytes)).toBe(false)
      }
    }),
  )
})

it('keeps the precompiled contract of RIPEMD-160 touched when a message fails, as mainnet has it since block 2,675,119', () => {
  const { journal, state } = createOurs()
  const ripemd = new Address(new Uint8Array(20).fill(3, 19))
  const other = new Address(new Uint8Array(20).fill(9, 19))
  for (const address of [ripemd, other])
    state.writeAccount(address.bytes, 0n, 0n, new Account().codeHash)
  journal.checkpoint()
  journal.touch(ripemd.bytes)
  journal.touch(other.bytes)
  journal.revert()
  journal.cleanup()
  expect(state.readAccount(ripemd.bytes)).toBeNull()
  expect(state.readAccount(other.bytes)).not.toBeNull()
})

it('has precompiled contracts warm from the beginning, and reports none of them', () => {
  const { common, state, stateManager } = setUp()
  const [first, second] = ADDRESSES as [Address, Address]
  const journal = createJournal(state, stateManager, common, [first.bytes])
  const found = journal.startReporting()
  expect(journal.isWarmedAddress(first.bytes)).toBe(true)
  expect(journal.isWarmedStorage(first.bytes, SLOTS[0] as Uint8Array)).toBe(false)
  journal.checkpoint()
  journal.addWarmedStorage(second.bytes, SLOTS[0] as Uint8Array)
  journal.revert()
  expect(found).toEqual(
    new Map([
      [second.toString(), new Set([`0x${Buffer.from(SLOTS[0] as Uint8Array).toString('hex')}`])],
    ]),
  )
})
