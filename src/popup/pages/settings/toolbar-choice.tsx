import { useState } from 'react'
import type { Settings } from '../../../background/views/settings-views.ts'
import { findWindowId, hasPanels, openPanel } from '../../platform/panel.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Segments } from '../../ui/fields/segments.tsx'
import { Notice } from '../../ui/notice.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'

/** What the toolbar button opens. The panel is chosen once it has come up. */
export function ToolbarChoice({ state, onChanged }: PageProps) {
  const { answer: windowId } = useQuery(findWindowId, '', [])
  const [isMissing, setMissing] = useState(false)
  const { failure, run } = useTask()
  const isPossible = hasPanels()
  const choose = (opens: Settings['toolbarOpens']) => {
    if (windowId === null) return
    setMissing(false)
    // At once, in the press. Whether it came up is for the background to find: the toolbar popup may be gone by then.
    if (opens === 'panel') void openPanel(windowId).catch(() => {})
    void run(async () => {
      setMissing(!(await call('setToolbar', { opens, windowId })))
      await onChanged()
    })
  }
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('displayToolbar')}</h2>
      <Segments<Settings['toolbarOpens']>
        label={words('displayToolbar')}
        value={isPossible ? state.settings.toolbarOpens : 'popup'}
        disabled={!isPossible}
        options={[
          { value: 'popup', name: words('displayToolbarPopup') },
          { value: 'panel', name: words('displayToolbarPanel') },
        ]}
        onChoose={choose}
      />
      <p className={textStyles.note}>
        {words(isPossible ? 'displayToolbarNote' : 'displayToolbarNone')}
      </p>
      {isMissing ? (
        <Notice tone="caution" live>
          {words('displayToolbarMissing')}
        </Notice>
      ) : null}
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </section>
  )
}
