import { RECIPIENT } from '../../testing/funded-wallet.ts'
import type { Worker } from '../../testing/test-wallet.ts'
import { confirm, readChain, startJobs } from './job-world.ts'

export const TICK = 'ordi'

/** What is inscribed for the draft. */
export const TRANSFER = '{"p":"brc-20","op":"transfer","tick":"ordi","amt":"12.5"}'

/** Sats that arrive with the tokens. */
export const ARRIVES = 546n

type SendDraft = { tick: string; amount: string; to: string; feeRate: number; label: string }

export function sendDraft(changes: Partial<SendDraft> = {}): SendDraft {
  return { tick: TICK, amount: '12.5', to: RECIPIENT, feeRate: 5, label: '', ...changes }
}

/** A funded wallet that has 100 ordi by the word of the index. */
export async function startHolding(...coins: bigint[]) {
  const started = await startJobs(...coins)
  credit(started)
  return started
}

/** 100 ordi for the account in use, by the word of the index. */
export function credit({
  world,
  account,
}: Pick<Awaited<ReturnType<typeof startJobs>>, 'world' | 'account'>): void {
  world.brc20.deploy(TICK)
  world.brc20.credit(account.address, TICK, '100')
}

/** Works a transfer out and confirms it, as a person does who changes nothing. */
export async function sendTokens(worker: Worker, changes: Partial<SendDraft> = {}) {
  const plan = await worker.ui('planBrc20Send', sendDraft(changes))
  const { jobId } = await confirm(worker, plan)
  return { ...plan, jobId }
}

/** The addresses and sats that were paid from the outputs of reveals of the transfer. */
export function listDelivered({ world }: Pick<Awaited<ReturnType<typeof startJobs>>, 'world'>) {
  const { revealOf, spendersOf } = readChain(world)
  const reveal = revealOf(TRANSFER)
  return reveal === null ? [] : spendersOf(`${reveal}:0`)
}
