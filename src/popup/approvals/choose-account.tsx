import { Plus, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { AccountView, SigningAccountView } from '../../background/views/account-views.ts'
import type { AccountChoice, ChosenAccount } from '../../background/views/approval-views.ts'
import { AccountGroups } from '../forms/accounts/account-groups.tsx'
import { AccountList } from '../forms/accounts/account-list.tsx'
import { openInTab } from '../platform/rpc.ts'
import { richWords, words } from '../platform/words.ts'
import { WholeText } from '../review/whole-text.tsx'
import { canSign } from '../state/can-sign.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import textStyles from '../ui/styles/text.module.css'
import { sayName } from '../ui/text/names.ts'
import { describeOrigin } from '../ui/text/site-origin.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { ConnectQuestion } from './connect.tsx'

const NOTHING: AccountChoice = { inUse: null, accounts: [], phrases: [] }

/**
 * A site asks to see the account in use, which is none that sites can be connected to. The person chooses one that can be, and
 * then has the question as it is for any account.
 */
export function ChooseAccountApproval({ view, onDecide }: ApprovalScreenProps) {
  const { accounts, inUse } = view.choice ?? NOTHING
  const [chosenId, setChosenId] = useState<string | null>(null)
  const chosen = accounts.find(({ id }) => id === chosenId)
  if (!chosen) return <Choice view={view} onDecide={onDecide} onChoose={setChosenId} />
  const shown = describeShown(chosen)
  return (
    <ConnectQuestion
      key={chosen.id}
      // Other addresses than a moment ago are another content.
      view={{ ...view, account: chosen, digest: `${view.digest} ${JSON.stringify(shown)}` }}
      onDecide={onDecide}
      inputOf={term => JSON.stringify({ ...shown, term } satisfies ChosenAccount)}
      aside={
        <>
          {chosen.id === inUse?.id ? null : (
            <p className={textStyles.note}>{words('chooseThen')}</p>
          )}
          <div className={layoutStyles.rowButtons}>
            <Button variant="quiet" onClick={() => setChosenId(null)}>
              {words('sendOtherAccount')}
            </Button>
          </div>
        </>
      }
    />
  )
}

function describeShown({ id, address, ordinals }: SigningAccountView): Omit<ChosenAccount, 'term'> {
  return { accountId: id, address, ordinals: ordinals?.address ?? null }
}

type ChoiceProps = ApprovalScreenProps & { onChoose: (accountId: string) => void }

/** Why another account is needed, and those that there are, or ways to one. */
function Choice({ view, onDecide, onChoose }: ChoiceProps) {
  const { inUse, accounts, phrases } = view.choice ?? NOTHING
  const site = <WholeText text={describeOrigin(view.origin).host} />
  const hasAny = accounts.length > 0
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={hasAny ? words('connectVerb') : null}
      blocked
      effect={richWords(hasAny ? 'chooseEffect' : 'chooseNone', { site })}
    >
      <Reason account={inUse} />
      {hasAny ? (
        <AccountGroups
          phrases={phrases}
          accounts={accounts}
          list={own => (
            <AccountList accounts={own} accountId={inUse?.id ?? null} onChoose={onChoose} />
          )}
        />
      ) : (
        <>
          <p>{words('chooseNoneNote')}</p>
          <div className={layoutStyles.rowButtons}>
            <Button variant="quiet" onClick={() => void openInTab('/accounts/add')}>
              <Plus size={18} aria-hidden />
              {words('accountsAdd')}
            </Button>
            <Button variant="quiet" onClick={() => void openInTab('/accounts')}>
              <SlidersHorizontal size={18} aria-hidden />
              {words('accountsManage')}
            </Button>
          </div>
        </>
      )}
    </ApprovalFrame>
  )
}

/** What keeps sites from the account in use; nothing where they can be connected to it by now. */
function Reason({ account }: { account: AccountView | null }) {
  if (!account) return <Notice tone="info" title={words('accountsNone')} />
  if (canSign(account)) return null
  return (
    <Notice tone="info" title={words('chooseCannot', { name: sayName(account.name) })}>
      <p>{words(account.source === 'watch' ? 'chooseWatched' : 'chooseShared')}</p>
    </Notice>
  )
}
