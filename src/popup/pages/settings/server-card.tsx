import { CircleCheck, CircleX, KeyRound, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ServerState, ServerView } from '../../../background/views/settings-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { words } from '../../platform/words.ts'
import { explainServerProblem } from '../../state/explain-error.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import textStyles from '../../ui/styles/text.module.css'
import { ServerEditor } from './server-editor.tsx'
import { describeAnswer, KIND_WORDS, MEANINGS, STATE_WORDS, UNSET_WORDS } from './server-words.ts'
import styles from './settings.module.css'

export type ServerCardProps = {
  network: Network
  server: ServerView
  /** How it is doing; null when that is not known, or the network is not in use. */
  status: ServerState | null
  asking: boolean
  /** An address to begin with, brought from the toolbar popup. */
  typed: string | undefined
  onChanged: () => Promise<void>
}

/** One kind of server: what it is for, which one it is, how it is doing; and a field to change it. */
export function ServerCard({ network, server, status, asking, typed, onChanged }: ServerCardProps) {
  const [editing, setEditing] = useState(typed !== undefined)
  const change = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(editing)
  useEffect(() => {
    // The field that had the focus is gone.
    if (wasEditing.current && !editing) change.current?.focus()
    wasEditing.current = editing
  }, [editing])
  const { name, note } = KIND_WORDS[server.kind]
  const isSet = server.url !== ''
  const action = words(isSet ? 'serversChange' : 'serversSet')
  return (
    <section className={styles.serverCard} aria-label={words(name)}>
      <div className={styles.serverHead}>
        <h2>{words(name)}</h2>
        {editing ? null : (
          <Button
            ref={change}
            variant="quiet"
            aria-label={`${action}: ${words(name)}`}
            onClick={() => setEditing(true)}
          >
            {action}
          </Button>
        )}
      </div>
      {editing ? (
        <ServerEditor
          network={network}
          server={server}
          typed={typed}
          onClose={() => setEditing(false)}
          onChanged={onChanged}
        />
      ) : (
        <p className={isSet ? classNames(textStyles.mono, textStyles.breakable) : undefined}>
          {isSet ? server.url.replace(/^https:\/\//, '') : words(UNSET_WORDS[server.kind])}
        </p>
      )}
      {editing || !isSet ? null : status ? (
        <Status status={status} />
      ) : asking ? (
        <p className={textStyles.note}>{words('commonAsking')}</p>
      ) : null}
      {server.hasKey && !editing ? (
        <p className={classNames(styles.serverKey, textStyles.note)}>
          <KeyRound size={14} aria-hidden />
          {words('serversHasKey')}
        </p>
      ) : null}
      <p className={textStyles.note}>{words(note)}</p>
    </section>
  )
}

const ICONS = {
  synced: CircleCheck,
  behind: TriangleAlert,
  unreachable: CircleX,
  'wrong-network': CircleX,
}

function Status({ status }: { status: ServerState }) {
  const Icon = ICONS[status.state]
  const figures = describeAnswer(status)
  const means = MEANINGS[status.kind]?.[status.state] ?? null
  return (
    <div role="status">
      <p className={classNames(styles.serverState, styles[status.state])}>
        <Icon size={16} aria-hidden />
        <span>
          <strong>{words(STATE_WORDS[status.state])}</strong>
          {figures === '' ? null : <span className={textStyles.muted}> · {figures}</span>}
        </span>
      </p>
      {means !== null ? (
        <p className={textStyles.note}>{words(means)}</p>
      ) : status.problem && status.state !== 'synced' ? (
        <p className={textStyles.note}>{explainServerProblem(status.problem).text}</p>
      ) : null}
    </div>
  )
}
