import type { Network } from '../../bitcoin/network.ts'
import { keyOfOutput, type OpenSignature } from '../../bitcoin/psbt/review.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { PsbtView } from '../views/psbt-views.ts'

type Entry = OpenSignature & { accountId: string }

const STORAGE_KEY = 'openSignatures'

/** Of one network; the oldest fall out. One entry is as long as the outputs of a transaction. */
const MAX_ENTRIES = 500
const MAX_LENGTH = 1_000_000

/**
 * Signatures that this wallet gave and that leave something to others, in local storage: they are good for as long as their
 * coins are unspent, and others can put the coins of several into one transaction.
 */
export function createOpenSignatures({ local }: { local: StorageArea }) {
  const inTurn = createMutex()

  return {
    async list(network: Network): Promise<readonly OpenSignature[]> {
      return (await load())[network] ?? []
    },

    /**
     * Takes note of what is about to be signed, if `allow` accepts all that was given before; resolves whether it did.
     * In one step: no other signature comes in between.
     */
    add(
      network: Network,
      accountId: string,
      given: readonly OpenSignature[],
      allow: (before: readonly OpenSignature[]) => boolean,
    ): Promise<boolean> {
      return inTurn(async () => {
        const all = await load()
        const fresh = given.map(signature => ({ ...signature, accountId }))
        const names = new Set(fresh.map(nameEntry))
        const before = (all[network] ?? []).filter(entry => !names.has(nameEntry(entry)))
        if (!allow(before)) return false
        const entries = keepNewest([...before, ...fresh])
        await local.set({ [STORAGE_KEY]: { ...all, [network]: entries } })
        return true
      })
    },

    /** Runs a task while none is written. */
    hold: inTurn,
    /** What storage holds once those of one account are another's. */
    async entriesJoined(from: string, to: string): Promise<{ [key: string]: unknown }> {
      const all = Object.entries(await load()).map(([network, entries]) => [
        network,
        entries.map(entry => (entry.accountId === from ? { ...entry, accountId: to } : entry)),
      ])
      return { [STORAGE_KEY]: Object.fromEntries(all) }
    },

    forgetAccount(accountId: string): Promise<void> {
      return inTurn(async () => {
        const all = Object.entries(await load()).map(([network, entries]) => [
          network,
          entries.filter(entry => entry.accountId !== accountId),
        ])
        await local.set({ [STORAGE_KEY]: Object.fromEntries(all) })
      })
    },
  }

  /** Only this module writes it; newest last. */
  async function load(): Promise<{ [network in Network]?: readonly Entry[] }> {
    return Object(await local.get(STORAGE_KEY))
  }
}

export type OpenSignatures = ReturnType<typeof createOpenSignatures>

/** The signatures of a PSBT as shown, given now or before, that leave something to others. */
export function listOpenSignatures({ inputs, outputs }: PsbtView): OpenSignature[] {
  const names = outputs.map(({ own, script, sats }) => (own ? keyOfOutput(script, sats) : null))
  const outpointsOf = (type: PsbtView['inputs'][number]['sighash']) =>
    inputs.flatMap(({ sighash, outpoint }) => (sighash === type ? outpoint : []))
  const together = outpointsOf('all-anyone')
  const asked = [...new Set(names.flatMap(name => name ?? []))]
  return [
    ...(together.length > 0 ? [{ outpoints: together, all: true, outputs: asked }] : []),
    ...inputs.flatMap(({ sighash, outpoint }, index) => {
      if (sighash === null || sighash === 'all' || sighash === 'all-anyone') return []
      const name = sighash.startsWith('single') ? names[index] : null
      return { outpoints: [outpoint], all: false, outputs: name ? [name] : [] }
    }),
  ]
}

function nameEntry(entry: Entry): string {
  return JSON.stringify([entry.accountId, entry.outpoints, entry.all, entry.outputs])
}

function keepNewest(entries: readonly Entry[]): Entry[] {
  let length = 0
  const newest = [...entries].slice(-MAX_ENTRIES).reverse()
  return newest
    .filter(entry => {
      length += nameEntry(entry).length
      return length <= MAX_LENGTH
    })
    .reverse()
}
