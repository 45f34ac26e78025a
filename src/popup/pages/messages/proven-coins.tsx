import { Search } from 'lucide-react'
import { useState } from 'react'
import type {
  CoinCheckView,
  MessageProofDraft,
  ProvenCoinView,
} from '../../../background/views/message-views.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { shortenOutpoint } from '../../ui/copied-text.tsx'
import { Notice } from '../../ui/notice.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { Amount } from '../../ui/text/amount.tsx'

type ProvenCoinsProps = { proof: MessageProofDraft; coins: readonly ProvenCoinView[] }

/** The coins of a proof of funds with their sum, and what the chain says of them once the person asks. */
export function ProvenCoins({ proof, coins }: ProvenCoinsProps) {
  const [checks, setChecks] = useState<CoinCheckView[] | null>(null)
  const task = useTask()
  const stateOf = (outpoint: string) => checks?.find(check => check.outpoint === outpoint)
  const unspent = coins.filter(({ outpoint }) => stateOf(outpoint)?.state === 'unspent')
  const look = () => task.run(async () => setChecks(await call('checkProvenCoins', proof)))
  return (
    <section className={layoutStyles.stack} aria-label={words('messagesCoins')}>
      <h2 className={textStyles.muted}>{words('messagesCoins')}</h2>
      <dl className={factsStyles.facts}>
        {coins.map(({ outpoint, sats }) => {
          const check = stateOf(outpoint)
          return (
            <div key={outpoint}>
              <dt className={textStyles.mono} title={outpoint}>
                {shortenOutpoint(outpoint)}
              </dt>
              <dd>
                <Amount sats={BigInt(sats)} />
                {check ? <div className={textStyles.note}>{describeCheck(check)}</div> : null}
              </dd>
            </div>
          )
        })}
        <div>
          <dt>{words(checks ? 'messagesUnspentSum' : 'messagesSum')}</dt>
          <dd>
            <Amount sats={sumOf(checks ? unspent : coins)} />
          </dd>
        </div>
      </dl>
      <p className={textStyles.note}>
        {words(checks ? 'messagesCoinsChecked' : 'messagesCoinsNote')}
      </p>
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      {checks ? null : (
        <Button variant="secondary" busy={task.busy} onClick={() => void look()}>
          <Search size={18} aria-hidden />
          {words('messagesCoinsCheck')}
        </Button>
      )}
    </section>
  )
}

function describeCheck(check: CoinCheckView): string {
  switch (check.state) {
    case 'unspent':
      return check.height === null
        ? words('messagesCoinPending')
        : words('messagesCoinUnspent', { height: check.height })
    case 'spent':
      return words('messagesCoinSpent')
    case 'missing':
      return words('messagesCoinMissing')
    case 'different':
      return words('messagesCoinDifferent')
  }
}

function sumOf(coins: readonly ProvenCoinView[]): bigint {
  return coins.reduce((sum, { sats }) => sum + BigInt(sats), 0n)
}
