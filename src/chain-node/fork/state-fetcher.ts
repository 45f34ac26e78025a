import { decodeHex, formatQuantity, type Hex } from '../codec/hex.ts'
import type { Header } from '../engine/block.ts'
import { EMPTY_ROOT, equalBytes } from '../engine/state/state-reader.ts'
import type { RpcError } from '../rpc/rpc-error.ts'
import { readDataOf, readQuantityOf } from './answer-fields.ts'
import { type Missing, nameMissing } from './missing-state.ts'
import { readSlotValue, verifyAccount, verifyCode, verifySlots } from './proof.ts'
import { type Remote, type RemoteAnswer, type RemoteCall, RemoteError } from './remote.ts'
import { readHeader } from './remote-header.ts'
import type { FoundAccount, FoundSlot, RemoteValues } from './remote-values.ts'

/** Fetches what is missing of the state at the block of the fork, and keeps it. */
export interface StateFetcher {
  /** Throws `RemoteError` where it cannot be had, or is not what the block's state root proves. */
  fetchMissing(missing: readonly Missing[]): Promise<void>
}

/** Slots in one proof. */
const MOST_SLOTS = 64

/**
 * What is asked for at the same time is fetched together, and what is being fetched is not asked for again.
 *
 * @param block - of the fork, as the remote has it
 * @param onUnproven - told once that the remote node gives no proofs, and why: what it says is taken then
 */
