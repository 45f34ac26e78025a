import { CircleCheck, ScanSearch } from 'lucide-react'
import { useState } from 'react'
import type { AddressType } from '../../../bitcoin/address.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { call, openInTab } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { ADDRESS_TYPE_NAMES } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'
import { type AccountPair, chooseName, findPair, hasPartner, listPairs } from './account-pairs.ts'
import styles from './accounts.module.css'
import { FoundList, isNewAddress } from './found-list.tsx'
import { countAsked, type FoundAddress, nextQuestion } from './restore-scan.ts'
import { type ScanState, useScan } from './use-scan.ts'

/** Looks for addresses of the phrase that other wallets have used, and adds the ones that are chosen. */
export function RestoreAccounts({ state, onChanged }: PageProps) {
  const search = useScan()
  const { scan, status } = search
  /** What the person chose by hand; everything else is chosen when it holds something. */
  const [byHand, setByHand] = useState<ReadonlyMap<string, boolean>>(new Map())
  const task = useTask()
  const isChosen = (found: FoundAddress) =>
    isNewAddress(found, state) &&
    (byHand.get(found.address) ?? (found.balance !== '0' || hasPartner(found, scan.found)))
  const chosen = scan.found.filter(isChosen)
  const [together, setTogether] = useState(true)
  const [paired, setPaired] = useState(true)
  const { places, joined } = listPlaces(chosen, together)
  const pairs = listPairs(scan.found.filter(one => isChosen(one) || !isNewAddress(one, state)))
  // Pairs of accounts that are there count where they are not one yet.
  const open = pairs.filter(
    pair => findPair(state.accounts, pair) !== null || chosen.some(isOf(pair)),
  )
  const wanted = paired ? open : []
  const count = countAccounts(places, wanted)
  const leave = () => navigate('/', { replace: true })
  const add = () =>
    task.run(async () => {
      const added = await call('addScanned', { found: places })
      for (const accountId of await findFirstAccounts(joined))
        await call('setManyAddresses', { accountId, on: true })
      await joinPairs(wanted)
      await onChanged()
      leave()
      const isJoinedOnly = added.length + joined.length === 0 && wanted.length > 0
      const made = Math.max(countAccounts(added.length === 0 ? [] : places, wanted), joined.length)
      showToast(isJoinedOnly ? words('accountJoined') : countWords('restoreAdded', made))
    })

  if (status === 'ready') {
    return <Offer {...{ state, onChanged }} onStart={search.start} onSkip={leave} />
  }
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <>
          {status === 'running' ? (
            <Button variant="secondary" onClick={search.stop}>
              {words('restoreStop')}
            </Button>
          ) : status === 'done' ? null : (
            <Button variant="secondary" onClick={search.start}>
              {words(status === 'failed' ? 'commonTryAgain' : 'restoreResume')}
            </Button>
          )}
          {chosen.length > 0 || wanted.length > 0 ? (
            <Button variant="primary" busy={task.busy} onClick={() => void add()}>
              {count > 0 ? countWords('restoreAdd', count) : words('accountJoinDo')}
            </Button>
          ) : status === 'done' ? (
            <Button variant="primary" onClick={leave}>
              {words('commonDone')}
            </Button>
          ) : null}
        </>
      }
    >
      <Title>{words('restoreTitle')}</Title>
      <Progress {...search} />
      {search.problem ? (
        <Notice tone="caution" title={words('restoreInterrupted')} live>
          <p>{search.problem}</p>
          <p>{words('restoreKept')}</p>
        </Notice>
      ) : null}
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      {chosen.some(isFurther) ? (
        <Check checked={together} onCheck={setTogether}>
          <span>
            {words('restoreTogether')}
            <span className={textStyles.note}> {words('restoreTogetherNote')}</span>
          </span>
        </Check>
      ) : null}
      {open.length > 0 ? (
        <Check checked={paired} onCheck={setPaired}>
          <span>
            {words('restorePairs')}
            <span className={textStyles.note}>
              {' '}
              {words('restorePairsNote', {
                numbers: open.map(({ index }) => String(index + 1)).join(', '),
              })}
            </span>
          </span>
        </Check>
      ) : null}
      {scan.found.length > 0 ? (
        <FoundList
          state={state}
          found={scan.found}
          isChosen={isChosen}
          onChoose={(address, on) => setByHand(new Map(byHand).set(address, on))}
        />
      ) : status === 'done' ? (
        <Empty icon={<ScanSearch size={24} aria-hidden />} title={words('restoreNothing')}>
          {words('restoreNothingNote')}
        </Empty>
      ) : null}
    </Screen>
  )
}

type FoundPlace = Pick<FoundAddress, 'addressType' | 'line' | 'index'>

