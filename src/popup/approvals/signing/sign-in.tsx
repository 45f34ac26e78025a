import { readSignIn, type SignInStanding } from '../../../bitcoin/messages/sign-in-message.ts'
import { joinNames } from '../../platform/join-words.ts'
import { richWords, words } from '../../platform/words.ts'
import type { Consent } from '../../review/list-consents.ts'
import { Notice } from '../../ui/notice.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { describeOrigin } from '../../ui/text/site-origin.ts'

/** What texts say of where they sign in, compared with the site that asks. */
export type SignInFacts = {
  /** The worst of all; null where no host is named. */
  standing: SignInStanding | null
  /** The hosts of that standing, as the texts have them. */
  named: string[]
  host: string
  validity: 'expired' | 'not-yet' | null
}

/** Of one text or several: the worst of each is what counts. */
export function readSignIns(messages: readonly string[], origin: string, now: number): SignInFacts {
  const found = messages.map(message => readSignIn(message, origin, now))
  const hosts = found.flatMap(signIn => signIn.hosts)
  const standings = hosts.map(({ standing }) => standing)
  const standing =
    (['mismatch', 'related', 'match'] as const).find(kind => standings.includes(kind)) ?? null
  const named = hosts.filter(host => host.standing === standing).map(host => host.named)
  return {
    standing,
    named: [...new Set(named)],
    host: describeOrigin(origin).host,
    validity: found.find(({ validity }) => validity !== null)?.validity ?? null,
  }
}

/** The second confirmation of a signature by which somebody can sign in elsewhere. */
export function listSignInConsents({ standing, named }: SignInFacts): Consent[] {
  if (standing !== 'mismatch') return []
  return [{ kind: 'sign-in', text: words('signInConsent', { named: joinNames(named) }) }]
}

/** Nothing for texts that name no host and no time. */
export function SignInNotices({ facts }: { facts: SignInFacts }) {
  const { standing, validity } = facts
  const named = <b className={textStyles.breakable}>{joinNames(facts.named)}</b>
  const host = <b className={textStyles.breakable}>{facts.host}</b>
  return (
    <>
      {standing === 'mismatch' ? (
        <Notice tone="danger" title={words('signInOther')}>
          <p>{richWords('signInOtherNote', { named, host })}</p>
        </Notice>
      ) : standing === 'related' ? (
        <Notice tone="caution" title={words('signInRelated')}>
          <p>{richWords('signInRelatedNote', { named, host })}</p>
        </Notice>
      ) : standing === 'match' ? (
        <p className={textStyles.note}>{richWords('signInMatch', { host })}</p>
      ) : null}
      {validity === null ? null : (
        <Notice
          tone="caution"
          title={words(validity === 'expired' ? 'signInExpired' : 'signInNotYet')}
        >
          {words('signInTimeNote')}
        </Notice>
      )}
    </>
  )
}
