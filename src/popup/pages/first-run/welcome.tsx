/**
 * The first run: a new wallet, or one from recovery words or a private key. Secrets are held in one place while they are
 * shown or typed, and dropped when the screen goes away; they are never stored by a page.
 */

import type { ReactNode } from 'react'
import { type WordKey, words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/pictures/mark.tsx'
import { Screen, Title } from '../../ui/screen.tsx'
import styles from './promises.module.css'
import { KeysPicture, SatsPicture, ServersPicture } from './welcome-pictures.tsx'

const PROMISES: readonly { Picture: () => ReactNode; says: WordKey }[] = [
  { Picture: KeysPicture, says: 'welcomeKeys' },
  { Picture: SatsPicture, says: 'welcomeSats' },
  { Picture: ServersPicture, says: 'welcomeServers' },
]

/** What this wallet is, in three pictures, and the two ways to have one. */
export function Welcome({ onBegin }: { onBegin: (chosen: 'create' | 'import') => void }) {
  return (
    <Screen
      foot={
        <>
          <Button variant="primary" onClick={() => onBegin('create')}>
            {words('welcomeCreate')}
          </Button>
          <Button variant="secondary" onClick={() => onBegin('import')}>
            {words('welcomeImport')}
          </Button>
        </>
      }
    >
      <div className={styles.welcome}>
        <div className={styles.head}>
          <Mark size={48} />
          <Title>{words('welcomeTitle')}</Title>
        </div>
        <ul className={styles.promises}>
          {PROMISES.map(({ Picture, says }) => (
            <li key={says}>
              <Picture />
              <p>{words(says)}</p>
            </li>
          ))}
        </ul>
      </div>
    </Screen>
  )
}
