import type {
  MultisigAccountView,
  WatchedAccountView,
} from '../../background/views/account-views.ts'
import { goBack, navigate } from '../platform/route.ts'
import { words } from '../platform/words.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { BackButton, Screen, Title } from '../ui/screen.tsx'
import { sayName } from '../ui/text/names.ts'

type CannotSignProps = { account: MultisigAccountView | WatchedAccountView; title: string }

/** In place of a form: an account without a key can send nothing, and one of several signers not everything. */
export function CannotSign({ account, title }: CannotSignProps) {
  const name = sayName(account.name)
  const [what, why] =
    account.source === 'watch'
      ? ([words('sendWatched', { name }), words('sendWatchedNote')] as const)
      : ([words('multisigCannot', { name }), words('multisigCannotNote')] as const)
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
      <Notice tone="info" title={what}>
        {why}
      </Notice>
    </Screen>
  )
}
