import type { Network } from '../../bitcoin/network.ts'
import { parseRuneName } from '../../ordinals/runes/rune-name.ts'
import { failure } from '../../provider/errors.ts'
import type { Sources } from '../settings/servers.ts'
import type { JobRecord } from './job-record.ts'
import { stateOf } from './job-state.ts'

/** Whose etching has a name already, by the index's word: its txid; null for nobody's. Throws BackendUnavailableError. */
export async function fetchNameOwner(
  wallet: Pick<Sources, 'assets'>,
  network: Network,
  name: string,
): Promise<string | null> {
  const source = await wallet.assets(network)
  return (await source.fetchRune(name))?.etching ?? null
}

/** Txid of an etching of a job's name that is not its own; null for none. Throws BackendUnavailableError. */
export async function fetchTakenBy(
  wallet: Pick<Sources, 'assets'>,
  { network, etching, transactions }: JobRecord,
): Promise<string | null> {
  if (etching === null) return null
  const owner = await fetchNameOwner(wallet, network, etching.shown.name)
  return transactions.some(({ txid }) => txid === owner) ? null : owner
}

/** NAME_TAKEN. */
export function nameTaken(name: string, by: string | null) {
  const text = `The name ${name} is taken. Nothing was signed.`
  return failure('NAME_TAKEN', text, { data: { name, ...(by !== null && { etching: by }) } })
}

/** The job of this wallet that is about to etch a name, whatever its spacers; undefined for none. */
export function findEtchingOf(
  jobs: readonly JobRecord[],
  network: Network,
  name: string,
): JobRecord | undefined {
  const rune = parseRuneName(name)?.rune
  return jobs.find(
    job =>
      job.network === network &&
      job.etching !== null &&
      parseRuneName(job.etching.shown.name)?.rune === rune &&
      !['done', 'refunding', 'refunded', 'ended'].includes(stateOf(job)),
  )
}