export function createStateFetcher({
  remote,
  block,
  values,
  onUnproven,
}: {
  readonly remote: Remote
  readonly block: Header
  readonly values: Pick<RemoteValues, 'keep' | 'findBlockHash'>
  readonly onUnproven: (reason: string) => void
}): StateFetcher {
  const at = formatQuantity(block.number)
  const running = new Map<string, Promise<void>>()
  let queue: Waiting[] = []
  let proves = true

  function enqueue(missing: Missing): Promise<void> {
    const name = nameMissing(missing)
    const known = running.get(name)
    if (known !== undefined) return known
    const done = new Promise<void>((resolve, reject) => {
      if (queue.length === 0) setImmediate(flush)
      queue.push({ missing, resolve, reject })
    }).finally(() => running.delete(name))
    running.set(name, done)
    return done
  }

  function flush(): void {
    const waiting = queue
    queue = []
    const slots = new Map<Hex, Waiting[]>()
    for (const one of waiting) {
      const { missing } = one
      if (missing.kind === 'account') settle([one], fetchAccount(missing.address))
      else if (missing.kind === 'blockHash') settle([one], fetchBlockHash(missing.number))
      else slots.set(missing.address, [...(slots.get(missing.address) ?? []), one])
    }
    for (const [address, all] of slots) {
      for (let start = 0; start < all.length; start += MOST_SLOTS) {
        const part = all.slice(start, start + MOST_SLOTS)
        const names = part.flatMap(({ missing }) => (missing.kind === 'slot' ? missing.slot : []))
        settle(part, fetchSlots(address, names))
      }
    }
  }

  const ask = createGathering(remote)

  /** Whether an answer is no proof because the node gives none. */
  function isUnproven(answer: RemoteAnswer): answer is { readonly error: RpcError } {
    if (!('error' in answer)) return false
    if (BUSY.test(answer.error.message) || answer.error.code === LIMITED) throw answer.error
    if (proves) onUnproven(answer.error.message)
    proves = false
    return true
  }

  async function fetchAccount(address: Hex): Promise<void> {
    const codeCall = { method: 'eth_getCode', params: [address, at] }
    if (proves) {
      const proofCall = { method: 'eth_getProof', params: [address, [], at] }
      const [proof, codeAnswer] = (await ask([proofCall, codeCall])) as [RemoteAnswer, RemoteAnswer]
      if (!isUnproven(proof)) {
        const account = verifyAccount(block, address, need(proof))
        const code = readCode(codeAnswer)
        verifyCode(block, address, code, account.codeHash)
        const hasStorage = !equalBytes(account.storageRoot, EMPTY_ROOT)
        const { nonce, balance } = account
        return keepAccount({ address, nonce, balance, code, hasStorage })
      }
    }
    const answers = await ask([
      { method: 'eth_getBalance', params: [address, at] },
      { method: 'eth_getTransactionCount', params: [address, at] },
      codeCall,
    ])
    const [balanceAnswer, nonceAnswer, codeAnswer] = answers as [
      RemoteAnswer,
      RemoteAnswer,
      RemoteAnswer,
    ]
    const balance = readQuantityOf('eth_getBalance', need(balanceAnswer))
    const nonce = readQuantityOf('eth_getTransactionCount', need(nonceAnswer))
    const code = readCode(codeAnswer)
    // Who never had a nonce or code never wrote to its storage.
    const hasStorage = nonce > 0n || code.length > 0
    return keepAccount({ address, nonce, balance, code, hasStorage })
  }

  function keepAccount(account: FoundAccount): Promise<void> {
    return values.keep({ accounts: [account] })
  }

  async function fetchSlots(address: Hex, slots: readonly Hex[]): Promise<void> {
    const keep = (found: readonly Uint8Array[]) =>
      values.keep({
        slots: found.map((value, index): FoundSlot => {
          return { address, slot: slots[index] as Hex, value }
        }),
      })
    if (proves) {
      const [proof] = (await ask([{ method: 'eth_getProof', params: [address, slots, at] }])) as [
        RemoteAnswer,
      ]
      if (!isUnproven(proof)) return keep(verifySlots(block, address, slots, need(proof)))
    }
    const answers = await ask(
      slots.map(slot => ({ method: 'eth_getStorageAt', params: [address, slot, at] })),
    )
    await keep(answers.map(answer => readSlotValue('eth_getStorageAt', need(answer))))
  }

  /** Each header's hash is in the one after it, so that all between the wanted one and a known one are asked for. */
  async function fetchBlockHash(number: bigint): Promise<void> {
    let { number: known, hash } = findKnownAbove(number)
    const wanted: bigint[] = []
    for (let height = known; height > number; height--) wanted.push(height)
    const answers = await ask(
      wanted.map(height => ({
        method: 'eth_getBlockByNumber',
        params: [formatQuantity(height), false],
      })),
    )
    const hashes = [{ number: known, hash }]
    for (const answer of answers) {
      const header = readHeader(need(answer))
      if (header.hash !== hash) {
        throw new RemoteError(
          `the remote node's block ${known} is not the one that the block after it names: ${header.hash}, not ${hash}`,
        )
      }
      known -= 1n
      hash = header.parentHash
      hashes.push({ number: known, hash })
    }
    await values.keep({ hashes })
  }

  function findKnownAbove(number: bigint): { number: bigint; hash: Hex } {
    for (let height = number + 1n; height < block.number - 1n; height++) {
      const hash = values.findBlockHash(height)
      if (hash !== null) return { number: height, hash }
    }
    return { number: block.number - 1n, hash: block.parentHash }
  }

  return {
    async fetchMissing(missing) {
      await Promise.all(missing.map(enqueue))
    },
  }
}

interface Waiting {
  readonly missing: Missing
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

function settle(waiting: readonly Waiting[], work: Promise<void>): void {
  work.then(
    () => waiting.forEach(({ resolve }) => void resolve()),
    error => waiting.forEach(({ reject }) => void reject(error)),
  )
}

/** Asks in one batch what is asked for in one go. */
function createGathering(remote: Remote): Remote['ask'] {
  let calls: RemoteCall[] = []
  let answers: Promise<RemoteAnswer[]> | null = null
  return async more => {
    const start = calls.length
    calls.push(...more)
    answers ??= Promise.resolve().then(() => {
      const gathered = calls
      calls = []
      answers = null
      return remote.ask(gathered)
    })
    return (await answers).slice(start, start + more.length)
  }
}

/** What nodes say that answer only so much in a time; it is no sign that they give no proofs. */
const BUSY = /rate limit|too many requests|capacity/i
const LIMITED = -32005

function need(answer: RemoteAnswer): unknown {
  if ('error' in answer) throw answer.error
  return answer.result
}

function readCode(answer: RemoteAnswer): Uint8Array {
  return Uint8Array.from(decodeHex(readDataOf('eth_getCode', need(answer), null)))
}
