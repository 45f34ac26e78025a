import type { RareSatView, Rarity } from '../../../background/views/asset-views.ts'
import { countWords, currentLanguage, type WordKey, words } from '../../platform/words.ts'
import rowStyles from '../../ui/row.module.css'
import pillStyles from '../../ui/styles/pill.module.css'
import styles from './rare-sats.module.css'

const RARITY_WORDS: { [rarity in Rarity]: WordKey } = {
  uncommon: 'rarityUncommon',
  rare: 'rarityRare',
  epic: 'rarityEpic',
  legendary: 'rarityLegendary',
  mythic: 'rarityMythic',
}

/** At most so many are named one by one. */
const FEW = 3

/** The rare sats of a coin: how rare, which number and name, and of which block. */
export function RareSats({ sats }: { sats: RareSatView[] }) {
  const language = currentLanguage()
  const rest = sats.length - FEW
  return (
    <>
      <ul className={styles.sats}>
        {sats.slice(0, FEW).map(({ sat, rarity, name, height }) => (
          <li key={sat}>
            <span className={styles.sat}>
              <span className={pillStyles.pill}>{words(RARITY_WORDS[rarity])}</span>
              <span className={styles.names}>
                {BigInt(sat).toLocaleString(language)}
                <span className={rowStyles.note}>
                  {words('raritySat', { name, height: height.toLocaleString(language) })}
                </span>
              </span>
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 ? <p className={rowStyles.note}>{countWords('rarityMore', rest)}</p> : null}
    </>
  )
}
