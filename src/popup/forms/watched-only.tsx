import { goBack, navigate } from '../platform/route.ts'
import { words } from '../platform/words.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { BackButton, Screen, Title } from '../ui/screen.tsx'

/** In place of a form: an account without a key can send nothing. */
export function WatchedOnly({ name, title }: { name: string; title: string }) {
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <Button variant="primary" onClick={() => navigate('/accounts')}>
          {words('sendOtherAccount')}
        </Button>
      }
    >
      <Title>{title}</Title>
      <Notice tone="info" title={words('sendWatched', { name })}>
        {words('sendWatchedNote')}
      </Notice>
    </Screen>
  )
}
