import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatHttpPattern, readChangeableHost } from '../../../provider/page-origin.ts'
import { goBack } from '../../platform/route.ts'
import {
  call,
  findCurrentSite,
  listMissingHosts,
  openInTab,
  requestHosts,
  subscribeToPermissions,
} from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import rowStyles from '../../ui/row.module.css'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { showToast } from '../../ui/toast.tsx'
import styles from './settings.module.css'
import { parseHttpHost } from './site-address.ts'

/** The plain http sites where the person wants the wallet although anybody on the way can change them. */
export function HttpSites(_: PageProps) {
  const { answer: hosts, problem } = useQuery(() => call('getHttpSites', null), '', ['httpSites'])
  const patterns = hosts?.map(formatHttpPattern) ?? []
  const missing = useQuery(() => listMissingHosts(patterns), patterns.join(' '), [])
  const { retry: look } = missing
  useEffect(() => subscribeToPermissions(look), [look])
  const here = useQuery(findCurrentSite, '', [])
  const hereHost = here.answer === null ? null : readChangeableHost(here.answer)
  const [asked, setAsked] = useState<string | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const task = useTask()
  const set = (host: string, on: boolean) =>
    task.run(async () => {
      await call('setHttpSite', { origin: `http://${host}`, on })
      setAsked(null)
      showToast(words('compatSaved'))
      // The button that had the focus is gone.
      if (!on) title.current?.focus()
    })
  // What the browser asks may close this window: it is stored at the same time, whatever is answered.
  const allow = (host: string) => {
    void requestHosts([formatHttpPattern(host)]).then(look)
    void set(host, true)
  }
  return (
    <>
      <Screen head={<BackButton onBack={goBack} />}>
        <Title>{words('httpTitle')}</Title>
        <p className={textStyles.muted}>{words('httpLead')}</p>
        {hosts === null ? (
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
            {hosts.length > 0 ? (
              <Notice tone="danger" title={words('httpWarning')}>
                {words('httpWarningNote')}
              </Notice>
            ) : null}
            {missing.answer?.map(pattern => (
              <MissingNotice key={pattern} pattern={pattern} onAsked={look} />
            ))}
            {hereHost !== null && !hosts.includes(hereHost) ? (
              <Button variant="secondary" onClick={() => setAsked(hereHost)}>
                {words('httpHere', { host: hereHost })}
              </Button>
            ) : null}
            <AddHost hosts={hosts} onAdd={setAsked} />
            {task.failure && asked === null ? (
              <Notice tone="danger" live>
                {task.failure}
              </Notice>
            ) : null}
            <section className={styles.aliasSites} aria-label={words('httpList')}>
              <h2 ref={title} tabIndex={-1} className={textStyles.muted}>
                {words('httpList')}
              </h2>
              {hosts.length === 0 ? (
                <p className={textStyles.muted}>{words('compatNone')}</p>
              ) : (
                <ul className={rowStyles.rows}>
                  {hosts.map(host => (
                    <li key={host} className={styles.aliasSite}>
                      <Identicon text={`http://${host}`} size={24} />
                      <span className={classNames(textStyles.mono, textStyles.breakable)}>
                        http://{host}
                      </span>
                      <IconButton
                        label={words('compatRemove', { host })}
                        onClick={() => void set(host, false)}
                      >
                        <X size={16} aria-hidden />
                      </IconButton>
                    </li>
                  ))}
                </ul>
              )}
            </section>
          </>
        )}
      </Screen>
      {asked === null ? null : (
        <ConfirmDialog
          title={words('httpAllowTitle', { host: asked })}
          action={words('httpAllow')}
          busy={task.busy}
          failure={task.failure}
          onConfirm={() => allow(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{words('httpAllowNote')}</p>
          <p>{words('httpAllowAsks')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

type AddHostProps = { hosts: readonly string[]; onAdd: (host: string) => void }

/** A field for the address of one more site; the dialog that follows says what it means. */
function AddHost({ hosts, onAdd }: AddHostProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const submit = () => {
    const host = parseHttpHost(typed)
    if (host !== null && !hosts.includes(host)) {
      setTyped('')
      return onAdd(host)
    }
    setError(host === null ? words('httpNotAddress') : words('compatAlready', { host }))
    field.current?.focus()
  }
  return (
    <form
      className={styles.addSite}
      autoComplete="off"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        ref={field}
        label={words('compatAddress')}
        inputMode="url"
        placeholder="http://app.example"
        value={typed}
        error={error}
        onChange={event => {
          setTyped(event.currentTarget.value)
          setError(null)
        }}
      />
      <Button variant="secondary" type="submit">
        {words('compatAdd')}
      </Button>
    </form>
  )
}

/** A host that the person allows and the browser does not: pages there still find no wallet. */
function MissingNotice({ pattern, onAsked }: { pattern: string; onAsked: () => void }) {
  const inPopup = document.documentElement.dataset.surface === 'popup'
  const [, , host = ''] = pattern.split('/')
  return (
    <Notice
      tone="caution"
      title={words('httpMissing', { host })}
      actions={
        <Button
          variant="quiet"
          // The browser's question would close the toolbar popup, or be hidden behind it.
          onClick={
            inPopup
              ? () => void openInTab('/settings/http')
              : () => void requestHosts([pattern]).then(onAsked)
          }
        >
          {words('compatAllow')}
        </Button>
      }
    >
      <p>{words('httpMissingNote')}</p>
    </Notice>
  )
}
