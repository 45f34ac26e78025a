import { useState } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { FeeField } from '../../forms/fee-field.tsx'
import { DEFAULT_FEE, type FeeForm, parseFeeRateText } from '../../forms/fee-form.ts'
import formStyles from '../../forms/form.module.css'
import { PlanSteps } from '../../forms/plan-steps.tsx'
import { useAttempt } from '../../forms/use-attempt.ts'
import { type SendFacts, useSendFacts } from '../../forms/use-send-facts.ts'
import { WithHelp } from '../../help/help-button.tsx'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { canSign } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { ChoiceGroup } from '../../ui/fields/choice.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { InscriptionPicture } from '../../ui/pictures/inscription-picture.tsx'
import { PlainRow, Rows } from '../../ui/row.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { nameAsset } from '../../ui/text/asset-names.ts'
import { nameSats } from '../../ui/text/btc-digits.ts'

/** Sats on each new output: the least that any kind of address takes, and what marketplaces use. */
const POSTAGES: { value: Postage; name: WordKey; note: WordKey }[] = [
  { value: '546', name: 'splitLeast', note: 'splitLeastNote' },
  { value: '10000', name: 'splitUsual', note: 'splitUsualNote' },
]

type Postage = '546' | '10000'
type Split = FeeForm & { postage: Postage }

/** Gives each inscription of a coin an output of its own, and the rest of the coin back to payments. */
export function SplitCoin({ state }: PageProps) {
  const [, , outpoint = ''] = useRoute()
  const facts = useSendFacts(state)
  const [form, setForm] = useState<Split>({ ...DEFAULT_FEE, postage: '546' })
  const planning = useTask()
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canSign(account)) return <CannotSign account={account} title={words('splitTitle')} />
  const coin = facts.coins.answer?.find(coin => coin.outpoint === outpoint) ?? null
  const change = (next: Partial<Split>) => {
    planning.forget()
    setForm({ ...form, ...next })
  }
  return (
    <PlanSteps key={`${account.id} ${state.network}`} account={account} network={state.network}>
      {onPlan => (
        <SplitForm
          coin={coin}
          form={form}
          facts={facts}
          planning={planning}
          onChange={change}
          onSubmit={feeRate =>
            void planning.run(async isWanted => {
              const postage = Number(form.postage)
              const plan = await call('planSplit', { outpoint, postage, feeRate })
              if (isWanted()) onPlan(plan)
            })
          }
        />
      )}
    </PlanSteps>
  )
}

type SplitFormProps = {
  coin: CoinView | null
  form: Split
  facts: SendFacts
  planning: { busy: boolean; failure: string | null }
  onChange: (next: Partial<Split>) => void
  onSubmit: (feeRate: number) => void
}

function SplitForm({ coin, form, facts, planning, onChange, onSubmit }: SplitFormProps) {
  const { content, attempt, isTried, isWaiting } = useAttempt(form, facts.rates)
  const busy = planning.busy || isWaiting
  const rate = parseFeeRateText(form, facts.rates.answer)
  const isGone = facts.coins.answer !== null && coin === null
  const inscriptions = coin?.assets.filter(({ kind }) => kind === 'inscription').length ?? 0
  const title =
    inscriptions === 0 ? 'splitTitle' : inscriptions > 1 ? 'splitSeparate' : 'splitMoveOut'
  return (
    <FormScreen
      title={words(title)}
      lead={
        coin ? countWords('splitLead', inscriptions, { sats: nameSats(BigInt(coin.sats)) }) : null
      }
      action={words(busy ? 'sendPlanning' : 'sendReview')}
      busy={busy}
      disabled={coin === null}
      failure={planning.failure ?? facts.coins.problem ?? (isGone ? words('splitGone') : null)}
      onBack={goBack}
      onSubmit={() => (rate === null ? attempt() : onSubmit(rate))}
    >
      <div ref={content} className={formStyles.operation}>
        {coin && coin.assets.length > 0 ? (
          <Rows label={words('inscriptionCompanions')}>
            {coin.assets.map((asset, index) => (
              <PlainRow
                // biome-ignore lint/suspicious/noArrayIndexKey: an asset is its place
                key={index}
                {...(asset.kind === 'inscription'
                  ? { icon: <InscriptionPicture id={asset.id} size="small" /> }
                  : {})}
                title={nameAsset(asset)}
              />
            ))}
          </Rows>
        ) : null}
        <section className={layoutStyles.stack}>
          <WithHelp term="postage">
            <h2>{words('splitPostage')}</h2>
          </WithHelp>
          <ChoiceGroup
            label={words('splitPostage')}
            value={form.postage}
            options={POSTAGES.map(({ value, name, note }) => ({
              value,
              name: words(name),
              note: words(note),
            }))}
            onChoose={postage => onChange({ postage })}
          />
        </section>
        <FeeField
          form={form}
          facts={facts}
          tried={isTried}
          fee={null}
          note={words('splitFeeNote')}
          onChange={onChange}
        />
      </div>
    </FormScreen>
  )
}
