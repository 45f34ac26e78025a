import { useEffect, useLayoutEffect, useRef } from 'react'
import { connectPanel, findWindowId } from '../platform/panel.ts'
import { keepLive } from '../platform/rpc.ts'
import { useQuery } from '../state/use-query.ts'
import { ApprovalScreen } from './approval-queue.tsx'
import styles from './panel-approvals.module.css'
import { useApproval } from './use-approval.ts'

/** The panel's part in approvals: what sites of its browser window ask comes up over the wallet's screens, which stay as they are. */
export function PanelApprovals() {
  const { answer: windowId } = useQuery(findWindowId, '', [])
  return windowId === null ? null : <Questions windowId={windowId} />
}

function Questions({ windowId }: { windowId: number }) {
  const approval = useApproval(windowId)
  useEffect(() => connectPanel(windowId, () => {}), [windowId])
  const { kind } = approval.phase
  if (kind === 'none' || kind === 'loading') return null
  return (
    <Cover windowId={windowId}>
      <ApprovalScreen {...approval} />
    </Cover>
  )
}

/**
 * Covers the panel. A modal dialog, so that nothing below has keys or focus, not even a dialog that was open; the browser gives the
 * focus back afterwards. Escape answers nothing.
 */
function Cover({ windowId, children }: { windowId: number; children: React.ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  // As long as somebody is asked here, each new worker is to know it.
  useEffect(() => keepLive(windowId), [windowId])
  return (
    <dialog
      ref={dialog}
      className={styles.cover}
      onCancel={event => event.preventDefault()}
      // Chrome closes it all the same when Escape is pressed twice.
      onClose={() => dialog.current?.showModal()}
    >
      {children}
    </dialog>
  )
}
