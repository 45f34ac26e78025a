import { X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { OkxAliasView } from '../../../background/views/settings-views.ts'
import { words } from '../../platform/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import rowStyles from '../../ui/row.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import styles from './settings.module.css'
import { parseSiteAddress } from './site-address.ts'

/** From this many on, a field to look for one is worth its place. */
const MANY = 8

type AliasSitesProps = {
  alias: OkxAliasView
  /** Resolves whether it was stored. */
  onSet: (origin: string, on: boolean) => Promise<boolean>
}

/** The sites where Satchel answers in the place of other wallets, one by one; kept while it does on every site. */
export function AliasSites({ alias, onSet }: AliasSitesProps) {
  const { everywhere, origins } = alias
  const heading = useId()
  const [search, setSearch] = useState('')
  const title = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  if (everywhere && origins.length === 0) return null
  const shown =
    origins.length < MANY
      ? origins
      : origins.filter(origin => origin.includes(search.trim().toLowerCase()))

  const remove = async (origin: string) => {
    const at = shown.indexOf(origin)
    if (!(await onSet(origin, false))) return
    // The button that had the focus is gone: the next one has it, or the heading above.
    const buttons = list.current?.querySelectorAll('button')
    const next = buttons?.[Math.min(at, buttons.length - 1)] ?? title.current
    next?.focus()
  }

  return (
    <section className={styles.aliasSites} aria-labelledby={heading}>
      <h2 id={heading} ref={title} tabIndex={-1} className={textStyles.muted}>
        {words('compatSites')}
      </h2>
      {everywhere ? (
        <p className={textStyles.small}>{words('compatUnneeded')}</p>
      ) : (
        <AddSite origins={origins} onAdd={origin => onSet(origin, true)} />
      )}
      {origins.length >= MANY ? (
        <TextField
          label={words('sitesSearch')}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
      ) : null}
      {shown.length === 0 ? (
        <p className={textStyles.muted}>
          {words(origins.length === 0 ? 'compatNone' : 'sitesNoMatch')}
        </p>
      ) : (
        <ul className={rowStyles.rows} ref={list} aria-labelledby={heading}>
          {shown.map(origin => (
            <li key={origin} className={styles.aliasSite}>
              <Identicon text={origin} size={24} />
              <span className={classNames(textStyles.mono, textStyles.breakable)}>
                {nameSite(origin)}
              </span>
              <IconButton
                label={words('compatRemove', { host: nameSite(origin) })}
                onClick={() => void remove(origin)}
              >
                <X size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type AddSiteProps = {
  origins: readonly string[]
  /** Resolves whether it was stored. */
  onAdd: (origin: string) => Promise<boolean>
}

/** A field for the address of one more site. */
function AddSite({ origins, onAdd }: AddSiteProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const refuse = (why: string) => {
    setError(why)
    field.current?.focus()
  }
  const submit = async () => {
    const origin = parseSiteAddress(typed)
    if (origin === null) return refuse(words('compatNotAddress'))
    if (origins.includes(origin)) return refuse(words('compatAlready', { host: nameSite(origin) }))
    if (await onAdd(origin)) setTyped('')
    field.current?.focus()
  }
  return (
    <form
      className={styles.addSite}
      autoComplete="off"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        ref={field}
        label={words('compatAddress')}
        inputMode="url"
        placeholder="app.example"
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

/** Host and port; with its scheme where that is not https. */
function nameSite(origin: string): string {
  const { host, unencrypted } = describeOrigin(origin)
  return unencrypted ? origin : host
}
