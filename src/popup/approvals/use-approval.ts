import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApprovalView } from '../../background/views/approval-views.ts'
import type { WireError } from '../../provider/errors.ts'
import { STATE_PAUSE_MS } from '../platform/gather-news.ts'
import { call, closeWindow, RpcError, subscribe } from '../platform/rpc.ts'
import { explainError } from '../state/explain-error.ts'
import { useLatest } from '../state/latest.ts'
import { spellVisible } from '../ui/text/visible-parts.ts'
import { createAnswered } from './answered.ts'

/** `block` rejects whatever this site asks, now and later. */
export type Decision = 'approve' | 'reject' | 'block'

/** An answer after which more may come: the wallet is open, or something was filled in and its review is being made. */
type Step = 'unlock' | 'fill-in'

const STEPS: readonly (Decision | Step)[] = ['unlock', 'fill-in'] satisfies Step[]

/** What the approval window shows: a request, or why there is none. */
export type ApprovalPhase =
  | { kind: 'loading' }
  /** Of the panel alone: no site asks. */
  | { kind: 'none' }
  | { kind: 'open'; view: ApprovalView }
  | { kind: 'decided'; decision: Decision | Step }
  /** The page went away or took its request back, or there never was one; `problem` says why nothing came to be asked. */
  | { kind: 'gone'; problem: string | null }
  | { kind: 'failed'; problem: string }

/** The background closes the window; these are for when it was stopped in that moment. */
const STAY_MS = { decided: 4000, step: 8000, gone: 4000 }

/** In the panel they are all that ends the last words. */
const PANEL_STAY_MS = { decided: 900, step: 5000, gone: 2000 }

/**
 * The front of the queue, kept up to date; closes the window when the queue has run dry. `panel` is the browser window whose panel
 * asks instead, which stays.
 */
export function useApproval(panel: number | null) {
  const [phase, setPhase] = useState<ApprovalPhase>({ kind: 'loading' })
  const [answered] = useState(createAnswered)
  /** The answer to what was shown last; null while something is shown. */
  const answer = useRef<Decision | Step | null>(null)
  /** While an answer is on its way, what is shown stays. */
  const answering = useRef(false)
  /** The request that was being worked out when it was shown last; null for another, undefined where nothing has been shown. */
  const prepared = useRef<string | null | undefined>(undefined)
  const latest = useLatest()

  const refresh = useCallback(async () => {
    const isLatest = latest.begin()
    try {
      const view = await call('getApproval', panel === null ? null : { panel })
      if (!isLatest() || answering.current) return
      const open = view !== null && answered.isOpen(view) ? view : null
      if (open) {
        answer.current = null
        prepared.current = open.review.kind === 'preparing' ? open.key : null
        setPhase(before => (isSame(before, open) ? before : { kind: 'open', view: open }))
      } else if (answer.current) setPhase(sameOr({ kind: 'decided', decision: answer.current }))
      else {
        const gone = { kind: 'gone', problem: await findProblem(prepared.current, panel) } as const
        if (isLatest() && !answering.current)
          setPhase(before => (panel === null || isShowing(before) ? sameOr(gone)(before) : NONE))
      }
    } catch (error) {
      if (!isLatest() || answering.current) return
      const failed: ApprovalPhase = { kind: 'failed', problem: explainError(error) }
      setPhase(before => (panel === null || isShowing(before) ? failed : before))
    }
  }, [answered, latest, panel])

  useEffect(() => {
    void refresh()
    return subscribe(() => void refresh(), STATE_PAUSE_MS)
  }, [refresh])

  useEffect(() => {
    if (phase.kind !== 'decided' && phase.kind !== 'gone') return
    const isStep = phase.kind === 'decided' && STEPS.includes(phase.decision)
    const stayMs = panel === null ? STAY_MS : PANEL_STAY_MS
    const timer = setTimeout(
      async () => {
        // By now an answered request is off the list: what is listed still waits, even under the same key.
        answered.clear()
        if (panel !== null) {
          answer.current = null
          prepared.current = null
          setPhase(NONE)
          await refresh()
        } else if (await call('closeApprovals', null).catch(() => true)) await closeWindow()
        else await refresh()
      },
      stayMs[isStep || (phase.kind === 'gone' && phase.problem) ? 'step' : phase.kind],
    )
    return () => clearTimeout(timer)
  }, [answered, phase, refresh, panel])

  /** Sends the decision about what is shown; rejects when the background does not take it. */
  const decide = (view: ApprovalView, decision: Decision, input?: string) =>
    answerWith(async () => {
      const { key, digest, origin } = view
      if (decision === 'block') await call('blockSite', { origin })
      else {
        const counts = await call('decide', {
          key,
          decision,
          digest,
          ...(input === undefined ? {} : { input }),
        })
        // It has ended in that moment: what is shown next says so.
        if (!counts) return
      }
      close(view, decision === 'approve' && isFilledIn(view) ? 'fill-in' : decision)
    })
  /** Runs a try to unlock; once the wallet is open, what waited goes on, and may come back with a review of its own. */
  const unlock = <T extends { unlocked: boolean }>(view: ApprovalView, attempt: () => Promise<T>) =>
    answerWith(async () => {
      const result = await attempt()
      if (result.unlocked) close(view, 'unlock')
      return result
    })
  const close = (view: ApprovalView, how: Decision | Step) => {
    answered.add(view)
    answer.current = how
  }
  const answerWith = async <T>(task: () => Promise<T>) => {
    answering.current = true
    try {
      return await task()
    } finally {
      answering.current = false
      await refresh()
    }
  }
  return { phase, refresh, decide, unlock }
}

const NONE: ApprovalPhase = { kind: 'none' }

/** Whether what is approved is filled in first, and its review follows; other answers may carry something too. */
function isFilledIn({ review }: ApprovalView): boolean {
  return review.kind === 'brc20-amount'
}

/**
 * Why a request that was being worked out has asked nothing, in words; null for one that was taken back. The window may open too
 * late to show that one at all.
 */
async function findProblem(
  key: string | null | undefined,
  panel: number | null,
): Promise<string | null> {
  if (key === null || (key === undefined && panel !== null)) return null
  const error = await call('getEndedRequest', { key: key ?? null })
  return error === null || error.code === 4001 ? null : explainEnd(error)
}

/** An error that keeps its own words has words of the site in them, of which nothing is to be unseen. */
export function explainEnd(error: WireError): string {
  return explainError(new RpcError({ ...error, message: spellVisible(error.message) }))
}

/** The last words stay no longer because something else is stored meanwhile. */
function sameOr(next: ApprovalPhase) {
  return (before: ApprovalPhase) =>
    JSON.stringify(before) === JSON.stringify(next) ? before : next
}

/** Whether the person has been asked, and has not answered. */
function isShowing({ kind }: ApprovalPhase): boolean {
  return kind === 'open' || kind === 'gone' || kind === 'failed'
}

/** Only the place in the queue may differ without this being another screen. */
function isSame(phase: ApprovalPhase, view: ApprovalView): boolean {
  return phase.kind === 'open' && JSON.stringify(phase.view) === JSON.stringify(view)
}
