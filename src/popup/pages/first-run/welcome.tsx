/**
 * The first run: a new wallet, or one from recovery words or a private key. Secrets are held in one place while they are
 * shown or typed, and dropped when the screen goes away; they are never stored by a page.
 */

import { words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/pictures/mark.tsx'
import { Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import welcomeStyles from '../../ui/styles/welcome.module.css'

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
      <div className={welcomeStyles.welcome}>
        <Mark size={88} />
        <Title>{words('welcomeTitle')}</Title>
        <p className={textStyles.muted}>{words('welcomeLead')}</p>
      </div>
    </Screen>
  )
}
