import { ExternalLink, Sparkles } from 'lucide-react'
import { goBack } from '../../platform/route.ts'
import { walletVersion } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { Mark } from '../../ui/pictures/mark.tsx'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import styles from './settings.module.css'

const KEYS: readonly { keys: string[]; does: WordKey }[] = [
  { keys: ['Tab', 'Shift + Tab'], does: 'aboutKeyTab' },
  { keys: ['Enter'], does: 'aboutKeyEnter' },
  { keys: ['Esc', 'Alt + ←'], does: 'aboutKeyBack' },
  { keys: ['Alt + A'], does: 'aboutKeyAccounts' },
  { keys: ['↑', '↓'], does: 'aboutKeyArrows' },
  { keys: ['Space'], does: 'aboutKeySpace' },
]

/** What Satchel is built on, and what else explains it. */
const LINKS: readonly { name: string; href: string }[] = [
  { name: 'bitcoinjs-lib', href: 'https://github.com/bitcoinjs/bitcoinjs-lib' },
  { name: 'noble cryptography', href: 'https://paulmillr.com/noble/' },
  { name: 'React', href: 'https://react.dev/' },
  { name: 'Lucide', href: 'https://lucide.dev/license' },
  { name: 'Figtree', href: 'https://github.com/erikdkennedy/figtree' },
  // Of the package itself: the licences of all of them.
  { name: 'THIRD-PARTY-LICENSES.txt', href: '/THIRD-PARTY-LICENSES.txt' },
]

/** Version, licence, keys and what it is built on. */
export function About(_: PageProps) {
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <div className={styles.about}>
        <Mark size={56} />
        <Title>Satchel</Title>
        <p className={textStyles.muted}>{words('aboutVersion', { version: walletVersion() })}</p>
        <p className={textStyles.muted}>{words('aboutLicence')}</p>
      </div>
      <Rows label={words('aboutTitle')}>
        <LinkRow
          to="/news"
          icon={<Sparkles size={18} aria-hidden />}
          title={words('newsTitle', { version: walletVersion().split('.').slice(0, 2).join('.') })}
        />
      </Rows>
      <section className={layoutStyles.stack}>
        <h2>{words('aboutKeys')}</h2>
        <dl className={factsStyles.facts}>
          {KEYS.map(({ keys, does }) => (
            <div key={does}>
              <dt>
                {keys.map(key => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{words(does)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className={layoutStyles.stack}>
        <h2>{words('aboutBuiltOn')}</h2>
        <ul className={styles.builtOn}>
          {LINKS.map(({ name, href }) => (
            <li key={href}>
              <a className={textStyles.link} href={href} target="_blank" rel="noreferrer">
                {name}
                <ExternalLink size={14} aria-hidden />
                <span className={textStyles.visuallyHidden}>{words('aboutNewTab')}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </Screen>
  )
}
