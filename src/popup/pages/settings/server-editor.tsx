import { useEffect, useRef, useState } from 'react'
import type {
  ServerCheck,
  ServerKind,
  ServerView,
} from '../../../background/views/settings-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { joinSentences } from '../../platform/join-words.ts'
import { call, hasHost, openInTab, requestHost } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { explainServerProblem } from '../../state/explain-error.ts'
import { useLatest } from '../../state/latest.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { PasswordField, TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { NETWORK_NAMES, nameHost } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'
import { ANYWAY_WORDS, describeAnswer, isLocal, isServerAddress } from './server-words.ts'
import styles from './settings.module.css'

type ServerEditorProps = {
  network: Network
  server: ServerView
  typed: string | undefined
  onClose: () => void
  onChanged: () => Promise<void>
}

/** Why an address was not stored. */
type Obstacle = { kind: 'refused'; host: string } | { kind: 'check'; check: FailedCheck }
type FailedCheck = ServerCheck & { usable: false }

/** An address for one kind of server: checked before it is stored. */
export function ServerEditor({ network, server, typed, onClose, onChanged }: ServerEditorProps) {
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const keyField = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | null>(null)
  const [obstacle, setObstacle] = useState<Obstacle | null>(null)
  const task = useTask()
  /** The address that is being checked, which nothing came in between of. */
  const latest = useLatest()
  useEffect(() => latest.cancel, [latest])
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (obstacle) form.current?.scrollIntoView({ block: 'end' })
  }, [obstacle])
  const { kind } = server

  const store = async (url: string, done: string) => {
    await call('setServer', { network, kind, url, ...readKey() })
    onClose()
    showToast(done)
    await onChanged()
  }
  /** An empty field leaves the key that this address has. */
  const readKey = () => {
    const key = keyField.current?.value.trim() ?? ''
    return key === '' ? {} : { key }
  }
  const restore = () => {
    latest.cancel()
    return task.run(() => store('', words('serversRestored')))
  }

  /** What is typed is another server than the one that was checked, or is being checked. */
  const forget = () => {
    latest.cancel()
    task.forget()
    setObstacle(null)
  }
  const submit = () => {
    const url = field.current?.value.trim() ?? ''
    if (url === '') return void restore()
    if (!isServerAddress(url)) return setError(words('serversNotAddress'))
    // Servers on this computer mostly let every page ask; only one that did not answer may need leave.
    const needsLeave = !isLocal(url) || obstacle !== null
    const inPopup = document.documentElement.dataset.surface === 'popup'
    const leave = needsLeave ? (inPopup ? hasHost(url) : requestHost(url)) : Promise.resolve(true)
    const isLatest = latest.begin()
    void task.run(async () => {
      setObstacle(null)
      const isGiven = await leave
      if (!isLatest()) return
      if (!isGiven) {
        // The browser's question would close the toolbar popup, or be hidden behind it.
        if (inPopup) {
          return openInTab(`/settings/servers/${network}/${kind}/${encodeURIComponent(url)}`)
        }
        return setObstacle({ kind: 'refused', host: nameHost(url) })
      }
      const key = readKey()
      const check = await call('checkServer', { network, kind, url, ...key })
      if (!isLatest()) return
      if (!check.usable) return setObstacle({ kind: 'check', check })
      const mode = words(check.live ? 'serversLive' : 'serversPolled')
      const answer = joinSentences([words('serversSaved'), describeAnswer(check)])
      await store(url, kind === 'chain' || kind === 'secondChain' ? `${answer} · ${mode}` : answer)
    })
  }

  return (
    <form
      ref={form}
      className={styles.serverEditor}
      autoComplete="off"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        ref={field}
        label={words('serversAddress')}
        inputMode="url"
        defaultValue={typed ?? server.url}
        placeholder={server.defaultUrl === '' ? 'https://…' : server.defaultUrl}
        error={error}
        note={words(task.busy ? 'serversChecking' : 'serversCheckedFirst')}
        onInput={() => {
          setError(null)
          forget()
        }}
      />
      {kind === 'brc20' ? (
        <PasswordField
          ref={keyField}
          label={words('serversKey')}
          placeholder={server.hasKey ? words('serversKeyKept') : ''}
          note={words('serversKeyNote')}
          onInput={forget}
        />
      ) : null}
      {obstacle?.kind === 'refused' ? (
        <Notice tone="caution" title={words('serversRefused')} live>
          {words('serversRefusedNote', { host: obstacle.host })}
        </Notice>
      ) : null}
      {obstacle?.kind === 'check' ? (
        <Failed
          check={obstacle.check}
          network={network}
          kind={kind}
          busy={task.busy}
          onAnyway={() =>
            void task.run(() => store(field.current?.value.trim() ?? '', words('serversSaved')))
          }
        />
      ) : null}
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      <Button variant="primary" type="submit" busy={task.busy}>
        {words(task.busy ? 'serversBusy' : obstacle ? 'serversCheckAgain' : 'serversCheck')}
      </Button>
      <div className={layoutStyles.rowButtons}>
        {server.custom ? (
          <Button variant="quiet" onClick={() => void restore()}>
            {words(server.defaultUrl === '' ? 'serversRemove' : 'serversRestore')}
          </Button>
        ) : null}
        <Button variant="quiet" onClick={onClose}>
          {words('commonCancel')}
        </Button>
      </div>
    </form>
  )
}

type FailedProps = {
  check: FailedCheck
  network: Network
  kind: ServerKind
  busy: boolean
  onAnyway: () => void
}

/** What is wrong with the server; one on another network cannot be stored at all. */
function Failed({ check, network, kind, busy, onAnyway }: FailedProps) {
  const { title, text } = explainServerProblem(check.problem)
  if (kind === 'brc20' && check.problem.detail.startsWith('answered 401')) {
    return (
      <Notice tone="caution" title={words('serversKeyWanted')} live>
        {words('serversKeyWantedNote')}
      </Notice>
    )
  }
  if (check.problem.kind === 'wrong-network') {
    return (
      <Notice tone="danger" title={title} live>
        {words('serversNotThis', { network: NETWORK_NAMES[network] })}
      </Notice>
    )
  }
  return (
    <Notice
      tone="caution"
      title={title}
      live
      actions={
        <Button variant="quiet" busy={busy} onClick={onAnyway}>
          {words('serversAnyway')}
        </Button>
      }
    >
      <p>{text}</p>
      <p className={classNames(textStyles.mono, textStyles.small, textStyles.breakable)}>
        {check.problem.detail}
      </p>
      <p>{words(ANYWAY_WORDS[kind] ?? 'serversAnywayNote')}</p>
    </Notice>
  )
}
