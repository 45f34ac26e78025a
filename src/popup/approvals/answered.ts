import type { ApprovalView } from '../../background/views/approval-views.ts'

/** A request can come back under its key with another review: after unlocking, with the real one. */
export function approvalId(view: ApprovalView): string {
  return `${view.key} ${view.digest}`
}

/**
 * What the person has answered here: a request may still be listed while its answer is being written. Once it is listed with
 * another question, what was answered of it before is over: a wallet can be locked, and unlocked for the same request, again.
 */
export function createAnswered() {
  /** By request, the question that was answered last. */
  const answers = new Map<string, string>()
  return {
    add(view: ApprovalView): void {
      answers.set(view.key, approvalId(view))
    },
    /** Whether what is listed now waits for an answer. */
    isOpen(view: ApprovalView): boolean {
      if (answers.get(view.key) === approvalId(view)) return false
      answers.delete(view.key)
      return true
    },
    clear: (): void => answers.clear(),
  }
}
