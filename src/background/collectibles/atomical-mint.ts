import { typeOfScript } from '../../bitcoin/address.ts'
import type { Network } from '../../bitcoin/network.ts'
import { isLeafOf } from '../../bitcoin/signing/taproot-leaf.ts'
import { BackendUnavailableError, TransactionNotFoundError } from '../../chain/chain-source.ts'
import { type AtomicalId, parseAtomicalId } from '../../ordinals/atomical-id.ts'
import {
  type AtomicalOperation,
  parseAtomicalOperation,
} from '../../ordinals/atomicals/atomical-envelope.ts'
import { type AtomicalFile, parseAtomicalFile } from '../../ordinals/atomicals/atomical-file.ts'
import { describeContent, MAX_CONTENT, placeholder } from '../../ordinals/content/content-view.ts'
import { splitScriptPath } from '../../ordinals/inscriptions/envelope.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Sources } from '../settings/servers.ts'
import type { ContentView } from '../views/asset-views.ts'
import {
  createTransactionLookup,
  type RawTransaction,
  TooFarError,
  type TransactionLookup,
  txidOfHash,
} from './transaction-lookup.ts'

/** The parts of the wallet that read the mint of an Atomical. */
export type MintParts = Pick<Sources, 'chain' | 'atomicals'> & Clock

/** Whether a transaction mints this NFT, by what it carries itself; null where the chain server does not hand it out. */
export async function isMintedBy(
  wallet: MintParts,
  network: Network,
  id: AtomicalId,
  txid: string,
): Promise<boolean | null> {
  try {
    return (await fetchMint(await openLookup(wallet, network), id, txid)) !== null
  } catch (error) {
    if (isNoAnswer(error)) return null
    throw error
  }
}

/** What stands for an NFT among the files of its mint, out of the transaction itself; a placeholder if need be. */
export async function fetchAtomicalContent(
  wallet: MintParts,
  network: Network,
  id: AtomicalId,
  { preview }: { preview: boolean },
): Promise<ContentView> {
  try {
    const source = await wallet.atomicals(network)
    const facts = (await source?.fetchFacts([id]))?.get(id)
    if (!facts) return placeholder('unanswered')
    const mint = await fetchMint(await openLookup(wallet, network), id, facts.reveal.txid)
    if (!mint) return placeholder('damaged')
    const file = parseAtomicalFile(mint.payload)
    if (!file || file.bytes.length === 0) return placeholder('empty')
    if (file.bytes.length > MAX_CONTENT) return placeholder('too-large')
    return describeContent(file, preview)
  } catch (error) {
    if (isNoAnswer(error)) return placeholder('unanswered')
    throw error
  }
}

/** What stands for an NFT among the files of its mint; null for none. Throws BackendUnavailableError, TooFarError. */
export async function fetchMintFile(
  wallet: MintParts,
  network: Network,
  id: AtomicalId,
  txid: string,
): Promise<AtomicalFile | null> {
  const mint = await fetchMint(await openLookup(wallet, network), id, txid)
  return mint && parseAtomicalFile(mint.payload)
}

async function openLookup(wallet: MintParts, network: Network): Promise<TransactionLookup> {
  return createTransactionLookup(await wallet.chain(network), wallet.now)
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof BackendUnavailableError || error instanceof TooFarError
}

/** Null when the transaction does not exist, or its first input neither spends what the id names nor carries the mint. */
async function fetchMint(
  lookup: TransactionLookup,
  id: AtomicalId,
  txid: string,
): Promise<AtomicalOperation | null> {
  const transaction = await getIfKnown(lookup, txid)
  const commit = parseAtomicalId(id)
  const first = transaction?.ins[0]
  if (!first || txidOfHash(first.hash) !== commit?.txid || first.index !== commit.vout) return null
  const operation = parseAtomicalOperation([first.witness])
  if (operation?.operation !== 'nft') return null
  // A txid does not cover witnesses; the taproot output that is spent does.
  const { script: scriptPubKey } = await lookup.getSpent(first)
  if (typeOfScript(scriptPubKey) !== 'p2tr') return null
  const { script, controlBlock } = splitScriptPath(first.witness)
  const leafVersion = (controlBlock[0] ?? 0) & 0xfe
  return isLeafOf(scriptPubKey, { script, controlBlock, leafVersion }) ? operation : null
}

async function getIfKnown(lookup: TransactionLookup, txid: string): Promise<RawTransaction | null> {
  try {
    return await lookup.get(txid)
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return null
    throw error
  }
}
