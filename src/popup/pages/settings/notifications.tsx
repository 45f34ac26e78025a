import { useEffect, useState } from 'react'
import type {
  NotificationChoices,
  NotificationsView,
} from '../../../background/views/settings-views.ts'
import { goBack } from '../../platform/route.ts'
import { call, openInTab, requestPermission, subscribeToPermissions } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { nameHost } from '../../ui/text/names.ts'
import { FeeAlert } from './fee-alert.tsx'
import styles from './settings.module.css'

type Kind = Exclude<keyof NotificationChoices, 'on' | 'amounts'>

const KINDS: { [kind in Kind]: { name: WordKey; note: WordKey } } = {
  received: { name: 'notificationsReceived', note: 'notificationsReceivedNote' },
  confirmed: { name: 'notificationsConfirmed', note: 'notificationsConfirmedNote' },
  replaced: { name: 'notificationsReplaced', note: 'notificationsReplacedNote' },
  jobs: { name: 'notificationsJobs', note: 'notificationsJobsNote' },
}

/** Whether the browser shows notifications of the wallet, and of what. */
export function Notifications({ state, onChanged }: PageProps) {
  const { answer, problem, retry } = useQuery(() => call('getNotifications', null), '', [
    'notifications',
  ])
  useEffect(() => subscribeToPermissions(retry), [retry])
  const [chosen, setChosen] = useState<Partial<NotificationChoices>>({})
  const [asking, setAsking] = useState(false)
  const { failure, run } = useTask()
  // What is stored by now counts for more than what was pressed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is a reason
  useEffect(() => setChosen({}), [answer])
  const set = async (patch: Partial<NotificationChoices>) => {
    setChosen(before => ({ ...before, ...patch }))
    const done = await run(async () => void (await call('setNotifications', patch)))
    if (!done) setChosen({})
    retry()
  }
  const allow = () => {
    // What the browser asks may close this window: it is stored at the same time, whatever is answered.
    void set({ on: true })
    setAsking(true)
    void requestPermission('notifications').then(() => {
      setAsking(false)
      retry()
    })
  }
  const view = answer && { ...answer, ...chosen }
  const isOn = view?.on === true && (asking || isPossible(view))
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('notificationsTitle')}</Title>
      <p className={textStyles.muted}>{words('notificationsLead')}</p>
      {view === null ? (
        problem ? (
          <Notice tone="danger" live>
            {problem}
          </Notice>
        ) : (
          <div className={layoutStyles.stack} aria-busy="true">
            <Skeleton size="block" />
          </div>
        )
      ) : (
        <>
          <div className={styles.switches}>
            <Switch
              label={words('notificationsSwitch')}
              note={words('notificationsSwitchNote', { host: nameHost(state.server.url) })}
              on={isOn}
              onChange={on => (on ? allow() : void set({ on: false }))}
            />
          </div>
          {asking ? (
            <p className={textStyles.note} role="status">
              {words('notificationsAsking')}
            </p>
          ) : view.on ? (
            <Obstacle state={view.state} onAllow={allow} />
          ) : null}
          {failure ? (
            <Notice tone="danger" live>
              {failure}
            </Notice>
          ) : null}
          <section className={layoutStyles.stack}>
            <h2 className={textStyles.muted}>{words('notificationsKinds')}</h2>
            <div className={styles.switches}>
              {(Object.keys(KINDS) as Kind[]).map(kind => (
                <Switch
                  key={kind}
                  label={words(KINDS[kind].name)}
                  note={words(KINDS[kind].note)}
                  on={view[kind]}
                  disabled={!isOn}
                  onChange={on => void set({ [kind]: on })}
                />
              ))}
              <Switch
                label={words('notificationsAmounts')}
                note={words('notificationsAmountsNote')}
                on={view.amounts}
                disabled={!isOn}
                onChange={amounts => void set({ amounts })}
              />
            </div>
          </section>
        </>
      )}
      <FeeAlert state={state} onChanged={onChanged} />
    </Screen>
  )
}

type ObstacleProps = { state: NotificationsView['state']; onAllow: () => void }

/** Why nothing is shown although the person wants it. */
function Obstacle({ state, onAllow }: ObstacleProps) {
  const inPopup = document.documentElement.dataset.surface === 'popup'
  switch (state) {
    case 'allowed':
      return null
    case 'blocked':
      return (
        <Notice tone="caution" title={words('notificationsBlocked')}>
          {words('notificationsBlockedNote')}
        </Notice>
      )
    case 'unavailable':
      return (
        <Notice tone="caution" title={words('notificationsUnavailable')}>
          {words('notificationsUnavailableNote')}
        </Notice>
      )
    case 'not-allowed':
      return (
        <Notice
          tone="caution"
          title={words('notificationsMissing')}
          actions={
            <Button
              variant="quiet"
              // The browser's question would close the toolbar popup, or be hidden behind it.
              onClick={inPopup ? () => void openInTab('/settings/notifications') : onAllow}
            >
              {words('compatAllow')}
            </Button>
          }
        >
          <p>{words('notificationsMissingNote')}</p>
        </Notice>
      )
  }
}

/** Whether the browser has leave; that it hides them is said beside. */
function isPossible({ state }: NotificationsView): boolean {
  return state === 'allowed' || state === 'blocked'
}
