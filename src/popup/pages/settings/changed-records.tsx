import type { ReactNode } from 'react'
import type {
  ChangedEntry,
  ChangedRecordView,
  ExpertSwitches,
  ServerKind,
} from '../../../background/views/settings-views.ts'
import { call } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { NETWORK_NAMES } from '../../ui/text/names.ts'
import { VisibleWord } from '../../ui/text/visible-text.tsx'
import { KIND_WORDS } from './server-words.ts'
import styles from './settings.module.css'

const TITLES: { [record in ChangedRecordView['record']]: WordKey } = {
  sites: 'sitesTitle',
  contacts: 'contactsTitle',
  servers: 'serversTitle',
  serverKeys: 'changedKeys',
  switches: 'expertTitle',
}

const SWITCHES: { [name in keyof ExpertSwitches]: WordKey } = {
  spendUnconfirmed: 'expertUnconfirmed',
  spendUnchecked: 'expertUnchecked',
  burnAssets: 'expertBurn',
  anySighash: 'expertSighash',
  holdSmallCoins: 'expertHoldSmall',
}

/** What somebody else than the wallet wrote into its storage: shown, and used only if the person says so. */
export function ChangedRecords({ onChanged }: PageProps) {
  const query = useQuery(() => call('getChangedRecords', null), '', ['recordTags'])
  const task = useTask()
  const { answer: changed } = query
  const settle = (keep: boolean) =>
    task.run(async () => {
      if (changed) await call('settleChangedRecords', { digest: changed.digest, keep })
      await onChanged()
    })
  const problem = query.problem ?? task.failure
  return (
    <Screen
      foot={
        <div className={layoutStyles.stack}>
          <Button
            variant="primary"
            busy={task.busy}
            disabled={changed === null}
            onClick={() => void settle(false)}
          >
            {words('changedDiscard')}
          </Button>
          <Button
            variant="quiet"
            busy={task.busy}
            disabled={changed === null}
            onClick={() => void settle(true)}
          >
            {words('changedKeep')}
          </Button>
        </div>
      }
    >
      <Title>{words('changedTitle')}</Title>
      <Notice tone="danger">{words('changedLead')}</Notice>
      {problem ? (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      ) : null}
      <p className={textStyles.muted}>{words('changedNow')}</p>
      {changed === null ? (
        <Skeleton size="block" />
      ) : (
        changed.records.map(({ record, entries }) => (
          <section key={record} className={styles.site}>
            <h2>{words(TITLES[record])}</h2>
            {entries.length === 0 ? (
              <p className={textStyles.muted}>{words('changedNothingLeft')}</p>
            ) : (
              <ul>
                {entries.map(entry => (
                  <li
                    key={`${entry.name} ${entry.detail} ${entry.network}`}
                    className={styles.changed}
                  >
                    <span className={textStyles.breakable}>{nameOf(record, entry)}</span>
                    {detailOf(entry)}
                  </li>
                ))}
              </ul>
            )}
          </section>
        ))
      )}
      <p className={textStyles.muted}>{words('changedAdvice')}</p>
    </Screen>
  )
}

/** Of servers and switches the words that the person knows them by; whatever else somebody wrote as it is. */
function nameOf(record: ChangedRecordView['record'], { name }: ChangedEntry): ReactNode {
  if (record === 'servers' && isOwn(KIND_WORDS, name))
    return words(KIND_WORDS[name as ServerKind].name)
  if (record === 'switches' && isOwn(SWITCHES, name))
    return words(SWITCHES[name as keyof ExpertSwitches])
  return <VisibleWord text={name} />
}

function detailOf({ detail, network }: ChangedEntry): ReactNode {
  if (detail === '' && network === null) return null
  return (
    <span className={classNames(rowStyles.note, textStyles.breakable)}>
      {network ? NETWORK_NAMES[network] : null}
      {network && detail ? ' · ' : null}
      <VisibleWord text={detail} />
    </span>
  )
}

function isOwn(table: object, name: string): boolean {
  return Object.hasOwn(table, name)
}
