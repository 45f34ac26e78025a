import { useState } from 'react'
import type { PayingAccountView } from '../../../background/views/account-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { parseAddress } from '../../../bitcoin/address.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { DEFAULT_FEE } from '../../forms/fee-form.ts'
import { PlanSteps } from '../../forms/plan-steps.tsx'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { canPay } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { type Merge, MergeForm } from './merge-form.tsx'
import { USUAL_RATE } from './merge-sums.ts'

/** Makes one coin of many small ones, while that is cheap. */
export function MergeCoins({ state }: PageProps) {
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canPay(account)) return <CannotSign account={account} title={words('mergeTitle')} />
  return <MergeSteps key={`${account.id} ${state.network}`} state={state} account={account} />
}

type MergeStepsProps = { state: WalletState; account: PayingAccountView }

function MergeSteps({ state, account }: MergeStepsProps) {
  const facts = useSendFacts(state)
  const [form, setForm] = useState<Merge>({
    ...DEFAULT_FEE,
    fee: 'hour',
    later: USUAL_RATE,
    share: '1',
    left: [],
  })
  const planning = useTask()
  const terms = {
    type: account.source === 'multisig' ? account.spendType : account.addressType,
    script: parseAddress(account.address, state.network).scriptPubKey,
  }
  return (
    <PlanSteps account={account} network={state.network}>
      {onPlan => (
        <MergeForm
          {...{ form, facts, terms, planning }}
          onChange={next => {
            planning.forget()
            setForm({ ...form, ...next })
          }}
          onSubmit={(coins, feeRate) =>
            void planning.run(async isWanted => {
              const plan = await call('planMerge', { coins, feeRate })
              if (isWanted()) onPlan(plan)
            })
          }
        />
      )}
    </PlanSteps>
  )
}