/** Whether an address is one of the many of the phrase's first account of its kind. */
function isFurther({ line }: FoundPlace): boolean {
  return line !== 'accounts'
}

/** The accounts to be added, and the kinds whose further addresses are in one account together. */
function listPlaces(chosen: readonly FoundPlace[], together: boolean) {
  const joined = together
    ? [...new Set(chosen.filter(isFurther).map(({ addressType }) => addressType))]
    : []
  const isJoined = (place: FoundPlace) =>
    joined.includes(place.addressType) && (isFurther(place) || place.index === 0)
  const places = chosen
    .filter(place => !isJoined(place))
    .map(({ addressType, line, index }) => ({ addressType, line, index }))
  const firsts = joined.map(addressType => ({ addressType, line: 'accounts' as const, index: 0 }))
  return { places: [...firsts, ...places], joined }
}

/** Whether an address is one of a pair. */
function isOf({ index, payment }: AccountPair): (place: FoundPlace) => boolean {
  return place =>
    place.line === 'accounts' &&
    place.index === index &&
    (place.addressType === payment || place.addressType === 'p2tr')
}

/** How many accounts there will be more: a pair is one, and none where half of it is there. */
function countAccounts(places: readonly FoundPlace[], pairs: readonly AccountPair[]): number {
  const inPairs = pairs.map(pair => places.filter(isOf(pair)).length)
  const single = places.filter(place => !pairs.some(pair => isOf(pair)(place))).length
  return single + inPairs.filter(count => count === 2).length
}

async function joinPairs(pairs: readonly AccountPair[]): Promise<void> {
  const { accounts } = await call('getState', null)
  for (const pair of pairs) {
    const found = findPair(accounts, pair)
    if (!found) continue
    const { account, taproot } = found
    const ids = { accountId: account.id, ordinalsId: taproot.id }
    await call('joinAccounts', { ...ids, name: chooseName(account, taproot) })
  }
}

/** Ids of the phrase's first accounts of these kinds, which are there by now. */
async function findFirstAccounts(types: readonly AddressType[]): Promise<string[]> {
  const { accounts } = await call('getState', null)
  return accounts
    .filter(
      ({ source, addressType, derivationPath }) =>
        source === 'seed' &&
        types.some(type => type === addressType) &&
        /^m\/\d+'\/\d+'\/0'\/0\/0$/.test(derivationPath ?? ''),
    )
    .map(({ id }) => id)
}

type OfferProps = PageProps & { onStart: () => void; onSkip: () => void }

function Offer({ state, onStart, onSkip }: OfferProps) {
  const inPopup = document.documentElement.dataset.surface === 'popup'
  if (state.hasPhrase === false) {
    return (
      <Screen head={<BackButton onBack={goBack} />}>
        <Title>{words('restoreTitle')}</Title>
        <Empty icon={<ScanSearch size={24} aria-hidden />} title={words('restoreNoPhrase')}>
          {words('addNoPhrase')}
        </Empty>
      </Screen>
    )
  }
  const host = URL.canParse(state.server.url) ? new URL(state.server.url).host : state.server.url
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <>
          <Button
            variant="primary"
            // The toolbar popup vanishes when it loses focus, and the search with it.
            onClick={inPopup ? () => void openInTab('/accounts/restore') : onStart}
          >
            {words(inPopup ? 'restoreInTab' : 'restoreStart')}
          </Button>
          <Button variant="secondary" onClick={onSkip}>
            {words('restoreSkip')}
          </Button>
        </>
      }
    >
      <Title>{words('restoreTitle')}</Title>
      <p className={textStyles.muted}>{words('restoreWhy')}</p>
      <Notice tone="info">{words('restorePrivacy', { host })}</Notice>
    </Screen>
  )
}

const LINES = {
  accounts: 'restoreAccounts',
  receive: 'restoreReceive',
  change: 'restoreChange',
} as const

/** How far the search is; the words change with each line, so that a screen reader is not told every address. */
function Progress({ scan, status }: ScanState) {
  const { asked, planned } = countAsked(scan)
  const question = nextQuestion(scan)
  const found = countWords('restoreFound', scan.found.length)
  if (question === null) {
    return (
      <p className={styles.scanEnd} role="status">
        <CircleCheck size={18} aria-hidden />
        {words('restoreDone', { asked, found })}
      </p>
    )
  }
  const line = words(LINES[question.line], { type: ADDRESS_TYPE_NAMES[question.addressType] })
  return (
    <div className={styles.scan}>
      <progress value={asked} max={planned} aria-label={words('restoreProgress')} />
      <p role="status">{status === 'running' ? line : words('restoreStopped')}</p>
      <p className={textStyles.note}>{words('restoreAsked', { asked, planned, found })}</p>
    </div>
  )
}
