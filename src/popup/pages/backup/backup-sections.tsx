import type { ReactNode } from 'react'
import type {
  BackupItem,
  BackupPart,
  BackupSection,
} from '../../../background/views/backup-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { Fold } from '../../review/fold.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Check } from '../../ui/fields/choice.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { NETWORK_NAMES, sayName } from '../../ui/text/names.ts'
import { VisibleText } from '../../ui/text/visible-text.tsx'
import { KIND_WORDS } from '../settings/server-words.ts'
import styles from './backup.module.css'

const PART_WORDS: { [part in BackupPart]: { name: WordKey; note?: WordKey } } = {
  accounts: { name: 'accountsTitle' },
  contacts: { name: 'contactsTitle' },
  labels: { name: 'backupPartLabels' },
  sites: { name: 'sitesTitle' },
  coins: { name: 'backupPartCoins' },
  jobs: { name: 'backupPartJobs', note: 'backupPartJobsNote' },
  settings: { name: 'settingsTitle', note: 'backupPartReplaces' },
  servers: { name: 'serversTitle', note: 'backupPartServersNote' },
}

const KINDS: { [kind in BackupItem['kind']]?: WordKey } = {
  seed: 'backupKindSeed',
  phrase: 'backupKindPhrase',
  key: 'backupKindKey',
  watch: 'backupKindWatch',
  device: 'backupKindDevice',
  blocked: 'backupKindBlocked',
  locked: 'backupKindLocked',
  hidden: 'backupKindHidden',
  kept: 'backupKindKept',
  inscribing: 'backupKindInscribing',
  etching: 'backupKindEtching',
  minting: 'backupKindMinting',
  cosigning: 'backupKindCosigning',
  multisig: 'multisigSource',
  language: 'displayLanguage',
  theme: 'displayTheme',
  currency: 'displayCurrency',
  autoLockMinutes: 'backupKindAutoLock',
  network: 'backupKindNetwork',
}

const VALUES: { [value: string]: WordKey } = {
  system: 'displayThemeSystem',
  light: 'displayThemeLight',
  dark: 'displayThemeDark',
  auto: 'displayLanguageAuto',
}

type BackupSectionsProps = {
  sections: readonly BackupSection[]
  /** Null where nothing is chosen part by part. */
  chosen: ReadonlySet<BackupPart> | null
  disabled: boolean
  onChoose: (part: BackupPart, on: boolean) => void
}

/** What a file holds, part by part: what would be added, what differs, what is there, and what is left out. */
export function BackupSections(props: BackupSectionsProps) {
  return props.sections.map(section => <Section key={section.part} section={section} {...props} />)
}

function Section({
  section,
  chosen,
  disabled,
  onChoose,
}: BackupSectionsProps & { section: BackupSection }) {
  const { part, added, addedCount, differing, differingCount, sameCount, leftOut } = section
  const { name, note } = PART_WORDS[part]
  const replaces = part === 'settings' || part === 'servers'
  const hasNews = addedCount > 0 || (replaces && differingCount > 0)
  return (
    <section className={styles.section} aria-label={words(name)}>
      {hasNews && chosen ? (
        <fieldset disabled={disabled} className={styles.part}>
          <Check checked={chosen.has(part)} onCheck={on => onChoose(part, on)}>
            {words(name)}
          </Check>
        </fieldset>
      ) : (
        <h2 className={styles.heading}>{words(name)}</h2>
      )}
      {note && hasNews ? <p className={textStyles.note}>{words(note)}</p> : null}
      <Items label={countWords('backupAdded', addedCount)} items={added} count={addedCount} />
      <Items
        label={countWords(replaces ? 'backupReplaced' : 'backupDiffering', differingCount)}
        items={differing}
        count={differingCount}
      />
      {sameCount > 0 ? (
        <p className={textStyles.note}>{countWords('backupSame', sameCount)}</p>
      ) : null}
      {leftOut > 0 ? (
        <p className={textStyles.note}>{countWords('backupLeftOut', leftOut)}</p>
      ) : null}
    </section>
  )
}

function Items(props: { label: string; items: readonly BackupItem[]; count: number }) {
  const { label, items, count } = props
  if (count === 0) return null
  return (
    <Fold summary={label}>
      <ul className={styles.items}>
        {items.map(item => (
          <li key={JSON.stringify(item)}>
            <span className={textStyles.breakable}>{nameOf(item)}</span>
            <span className={classNames(styles.detail, textStyles.note, textStyles.breakable)}>
              <Detail item={item} />
            </span>
          </li>
        ))}
      </ul>
      {count > items.length ? (
        <p className={textStyles.note}>{countWords('backupMore', count - items.length)}</p>
      ) : null}
    </Fold>
  )
}

function nameOf({ kind, name }: BackupItem): ReactNode {
  const text = sayName(name)
  const value = VALUES[text]
  if ((kind === 'theme' || kind === 'language') && value) return words(value)
  if (text !== '') return <VisibleText text={text} />
  const own = KINDS[kind]
  return words(own && kind !== 'currency' ? own : 'backupEmpty')
}

/** What it is, where it belongs, and what the wallet has in its place. */
function Detail({ item }: { item: BackupItem }) {
  const { kind, detail, network, own, name } = item
  const kindWord = isServer(kind) ? KIND_WORDS[kind].name : KINDS[kind]
  const facts = [
    ...(kindWord && (name !== '' || kind === 'currency') ? [words(kindWord)] : []),
    ...(network ? [NETWORK_NAMES[network]] : []),
  ]
  return (
    <>
      {facts.length > 0 ? <span>{joinFacts(facts)}</span> : null}
      {detail ? (
        <span>
          <VisibleText text={sayName(detail)} />
        </span>
      ) : null}
      {own === null ? null : (
        <span>
          {words('backupOwn')} {nameOf({ ...item, name: own })}
        </span>
      )}
    </>
  )
}

function isServer(kind: BackupItem['kind']): kind is keyof typeof KIND_WORDS {
  return Object.hasOwn(KIND_WORDS, kind)
}
