import { typeOfScript } from '../../bitcoin/address.ts'
import { equalBytes } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { parsePushedData } from '../../bitcoin/script.ts'
import type { RuneFacts } from '../../chain/asset-source.ts'
import {
  BackendUnavailableError,
  type ChainSource,
  TransactionNotFoundError,
} from '../../chain/chain-source.ts'
import { asTold } from '../../chain/confirmation-limit.ts'
import { splitScriptPath } from '../../ordinals/inscriptions/envelope.ts'
import { formatRuneId } from '../../ordinals/rune-id.ts'
import { COMMIT_CONFIRMATIONS } from '../../ordinals/runes/etching.ts'
import { commitmentOf, parseRuneName, reservedRuneOf } from '../../ordinals/runes/rune-name.ts'
import { decipherRunestone, type Etching } from '../../ordinals/runes/runestone.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Sources } from '../settings/servers.ts'
import type { RuneProof } from '../views/asset-views.ts'
import {
  createTransactionLookup,
  type RawTransaction,
  TooFarError,
  type TransactionLookup,
  txidOfHash,
} from './transaction-lookup.ts'

/**
 * Holds what an index tells of a rune against its etching: the transaction's place in the chain is its id, it etches this name
 * with these terms, and an output that committed to the name was old enough. Whether an earlier etching had taken the name
 * only an index knows.
 */
export async function proveRune(
  wallet: Pick<Sources, 'chain'> & Clock,
  network: Network,
  facts: RuneFacts,
): Promise<RuneProof> {
  try {
    const chain = asTold(await wallet.chain(network))
    const height = await chain.fetchTransactionHeight(facts.etching)
    if (height === undefined) return 'server'
    if (height === null) return 'contradicted'
    const { position } = await chain.fetchMerkleProof(facts.etching)
    if (formatRuneId(BigInt(height), BigInt(position)) !== facts.id) return 'contradicted'
    const lookup = createTransactionLookup(chain, wallet.now)
    const transaction = await lookup.get(facts.etching)
    const etching = readEtching(transaction)
    if (etching === null || !isOf(etching, facts)) return 'contradicted'
    if (etching.rune === null || (await isCommitted(lookup, transaction, etching.rune, height)))
      return 'verified'
    return 'contradicted'
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return 'server'
    if (error instanceof BackendUnavailableError || error instanceof TooFarError) return 'server'
    throw error
  }
}

/** A cenotaph etches its name, without anything else. */
function readEtching({ outs }: RawTransaction): Etching | null {
  const runestone = decipherRunestone(outs.map(({ script }) => script))
  if (runestone.kind === 'runestone') return runestone.etching
  if (runestone.kind === 'none' || runestone.etching === null) return null
  return { ...NOTHING, rune: runestone.etching }
}

const NOTHING: Etching = {
  divisibility: null,
  premine: null,
  rune: null,
  spacers: null,
  symbol: null,
  terms: null,
  turbo: false,
}

function isOf(etching: Etching, facts: RuneFacts): boolean {
  const name = parseRuneName(facts.name)
  return (
    (etching.rune ?? reservedRuneOf(facts.id)) === name?.rune &&
    (etching.spacers ?? 0) === name.spacers &&
    (etching.divisibility ?? 0) === facts.divisibility &&
    etching.symbol === facts.symbol &&
    (etching.premine ?? 0n) === facts.premine &&
    etching.turbo === facts.turbo &&
    describeTerms(etching.terms) === describeTerms(facts.terms)
  )
}

function describeTerms(terms: Etching['terms']): string {
  if (terms === null) return ''
  const { amount, cap, height, offset } = terms
  return [amount, cap, height.start, height.end, offset.start, offset.end].join()
}

/** `tx_commits_to_rune` in ord. */
async function isCommitted(
  { chain, getSpent }: TransactionLookup,
  { ins }: RawTransaction,
  rune: bigint,
  height: number,
): Promise<boolean> {
  const commitment = commitmentOf(rune)
  for (const input of ins) {
    const { script } = splitScriptPath(input.witness)
    if (!parsePushedData(script).some(data => equalBytes(data, commitment))) continue
    if (typeOfScript((await getSpent(input)).script) !== 'p2tr') continue
    if (await isOldEnough(chain, txidOfHash(input.hash), height)) return true
  }
  return false
}

async function isOldEnough(chain: ChainSource, txid: string, height: number): Promise<boolean> {
  const committed = await chain.fetchTransactionHeight(txid)
  return typeof committed === 'number' && height - committed + 1 >= COMMIT_CONFIRMATIONS
}
