import { CircleCheck, ScanSearch } from 'lucide-react'
import { useState } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { isTemplate } from '../../../bitcoin/wallet-paths.ts'
import { choosePhraseId, phraseIdOf } from '../../forms/accounts/account-groups.tsx'
import { joinList } from '../../platform/join-words.ts'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
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
import { ADDRESS_TYPE_NAMES } from '../../ui/text/account-kinds.ts'
import { showToast } from '../../ui/toast.tsx'
import { type AccountPair, chooseName, findPair, hasPartner, listPairs } from './account-pairs.ts'
import styles from './accounts.module.css'
import { firstOf } from './first-address.ts'
import { FoundList, isNewAddress, listWallets } from './found-list.tsx'
import {
  countAsked,
  type FoundAddress,
  isFurtherScan,
  nextQuestion,
  type Scan,
  startFurther,
} from './restore-scan.ts'
import { type ScanState, useScan } from './use-scan.ts'

/** Looks for addresses of the phrase that other wallets have used, and adds the ones that are chosen. */
export function RestoreAccounts(props: PageProps) {
  const { state } = props
  const [, , named] = useRoute()
  const phraseId = named ?? choosePhraseId(state)
  // What was found of one wallet's words on one network is nothing of another's.
  return <Search key={`${phraseId} ${state.network}`} {...props} phraseId={phraseId} />
}

type SearchProps = PageProps & { phraseId: string | null }

function Search({ state: whole, onChanged, phraseId }: SearchProps) {
  const ofPhrase = phraseId === null ? {} : { phraseId }
  const state = { ...whole, accounts: withoutOthers(whole.accounts, phraseId) }
  const search = useScan(phraseId)
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
      const added = await call('addScanned', { found: places, ...ofPhrase })
      for (const accountId of await findAccounts(joined, phraseId))
        await call('setManyAddresses', { accountId, on: true })
      await joinPairs(wanted, phraseId)
      await onChanged()
      leave()
      const isJoinedOnly = added.length + joined.length === 0 && wanted.length > 0
      const made = Math.max(countAccounts(added.length === 0 ? [] : places, wanted), joined.length)
      showToast(isJoinedOnly ? words('accountJoined') : countWords('restoreAdded', made))
    })

  const phrase = whole.phrases.find(({ id }) => id === phraseId)
  if (phrase && phrase.kind !== 'bip39')
    return <NothingToSearch title={words('walletElectrum')} note={words('restoreElectrum')} />
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
          ) : status === 'done' && !isFurtherScan(scan) ? (
            <Button variant="secondary" onClick={search.further}>
              {words('restoreFurther')}
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
                numbers: joinList(open.map(({ index }) => String(index + 1))),
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
          {words(isFurtherScan(scan) ? 'restoreNothingNote' : 'restoreNothingYet')}
        </Empty>
      ) : null}
      {status === 'done' && !isFurtherScan(scan) ? (
        <p className={textStyles.note}>
          {words('restoreFurtherNote', { host: hostOf(state), count: countFurther(scan) })}
        </p>
      ) : null}
    </Screen>
  )
}

/** Accounts without those that are of other wallets' words. */
function withoutOthers(accounts: readonly AccountView[], phraseId: string | null): AccountView[] {
  return accounts.filter(account => [null, phraseId].includes(phraseIdOf(account)))
}

/** Whether an address is one of the many of an account, beside its first. */
function isFurther(found: FoundAddress): boolean {
  const first = firstOf(found)
  return first !== null && first.path !== found.path
}

type FirstAddress = FoundPlace & { path: string }
type FoundPlace = Pick<FoundAddress, 'addressType' | 'line' | 'index'>

/** The accounts to be added, and the first addresses of those that have their further addresses together with them. */
function listPlaces(chosen: readonly FoundAddress[], together: boolean) {
  const firsts = together ? chosen.filter(isFurther).flatMap(one => firstOf(one) ?? []) : []
  const joined = [...new Map(firsts.map(first => [keyOf(first), first])).values()]
  const isJoined = (found: FoundAddress) =>
    joined.some(one => keyOf(one) === keyOf(firstOf(found) ?? found))
  const single = chosen.filter(found => !isJoined(found))
  const places = [...joined, ...single].map(({ addressType, line, index }) => {
    return { addressType, line, index }
  })
  return { places, joined }
}

function keyOf({ addressType, path }: Pick<FirstAddress, 'addressType' | 'path'>): string {
  return `${addressType} ${path}`
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

async function joinPairs(pairs: readonly AccountPair[], phraseId: string | null): Promise<void> {
  const accounts = withoutOthers((await call('getState', null)).accounts, phraseId)
  for (const pair of pairs) {
    const found = findPair(accounts, pair)
    if (!found) continue
    const { account, taproot } = found
    const ids = { accountId: account.id, ordinalsId: taproot.id }
    await call('joinAccounts', { ...ids, name: chooseName(account, taproot) })
  }
}

/** Ids of the phrase's accounts that begin with these addresses, which are there by now. */
async function findAccounts(
  firsts: readonly FirstAddress[],
  phraseId: string | null,
): Promise<string[]> {
  const { accounts } = await call('getState', null)
  return withoutOthers(accounts, phraseId)
    .filter(({ source, addressType, derivationPath }) =>
      firsts.some(
        first =>
          source === 'seed' && addressType === first.addressType && derivationPath === first.path,
      ),
    )
    .map(({ id }) => id)
}

function hostOf({ server }: PageProps['state']): string {
  return URL.canParse(server.url) ? new URL(server.url).host : server.url
}

/** How many addresses a search along the paths of other wallets asks about where none of them was used. */
function countFurther(scan: Scan): number {
  return countAsked(startFurther(scan)).planned - countAsked(scan).planned
}

/** For words that no further accounts come from. */
function NothingToSearch({ title, note }: { title: string; note: string }) {
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('restoreTitle')}</Title>
      <Empty icon={<ScanSearch size={24} aria-hidden />} title={title}>
        {note}
      </Empty>
    </Screen>
  )
}

type OfferProps = PageProps & { onStart: () => void; onSkip: () => void }

function Offer({ state, onStart, onSkip }: OfferProps) {
  const inPopup = document.documentElement.dataset.surface === 'popup'
  if (state.hasPhrase === false)
    return <NothingToSearch title={words('restoreNoPhrase')} note={words('addNoPhrase')} />
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <>
          <Button
            variant="primary"
            // The toolbar popup vanishes when it loses focus, and the search with it.
            onClick={inPopup ? () => void openInTab(location.hash.slice(1)) : onStart}
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
      <Notice tone="info">{words('restorePrivacy', { host: hostOf(state) })}</Notice>
    </Screen>
  )
}

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
  const line = nameLine(question)
  return (
    <div className={styles.scan}>
      <progress value={asked} max={planned} aria-label={words('restoreProgress')} />
      <p role="status">{status === 'running' ? line : words('restoreStopped')}</p>
      <p className={textStyles.note}>{words('restoreAsked', { asked, planned, found })}</p>
    </div>
  )
}

const LINES = {
  accounts: 'restoreAccounts',
  receive: 'restoreReceive',
  change: 'restoreChange',
} as const

function nameLine({ addressType, line }: Pick<FoundPlace, 'addressType' | 'line'>): string {
  const type = ADDRESS_TYPE_NAMES[addressType]
  if (!isTemplate(line)) return words(LINES[line], { type })
  return words('restoreOfWallets', { type, wallets: listWallets({ addressType, line, index: 1 }) })
}
